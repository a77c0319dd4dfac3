package page

import (
	_ "embed"

	"github.com/kubemath/kubemath/examples/internal/podreport/report"
)

//go:embed style.css
var style string

// Style returns the style sheet of the document, which is a shadow tree with a body.
func Style() string { return style }

// document is what is written.
type document struct {
	Title      words
	Tiles      []tile
	Rejected   folded[verdict]
	Findings   []findings
	Skipped    []words
	Namespaces []namespace
	Holders    holders
	Nodes      folded[node]
	Unplaced   folded[words]
	Workloads  []account
	Objects    []account
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
type legend struct{ Server, Ranges bool }

// Body returns the report as the content of a body, which is also well-formed XML.
func Body(r *report.Report) string {
	var w writer
	documentOf(r).write(&w)
	return w.String()
}

func documentOf(r *report.Report) *document {
	d := outlineOf(r)
	d.Workloads = accountsOf(r)
	return d
}

// outlineOf returns the document without its workloads.
func outlineOf(r *report.Report) *document {
	return &document{
		Title: titleOf(r), Tiles: tilesOf(r),
		Rejected: fold(verdictsOf(r)), Findings: findingsOf(r), Skipped: skippedOf(r),
		Namespaces: namespacesOf(r), Holders: holdersOf(r), Nodes: fold(nodesOf(r)), Unplaced: fold(unplacedOf(r)),
		Objects: objectAccountsOf(r), Legend: legendOf(r),
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
	for _, w := range r.Workloads {
		for _, d := range w.Defaults {
			given := d.Source.Kind != ""
			l.Ranges, l.Server = l.Ranges || given, l.Server || !given
		}
	}
	return l
}
