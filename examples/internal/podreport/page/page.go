package page

import (
	"embed"
	"html/template"
	"strings"

	"github.com/kubemath/kubemath/examples/internal/podreport/report"
)

//go:embed html
var files embed.FS

var parsed = template.Must(template.ParseFS(files, "html/*.tmpl"))

// style is that of the document.
var style = func() template.CSS {
	text, err := files.ReadFile("html/style.css")
	if err != nil {
		panic(err) // it is embedded
	}
	return template.CSS(text)
}()

// Style returns the style sheet of the document. It also fits a shadow tree with the body of the document.
func Style() string { return string(style) }

// document is the input of the templates.
type document struct {
	Style      template.CSS
	Version    string
	Title      words
	Files      []piece
	Tiles      []tile
	Scaled     []words
	Rejected   folded[verdict]
	Findings   []findings
	Skipped    []words
	Namespaces []namespace
	Holders    holders
	Nodes      folded[node]
	Unplaced   folded[words]
	Workloads  []account
	Objects    []account
	NodeMemory number
	Legend     legend
}

// shown is how many elements of a list are not folded.
const shown = 20

// folded is a list whose later elements are folded.
type folded[T any] struct{ First, Rest []T }

func fold[T any](list []T) folded[T] {
	n := min(shown, len(list))
	return folded[T]{list[:n], list[n:]}
}

// legend says which lines of the legend are needed.
type legend struct{ Server, Ranges, Node bool }

// Format returns the report as an HTML document that is also well-formed XML. An error means that a
// template does not fit the report, which is a bug of this package.
func Format(r *report.Report) (string, error) {
	d := document{
		Style: style, Version: r.APIVersion, Title: titleOf(r), Files: filesOf(r), Tiles: tilesOf(r), Scaled: scaledOf(r),
		Rejected: fold(verdictsOf(r)), Findings: findingsOf(r), Skipped: skippedOf(r),
		Namespaces: namespacesOf(r), Holders: holdersOf(r), Nodes: fold(nodesOf(r)), Unplaced: fold(unplacedOf(r)),
		Workloads: accountsOf(r), Objects: objectAccountsOf(r), NodeMemory: memoryOf(r), Legend: legendOf(r),
	}
	var b strings.Builder
	err := parsed.ExecuteTemplate(&b, "page.tmpl", &d)
	return b.String(), err
}

// Plain returns the title without markup.
func (d *document) Plain() string { return textOf(d.Title) }

func titleOf(r *report.Report) words {
	path := at("/totals")
	title := append(words{say("What ")}, counted(r.Totals.Workloads, "workload", path.to("workloads"))...)
	title = append(title, say(" with "))
	title = append(title, counted(r.Totals.Pods, "pod", path.to("pods"))...)
	if r.Totals.Workloads == 1 {
		return append(title, say(" asks for"))
	}
	return append(title, say(" ask for"))
}

func legendOf(r *report.Report) (l legend) {
	for i := range r.Workloads {
		for _, d := range r.Workloads[i].Defaults {
			given := d.Source.Kind != ""
			l.Ranges, l.Server = l.Ranges || given, l.Server || !given
		}
		l.Node = l.Node || r.Workloads[i].OnNode != nil
	}
	return l
}
