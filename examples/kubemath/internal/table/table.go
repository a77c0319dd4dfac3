// Package table writes a report as text for a terminal: of a few workloads each, of many the largest; then the sums by
// namespace, the usage of quotas, and the nodes.
package table

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/listing"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/terminal"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// Many is the number of workloads from which a summary is more useful than each of them.
const Many = 30

// legends explain marks behind amounts, and instead of them.
var legends = []struct {
	mark *regexp.Regexp
	text string
}{
	{regexp.MustCompile(`[0-9A-Za-z]\*\s`), "*  is not set in the manifest: the API server sets it when the pod is created"},
	{regexp.MustCompile(`[0-9A-Za-z]\^\s`), "^  is not set in the manifest: it is a default of a LimitRange"},
	{regexp.MustCompile(`[0-9A-Za-z]\+\s`), "+  is a sum to which a container without a limit adds nothing, but it may use whatever the node has"},
	{regexp.MustCompile(`\S +-\s`), "-  is not set"},
	{regexp.MustCompile(""), "Amounts of more than four digits are rounded: -o json has exact ones, and all workloads."},
}

// Write writes the report as text: of Many workloads or more only the largest, unless all are to be shown.
func Write(to *terminal.Text, r *report.Report, all bool) {
	t := &text{to, 20, 20}
	isMany := len(r.Workloads) >= Many
	switch {
	case all:
		t.rows, t.items = math.MaxInt, math.MaxInt
	case isMany: // all of them fit on a screen of 60 lines
		t.rows, t.items = 4, 1
	}
	t.summary(r)
	t.rejected(r)
	t.findings("not computed", r.NotComputed)
	t.findings("warnings", r.Warnings)
	if isMany && !all {
		t.largest(r)
	} else {
		for _, w := range r.Workloads {
			t.workload(w)
		}
		for _, o := range r.Objects {
			if o.Rejection != nil || o.Fit != nil && !o.Fit.Exist { // there may be very many that exist
				t.Line(wording.Printable(o.Title()))
				t.verdict(o)
				t.WriteString("\n")
			}
		}
	}
	if len(r.Workloads) > 0 {
		t.namespaces(r)
	}
	t.quotas(r)
	t.remarks(r)
	t.nodes(r)
	if text := t.String(); len(r.Workloads) > 0 {
		for _, l := range legends {
			if l.mark.MatchString(text) {
				t.Line(l.text)
			}
		}
	}
}

// text is the report in the making.
type text struct {
	*terminal.Text
	rows, items int // how many a table and the list of rejected objects have at most, and other lists
}

// wrap writes a text that may have control characters behind a prefix.
func (t *text) wrap(prefix, text string) { t.Wrap(prefix, wording.Printable(text)) }

func (t *text) workload(w *report.Workload) {
	t.Line(wording.Printable(w.Title() + ": " + w.Scale))
	t.Line("  from " + wording.Printable(w.Source.String()))
	var on []string
	for _, n := range w.Nodes {
		on = append(on, fmt.Sprintf("%s (%d)", n.Node, n.Pods))
	}
	if len(on) > 0 && len(w.Nodes) <= t.rows {
		t.wrap("  on ", wording.Enumerate(on))
	}
	t.WriteString("\n")
	t.amounts(w)
	for _, words := range w.Given() {
		t.wrap("  ^ from ", words)
	}
	for _, class := range w.Classes {
		t.wrap("  Set by ", fmt.Sprintf("%v: %s", class, class.Field))
	}
	if len(w.Injected) > 0 {
		t.wrap("  Injected: ", wording.Enumerate(w.Injected)+" of its pods, not of the template; new pods count with it")
	}
	if len(w.Unknown) > 0 {
		t.wrap("  Not known: ", strings.Join(w.Unknown, ", ")+", which may set or refuse more.")
	}
	t.WriteString("\n")
	t.verdict(&w.Object)
	if w.Room != nil {
		fit := fmt.Sprintf("%d; the next lacks %s", w.Room.Fit, inWords(w.Room.Stops))
		if w.Room.Node != "" {
			fit = fmt.Sprintf("%d on %s; the next lacks %s", w.Room.Fit, w.Room.Node, inWords(w.Room.Stops))
		}
		t.wrap("  Fit on the empty node: ", fit)
	}
	t.wrap("  QoS class: ", string(w.QoS.Class)+": "+w.QoS.Reason)
	if w.Resizing {
		t.wrap("  Resize: ", "in progress, so the pod may count for more or less than its spec.")
	}
	if len(w.QoS.Advice) > 0 {
		t.Line("  To be Guaranteed:")
	}
	for _, advice := range w.QoS.Advice {
		t.wrap("    - ", advice)
	}
	t.WriteString("\n")
}

// amounts writes a table with a row for each part of a pod, and the sums below; two columns for each resource.
func (t *text) amounts(w *report.Workload) {
	lists := []report.Amounts{w.Pod.Requests, w.Pod.Limits}
	for _, p := range w.Containers {
		lists = append(lists, p.Requests, p.Limits)
	}
	names := resourcesOf(lists...)
	table := terminal.Table{Group: 2}
	table.Add(0, "", headings(names)...)
	add := func(label string, request, limit func(corev1.ResourceName) string) {
		row := table.Add(0, wording.Printable(label))
		for _, name := range names {
			row.Cells = append(row.Cells, cmp.Or(request(name), "-"), cmp.Or(limit(name), "-"))
		}
	}
	part := func(p *report.Part, label string) {
		of := func(list computeresources.List, amounts report.Amounts) func(corev1.ResourceName) string {
			return func(name corev1.ResourceName) string { return amounts.Short(name) + mark(w, p, list, name) }
		}
		add(label, of(computeresources.Requests, p.Requests), of(computeresources.Limits, p.Limits))
	}
	sum := func(label string, s *report.Sums) {
		add(label, s.Requests.Short, func(name corev1.ResourceName) string {
			if limit := s.Limits.Short(name); limit != "" && slices.Contains(s.Unbounded, name) {
				return limit + "+"
			}
			return s.Limits.Short(name)
		})
	}
	for i := range w.Containers {
		part(&w.Containers[i], w.Containers[i].Ref.String())
	}
	if w.PodLevel != nil {
		part(w.PodLevel, "pod level")
	}
	if len(w.Overhead) > 0 {
		add("overhead", w.Overhead.Short, func(corev1.ResourceName) string { return "" })
	}
	table.Add(0, "").Rule = true
	sum("each pod", &w.Pod)
	for i := range w.Others {
		sum(fmt.Sprintf("each of %d that exist", w.Others[i].Pods), &w.Others[i].Pod)
	}
	if w.Pods != 1 {
		sum(wording.Count(w.Pods, "pod"), &w.All)
	}
	t.Table(&table)
}

// mark distinguishes an amount that the API server sets from one in the manifest.
func mark(w *report.Workload, p *report.Part, list computeresources.List, name corev1.ResourceName) string {
	d := w.DefaultOf(p.Ref, list, name)
	switch {
	case d == nil:
		return ""
	case d.Source == (computeresources.Source{}):
		return "*"
	}
	return "^"
}

// verdict writes why an object would be rejected, the quotas that limit it, and how much of it fits.
func (t *text) verdict(o *report.Object) {
	if o.Rejection != nil {
		heading := "Rejected by the API server:"
		if o.Rejection.Stored {
			heading = "Stored, but the API server rejects objects that are created for it:"
		}
		if o.Rejection.Blocked != "" {
			heading = "Blocked now, because " + o.Rejection.Blocked // on one line, so a search finds it
		}
		t.Line("  " + wording.Printable(heading))
		for _, reason := range o.Rejection.Reasons {
			words := reason.What
			if reason.Remedy != "" {
				words += ": " + reason.Remedy
			}
			t.wrap("    - ", words)
			if reason.Server != reason.What && reason.Server != o.Rejection.Blocked {
				t.Line("      server: " + wording.Printable(reason.Server)) // on one line, so a search finds it
			}
		}
		t.WriteString("\n")
	}
	if len(o.Quotas) > 0 {
		var table terminal.Table
		table.Add(0, "ResourceQuota", "used", "this", "hard", "left")
		for _, u := range o.Quotas {
			table.Add(0, wording.Printable(u.Title()))
			for _, name := range slices.Sorted(maps.Keys(u.Hard)) {
				used, left := cmp.Or(u.Used.ShortLike(name, u.Hard), "unknown"), cmp.Or(u.Left.ShortLike(name, u.Hard), "unknown")
				table.Add(1, wording.Printable(string(name)), used, u.Asked.ShortLike(name, u.Hard), u.Hard.Short(name), left)
			}
		}
		t.Table(&table)
	}
	for _, u := range o.Quotas {
		if u.Unknown != "" {
			t.Line("  " + wording.Printable(u.Unknown)) // on one line, so a search finds it
		}
	}
	if f := o.Fit; f != nil {
		title := strings.ToUpper(f.Unit[:1]) + f.Unit[1:] + "s that fit"
		if f.Exist {
			title = "More " + f.Unit + "s that fit"
		}
		t.wrap("  "+title+": ", f.Words())
	}
}

// headings returns those of the columns of resources: "cpu", "limit", "memory", "limit".
func headings(names []corev1.ResourceName) (titles []string) {
	for _, name := range names {
		titles = append(titles, wording.Printable(string(name)), "limit")
	}
	return titles
}

// resourcesOf returns the resources that have columns: cpu and memory always, then all others that are set.
func resourcesOf(lists ...report.Amounts) []corev1.ResourceName {
	return report.NamesOf(append(lists, report.Amounts{corev1.ResourceCPU: {}, corev1.ResourceMemory: {}})...)
}

// inWords returns "490m of cpu and 1Gi of memory".
func inWords(amounts report.Amounts) string {
	var words []string
	for _, name := range amounts.Names() {
		words = append(words, amounts.Short(name)+" of "+string(name))
	}
	return wording.Enumerate(words)
}

// Rows returns a row for each workload, and for each other object that would be rejected.
func Rows(r *report.Report) *listing.List {
	var lists []report.Amounts
	for _, w := range r.Workloads {
		lists = append(lists, w.All.Requests, w.All.Limits)
	}
	l, names := &listing.List{Columns: []string{"NAMESPACE", "KIND", "NAME", "PODS"}}, resourcesOf(lists...)
	for _, name := range names {
		of := strings.ToUpper(string(name))
		l.Columns = append(l.Columns, of, of+"-LIMITS")
	}
	l.Columns = append(l.Columns, "CLASS", "VERDICT", "REASON")
	add := func(o *report.Object, w *report.Workload) {
		cells := []any{listing.Text(o.Namespace), o.Kind, o.Name}
		if w == nil {
			w = &report.Workload{}
			cells = append(cells, nil)
		} else {
			cells = append(cells, w.Pods)
		}
		for _, name := range names {
			cells = append(cells, listing.Amount(w.All.Requests, name), listing.Amount(w.All.Limits, name))
		}
		verdict, reason := "admitted", ""
		if o.Rejection != nil {
			verdict, reason = "rejected", o.Rejection.Reasons[0].What
			if o.Rejection.Blocked != "" {
				verdict, reason = "blocked", o.Rejection.Blocked
			}
		}
		l.Add(listing.NameOf(o.Kind, o.Name), append(cells, listing.Text(string(w.QoS.Class)), verdict, listing.Text(reason))...)
	}
	for _, w := range r.Workloads {
		add(&w.Object, w)
	}
	for _, o := range r.Objects {
		if o.Rejection != nil {
			add(o, nil)
		}
	}
	return l
}
