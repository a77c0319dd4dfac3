package summary

import (
	"strings"
	"unicode/utf8"
)

// lineWidth is the number of columns of a line, unless a name is longer.
const lineWidth = 80

const (
	space    = 2  // columns between columns
	minLabel = 34 // that a label always has room for
)

// sheet is a table with labels to the left, and columns that are aligned to the right. Columns that
// have no room go below, with the same labels.
type sheet struct {
	titles []string // of the label, and of each column
	rows   []row
}

type row struct {
	label string
	cells []string
	note  string // below the row
}

func (s *sheet) write(b *strings.Builder) {
	if len(s.rows) == 0 {
		return
	}
	label, most := width(s.titles[0]), lineWidth
	for i := range s.titles[1:] {
		most -= space + s.column(i)
	}
	for _, r := range s.rows {
		if w := width(r.label); w <= max(most, minLabel) {
			label = max(label, w)
		}
	}
	for first := 0; first == 0 || first < len(s.titles)-1; {
		last, left := first, lineWidth-label
		for last < len(s.titles)-1 && (last == first || space+s.column(last) <= left) {
			left -= space + s.column(last)
			last++
		}
		s.writeBlock(b, label, first, last)
		first = max(last, 1)
	}
}

// writeBlock writes the columns from first to before last.
func (s *sheet) writeBlock(b *strings.Builder, label, first, last int) {
	line := func(title string, cells []string) {
		text := title + strings.Repeat(" ", max(0, label-width(title)))
		if width(title) > label {
			b.WriteString(title + "\n")
			text = strings.Repeat(" ", label)
		}
		for i := first; i < last; i++ {
			text += strings.Repeat(" ", space+s.column(i)-width(cells[i])) + cells[i]
		}
		b.WriteString(strings.TrimRight(text, " ") + "\n")
	}
	line(s.titles[0], s.titles[1:])
	for _, r := range s.rows {
		line(r.label, r.cells)
		if r.note != "" && first == 0 {
			wrap(b, "  ", r.note)
		}
	}
	b.WriteString("\n")
}

// column returns the width of a column.
func (s *sheet) column(i int) int {
	w := width(s.titles[1+i])
	for _, r := range s.rows {
		w = max(w, width(r.cells[i]))
	}
	return w
}

// wrap writes text behind a prefix, with further lines indented likewise.
func wrap(b *strings.Builder, prefix, text string) {
	line := prefix
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
			line += word
		case width(line)+1+width(word) > lineWidth:
			b.WriteString(line + "\n")
			line = strings.Repeat(" ", width(prefix)) + word
		default:
			line += " " + word
		}
	}
	b.WriteString(line + "\n")
}

func width(text string) int { return utf8.RuneCountInString(text) }
