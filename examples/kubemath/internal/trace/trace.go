// Package trace explains how a number of a report is computed, step by step: the amounts that containers set, and
// defaults; the sum of one pod, and of all; the quotas that count it, and the pods that fit on a node.
package trace

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/examples/internal/terminal"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// Number is what is traced: the requests of a resource, or its limits.
type Number struct {
	List     computeresources.List
	Resource corev1.ResourceName
}

// Parse returns the number with a name as in quotas: requests.cpu, limits.memory, and cpu, which is
// requests.cpu.
func Parse(name string) (Number, error) {
	resource, limits := strings.CutPrefix(name, "limits.")
	resource = strings.TrimPrefix(resource, corev1.DefaultResourceRequestsPrefix)
	if len(validation.IsQualifiedName(resource)) > 0 {
		return Number{}, fmt.Errorf("%q is not a resource such as cpu or limits.memory", name)
	}
	if limits {
		return Number{computeresources.Limits, corev1.ResourceName(resource)}, nil
	}
	return Number{computeresources.Requests, corev1.ResourceName(resource)}, nil
}

// String returns the name as it is used in quotas.
func (n Number) String() string { return n.list() + "." + string(n.Resource) }

func (n Number) list() string { return n.List.String() + "s" }

func (n Number) ofSums(s report.Sums) string {
	if n.List == computeresources.Limits {
		return s.Limits.Text(n.Resource)
	}
	return s.Requests.Text(n.Resource)
}

// trace is the computation of a number, as a table: a heading for each step, and below it rows with a label, an amount,
// and where the amount comes from.
type trace struct{ terminal.Table }

// row returns a row of a step.
func row(label, amount, note string) *terminal.Row {
	return &terminal.Row{
		Indent: 1, Label: wording.Printable(label), Cells: []string{amount}, Note: wording.Printable(note),
	}
}

// add adds a step unless it is empty.
func (t *trace) add(heading string, rows []*terminal.Row) {
	if len(rows) > 0 {
		t.Add(0, heading)
		t.Rows = append(t.Rows, rows...)
	}
}

// Write writes the traces of a number: one for each workload that has steps, then one for all together.
func Write(text *terminal.Text, r *report.Report, n Number) {
	var rows []*terminal.Row
	for i := range r.Workloads {
		w := &r.Workloads[i]
		write(text, w, n)
		switch {
		case n.ofSums(w.Pod) == "":
			rows = append(rows, row(w.Title(), "-", "not set"))
		case w.Rejection != nil:
			rows = append(rows, row(w.Title(), "-", "would be rejected"))
		default:
			rows = append(rows, row(w.Title(), cmp.Or(n.ofSums(w.All), "0"), ""))
		}
	}
	var all trace
	all.add("all pods", append(rows, row("total", cmp.Or(n.ofSums(r.Totals.Sums), "-"), "")))
	text.Line(fmt.Sprintf("%v of %s\n", n, wording.Count(r.Totals.Pods, "pod")))
	text.Table(&all.Table)
}

// write writes the trace of a workload.
func write(text *terminal.Text, w *report.Workload, n Number) {
	t := of(w, n)
	if len(t.Rows) == 0 {
		return
	}
	title, from := fmt.Sprintf("%v of %s: %s", n, w.Title(), w.Scale), w.Source.String()
	if w.Rejection != nil {
		title += " (rejected)"
	}
	if w.Prefix != "" {
		from += ", " + strings.TrimSuffix(w.Prefix, ".")
	}
	text.Line(wording.Printable(title))
	text.Line("  from " + wording.Printable(from) + "\n")
	text.Table(&t.Table)
	text.WriteString("\n")
}

// of returns the trace of a workload.
func of(w *report.Workload, n Number) (t trace) {
	t.add("set", stated(w, n))
	t.add("one pod", onePod(w, n))
	if each := n.ofSums(w.Pod); each != "" && w.Pods != 1 {
		note := fmt.Sprintf("%d × %s", w.Pods, each)
		if len(w.Others) > 0 {
			note = "" // which differ
		}
		t.add("all pods", []*terminal.Row{row(w.Scale, cmp.Or(n.ofSums(w.All), "0"), note)})
	}
	t.add("quotas", quotas(w, n))
	t.add("node", room(w, n))
	return t
}

// podLevel returns what is set at the pod level.
func podLevel(w *report.Workload, n Number) (corev1.ResourceList, bool) {
	own := w.Stored.Spec.Resources
	if own == nil || !resourcelist.IsPodLevel(n.Resource) {
		return nil, false
	}
	list := n.List.Of(own)
	_, stated := list[n.Resource]
	return list, stated
}

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
		field := map[computeresources.List]string{computeresources.Limits: "default"}[n.List]
		return fmt.Sprintf("%v: %s.%s[%s]", d.Source, d.Source.Field, cmp.Or(field, "defaultRequest"), n.Resource)
	case ref.Kind == computeresources.Pod && (n.List == computeresources.Limits || anyStated(w, n)):
		return fmt.Sprintf("defaults to what its containers %v", n.List)
	}
	return "defaults to its limit"
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
