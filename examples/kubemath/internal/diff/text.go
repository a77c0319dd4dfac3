package diff

import (
	"strings"

	"github.com/kubemath/kubemath/examples/internal/wording"
)

// plain returns a page in lines of so many columns, if the names are not longer.
func plain(p *page, columns int) string {
	var b strings.Builder
	b.WriteString(wording.Wrapped("", p.summary, columns) + "\n")
	for _, s := range p.sections {
		if s.table != nil {
			b.WriteString("\n" + s.table.Text(columns))
			continue
		}
		b.WriteString("\n" + s.title + "\n")
		for _, it := range s.items {
			b.WriteString(wording.Wrapped("  ", it.head, columns) + "\n")
			for _, note := range it.notes {
				b.WriteString(wording.Wrapped("    ", note, columns) + "\n")
			}
		}
	}
	return b.String()
}

// markdown returns a page for a comment on a pull request.
func markdown(p *page) string {
	var b strings.Builder
	b.WriteString("**" + escape(p.summary) + "**\n")
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
		head := []string{""}
		for _, g := range s.table.Groups {
			head = append(append(head, g.Title), make([]string, g.Columns-1)...)
		}
		b.WriteString(line(head) + "|---|" + strings.Repeat("--:|", len(head)-1) + "\n")
		for _, row := range s.table.Rows {
			b.WriteString(line(row))
		}
	}
	return b.String()
}

func line(cells []string) string {
	var b strings.Builder
	for _, cell := range cells {
		b.WriteString("| " + escape(strings.TrimSpace(cell)) + " ")
	}
	return b.String() + "|\n"
}

// escape makes a text of the input stand for itself.
func escape(text string) string { return escapes.Replace(text) }

var escapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", "|", `\|`, "*", `\*`, "_", `\_`, "<", "&lt;", ">", "&gt;", "&", "&amp;",
	"[", `\[`, "]", `\]`, "#", `\#`, "@", "@\u200b", "~", `\~`)
