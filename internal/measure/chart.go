package measure

import (
	"fmt"
	"html"
	"io"
	"math"
	"strings"
)

// The measures of the chart.
const (
	line, bar      = 26, 15
	letter         = 6.6 // about the width of a letter
	plot           = 470
	top, rightEdge = 50, 70
)

// style supports the reader's light or dark color scheme.
const style = `<style>
text { fill: #222222 }
.page { fill: #ffffff } .axis { stroke: #d0d0d0 } .one { stroke: #c0392b; stroke-width: 2 } .bar { fill: #2f7ed8 }
@media (prefers-color-scheme: dark) {
text { fill: #dddddd } .page { fill: #161b22 } .axis { stroke: #3a4048 } .one { stroke: #ff7b72 } .bar { fill: #4493f8 }
}
</style>
`

// Chart writes an SVG with a bar for each result. The length of a bar is how much faster kubemath is
// than its rival. The axis is logarithmic and begins at 1×, which means equal speed.
func Chart(w io.Writer, results []Result) error {
	most, longest := 10.0, 0
	for _, r := range results {
		most, longest = max(most, r.Ratio), max(longest, len([]rune(r.Kernel)))
	}
	decades := math.Ceil(math.Log10(most))
	labels := 24 + letter*float64(longest)
	x := func(ratio float64) float64 { return labels + plot*max(0, math.Log10(ratio))/decades }
	bottom := top + line*len(results)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" width="%.0f" font-family="sans-serif" font-size="12">`+"\n",
		labels+plot+rightEdge, bottom+44, labels+plot+rightEdge)
	b.WriteString(style)
	b.WriteString(`<rect class="page" width="100%" height="100%"/>` + "\n")
	text(&b, 12, 24, `font-size="15" font-weight="bold"`, "How many times as fast as the code that Kubernetes runs")
	for _, at := range ticks(decades) {
		class := "axis"
		if at == 1 {
			class = "one"
		}
		fmt.Fprintf(&b, `<line class="%s" x1="%.1f" y1="%d" x2="%.1f" y2="%d"/>`+"\n", class, x(at), top-6, x(at), bottom)
		text(&b, x(at), float64(bottom+16), `text-anchor="middle"`, fmt.Sprintf("%g×", at))
	}
	for i, r := range results {
		y := float64(top + i*line)
		text(&b, labels-8, y+12, `text-anchor="end"`, r.Kernel)
		fmt.Fprintf(&b, `<rect class="bar" x="%.1f" y="%.0f" width="%.1f" height="%d"><title>%s</title></rect>`+"\n",
			labels, y, x(r.Ratio)-labels, bar, html.EscapeString(fmt.Sprintf("%s beside %s of %s", nanos(r.Ours), nanos(r.Theirs), r.Rival)))
		text(&b, x(r.Ratio)+6, y+12, ``, fmt.Sprintf("%s×", short(r.Ratio)))
	}
	text(&b, labels, float64(bottom+34), ``, "1× is Kubernetes. The axis is logarithmic.")
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// ticks returns the labels of an axis of a number of decades: 1, 2, 5, 10, and so on; for a long axis,
// only powers of ten.
func ticks(decades float64) []float64 {
	var at []float64
	for decade := 1.0; decade < math.Pow(10, decades); decade *= 10 {
		at = append(at, decade)
		if decades < 4 {
			at = append(at, 2*decade, 5*decade)
		}
	}
	return append(at, math.Pow(10, decades))
}

// short writes a ratio with two digits or more.
func short(ratio float64) string {
	if ratio < 10 {
		return fmt.Sprintf("%.1f", ratio)
	}
	return fmt.Sprintf("%.0f", ratio)
}

func text(b *strings.Builder, x, y float64, attributes, content string) {
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" %s>%s</text>`+"\n", x, y, attributes, html.EscapeString(content))
}
