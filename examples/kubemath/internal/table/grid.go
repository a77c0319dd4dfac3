package table

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/wording"
)

// grid is a table with two columns for each resource.
type grid struct {
	resources []corev1.ResourceName
	rows      []row
}

type row struct {
	label      string
	cells      map[corev1.ResourceName]cell
	score      string
	limitsOnly bool // there is nothing to request
	rule       bool // a line across
}

type cell struct{ request, limit string }

// set fills in the part of a cell that is not empty.
func (r *row) set(name corev1.ResourceName, request, limit string) {
	c := r.cells[name]
	if request != "" {
		c.request = request
	}
	if limit != "" {
		c.limit = limit
	}
	r.cells[name] = c
}

const (
	maxLabel = 40
	margin   = 2 // columns before the first and between all
)

// write prints the grid. Columns that do not fit into the width of a line are printed in a second
// grid below, with the same rows.
func (g *grid) write(b *page) {
	for i, block := range g.blocks(b.columns) {
		if i > 0 {
			b.WriteString("\n")
		}
		g.writeBlock(b, block, i == 0 && g.scored())
	}
}

// blocks divides the resources among the grids.
func (g *grid) blocks(columns int) [][]corev1.ResourceName {
	var blocks [][]corev1.ResourceName
	left := 0
	for _, name := range g.resources {
		request, limit := g.widths(name)
		need := 2*margin + request + limit
		if len(blocks) == 0 || need > left {
			left = columns - margin - g.labelWidth()
			if len(blocks) == 0 && g.scored() {
				left -= margin + len(scoreName) + 1
			}
			blocks = append(blocks, nil)
		}
		left -= need
		blocks[len(blocks)-1] = append(blocks[len(blocks)-1], name)
	}
	return blocks
}

func (g *grid) writeBlock(b *page, names []corev1.ResourceName, scores bool) {
	var l line
	l.left(margin, "", g.labelWidth())
	for _, name := range names {
		request, limit := g.widths(name)
		l.right(margin, wording.Printable(string(name)), request+margin+limit)
	}
	l.end(b)
	l.left(margin, "", g.labelWidth())
	for _, name := range names {
		request, limit := g.widths(name)
		l.right(margin, "request", request)
		l.right(margin, "limit", limit)
	}
	if scores {
		l.right(margin, scoreName, len(scoreName)+1)
	}
	total := width(l.text)
	l.end(b)
	for i := range g.rows {
		if g.rows[i].rule {
			b.WriteString(strings.Repeat(" ", margin) + strings.Repeat("-", total-margin) + "\n")
			continue
		}
		g.writeRow(b, &g.rows[i], names, scores)
	}
}

func (g *grid) writeRow(b *page, r *row, names []corev1.ResourceName, scores bool) {
	var l line
	label := r.label
	if width(label) > maxLabel {
		l.left(margin, label, 0)
		l.end(b)
		label = ""
	}
	l.left(margin, label, g.labelWidth())
	for _, name := range names {
		request, limit := g.widths(name)
		l.right(margin, r.request(name), request)
		l.right(margin, orUnstated(r.cells[name].limit), limit)
	}
	if scores {
		l.right(margin, r.score, len(scoreName)+1)
	}
	l.end(b)
}

func (r *row) request(name corev1.ResourceName) string {
	if r.limitsOnly {
		return ""
	}
	return orUnstated(r.cells[name].request)
}

func orUnstated(amount string) string {
	if amount == "" {
		return unstated
	}
	return amount
}

func (g *grid) scored() bool {
	for i := range g.rows {
		if g.rows[i].score != "" {
			return true
		}
	}
	return false
}

func (g *grid) labelWidth() int {
	w := 0
	for i := range g.rows {
		if l := width(g.rows[i].label); l <= maxLabel {
			w = max(w, l)
		}
	}
	return w
}

// widths returns the widths of the two columns of a resource.
func (g *grid) widths(name corev1.ResourceName) (request, limit int) {
	request, limit = len("request"), len("limit")
	for i := range g.rows {
		request = max(request, width(g.rows[i].cells[name].request))
		limit = max(limit, width(g.rows[i].cells[name].limit))
	}
	return max(request, width(wording.Printable(string(name)))-margin-limit), limit
}

// line is a line of text under construction.
type line struct{ text string }

func (l *line) left(space int, text string, columns int) {
	l.text += strings.Repeat(" ", space) + text + strings.Repeat(" ", max(0, columns-width(text)))
}

func (l *line) right(space int, text string, columns int) {
	l.text += strings.Repeat(" ", space+max(0, columns-width(text))) + text
}

func (l *line) end(b *page) {
	b.WriteString(strings.TrimRight(l.text, " ") + "\n")
	l.text = ""
}
