package trace

import (
	"cmp"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
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
	Title  string
	Source objects.Source // none for all workloads together
	Pod    string         // where paths within the pod begin, if not in the object itself
	Steps  []Step
}

// Step is a part of the computation. It has one column, unless Columns names others.
type Step struct {
	Heading string
	Columns []string
	Rows    []Row
}

// Row has an amount for each column, a label, and where the amounts come from.
type Row struct {
	Label   string
	Amounts []string
	Note    string
}

// row returns a Row with one amount.
func row(label, amount, note string) Row { return Row{label, []string{amount}, note} }

// Of returns the traces of a number: one for each workload that has steps, then one for all
// together.
func Of(r *report.Report, n Number) []Trace {
	var traces []Trace
	for i := range r.Workloads {
		if t := ofWorkload(&r.Workloads[i], n); len(t.Steps) > 0 {
			traces = append(traces, t)
		}
	}
	return append(traces, ofAll(r, n))
}

func ofWorkload(w *report.Workload, n Number) Trace {
	t := Trace{Title: fmt.Sprintf("%v of %s: %s", n, titleOf(w), w.Scale), Source: w.Source, Pod: strings.TrimSuffix(w.Prefix, ".")}
	t.add("set", stated(w, n))
	t.add("one pod", onePod(w, n))
	t.add("all pods", allPods(w, n))
	t.add("quotas", quotas(w, n))
	t.add("node", room(w, n))
	columns, rows := kernel(w, n)
	t.add("kernel", rows, columns...)
	if w.Rejection != nil {
		t.Title += " (rejected)"
	}
	return t
}

// add adds a step unless it is empty.
func (t *Trace) add(heading string, rows []Row, columns ...string) {
	if len(rows) > 0 {
		t.Steps = append(t.Steps, Step{heading, columns, rows})
	}
}

func titleOf(w *report.Workload) string {
	return w.Kind + " " + wording.Qualified(w.Namespace, w.Name)
}

// ofAll adds up the workloads.
func ofAll(r *report.Report, n Number) Trace {
	t := Trace{Title: fmt.Sprintf("%v of %s", n, wording.Count(r.Totals.Pods, "pod"))}
	var rows []Row
	for i := range r.Workloads {
		w := &r.Workloads[i]
		switch {
		case n.ofSums(w.Pod) == "":
			rows = append(rows, row(titleOf(w), "-", "not set"))
		case w.Rejection != nil:
			rows = append(rows, row(titleOf(w), "-", "would be rejected"))
		default:
			rows = append(rows, row(titleOf(w), cmp.Or(n.ofSums(w.All()), "0"), ""))
		}
	}
	t.add("all pods", append(rows, row("total", cmp.Or(n.ofSums(r.Totals.Sums), "-"), "")))
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
