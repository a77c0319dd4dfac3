package table

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/terminal"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// summary writes how many workloads and objects are admitted, and how many are not.
func (t *text) summary(r *report.Report) {
	count := map[string]int64{}
	for _, o := range r.All() {
		switch {
		case o.Rejection == nil:
		case o.Rejection.Blocked != "":
			count["blocked now"]++
		default:
			count["rejected"]++
		}
	}
	words := "no workloads"
	if n := int64(len(r.Workloads)); n > 0 {
		words = fmt.Sprintf("%s, %s", wording.Count(n, "workload"), wording.Count(r.Totals.Pods, "pod"))
	}
	if len(count) == 0 && len(r.Workloads) > 0 {
		words += ": all admitted"
	}
	for _, what := range []string{"blocked now", "rejected"} {
		if n := count[what]; n > 0 {
			words += fmt.Sprintf("; %d %s", n, what)
		}
	}
	t.Verdict(len(count) > 0, func() { t.Line(words) })
	t.WriteString("\n")
}

// remark is a text behind a prefix.
type remark struct{ prefix, text string }

// list writes remarks below a heading, if there is one: of many, the first ones.
func (t *text) list(heading string, all []remark, most int) {
	if len(all) > 0 && heading != "" {
		t.Line(heading)
	}
	for i, r := range all {
		if i == most {
			t.Line("  and " + wording.Count(int64(len(all)-i), "other") + ": -all lists them")
			break
		}
		t.wrap(r.prefix, r.text)
	}
	if len(all) > 0 {
		t.WriteString("\n")
	}
}

// rejected lists the objects that would be rejected, each with its first reason.
func (t *text) rejected(r *report.Report) {
	var all []remark
	for _, o := range r.All() {
		if o.Rejection == nil {
			continue
		}
		text := o.Title() + ": " + o.Rejection.Reasons[0].What
		if o.Rejection.Blocked != "" {
			text = o.Title() + ": blocked now, because " + o.Rejection.Blocked
		}
		if more := len(o.Rejection.Reasons) - 1; more > 0 {
			text += fmt.Sprintf(" (and %s)", wording.Count(int64(more), "more reason"))
		}
		all = append(all, remark{"  - ", text})
	}
	t.In(terminal.Red, func() { t.list("rejected", all, t.rows) })
}

func (t *text) findings(title string, list []report.Finding) {
	var all []remark
	for _, f := range list {
		parts := slices.DeleteFunc([]string{f.Object, f.Field, f.Text}, func(part string) bool { return part == "" })
		all = append(all, remark{"  - ", strings.Join(parts, ": ")})
	}
	t.In(terminal.Yellow, func() { t.list(title, all, t.items) })
}

// held is what a row of sums has.
type held struct {
	label string
	pods  int64
	sums  report.Sums
}

// largest writes what the pods of workloads request: first of that with the largest share of all cpu or memory.
func (t *text) largest(r *report.Report) {
	var rows []held
	for _, w := range r.Workloads {
		if w.Rejection == nil {
			rows = append(rows, held{w.Title(), w.Pods, w.All})
		}
	}
	slices.SortStableFunc(rows, func(a, b held) int { return cmp.Compare(r.Share(&b.sums), r.Share(&a.sums)) })
	t.held("by workload", rows, held{})
}

// namespaces writes what the pods of namespaces request, and of all.
func (t *text) namespaces(r *report.Report) {
	var rows []held
	for _, n := range r.Namespaces {
		rows = append(rows, held{n.Name, n.Pods, n.Sums})
	}
	all := &r.Totals
	t.held("by namespace", rows, held{wording.Count(int64(all.Workloads), "workload"), all.Pods, all.Sums})
	words := fmt.Sprintf("%d Guaranteed, %d Burstable, %d BestEffort", all.PodsByClass[corev1.PodQOSGuaranteed],
		all.PodsByClass[corev1.PodQOSBurstable], all.PodsByClass[corev1.PodQOSBestEffort])
	if all.Rejected > 0 {
		words += fmt.Sprintf("; %s rejected, which the sums do not have", wording.Count(int64(all.Rejected), "workload"))
	}
	t.wrap("  ", words)
	t.WriteString("\n")
}

// held writes sums: requests and limits of each resource. Rows after the first ones are merged into one, so that they
// add up to the total, which comes last if it has a label.
func (t *text) held(title string, rows []held, total held) {
	if rest := len(rows) - t.rows; rest > 1 {
		others := held{label: fmt.Sprintf("%d others", rest)}
		for _, h := range rows[t.rows:] {
			others.pods += h.pods
			others.sums.Add(&h.sums, 1)
		}
		rows = append(rows[:t.rows:t.rows], others)
	}
	if total.label != "" {
		rows = append(rows, total)
	}
	var lists []report.Amounts
	for _, h := range rows {
		lists = append(lists, h.sums.Requests, h.sums.Limits)
	}
	names, table := resourcesOf(lists...), terminal.Table{Group: 2}
	table.Add(0, title, append([]string{"pods"}, headings(names)...)...)
	for i, h := range rows {
		if i == len(rows)-1 && total.label != "" {
			table.Add(0, "").Rule = true
		}
		row := table.Add(0, wording.Printable(h.label), fmt.Sprint(h.pods))
		for _, name := range names {
			row.Cells = append(row.Cells, cmp.Or(h.sums.Requests.Short(name), "-"), cmp.Or(h.sums.Limits.Short(name), "-"))
		}
	}
	t.Table(&table)
	t.WriteString("\n")
}

// fullest writes a table whose rows are sorted by a fraction, the largest first, without those after the first ones.
func (t *text) fullest(table *terminal.Table, fractions map[*terminal.Row]float64) {
	rows := table.Rows[1:]
	slices.SortStableFunc(rows, func(a, b *terminal.Row) int { return cmp.Compare(fractions[b], fractions[a]) })
	if rest := len(rows) - t.rows; rest > 1 {
		table.Rows = table.Rows[:1+t.rows]
		table.Add(0, fmt.Sprintf("and %d others, which are less full", rest))
	}
	if len(rows) > 0 {
		t.Table(table)
		t.WriteString("\n")
	}
}

func (t *text) quotas(r *report.Report) {
	var table terminal.Table
	table.Add(0, "by quota", "used", "with this", "hard", "full")
	fractions := map[*terminal.Row]float64{}
	add := func(of string, q *report.Held) {
		for _, name := range q.Hard.Names() {
			full, used := "-", cmp.Or(q.Used.ShortLike(name, q.Hard), "-")
			if percent, ok := resourcelist.Percent(q.Then[name], q.Hard[name]); ok {
				full = fmt.Sprintf("%d%%", percent)
			}
			if q.AtLeast {
				used = "unknown"
			}
			label := wording.Printable(of + q.Name + " " + string(name))
			row := table.Add(0, label, used, cmp.Or(q.Then.ShortLike(name, q.Hard), "-"), q.Hard.Short(name), full)
			fractions[row], _ = resourcelist.Fraction(q.Then[name], q.Hard[name])
		}
	}
	for _, n := range r.Namespaces {
		for i := range n.Quotas {
			add(n.Name+"/", &n.Quotas[i].Held)
		}
	}
	for _, q := range r.SharedQuotas {
		add(q.Kind+" ", &q.Held)
	}
	t.fullest(&table, fractions)
}

func (t *text) remarks(r *report.Report) {
	var all []remark
	add := func(prefix, format string, args ...any) {
		all = append(all, remark{prefix, fmt.Sprintf(format, args...)})
	}
	for i := range r.SharedQuotas {
		q, sharers := &r.SharedQuotas[i], []string(nil)
		for _, s := range q.Namespaces {
			sharers = append(sharers, s.Name)
		}
		switch {
		case q.Unknown:
			add("Not known: ", "which namespaces share %s %s: neither Namespaces nor its status are in the input", q.Kind, q.Name)
		case len(q.Namespaces) == 0:
			add("Shared: ", "%s %s by no namespace of the input", q.Kind, q.Name)
		default:
			add("Shared: ", "%s %s by %s", q.Kind, q.Name, wording.Enumerate(sharers))
		}
	}
	for _, n := range r.Namespaces {
		for _, q := range n.Quotas {
			for _, name := range q.Unevaluated {
				why := "not used by any object in the input"
				if slices.Contains(q.NeverCounted, name) {
					why = "Kubernetes never counts this name in this quota, so it limits nothing"
				}
				add("Not evaluated: ", "%s of ResourceQuota %s/%s: %s", name, n.Name, q.Name, why)
			}
		}
		for _, c := range n.Conflicts {
			add("Conflict: ", "namespace %s: %v", n.Name, c.Error())
		}
		for _, a := range n.Ambiguities {
			add("Ambiguous: ", "namespace %s: %v; the API server may apply any of them, this report applies the first", n.Name, a.String())
		}
	}
	t.In(terminal.Yellow, func() { t.list("", all, t.items) })
}

// nodes writes what is requested on each node, the fullest first, and which pods have no room on any.
func (t *text) nodes(r *report.Report) {
	table, fractions := terminal.Table{Group: 2}, map[*terminal.Row]float64{}
	table.Add(0, "by node", "pods", "of", "cpu", "of", "memory", "of")
	for _, n := range r.Nodes {
		label := cmp.Or(wording.Printable(n.Name), "the node of the arguments")
		row := table.Add(0, label, fmt.Sprint(n.Pods), n.Allocatable.Short(corev1.ResourcePods))
		for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
			row.Cells = append(row.Cells, cmp.Or(n.Requested.Short(name), "0"), n.Allocatable.Short(name))
		}
		switch {
		case len(n.Missing) > 0:
			row.Note = wording.Printable("lacks " + inWords(n.Missing))
		case n.Cordoned:
			row.Note = "cordoned"
		}
		_, fractions[row] = resourcelist.DominantShare(corev1.ResourceList(n.Requested), corev1.ResourceList(n.Allocatable))
	}
	t.fullest(&table, fractions)
	var waiting []remark
	for _, u := range r.Unplaced {
		workload := u.Kind + " " + wording.Qualified(u.Namespace, u.Name)
		waiting = append(waiting, remark{"  on no node: ", fmt.Sprintf("%s of %s: %s", wording.Count(u.Pods, "pod"), workload, u.Message)})
	}
	t.In(terminal.Red, func() { t.list("", waiting, t.items) })
}
