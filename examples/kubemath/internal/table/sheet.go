package table

import ()

// sheet is a table of rows: a label, columns that are right-aligned, and a note.
type sheet struct {
	rows []entry
}

type entry struct {
	indent int // levels
	label  string
	cells  []string // none for a heading
	note   string
}

// noteWidth is the least width of notes.
const noteWidth = 40

// add adds a row.
func (s *sheet) add(indent int, label string, cells ...string) *entry {
	s.rows = append(s.rows, entry{indent: indent, label: label, cells: cells})
	return &s.rows[len(s.rows)-1]
}

// write prints the sheet. A label that is too long for the rest of its line is on a line of its own,
// and notes are wrapped.
func (s *sheet) write(b *page) {
	widths := s.widths()
	most := s.mostLabel(widths, b.columns)
	label := 0
	for i := range s.rows {
		if r := &s.rows[i]; len(r.cells) > 0 && r.width() <= most {
			label = max(label, r.width())
		}
	}
	for i := range s.rows {
		r := &s.rows[i]
		var l line
		l.left(margin*(1+r.indent), r.label, 0)
		if len(r.cells) == 0 || r.width() > most {
			l.end(b)
		}
		l.left(0, "", margin+label-width(l.text))
		for j, cell := range r.cells {
			l.right(margin, cell, widths[j])
		}
		switch {
		case r.note != "":
			writeWrapped(b, l.text+"  ", r.note)
		case len(r.cells) > 0:
			l.end(b)
		}
	}
}

// width returns that of the label, with its indent.
func (r *entry) width() int { return margin*r.indent + width(r.label) }

// widths returns those of the columns.
func (s *sheet) widths() []int {
	var widths []int
	for i := range s.rows {
		for j, cell := range s.rows[i].cells {
			if j == len(widths) {
				widths = append(widths, 0)
			}
			widths[j] = max(widths[j], width(cell))
		}
	}
	return widths
}

// mostLabel returns how wide labels may be, for the rest to fit on the line.
func (s *sheet) mostLabel(widths []int, columns int) int {
	left := columns - margin
	for _, w := range widths {
		left -= margin + w
	}
	for i := range s.rows {
		if s.rows[i].note != "" {
			return left - margin - noteWidth
		}
	}
	return left
}
