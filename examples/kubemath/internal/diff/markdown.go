package diff

import "strings"

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
		if len(s.rows) == 0 {
			continue
		}
		b.WriteString(line(s.columns))
		b.WriteString("|---|" + strings.Repeat("--:|", len(s.columns)-1) + "\n")
		for _, row := range s.rows {
			b.WriteString(line(row))
		}
	}
	return b.String()
}

func line(cells []string) string {
	var b strings.Builder
	for _, cell := range cells {
		b.WriteString("| " + escape(cell) + " ")
	}
	return b.String() + "|\n"
}

// escape makes a text of the input stand for itself.
func escape(text string) string { return escapes.Replace(text) }

var escapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", "|", `\|`, "*", `\*`, "_", `\_`, "<", "&lt;", ">", "&gt;", "&", "&amp;",
	"[", `\[`, "]", `\]`, "#", `\#`, "@", "@\u200b", "~", `\~`)
