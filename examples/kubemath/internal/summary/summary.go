package summary

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// Many is the number of workloads from which a summary is more useful than a table of each.
const Many = 30

// How many rows are in a table, and how many objects that are rejected, or have pods on no node, are named.
const (
	mostRows     = 20
	mostRejected = 20
)

const unstated = "-"

// Format returns the summary of the report, with rejected objects first.
func Format(r *report.Report) string {
	if len(r.Workloads) == 0 {
		return "no workloads\n"
	}
	var b strings.Builder
	writeTotals(&b, &r.Totals)
	writeRejected(&b, r)
	writeNamespaces(&b, r)
	writeQuotas(&b, r)
	writeOwners(&b, r)
	writeNodes(&b, r)
	wrap(&b, "", "Amounts of more than four digits are rounded. Use -all for each workload, and -o json for exact amounts.")
	return b.String()
}

func writeTotals(b *strings.Builder, t *report.Totals) {
	text := wording.Count(int64(t.Workloads), "workload")
	if t.Partly > 0 {
		text += fmt.Sprintf(" (%d only in part)", t.Partly)
	}
	text += ", " + wording.Count(t.Pods, "pod")
	if t.Rejected > 0 {
		text += fmt.Sprintf("; besides, %s rejected", wording.Count(int64(t.Rejected), "workload"))
	}
	wrap(b, "", text)
	wrap(b, "", fmt.Sprintf("%d Guaranteed, %d Burstable, %d BestEffort",
		t.PodsByClass[corev1.PodQOSGuaranteed], t.PodsByClass[corev1.PodQOSBurstable], t.PodsByClass[corev1.PodQOSBestEffort]))
	b.WriteString("\n")
}

// writeRejected lists the objects that would be rejected, each with its first reason.
func writeRejected(b *strings.Builder, r *report.Report) {
	var objects []*report.Object
	for i := range r.Workloads {
		objects = append(objects, &r.Workloads[i].Object)
	}
	for _, list := range [][]report.Object{r.Claims, r.Services, r.Others} {
		for i := range list {
			objects = append(objects, &list[i])
		}
	}
	objects = slices.DeleteFunc(objects, func(o *report.Object) bool { return o.Rejection == nil || len(o.Rejection.Reasons) == 0 })
	if len(objects) == 0 {
		return
	}
	b.WriteString("rejected\n")
	for i, o := range objects {
		if i == mostRejected && len(objects) > i+1 {
			fmt.Fprintf(b, "  - and %d others\n", len(objects)-i)
			break
		}
		text := o.Kind + " " + wording.Qualified(o.Namespace, o.Name) + ": " + o.Rejection.Reasons[0].What
		if more := len(o.Rejection.Reasons) - 1; more > 0 {
			text += fmt.Sprintf(" (and %s)", wording.Count(int64(more), "more reason"))
		}
		wrap(b, "  - ", wording.Printable(text))
	}
	b.WriteString("\n")
}

func writeNamespaces(b *strings.Builder, r *report.Report) {
	var held []*report.Held
	var labels []string
	for i := range r.Summary.Namespaces {
		n := &r.Summary.Namespaces[i]
		held, labels = append(held, &n.Held), append(labels, wording.Printable(n.Name))
	}
	s := heldSheet("by namespace", labels, held)
	s.write(b)
}

func writeOwners(b *strings.Builder, r *report.Report) {
	var held []*report.Held
	var labels []string
	for i := range r.Summary.Owners {
		o := &r.Summary.Owners[i]
		label := wording.Printable(o.Kind + " " + wording.Qualified(o.Namespace, o.Name))
		held, labels = append(held, &o.Held), append(labels, label)
	}
	s := heldSheet("by owner", labels, held)
	s.write(b)
}

// heldSheet has the pods of each row, requests and limits of cpu and memory, and requests of other
// resources. All rows after the first ones are merged into one, so the rows add up.
func heldSheet(title string, labels []string, held []*report.Held) sheet {
	all := report.Amounts{}
	for _, h := range held {
		all = plus(all, h.Requests)
	}
	if rest := len(held) - mostRows; rest > 1 {
		others := report.Held{}
		for _, h := range held[mostRows:] {
			others.Pods += h.Pods
			others.Requests, others.Limits = plus(others.Requests, h.Requests), plus(others.Limits, h.Limits)
		}
		held, labels = append(held[:mostRows:mostRows], &others), append(labels[:mostRows:mostRows], fmt.Sprintf("%d others", rest))
	}
	names := append([]corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory},
		resourcelist.Difference(resourcelist.ResourceNames(corev1.ResourceList(all)), []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory})...)
	s := sheet{titles: []string{title, "pods", "cpu", "limit", "memory", "limit"}}
	for _, name := range names[2:] {
		s.titles = append(s.titles, wording.Printable(string(name)))
	}
	for i, h := range held {
		r := row{label: labels[i], cells: []string{fmt.Sprint(h.Pods)}}
		for _, name := range names[:2] {
			r.cells = append(r.cells, amount(h.Requests, name), amount(h.Limits, name))
		}
		for _, name := range names[2:] {
			r.cells = append(r.cells, amount(h.Requests, name))
		}
		s.rows = append(s.rows, r)
	}
	return s
}

// writeQuotas writes the usage of each quota, the fullest first.
func writeQuotas(b *strings.Builder, r *report.Report) {
	type use struct {
		row
		fraction float64
	}
	var uses []use
	for _, n := range r.Summary.Namespaces {
		for _, q := range n.Quotas {
			for _, name := range q.Hard.Names() {
				fraction, _ := resourcelist.Fraction(q.Then[name], q.Hard[name])
				full := unstated
				if percent, ok := resourcelist.Percent(q.Then[name], q.Hard[name]); ok {
					full = fmt.Sprintf("%d%%", percent)
				}
				used := amount(q.Used, name)
				if q.AtLeast {
					used = "unknown"
				}
				label := wording.Printable(n.Name + "/" + q.Name + " " + string(name))
				uses = append(uses, use{row{label: label, cells: []string{used, amount(q.Then, name), amount(q.Hard, name), full}}, fraction})
			}
		}
	}
	slices.SortStableFunc(uses, func(a, b use) int { return cmp.Compare(b.fraction, a.fraction) })
	s := sheet{titles: []string{"by quota", "used", "with this", "hard", "full"}}
	rest := len(uses) - mostRows
	if rest < 2 {
		rest = 0
	}
	for _, u := range uses[:len(uses)-rest] {
		s.rows = append(s.rows, u.row)
	}
	if rest > 0 {
		s.rows[len(s.rows)-1].note = fmt.Sprintf("and %d others, which are less full", rest)
	}
	s.write(b)
}

// writeNodes writes what is requested on each node, the fullest first.
func writeNodes(b *strings.Builder, r *report.Report) {
	nodes := slices.Clone(r.Nodes)
	fullest := func(n *report.Node) float64 {
		_, fraction := resourcelist.DominantShare(corev1.ResourceList(n.Requested), corev1.ResourceList(n.Allocatable))
		return fraction
	}
	slices.SortStableFunc(nodes, func(a, b report.Node) int {
		return cmp.Or(cmp.Compare(fullest(&b), fullest(&a)), cmp.Compare(a.Name, b.Name))
	})
	s := sheet{titles: []string{"by node", "pods", "of", "cpu", "of", "memory", "of"}}
	rest := len(nodes) - mostRows
	if rest > 1 {
		others := report.Node{Name: fmt.Sprintf("%d others", rest)}
		for i := range nodes[mostRows:] {
			n := &nodes[mostRows+i]
			others.Pods += n.Pods
			others.Requested, others.Allocatable = plus(others.Requested, n.Requested), plus(others.Allocatable, n.Allocatable)
		}
		nodes = append(nodes[:mostRows:mostRows], others)
	}
	for i := range nodes {
		n := &nodes[i]
		line := row{label: cmp.Or(wording.Printable(n.Name), "the node of the arguments")}
		line.cells = []string{fmt.Sprint(n.Pods), amount(n.Allocatable, corev1.ResourcePods)}
		for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
			line.cells = append(line.cells, amount(n.Requested, name), amount(n.Allocatable, name))
		}
		var missing []string
		for _, name := range n.Missing.Names() {
			missing = append(missing, amount(n.Missing, name)+" of "+wording.Printable(string(name)))
		}
		if len(missing) > 0 {
			line.note = "lacks " + wording.Enumerate(missing)
		}
		s.rows = append(s.rows, line)
	}
	s.write(b)
	for i, u := range r.Unplaced {
		if i == mostRejected && len(r.Unplaced) > i+1 {
			fmt.Fprintf(b, "  on no node: pods of %d others\n", len(r.Unplaced)-i)
			break
		}
		wrap(b, "  ", wording.Printable(fmt.Sprintf("on no node: %s of %s %s: %s", wording.Count(u.Pods, "pod"), u.Kind, wording.Qualified(u.Namespace, u.Name), u.Message)))
	}
	if len(r.Unplaced) > 0 {
		b.WriteString("\n")
	}
}

// amount returns an amount for people.
func amount(list report.Amounts, name corev1.ResourceName) string {
	q, has := list[name]
	if !has {
		return unstated
	}
	return quantity.Short(q)
}

func plus(a, b report.Amounts) report.Amounts {
	return report.Amounts(resourcelist.Add(corev1.ResourceList(a), corev1.ResourceList(b)))
}
