package terminal

import (
	"math"
	"strings"
)

// Table has rows with a label to the left, cells in columns that are aligned to the right, and a note. Columns that do
// not fit into the width of the text go below, with the same labels.
type Table struct {
	Rows  []*Row
	Group int // so many columns stay together, counted from the last; 0 is 1
}

// Row is a row of a table: a heading of its own line if it has no cells.
type Row struct {
	Indent int // levels
	Label  string
	Cells  []string
	Note   string
	Rule   bool // a line across
}

const (
	margin    = 2  // before the label, between columns, and of a level
	minLabel  = 16 // columns that labels may always have
	noteWidth = 36 // columns that notes have at least; otherwise they go below
)

// Add adds a row.
func (t *Table) Add(indent int, label string, cells ...string) *Row {
	t.Rows = append(t.Rows, &Row{Indent: indent, Label: label, Cells: cells})
	return t.Rows[len(t.Rows)-1]
}

// Table writes a table. A label that is too long for the rest of its line is on a line of its own, and notes are
// wrapped; but rows that are whole get longer lines instead.
func (t *Text) Table(table *Table) {
	if t.Whole {
		defer func(columns int) { t.Columns = columns }(t.Columns)
		t.Columns = math.MaxInt32
	}
	widths, label, group := table.widths(), 0, max(1, table.Group)
	room := t.Columns - margin
	for _, w := range widths {
		room -= margin + w
	}
	for _, r := range table.Rows {
		if r.Note != "" {
			room = min(room, t.Columns-margin-sum(widths)-noteWidth-margin)
		}
	}
	room = max(room, minLabel)
	for _, r := range table.Rows {
		if w := r.labelWidth(); len(r.Cells) > 0 && w <= room {
			label = max(label, w)
		}
	}
	for first := 0; first < max(1, len(widths)); {
		last := min(first+group, len(widths))
		if first == 0 {
			last += (len(widths) - last) % group
		}
		for last < len(widths) && margin+label+sum(widths[first:last+group]) <= t.Columns {
			last += group
		}
		if first > 0 {
			t.WriteString("\n")
		}
		for _, r := range table.Rows {
			t.row(r, label, widths, first, last)
		}
		first = max(last, 1)
	}
}

func (t *Text) row(r *Row, label int, widths []int, first, last int) {
	if r.Rule {
		t.Line(strings.Repeat(" ", margin) + strings.Repeat("-", label+sum(widths[first:last])))
		return
	}
	line := strings.Repeat(" ", margin*(1+r.Indent)) + r.Label
	if len(r.Cells) == 0 || r.labelWidth() > label {
		t.Line(line)
		line = ""
	}
	if len(r.Cells) == 0 {
		return
	}
	line += strings.Repeat(" ", margin+label-TextWidth(line))
	for i := first; i < last; i++ {
		cell := ""
		if i < len(r.Cells) {
			cell = r.Cells[i]
		}
		line += strings.Repeat(" ", margin+widths[i]-TextWidth(cell)) + cell
	}
	switch {
	case r.Note == "" || first > 0:
		t.Line(line)
	case TextWidth(line)+noteWidth > t.Columns:
		t.Line(line)
		t.Wrap(strings.Repeat(" ", 2*margin), r.Note)
	default:
		t.Wrap(line+strings.Repeat(" ", margin), r.Note)
	}
}

func (r *Row) labelWidth() int { return margin*r.Indent + TextWidth(r.Label) }

func (t *Table) widths() (widths []int) {
	for _, r := range t.Rows {
		for i, cell := range r.Cells {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], TextWidth(cell))
		}
	}
	return widths
}

func sum(widths []int) (columns int) {
	for _, w := range widths {
		columns += margin + w
	}
	return columns
}

// WithPercent returns an amount and a percentage as one cell, in which percentages are below each other.
func WithPercent(amount, percent string) string {
	return amount + strings.Repeat(" ", max(1, margin+len("100%")-1-len(percent))) + percent
}
