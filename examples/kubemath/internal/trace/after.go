package trace

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// quotas returns the quotas that count the number, and what remains of them.
func quotas(w *report.Workload, n Number) []Row {
	if n.ofSums(w.Pod) == "" {
		return nil
	}
	names := []corev1.ResourceName{corev1.ResourceName(n.String())}
	if n.List == computeresources.Requests {
		names = append(names, n.Resource) // cpu is requests.cpu
	}
	var rows []Row
	for _, q := range w.Quotas {
		for _, name := range slices.Sorted(slices.Values(names)) {
			if asked := q.Asked.Text(name); asked != "" {
				rows = append(rows, Row{"quota " + q.Name, asked, usedOf(w, &q, name)})
			}
		}
	}
	if len(rows) == 0 {
		return []Row{{Label: "no quota counts it"}}
	}
	return rows
}

func usedOf(w *report.Workload, q *report.QuotaUse, name corev1.ResourceName) string {
	used, hard, left := q.Used.Text(name), q.Hard.Text(name), q.Left.Text(name)
	switch {
	case used == "":
		return fmt.Sprintf("of %s; usage unknown", hard)
	case w.Fit != nil && w.Fit.Exist:
		return fmt.Sprintf("included in %s used, of %s; %s left", used, hard, left)
	default:
		return fmt.Sprintf("%s used by others, of %s; %s left", used, hard, left)
	}
}

// room returns how many pods fit on the node.
func room(w *report.Workload, n Number) []Row {
	if w.Room == nil || n.List == computeresources.Limits || n.ofSums(w.Pod) == "" {
		return nil
	}
	others := slices.DeleteFunc(w.Room.Stops.Names(), func(name corev1.ResourceName) bool { return name == n.Resource })
	var lacks []string
	if missing := w.Room.Stops.Text(n.Resource); missing != "" {
		lacks = append(lacks, missing)
	}
	for _, name := range others {
		lacks = append(lacks, string(name))
	}
	return []Row{Row{"fit on the empty node", fmt.Sprint(w.Room.Fit), "the next lacks " + wording.Enumerate(lacks)}}
}
