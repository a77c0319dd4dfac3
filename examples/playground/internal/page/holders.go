package page

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/podreport/report"
)

// The largest owners, in the order of the summary.

// colors is how many owners have a color of their own, in the bars of nodes.
const colors = 8

// color returns the CSS class of the owner at a rank.
func color(rank int) string {
	if rank < colors {
		return fmt.Sprintf("c%d", rank)
	}
	return "other"
}

type holders struct {
	Most, Rest table // the latter of those that are folded
}

func holdersOf(r *report.Report) holders {
	owners := r.Summary.Owners
	var lists []report.Amounts
	scale := corev1.ResourceList{}
	for i := range owners {
		lists = append(lists, owners[i].Requests)
		scale = most(scale, corev1.ResourceList(owners[i].Requests))
	}
	names := resourcesOf(lists...)
	head := table{Caption: "What the pods of each request", Class: "holders", Corner: words{say("owner")}, Columns: columns("pods")}
	for _, name := range names {
		head.Columns = append(head.Columns, words{resourceName(name)})
	}
	all := holders{head, head}
	all.Rest.Caption = "What the pods of the others request"
	for i := range owners {
		o, path := &owners[i], at("/summary/owners").to(i)
		line := row{Swatch: color(i), Label: identity(o.Kind, o.Namespace, o.Name, path), Cells: cellsOf(countOf(o.Pods, path.to("pods")))}
		if len(o.Of) == 1 {
			line.Link = anchor(at("/workloads").to(o.Of[0]))
		}
		if o.Rejected == o.Workloads {
			line.Class = "bad"
		}
		requests := amounts{o.Requests, path.to("requests")}
		for _, name := range names {
			c := cell{Number: requests.of(name)}
			if c.Number.Path != "" {
				c.Bar = []segment{share(color(i), o.Requests[name], scale[name])}
			}
			line.Cells = append(line.Cells, c)
		}
		if i < shown {
			all.Most.Rows = append(all.Most.Rows, line)
		} else {
			all.Rest.Rows = append(all.Rest.Rows, line)
		}
	}
	return all
}

// ranksOf returns the rank of the owner of each workload in the summary.
func ranksOf(r *report.Report) map[int]int {
	ranks := map[int]int{}
	for rank := range r.Summary.Owners {
		for _, i := range r.Summary.Owners[rank].Of {
			ranks[i] = rank
		}
	}
	return ranks
}

func (w *writer) holders(h holders) {
	if len(h.Most.Rows) == 0 {
		return
	}
	w.Raw(`<section id="holders">` + "\n<h2>Largest owners</h2>\n")
	w.table(&h.Most)
	if len(h.Rest.Rows) > 0 {
		w.Raw("<details>\n<summary>The others</summary>\n")
		w.table(&h.Rest)
		w.Raw("</details>\n")
	}
	w.Raw("</section>\n")
}
