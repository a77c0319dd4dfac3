package terminal

import (
	"strings"
	"text/tabwriter"
	"unicode/utf8"
)

// Grid is a table of groups of columns: a name and amounts in each row.
type Grid struct {
	Title  string // above the names
	Groups []Group
	Rows   [][]string // the name, which is to the left, and the cells of all groups, which are to the right
	Total  bool       // the last row is below a line
}

// Group is columns that stay side by side, under a title.
type Group struct {
	Title   string
	Columns int
}

const gap = "  "

// Text returns the table, with as many groups side by side as fit into so many columns, and the others below.
func (t *Grid) Text(columns int) string {
	names := utf8.RuneCountInString(t.Title)
	widths := make([]int, len(t.Rows[0]))
	for _, row := range t.Rows {
		names = max(names, utf8.RuneCountInString(row[0]))
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for groups, first := t.Groups, 1; len(groups) > 0; {
		title := left(t.Title, names)
		lines := make([]string, len(t.Rows))
		for i, row := range t.Rows {
			lines[i] = left(row[0], names)
		}
		all := names
		for n := 0; len(groups) > 0; n++ {
			g, width := groups[0], 0
			for _, w := range widths[first : first+g.Columns] {
				width += len(gap) + w
			}
			more := max(0, len(gap)+utf8.RuneCountInString(g.Title)-width)
			if all += width + more; n > 0 && all > columns {
				break
			}
			title += right(g.Title, width+more)
			for i, row := range t.Rows {
				lines[i] += strings.Repeat(" ", more)
				for j := first; j < first+g.Columns; j++ {
					lines[i] += right(row[j], len(gap)+widths[j])
				}
			}
			groups, first = groups[1:], first+g.Columns
		}
		if t.Total {
			last := lines[len(lines)-1]
			indent := len(last) - len(strings.TrimLeft(last, " "))
			rule := strings.Repeat(" ", indent) + strings.Repeat("-", utf8.RuneCountInString(last)-indent)
			lines = append(lines[:len(lines)-1], rule, last)
		}
		for _, line := range append([]string{title}, lines...) {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		}
		if len(groups) > 0 {
			b.WriteString("\n")
		}
	}
	return b.String()
}

func left(text string, width int) string {
	return text + strings.Repeat(" ", width-utf8.RuneCountInString(text))
}

func right(text string, width int) string {
	return strings.Repeat(" ", width-utf8.RuneCountInString(text)) + text
}

// Aligned returns rows whose cells are to the left, with so many spaces between the columns.
func Aligned(rows [][]string, spaces int) string {
	var b, trimmed strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, spaces, ' ', 0)
	for _, row := range rows {
		t.Write([]byte(strings.Join(row, "\t") + "\n")) // into memory
	}
	t.Flush()
	for line := range strings.Lines(b.String()) {
		trimmed.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return trimmed.String()
}
