package trace

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/quantity"
)

// stated returns the amount of each container, in the order in which they start, and of the pod level;
// and where each comes from.
func stated(w *report.Workload, n Number) []Row {
	var rows []Row
	some := false
	add := func(ref computeresources.Ref, list corev1.ResourceList) {
		q, has := list[n.Resource]
		if !has {
			rows = append(rows, Row{ref.String(), "-", "not set"})
			return
		}
		some = true
		rows = append(rows, Row{ref.String(), quantity.Canonical(q), originOf(w, n, ref)})
	}
	spec := &w.Stored.Spec
	for ref, c := range computeresources.Containers(spec) {
		add(ref, n.List.Of(&c.Resources))
	}
	if list, has := podLevel(w, n); has {
		add(computeresources.Ref{Kind: computeresources.Pod}, list)
	}
	if q, has := spec.Overhead[n.Resource]; has && len(rows) > 0 {
		some = true
		rows = append(rows, Row{"overhead", quantity.Canonical(q), fmt.Sprintf("spec.overhead[%s]", n.Resource)})
	}
	if !some {
		return nil
	}
	return rows
}

// originOf returns where an amount is set: a path in the pod, a LimitRange, or other fields.
func originOf(w *report.Workload, n Number, ref computeresources.Ref) string {
	d := w.DefaultOf(ref, n.List, n.Resource)
	switch {
	case d == nil:
		return ref.Path(nil).Child("resources", n.list()).Key(string(n.Resource)).String()
	case d.Source != (computeresources.Source{}):
		return fmt.Sprintf("%v: %s.%s[%s]", d.Source, d.Source.Field, n.rangeList(), n.Resource)
	case ref.Kind == computeresources.Pod && (n.List == computeresources.Limits || anyStated(w, n)):
		return fmt.Sprintf("defaults to what its containers %v", n.List)
	}
	return "defaults to its limit"
}

// rangeList is the list of a LimitRange that has the default.
func (n Number) rangeList() string {
	if n.List == computeresources.Limits {
		return "default"
	}
	return "defaultRequest"
}

// anyStated reports whether a container sets the number.
func anyStated(w *report.Workload, n Number) bool {
	for _, c := range computeresources.Containers(&w.Stored.Spec) {
		if _, has := n.List.Of(&c.Resources)[n.Resource]; has {
			return true
		}
	}
	return false
}
