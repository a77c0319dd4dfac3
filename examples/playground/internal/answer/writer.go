package answer

import (
	"github.com/kubemath/kubemath/examples/playground/internal/markup"
)

// writer writes answers with the elements and classes of the report of podreport, whose style sheet they share.
type writer struct{ markup.Writer }

// list writes a section of messages, if there are any.
func (w *writer) list(title, class string, texts []string) {
	if len(texts) > 0 {
		w.Around("<section>\n<h2>", title, "</h2>\n")
		w.findings(class, texts)
		w.Raw("</section>\n")
	}
}

func (w *writer) findings(class string, texts []string) {
	if len(texts) == 0 {
		return
	}
	w.Around(`<ul class="findings `, class, `">`+"\n")
	for _, text := range texts {
		w.Around("<li>", text, "</li>\n")
	}
	w.Raw("</ul>\n")
}

// table writes a table, if it has rows. The first cell of each row is its heading.
func (w *writer) table(caption string, columns []string, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	w.Around(`<div class="scroll" role="region" tabindex="0" aria-label="`, caption, `"><table class="texts">`+"\n<caption>")
	w.Around("", caption, "</caption>\n<thead><tr>")
	for _, column := range columns {
		w.Around(`<th scope="col">`, column, "</th>")
	}
	w.Raw("</tr></thead>\n<tbody>\n")
	for _, row := range rows {
		w.Around(`<tr><th scope="row">`, row[0], "</th>")
		for _, cell := range row[1:] {
			w.Around("<td>", cell, "</td>")
		}
		w.Raw("</tr>\n")
	}
	w.Raw("</tbody>\n</table></div>\n")
}
