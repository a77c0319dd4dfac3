package measure

import (
	"fmt"
	"html"
	"io"
	"math"
	"strings"
)

// Chart writes an SVG with a bar for each result, as long as kubemath is faster than the
// rival, and marks where its targets are.
func Chart(w io.Writer, results []Result) error {
	const (
		line, bar      = 30, 16
		labels, plot   = 270, 470
		top, rightEdge = 46, 90
	)
	most := 1.0
	for _, r := range results {
		most = max(most, r.Ratio, r.Aim)
	}
	step := tick(most)
	most = math.Ceil(most/step) * step
	x := func(ratio float64) float64 { return labels + plot*ratio/most }
	bottom := top + line*len(results)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">`+"\n",
		labels+plot+rightEdge, bottom+44)
	b.WriteString(`<rect width="100%" height="100%" fill="#ffffff"/>` + "\n")
	text(&b, 12, 24, `font-size="15" font-weight="bold"`, "How many times as fast as what Kubernetes runs")
	for at := 0.0; at <= most; at += step {
		fmt.Fprintf(&b, `<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="#dddddd"/>`+"\n", x(at), top-6, x(at), bottom)
		text(&b, x(at), float64(bottom+14), `text-anchor="middle" fill="#666666"`, fmt.Sprintf("%g×", at))
	}
	for i, r := range results {
		y := float64(top + i*line)
		text(&b, labels-8, y+12, `text-anchor="end"`, r.Kernel)
		fmt.Fprintf(&b, `<rect x="%d" y="%.0f" width="%.1f" height="%d" fill="#2f7ed8"><title>%s</title></rect>`+"\n",
			labels, y, x(r.Ratio)-labels, bar, html.EscapeString(fmt.Sprintf("%s beside %s of %s", nanos(r.Ours), nanos(r.Theirs), r.Rival)))
		mark(&b, x(r.AtLeast), y, bar, "#c0392b")
		mark(&b, x(r.Aim), y, bar, "#27ae60")
		text(&b, max(x(r.Ratio), x(r.Aim))+6, y+12, `fill="#333333"`, fmt.Sprintf("%.1f×", r.Ratio))
	}
	text(&b, labels, float64(bottom+34), `fill="#c0392b"`, "│ at least")
	text(&b, labels+80, float64(bottom+34), `fill="#27ae60"`, "│ aim")
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// tick returns the distance of marks on an axis up to most: at most some eight of them.
func tick(most float64) float64 {
	step := 1.0
	for _, factor := range []float64{2, 2.5, 2} {
		if most/step > 8 {
			step *= factor
		}
	}
	for most/step > 8 {
		step *= 10
	}
	return step
}

func text(b *strings.Builder, x, y float64, attributes, content string) {
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" %s>%s</text>`+"\n", x, y, attributes, html.EscapeString(content))
}

func mark(b *strings.Builder, x, y float64, height int, color string) {
	fmt.Fprintf(b, `<line x1="%.1f" y1="%.0f" x2="%.1f" y2="%.0f" stroke="%s" stroke-width="2"/>`+"\n", x, y-3, x, y+float64(height)+3, color)
}
