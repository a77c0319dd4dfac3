package page

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// table is a table with a heading for each row and each column.
type table struct {
	Caption string
	Class   string
	Corner  words   // the heading above those of the rows
	Groups  []group // headings above those of columns, if any
	Columns []words
	Rows    []row
}

// group is a heading of several columns. It may have no title.
type group struct {
	Title words
	Span  int
}

type row struct {
	Swatch string // its color in other places, if any
	Label  words
	Link   string // the target of its heading, if any
	Class  string
	Cells  []cell
}

// cell has a number, or words, or none of them. It may have a bar.
type cell struct {
	Number number
	Words  words
	Mark   *mark
	Bar    []segment
	Class  string
}

// columns returns headings.
func columns(titles ...string) (list []words) {
	for _, t := range titles {
		list = append(list, words{say(t)})
	}
	return list
}

// cellsOf returns cells with numbers only.
func cellsOf(numbers ...number) (cells []cell) {
	for _, n := range numbers {
		cells = append(cells, cell{Number: n})
	}
	return cells
}

// segment is a part of a bar.
type segment struct {
	Class string
	Width string // in percent
	Title string
}

// share returns a segment for a part of a total. If the total is zero, it has no width. A part that
// exceeds the total is drawn as the total.
func share(class string, part, whole resource.Quantity) segment {
	fraction, _ := resourcelist.Fraction(part, whole)
	return segment{Class: class, Width: fmt.Sprintf("%.2f", 100*min(max(fraction, 0), 1))}
}

// most returns the largest amounts of lists.
func most(lists ...corev1.ResourceList) corev1.ResourceList {
	greatest := corev1.ResourceList{}
	for _, list := range lists {
		greatest = resourcelist.MaxInto(greatest, greatest, list)
	}
	return greatest
}

func (w *writer) table(t *table) {
	w.Around(`<div class="scroll" role="region" tabindex="0" aria-label="`, t.Caption, `"><table class="`)
	w.Around("", t.Class, `">`+"\n<caption>")
	w.Around("", t.Caption, "</caption>\n<thead>\n")
	if len(t.Groups) > 0 {
		w.Raw("<tr>")
		for _, g := range t.Groups {
			if len(g.Title) == 0 {
				w.Raw("<td></td>")
				continue
			}
			w.Around(`<th scope="colgroup" colspan="`, fmt.Sprint(g.Span), `">`)
			w.line("", g.Title, "</th>")
		}
		w.Raw("</tr>\n")
	}
	w.line(`<tr><th scope="col">`, t.Corner, "</th>")
	for _, c := range t.Columns {
		w.line(`<th scope="col">`, c, "</th>")
	}
	w.Raw("</tr>\n</thead>\n<tbody>\n")
	for i := range t.Rows {
		w.row(&t.Rows[i])
	}
	w.Raw("</tbody>\n</table></div>\n")
}

func (w *writer) row(r *row) {
	w.Raw("<tr")
	w.Attribute("class", r.Class)
	w.Raw(`><th scope="row">`)
	if r.Swatch != "" {
		w.Around(`<span class="swatch `, r.Swatch, `" aria-hidden="true"></span>`)
	}
	if r.Link != "" {
		w.Around(`<a href="#`, r.Link, `">`)
		w.line("", r.Label, "</a>")
	} else {
		w.words(r.Label)
	}
	w.Raw("</th>")
	for i := range r.Cells {
		w.cell(&r.Cells[i])
	}
	w.Raw("</tr>\n")
}

func (w *writer) cell(c *cell) {
	w.Raw("<td")
	w.Attribute("class", c.Class)
	w.Raw(">")
	switch {
	case c.Class != "" && c.Number.Path == "": // it has no number, and needs none
	case len(c.Words) > 0:
		w.words(c.Words)
	default:
		w.number(&c.Number)
	}
	if c.Mark != nil {
		w.Around(`<abbr title="`, c.Mark.Title, `">`)
		w.Around("", c.Mark.Text, "</abbr>")
	}
	if len(c.Bar) > 0 {
		w.bar(c.Bar)
	}
	w.Raw("</td>")
}

func (w *writer) bar(segments []segment) {
	w.Raw(`<span class="bar" aria-hidden="true">`)
	for i := range segments {
		s := &segments[i]
		w.Around(`<span class="`, s.Class, `" style="width: `)
		w.Around("", s.Width, `%"`)
		w.Attribute("title", s.Title)
		w.Raw("></span>")
	}
	w.Raw("</span>")
}
