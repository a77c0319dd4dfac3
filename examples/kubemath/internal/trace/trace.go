// Package trace explains how a number of a report is computed, step by step: the amounts that containers set, and
// defaults; the sum of one pod, and of all; the quotas that count it, and the pods that fit on a node.
package trace

import (
	"cmp"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
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

// Format returns the traces of a number as text, in lines of the given number of columns: one for each workload that
// has steps, then one for all together.
func Format(r *report.Report, n Number, columns int) string {
	text := terminal.Text{Columns: columns}
	var rows []*terminal.Row
	for i := range r.Workloads {
		w := &r.Workloads[i]
		write(&text, w, n)
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
	return text.String()
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
