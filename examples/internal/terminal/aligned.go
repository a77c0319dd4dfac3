package terminal

import (
	"strings"
	"text/tabwriter"
)

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
