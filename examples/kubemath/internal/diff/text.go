package diff

import (
	"strings"
	"unicode/utf8"

	"github.com/kubemath/kubemath/examples/internal/wording"
)

const gap = "  "

// plain returns a page in lines of so many columns, if the names are not longer.
func plain(p *page, columns int) string {
	var b strings.Builder
	b.WriteString(wording.Wrapped("", p.summary, columns) + "\n")
	for _, s := range p.sections {
		switch {
		case len(s.items) > 0:
			b.WriteString("\n" + s.title + "\n")
			for _, it := range s.items {
				b.WriteString(wording.Wrapped(gap, it.head, columns) + "\n")
				for _, note := range it.notes {
					b.WriteString(wording.Wrapped(gap+gap, note, columns) + "\n")
				}
			}
		default:
			b.WriteString("\n" + s.text(columns))
		}
	}
	return b.String()
}

// text returns the table: the names to the left and all other cells to the right. On a narrow screen, each name has a
// line of its own.
func (s *section) text(columns int) string {
	widths := make([]int, len(s.columns))
	for _, row := range append([][]string{s.columns}, s.rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	head, all := append([]string{s.title}, s.columns[1:]...), len(gap)+widths[0]
	if utf8.RuneCountInString(s.title) > all { // it has a line of its own
		b.WriteString(s.title + "\n")
		head[0] = ""
	}
	for _, w := range widths[1:] {
		all += len(gap) + w
	}
	narrow := all > columns
	for i, row := range append([][]string{head}, s.rows...) {
		name := gap + row[0]
		if i == 0 {
			name = row[0]
		}
		first := len(gap) + widths[0]
		if narrow {
			if name != "" {
				b.WriteString(name + "\n")
			}
			name, first = "", len(gap)
		}
		line := name + strings.Repeat(" ", max(0, first-utf8.RuneCountInString(name)))
		for j, cell := range row[1:] {
			padded := strings.Repeat(" ", widths[j+1]-utf8.RuneCountInString(cell)) + cell
			if narrow && len(line)+len(gap)+len(padded) > columns {
				b.WriteString(strings.TrimRight(line, " ") + "\n")
				line = gap
			}
			line += gap + padded
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}
