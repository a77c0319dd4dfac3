package table

import (
	"fmt"
	"io"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// The report as text. Each workload is a grid: a row for each part of the pod with amounts, and the
// sums below a line; two columns, request and limit, for each resource.

const (
	unstated  = "-"
	unbounded = "unbounded"
	scoreName = "OOM"
)

// Write writes the report as text, with the totals last, in lines of the given number of columns.
func Write(to io.Writer, r *report.Report, columns int) error {
	b := newPage(to, columns)
	writeNamespaces(b, r.Namespaces)
	for i := range r.Workloads {
		writeWorkload(b, &r.Workloads[i])
		b.WriteString("\n")
		b.flush()
	}
	writeObjects(b, "claim", r.Claims)
	writeObjects(b, "service", r.Services)
	writeObjects(b, "object", slices.DeleteFunc(slices.Clone(r.Others), exists)) // there may be very many
	if len(r.Workloads) == 0 {
		b.WriteString("no workloads\n")
		return b.end()
	}
	writeNodes(b, r)
	writeLegend(b, r)
	writeTotals(b, &r.Totals)
	return b.end()
}

func exists(o report.Object) bool { return o.Rejection == nil && o.Fit != nil && o.Fit.Exist }

func writeWorkload(b *page, w *report.Workload) {
	writeTitle(b, &w.Object)
	writeMembers(b, w)
	b.WriteString("\n")
	writeRejection(b, w.Rejection)
	g := grid{resources: resourcesOf(w)}
	for i := range w.Containers {
		g.rows = append(g.rows, partRow(w, &w.Containers[i]))
	}
	if w.PodLevel != nil {
		row := partRow(w, w.PodLevel)
		row.label = "pod level"
		g.rows = append(g.rows, row)
	}
	if len(w.Overhead) > 0 {
		g.rows = append(g.rows, overheadRow(w))
	}
	label := "all of the pod"
	if w.Pods > 1 {
		label = "each pod"
	}
	g.rows = append(g.rows, row{rule: true}, sumRow(label, &w.Pod), bindingRow(&w.Pod, g.resources))
	for i := range w.Others {
		o := &w.Others[i]
		g.rows = append(g.rows, sumRow(others(o.Pods), &o.Pod))
	}
	if w.Pods > 1 {
		all := w.All()
		g.rows = append(g.rows, sumRow(wording.Count(w.Pods, "pod"), &all))
	}
	g.write(b)
	writeGiven(b, w)
	if w.Fit != nil {
		b.WriteString("\n")
	}
	writeQuotaTable(b, "workload", w.Quotas)
	writeFit(b, w.Fit)
	writeQoS(b, w)
}

func others(n int64) string {
	if n == 1 {
		return "1 other pod"
	}
	return fmt.Sprintf("each of %d others", n)
}

// writeGiven writes which LimitRanges the marked amounts come from.
func writeGiven(b *page, w *report.Workload) {
	given := w.Given()
	if len(given) > 0 {
		b.WriteString("\n")
	}
	for _, words := range given {
		writeWrapped(b, "  "+markOfRanges+" from ", wording.Printable(words))
	}
}

func writeHeading(b *page, o *report.Object) {
	writeTitle(b, o)
	b.WriteString("\n")
}

func writeTitle(b *page, o *report.Object) {
	fmt.Fprintf(b, "%s: %s\n", titleOf(o), wording.Printable(o.Scale))
	fmt.Fprintf(b, "  from %s\n", wording.Printable(o.Source.String()))
}

func writeQoS(b *page, w *report.Workload) {
	b.WriteString("\n")
	writeWrapped(b, "  QoS class: ", wording.Printable(string(w.QoS.Class)+": "+w.QoS.Reason))
	if w.Resizing {
		writeWrapped(b, "  Resize: ", "in progress, so the pod may count for more or less than its spec.")
	}
	if len(w.QoS.Advice) == 0 {
		return
	}
	b.WriteString("  To be Guaranteed:\n")
	for _, advice := range w.QoS.Advice {
		writeWrapped(b, "    - ", wording.Printable(advice))
	}
}

// partRow shows the amounts of a container, or of the pod level.
func partRow(w *report.Workload, p *report.Part) row {
	r := row{label: wording.Printable(p.Ref.String()), cells: map[corev1.ResourceName]cell{}}
	for name := range p.Requests {
		r.set(name, p.Requests.Short(name)+mark(w, p, computeresources.Requests, name), "")
	}
	for name := range p.Limits {
		r.set(name, "", p.Limits.Short(name)+mark(w, p, computeresources.Limits, name))
	}
	if p.OOMScoreAdj != nil {
		r.score = fmt.Sprint(*p.OOMScoreAdj)
	}
	return r
}

// overheadRow shows the overhead. It is added to a limit only if there is one.
func overheadRow(w *report.Workload) row {
	r := row{label: "overhead", cells: map[corev1.ResourceName]cell{}}
	for name := range w.Overhead {
		r.set(name, w.Overhead.Short(name), "")
		if limit := w.Pod.Limits[name]; !limit.IsZero() {
			r.set(name, "", w.Overhead.Short(name))
		}
	}
	return r
}

func sumRow(label string, s *report.Sums) row {
	r := row{label: label, cells: map[corev1.ResourceName]cell{}}
	for name := range s.Requests {
		r.set(name, s.Requests.Short(name), "")
	}
	for name := range s.Limits {
		r.set(name, "", s.Limits.Short(name))
	}
	return r
}

func bindingRow(s *report.Sums, resources []corev1.ResourceName) row {
	r := row{label: "binding limit", cells: map[corev1.ResourceName]cell{}, limitsOnly: true}
	for _, name := range resources {
		if slices.Contains(s.Unbounded, name) {
			r.set(name, "", unbounded)
		} else {
			r.set(name, "", s.BindingLimits.Short(name))
		}
	}
	return r
}

// resourcesOf returns the resources that have columns: cpu and memory always, then all others that
// are set.
func resourcesOf(w *report.Workload) []corev1.ResourceName {
	amounts := []report.Amounts{w.Pod.Requests, w.Pod.Limits}
	for i := range w.Containers {
		amounts = append(amounts, w.Containers[i].Requests, w.Containers[i].Limits)
	}
	if w.PodLevel != nil {
		amounts = append(amounts, w.PodLevel.Requests, w.PodLevel.Limits)
	}
	return resourceNames(amounts...)
}

func resourceNames(lists ...report.Amounts) []corev1.ResourceName {
	var others []corev1.ResourceName
	for _, list := range lists {
		for name := range list {
			if name != corev1.ResourceCPU && name != corev1.ResourceMemory {
				others = append(others, name)
			}
		}
	}
	slices.Sort(others)
	return append([]corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory}, slices.Compact(others)...)
}
