package trace

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/examples/internal/terminal"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// stated returns the amount of each container, in the order in which they start, and of the pod level;
// and where each comes from.
func stated(w *report.Workload, n Number) []*terminal.Row {
	var rows []*terminal.Row
	some := false
	add := func(ref computeresources.Ref, list corev1.ResourceList) {
		q, has := list[n.Resource]
		if !has {
			rows = append(rows, row(ref.String(), "-", "not set"))
			return
		}
		some = true
		rows = append(rows, row(ref.String(), quantity.Canonical(q), originOf(w, n, ref)))
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
		rows = append(rows, row("overhead", quantity.Canonical(q), fmt.Sprintf("spec.overhead[%s]", n.Resource)))
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

// onePod follows the formula: the most that runs at the same time, the pod-level amount that replaces
// it, and the overhead.
func onePod(w *report.Workload, n Number) []*terminal.Row {
	want := n.ofSums(w.Pod)
	if want == "" {
		return nil
	}
	rows, sum := atATime(w, n)
	if list, has := podLevel(w, n); has {
		note := ""
		if anyStated(w, n) {
			note = "replaces " + quantity.Canonical(sum)
		}
		sum = list[n.Resource]
		rows = append(rows, row("pod level", quantity.Canonical(sum), note))
	}
	if over, has := w.Stored.Spec.Overhead[n.Resource]; has && (n.List == computeresources.Requests || !sum.IsZero()) {
		terms := quantity.Canonical(sum) + " + " + quantity.Canonical(over)
		sum = add(sum, over)
		rows = append(rows, row("with overhead", quantity.Canonical(sum), terms))
	}
	if q, err := quantity.Parse(want); err != nil || q.Cmp(sum) != 0 {
		rows = append(rows, row("resize in progress", want, "the allocated and the actuated amounts count, too"))
	}
	if n.List == computeresources.Limits && slices.Contains(w.Pod.Unbounded, n.Resource) {
		rows = append(rows, row("binding limit", "unbounded", "not all containers have one"))
	}
	return rows
}

// atATime returns the most that runs at the same time: an init container with the sidecars before it,
// or all containers with all sidecars.
func atATime(w *report.Workload, n Number) (rows []*terminal.Row, most resource.Quantity) {
	var sidecars, all terms
	add := func(t terms, label string) {
		r, sum := t.row(label)
		rows = append(rows, r)
		if most.Cmp(sum) < 0 || most.IsZero() {
			most = sum
		}
	}
	for ref, c := range computeresources.Containers(&w.Stored.Spec) {
		q, has := n.List.Of(&c.Resources)[n.Resource]
		if !has {
			continue
		}
		switch ref.Kind {
		case computeresources.Init:
			add(sidecars.plus(q), "while "+ref.Name+" runs")
		case computeresources.Sidecar:
			sidecars = sidecars.plus(q)
			all = all.plus(q)
		case computeresources.App:
			all = all.plus(q)
		case computeresources.Pod:
			// Is not a container.
		}
	}
	switch {
	case len(rows) > 0:
		add(all, "while containers run")
		rows = append(rows, row("the maximum", quantity.Canonical(most), ""))
	case len(all) > 0:
		add(all, "all containers")
	}
	return rows, most
}

// terms are amounts that are added up.
type terms []resource.Quantity

func (t terms) plus(q resource.Quantity) terms { return append(slices.Clone(t), q) }

// row returns a row of their sum, with "100m + 250m" if there are several.
func (t terms) row(label string) (*terminal.Row, resource.Quantity) {
	var sum resource.Quantity
	var words []string
	for _, q := range t {
		sum = add(sum, q)
		words = append(words, quantity.Canonical(q))
	}
	if len(t) < 2 {
		words = nil
	}
	return row(label, quantity.Canonical(sum), strings.Join(words, " + ")), sum
}

func add(a, b resource.Quantity) resource.Quantity {
	if a.IsZero() {
		return b.DeepCopy() // in its format
	}
	sum := a.DeepCopy()
	sum.Add(b)
	return sum
}

// quotas returns the quotas that count the number, and what remains of them.
func quotas(w *report.Workload, n Number) []*terminal.Row {
	if n.ofSums(w.Pod) == "" {
		return nil
	}
	names := []corev1.ResourceName{corev1.ResourceName(n.String())}
	if n.List == computeresources.Requests {
		names = append(names, n.Resource) // cpu is requests.cpu
	}
	var rows []*terminal.Row
	for _, q := range w.Quotas {
		for _, name := range slices.Sorted(slices.Values(names)) {
			if asked := q.Asked.Text(name); asked != "" {
				rows = append(rows, row("quota "+q.Name, asked, usedOf(w, &q, name)))
			}
		}
	}
	if len(rows) == 0 {
		return []*terminal.Row{{Indent: 1, Label: "no quota counts it"}}
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
func room(w *report.Workload, n Number) []*terminal.Row {
	if w.Room == nil || n.List == computeresources.Limits || n.ofSums(w.Pod) == "" {
		return nil
	}
	var lacks []string
	for _, name := range w.Room.Stops.Names() {
		lacks = append(lacks, w.Room.Stops.Text(name)+" of "+string(name))
	}
	note := "the next lacks " + wording.Enumerate(lacks)
	return []*terminal.Row{row("fit on the empty node", fmt.Sprint(w.Room.Fit), note)}
}
