package page

import (
	"cmp"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
)

// The workloads that request most.

// colors is how many workloads have a color of their own, in the bars of nodes.
const colors = 8

// color returns the CSS class of the workload at a rank.
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
	var lists []report.Amounts
	scale := corev1.ResourceList{}
	for _, w := range r.Workloads {
		lists = append(lists, w.All.Requests)
		scale = most(scale, corev1.ResourceList(w.All.Requests))
	}
	names := resourcesOf(lists...)
	head := table{Caption: "What the pods of each request", Class: "holders", Corner: words{say("workload")}, Columns: columns("pods")}
	for _, name := range names {
		head.Columns = append(head.Columns, words{resourceName(name)})
	}
	all := holders{head, head}
	all.Rest.Caption = "What the pods of the others request"
	for rank, i := range ranked(r) {
		w, path := r.Workloads[i], at("/workloads").to(i)
		line := row{Swatch: color(rank), Label: identity(w.Kind, w.Namespace, w.Name, path), Cells: cellsOf(countOf(w.Pods, path.to("pods"))), Link: anchor(path)}
		if w.Rejection != nil {
			line.Class = "bad"
		}
		requests := amounts{w.All.Requests, path.to("all", "requests")}
		for _, name := range names {
			c := cell{Number: requests.of(name)}
			if c.Number.Path != "" {
				c.Bar = []segment{share(color(rank), w.All.Requests[name], scale[name])}
			}
			line.Cells = append(line.Cells, c)
		}
		if rank < shown {
			all.Most.Rows = append(all.Most.Rows, line)
		} else {
			all.Rest.Rows = append(all.Rest.Rows, line)
		}
	}
	return all
}

// ranked returns the workloads, by their index: first that with the largest share of what all request of cpu or memory.
func ranked(r *report.Report) []int {
	total := corev1.ResourceList{}
	for _, w := range r.Workloads {
		total = resourcelist.AddInto(total, total, corev1.ResourceList(w.All.Requests))
	}
	total = resourcelist.Mask(total, []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory})
	shares, order := make([]float64, len(r.Workloads)), make([]int, len(r.Workloads))
	for i, w := range r.Workloads {
		_, shares[i] = resourcelist.DominantShare(corev1.ResourceList(w.All.Requests), total)
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(shares[b], shares[a]) })
	return order
}

// ranksOf returns the rank of each workload.
func ranksOf(r *report.Report) map[int]int {
	ranks := map[int]int{}
	for rank, i := range ranked(r) {
		ranks[i] = rank
	}
	return ranks
}

func (w *writer) holders(h holders) {
	if len(h.Most.Rows) == 0 {
		return
	}
	w.Raw(`<section id="holders">` + "\n<h2>Largest workloads</h2>\n")
	w.table(&h.Most)
	if len(h.Rest.Rows) > 0 {
		w.Raw("<details>\n<summary>The others</summary>\n")
		w.table(&h.Rest)
		w.Raw("</details>\n")
	}
	w.Raw("</section>\n")
}
