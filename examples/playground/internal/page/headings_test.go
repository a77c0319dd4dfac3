package page_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/examples/playground/internal/page"
)

// under is where a number of the report stands that is under a heading.
var under = map[string]*regexp.Regexp{
	"requests": regexp.MustCompile(`/requests/[^/]+$`), "limits": regexp.MustCompile(`/limits/[^/]+$`),
	"request": regexp.MustCompile(`/(requests|overhead)/[^/]+$`), "limit": regexp.MustCompile(`/limits/[^/]+$`),
	"pods": regexp.MustCompile(`^/workloads/\d+/pods$`), "used": regexp.MustCompile(`/used/[^/]+$`), "with this": regexp.MustCompile(`/then/[^/]+$`),
	"hard": regexp.MustCompile(`/hard/[^/]+$`), "left": regexp.MustCompile(`/left/[^/]+$`), "this": regexp.MustCompile(`/asked/[^/]+$`),
}

// Each number in a table is what the heading of its column says, of the resource that a heading of its
// row or of its column names.
func TestNumbersAreUnderTheirHeadings(t *testing.T) {
	seen := map[string]bool{}
	for _, files := range inputs {
		root := parse(t, page.Body(reportOn("", files...)))
		for _, table := range root.all("table") {
			head := table.all("thead")[0].all("tr")
			titles, groups := cellsOf(head[len(head)-1]), resourcesAbove(head)
			for _, row := range table.all("tbody")[0].all("tr") {
				cells := cellsOf(row)
				for i, cell := range cells {
					for _, n := range cell.all("data") {
						if i == 0 {
							continue // the heading of the row
						}
						path, title := n.attributes["data-path"], titles[i].text()
						seen[title] = true
						if where := under[title]; where != nil && !where.MatchString(path) {
							t.Errorf("%s is under %q", path, title)
						}
						for _, name := range append(append(cells[0].all("resource"), titles[i].all("resource")...), groups[i]...) {
							if last := regexp.MustCompile(`[^/]+$`).FindString(path); unescaped(last) != name.text() {
								t.Errorf("%s is of %s", path, name.text())
							}
						}
					}
				}
			}
		}
	}
	for title := range under {
		if !seen[title] {
			t.Errorf("no number is under %q", title)
		}
	}
}

// cellsOf returns the headings and cells of a row.
func cellsOf(row *element) (cells []*element) {
	for _, c := range row.children {
		if e, is := c.(*element); is {
			cells = append(cells, e)
		}
	}
	return cells
}

// resourcesAbove returns the resources that headings of several columns name, by column.
func resourcesAbove(head []*element) map[int][]*element {
	above := map[int][]*element{}
	if len(head) < 2 {
		return above
	}
	column := 0
	for _, group := range cellsOf(head[0]) {
		span := 1
		if group.attributes["colspan"] == "2" {
			span = 2
		}
		for range span {
			above[column] = group.all("resource")
			column++
		}
	}
	return above
}

// unescaped returns a part of a JSON pointer without escapes.
func unescaped(part string) string {
	return pointerEscapes.Replace(part)
}

var pointerEscapes = strings.NewReplacer("~1", "/", "~0", "~")
