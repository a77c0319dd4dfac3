package diff

import (
	"strings"

	"github.com/kubemath/kubemath/examples/internal/terminal"
)

// plain returns a page in lines of so many columns, if the names are not longer.
func plain(p *page, columns int) string {
	text := terminal.Text{Columns: columns}
	for _, line := range append([]string{p.summary}, p.notes...) {
		text.Hang("", line)
	}
	for _, s := range p.sections {
		if s.table != nil {
			text.Line("")
			text.Table(s.table)
			continue
		}
		text.Line("\n" + s.title)
		for _, it := range s.items {
			text.Hang("  ", it.head)
			for _, note := range it.notes {
				text.Hang("    ", note)
			}
		}
	}
	return text.String()
}

// markdown returns a page for a comment on a pull request.
func markdown(p *page) string {
	var b strings.Builder
	b.WriteString("**" + escape(p.summary) + "**\n")
	for _, note := range p.notes {
		b.WriteString("\n" + escape(note) + "\n")
	}
	for _, s := range p.sections {
		b.WriteString("\n#### " + escape(s.title) + "\n\n")
		for _, it := range s.items {
			b.WriteString("- " + escape(it.head) + "\n")
			for _, note := range it.notes {
				b.WriteString("  - " + escape(note) + "\n")
			}
		}
		if s.table == nil {
			continue
		}
		for i, row := range s.table.Rows {
			if i == 1 {
				b.WriteString("|---|" + strings.Repeat("--:|", len(row.Cells)) + "\n")
			}
			b.WriteString(line(append([]string{row.Label}, row.Cells...)))
		}
	}
	return b.String()
}

func line(cells []string) string {
	var b strings.Builder
	for _, cell := range cells {
		b.WriteString("| " + escape(strings.Join(strings.Fields(cell), " ")) + " ")
	}
	return b.String() + "|\n"
}

// escape makes a text of the input stand for itself.
func escape(text string) string { return escapes.Replace(text) }

var escapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", "|", `\|`, "*", `\*`, "_", `\_`, "<", "&lt;", ">", "&gt;", "&",
	"&amp;",
	"[", `\[`, "]", `\]`, "#", `\#`, "@", "@\u200b", "~", `\~`)
