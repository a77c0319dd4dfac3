package nodes

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/svg"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// The picture has a row for each node, with a bar for each resource. The width of the bar is the
// allocatable amount; it is filled by the requests, and then by those of the pending pods that are placed
// there. A frame marks a resource that is short.

const (
	margin     = 20
	header     = 72 // above the first row of a section
	nameWidth  = 190
	barWidth   = 110
	barHeight  = 14
	valueWidth = 66 // behind a bar
	rowHeight  = 24
	mostRows   = 200
	mostBars   = 8
	leastWidth = 740 // for the legend

	colorRequested = "#7fa8d1"
	colorPlaced    = "#f2b45c"
	colorOver      = "#b3261e"
	colorFree      = "#f3f3f3"
)

// section is nodes under one title.
type section struct {
	title, subtitle string
	bars            []bars
}

// bars is a row of the picture.
type bars struct {
	label      string
	now, after *noderesources.Ledger
	short      []corev1.ResourceName
}

// picture returns the nodes as an SVG, and with -pack the packed nodes below.
func picture(c *cluster, r *Report) string {
	resources := shown(r)
	resources = resources[:min(len(resources), mostBars)]
	width := max(leastWidth, 2*margin+nameWidth+len(resources)*(barWidth+valueWidth))
	var d drawing
	y := float64(margin)
	for _, s := range sectionsOf(c, r) {
		y = d.section(y, &s, resources, width-2*margin)
	}
	height := d.legend(y+18, r) + margin
	return d.Document(float64(width), height)
}

func sectionsOf(c *cluster, r *Report) []section {
	first := section{title: "Requests on " + wording.Count(int64(len(c.nodes)), "node"), subtitle: pendingInWords(r)}
	for i, n := range c.nodes {
		b := bars{wording.Printable(n.Name), n.now, n.after, r.Nodes[i].Short}
		if n.Spec.Unschedulable {
			b.label += " (cordoned)"
		}
		first.bars = append(first.bars, b)
	}
	sections := []section{first}
	for i := range r.Packings {
		p := &r.Packings[i]
		s := section{title: "Packed on nodes " + p.shape(), subtitle: p.answer()}
		for j, after := range p.packed {
			b := bars{fmt.Sprintf("node %d", j+1), p.empty, after, nil}
			if name, part := resourcelist.DominantShare(after.Requested(), after.Allocatable()); part > 0 {
				b.short = []corev1.ResourceName{name}
			}
			s.bars = append(s.bars, b)
		}
		sections = append(sections, s)
	}
	return sections
}

// section draws a section from y on, and returns where it ends.
func (d *drawing) section(y float64, s *section, resources []corev1.ResourceName, width int) float64 {
	d.Text(margin, y+10, `font-weight="bold" font-size="16"`, svg.Fitted(s.title, float64(width)*svg.FontSize/16))
	d.Text(margin, y+32, "", svg.Fitted(s.subtitle, float64(width)))
	for i, name := range resources {
		d.Text(columnAt(i), y+62, `font-weight="bold"`, svg.Fitted(wording.Printable(string(name)), barWidth+valueWidth-8))
	}
	y += header
	rows := min(len(s.bars), mostRows)
	for _, b := range s.bars[:rows] {
		d.Text(margin, y+barHeight-3, "", svg.Fitted(b.label, nameWidth-8))
		for i, name := range resources {
			d.bar(columnAt(i), y, &b, name)
		}
		y += rowHeight
	}
	if rows < len(s.bars) {
		d.Text(margin, y+barHeight-3, "", "and "+wording.Count(int64(len(s.bars)-rows), "further node"))
		y += rowHeight
	}
	return y + margin
}

func columnAt(i int) float64 { return float64(margin + nameWidth + i*(barWidth+valueWidth)) }

func pendingInWords(r *Report) string {
	placed, all := placedOf(r), len(r.Pending)
	if all == 0 {
		return "no pending pods"
	}
	return fmt.Sprintf("%s: %d fit, %d remain", wording.Count(int64(all), "pending pod"), placed, all-placed)
}

func placedOf(r *Report) (placed int) {
	for i := range r.Pending {
		if r.Pending[i].Node != "" {
			placed++
		}
	}
	return placed
}

// drawing collects the elements of a picture.
type drawing struct{ svg.Drawing }

// bar draws the requests of a resource on a node.
func (d *drawing) bar(x, y float64, b *bars, name corev1.ResourceName) {
	of := func(list corev1.ResourceList) int64 { return resourcelist.Integer(name, list[name]) }
	allocatable, now, after := of(b.now.Allocatable()), of(b.now.Requested()), of(b.after.Requested())
	isShort, attributes := slices.Contains(b.short, name), `fill="#555555"`
	if isShort {
		attributes = fmt.Sprintf(`font-weight="bold" fill="%s"`, colorOver)
	}
	has := float64(allocatable)
	title := fmt.Sprintf("%s, %s: %s requested, %s with the pods placed there, of %s", b.label, name,
		shortInteger(name, now), shortInteger(name, after), shortInteger(name, allocatable))
	if has <= 0 {
		text := "none"
		if after > 0 {
			text = "none, " + shortInteger(name, after) + " requested"
		}
		d.Text(x, y+barHeight-3, attributes, svg.Fitted(text, barWidth+valueWidth-8))
		return
	}
	requested, all := float64(now)/has, float64(after)/has
	d.Rect(x, y, barWidth, barHeight, colorFree, title)
	d.part(x, y, 0, requested, colorRequested, title)
	d.part(x, y, requested, all, colorPlaced, title)
	if all > 1 {
		d.Rect(x+barWidth-6, y, 6, barHeight, colorOver, title)
	}
	if isShort {
		d.Frame(x-1, y-1, barWidth+2, barHeight+2, "none", colorOver, 2)
	}
	d.Text(x+barWidth+6, y+barHeight-3, attributes, percentInWords(all))
}

// percentInWords returns a fraction as whole percent, rounded down.
func percentInWords(part float64) string {
	if part >= 100 {
		return ">9999%"
	}
	return fmt.Sprintf("%d%%", int(part*100+1e-9))
}

// part draws the part of a bar between two fractions, within the bar.
func (d *drawing) part(x, y, from, to float64, fill, title string) {
	from, to = max(0, min(from, 1)), max(0, min(to, 1))
	if to > from {
		d.Rect(x+from*barWidth, y, (to-from)*barWidth, barHeight, fill, title)
	}
}

// legend draws the meaning of the colors, and returns where it ends.
func (d *drawing) legend(y float64, r *Report) float64 {
	x := float64(margin)
	for _, entry := range []struct{ fill, stroke, text string }{
		{colorRequested, "#333333", "requested"},
		{colorPlaced, "#333333", "by pods placed there"},
		{colorFree, "#333333", "free"},
		{colorOver, "#333333", "more than allocatable"},
		{"#ffffff", colorOver, "short"},
	} {
		d.Frame(x, y-10, 12, 12, entry.fill, entry.stroke, 1)
		d.Text(x+18, y, "", entry.text)
		x += 18 + float64(len(entry.text))*svg.CharWidth + 16
	}
	y += rowHeight
	d.Text(margin, y, `fill="#555555"`, "Short is "+shortInWords(r)+".")
	return y
}

func shortInWords(r *Report) string {
	const largest = "the resource with the largest requested share"
	switch {
	case placedOf(r) == len(r.Pending):
		return largest
	case len(r.Packings) == 0:
		return "what the remaining pods lack"
	default:
		return "what the remaining pods lack; on packed nodes, " + largest
	}
}
