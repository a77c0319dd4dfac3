package page

import (
	_ "embed"

	"github.com/kubemath/kubemath/examples/internal/markup"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
)

//go:embed style.css
var style string

// Style returns the style sheet of the document. It also fits a shadow tree with a body.
func Style() string { return style }

// document is what is written.
type document struct {
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

// Format returns the report as an HTML document that is also well-formed XML.
func Format(r *report.Report) string {
	d := documentOf(r)
	var w writer
	w.Raw(head)
	w.Around("<title>", textOf(d.Title), "</title>\n<style>\n")
	w.Raw(markup.HTML(style)) // which has no angle brackets that end the element
	w.Raw("\n</style>\n</head>\n<body>\n")
	d.write(&w)
	w.Raw("</body>\n</html>\n")
	return w.String()
}

// Body returns the content of the body of that document.
func Body(r *report.Report) string {
	var w writer
	documentOf(r).write(&w)
	return w.String()
}

const head = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"/>
<link rel="icon" href="data:,"/>
`

func documentOf(r *report.Report) *document {
	d := outlineOf(r)
	d.Workloads = accountsOf(r)
	return d
}

// outlineOf returns the document without its workloads.
func outlineOf(r *report.Report) *document {
	return &document{
		Title: titleOf(r), Files: filesOf(r), Tiles: tilesOf(r), Scaled: scaledOf(r),
		Rejected: fold(verdictsOf(r)), Findings: findingsOf(r), Skipped: skippedOf(r),
		Namespaces: namespacesOf(r), Holders: holdersOf(r), Nodes: fold(nodesOf(r)), Unplaced: fold(unplacedOf(r)),
		Objects: objectAccountsOf(r), NodeMemory: memoryOf(r), Legend: legendOf(r),
	}
}

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
