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

// Trace is the computation of a number, for one workload or for all.
type Trace struct {
	Title string
	From  string // where the workload is in the input, and its pod in that; none for all workloads together
	Steps []Step
}

// Step is a part of the computation.
type Step struct {
	Heading string
	Rows    []Row
}

// Row has a label, an amount, and where the amount comes from.
type Row struct{ Label, Amount, Note string }

// Of returns the traces of a number: one for each workload that has steps, then one for all
// together.
func Of(r *report.Report, n Number) []Trace {
	var traces []Trace
	all := Trace{Title: fmt.Sprintf("%v of %s", n, wording.Count(r.Totals.Pods, "pod"))}
	var rows []Row
	for i := range r.Workloads {
		w := &r.Workloads[i]
		if t := ofWorkload(w, n); len(t.Steps) > 0 {
			traces = append(traces, t)
		}
		switch {
		case n.ofSums(w.Pod) == "":
			rows = append(rows, Row{w.Title(), "-", "not set"})
		case w.Rejection != nil:
			rows = append(rows, Row{w.Title(), "-", "would be rejected"})
		default:
			rows = append(rows, Row{w.Title(), cmp.Or(n.ofSums(w.All), "0"), ""})
		}
	}
	all.add("all pods", append(rows, Row{"total", cmp.Or(n.ofSums(r.Totals.Sums), "-"), ""}))
	return append(traces, all)
}

func ofWorkload(w *report.Workload, n Number) Trace {
	t := Trace{Title: fmt.Sprintf("%v of %s: %s", n, w.Title(), w.Scale), From: w.Source.String()}
	if w.Prefix != "" {
		t.From += ", " + strings.TrimSuffix(w.Prefix, ".")
	}
	t.add("set", stated(w, n))
	t.add("one pod", onePod(w, n))
	t.add("all pods", allPods(w, n))
	t.add("quotas", quotas(w, n))
	t.add("node", room(w, n))
	if w.Rejection != nil {
		t.Title += " (rejected)"
	}
	return t
}

// add adds a step unless it is empty.
func (t *Trace) add(heading string, rows []Row) {
	if len(rows) > 0 {
		t.Steps = append(t.Steps, Step{heading, rows})
	}
}

// Format returns the traces of a number as text, in lines of the given number of columns.
func Format(r *report.Report, n Number, columns int) string {
	text := terminal.Text{Columns: columns}
	for i, t := range Of(r, n) {
		if i > 0 {
			text.WriteString("\n")
		}
		text.Line(wording.Printable(t.Title))
		if t.From != "" {
			text.Line("  from " + wording.Printable(t.From))
		}
		text.WriteString("\n")
		var table terminal.Table
		for _, step := range t.Steps {
			table.Add(0, step.Heading)
			for _, r := range step.Rows {
				table.Add(1, wording.Printable(r.Label), r.Amount).Note = wording.Printable(r.Note)
			}
		}
		text.Table(&table)
	}
	return text.String()
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
