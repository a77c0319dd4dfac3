package page

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
)

// The report on one workload, or on an object without pods, with the same content as in text.

type account struct {
	ID       string
	Title    words
	Scale    words
	Brief    []words // what one pod requests
	Rejected bool
	Place    words
	Facts    []fact
	Verdict  *verdict
	Tables   []table
	Class    string // of quality of service
	Reason   words
	Advice   []words
}

// fact is a line that has a name.
type fact struct {
	Name string
	Text words
}

// mark distinguishes a default from an amount in the manifest.
type mark struct{ Text, Title string }

var (
	markOfServer = mark{"*", "Not set in the manifest: the API server sets it when the pod is created."}
	markOfRanges = mark{"^", "Not set in the manifest: it is a default of a LimitRange."}
	unbounded    = mark{"+", "Not a limit of the pod: a container has none."}
)

func accountsOf(r *report.Report) (list []account) {
	for i, w := range r.Workloads {
		list = append(list, accountOf(r, w, at("/workloads").to(i)))
	}
	return list
}

// objectAccountsOf returns those of objects that are checked against quotas, or rejected.
func objectAccountsOf(r *report.Report) (list []account) {
	for _, o := range objectsOf(r) {
		if o.Fit == nil && o.Rejection == nil {
			continue
		}
		a := o.account()
		a.addQuotas(o.Object, o.path)
		list = append(list, a)
	}
	return list
}

// account returns the part that is common to all objects.
func (o *object) account() account {
	a := account{ID: anchor(o.path), Title: o.title(), Place: lineOf(o.Source, o.Line, o.path), Rejected: o.Rejection != nil}
	if o.Rejection != nil {
		v := o.verdict()
		a.Verdict = &v
	}
	return a
}

// briefOf returns what is shown of a workload that is not open.
func briefOf(w *report.Workload, path at) account {
	o := object{&w.Object, path}
	a := o.account()
	a.Scale = words{sentence(w.Scale, path.to("scale"))}
	requests := amounts{w.Pod.Requests, path.to("pod", "requests")}
	for _, name := range w.Pod.Requests.Names() {
		a.Brief = append(a.Brief, words{figure(requests.of(name)), say(" "), resourceName(name)})
	}
	return a
}

func accountOf(r *report.Report, w *report.Workload, path at) account {
	a := briefOf(w, path)
	a.addPods(w, path)
	a.Tables = append(a.Tables, amountsTable(w, path))
	for _, given := range w.Given() {
		a.Facts = append(a.Facts, fact{markOfRanges.Text + " from", words{sentence(given, path.to("defaults"))}})
	}
	for j, class := range w.Classes {
		a.Facts = append(a.Facts, fact{"set by", words{quote(class.String()+": "+class.Field, path.to("classes", j))}})
	}
	for j, class := range w.Unknown {
		a.Facts = append(a.Facts, fact{"not known", words{quote(class, path.to("unknown", j))}})
	}
	if w.Resizing {
		a.Facts = append(a.Facts, fact{"resize", words{say("in progress, so the pod may count for more or less than its spec")}})
	}
	a.addQuotas(&w.Object, path)
	a.Class = string(w.QoS.Class)
	a.Reason = words{quote(w.QoS.Reason, path.to("qos", "reason"))}
	for j, advice := range w.QoS.Advice {
		a.Advice = append(a.Advice, words{quote(advice, path.to("qos", "advice", j))})
	}
	if w.Room != nil {
		a.addRoom(w.Room, path.to("room"))
	}
	return a
}

// addPods shows how many pods are admitted, and where they are.
func (a *account) addPods(w *report.Workload, path at) {
	if w.Admitted < w.Pods {
		text := words{figure(countOf(w.Admitted, path.to("admitted"))), say(" of ")}
		a.Facts = append(a.Facts, fact{"admitted", append(text, counted(w.Pods, "pod", path.to("pods"))...)})
	}
	var nodes []words
	for j, on := range w.Nodes {
		p := path.to("nodes", j)
		nodes = append(nodes, words{quote(on.Node, p.to("node")), say(" ("), figure(countOf(on.Pods, p.to("pods"))), say(")")})
	}
	if len(nodes) > 0 {
		a.Facts = append(a.Facts, fact{"on nodes", enumerate(nodes)})
	}
}

// amountsTable has a row for each part of a pod with amounts, and the sums below; two columns, request
// and limit, for each resource.
func amountsTable(w *report.Workload, path at) table {
	names := resourcesOfPod(w)
	t := table{Caption: "Requests and limits", Class: "amounts", Corner: words{say("part")}, Groups: []group{{nil, 1}}}
	for _, name := range names {
		t.Groups = append(t.Groups, group{words{resourceName(name)}, 2})
		t.Columns = append(t.Columns, columns("request", "limit")...)
	}
	add := func(label words, class string, requests, limits amounts) *row {
		line := row{Label: label, Class: class}
		for _, name := range names {
			line.Cells = append(line.Cells, cellsOf(requests.of(name), limits.of(name))...)
		}
		t.Rows = append(t.Rows, line)
		return &t.Rows[len(t.Rows)-1]
	}
	part := func(p *report.Part, label words, at at) {
		line := add(label, "", amounts{p.Requests, at.to("requests")}, amounts{p.Limits, at.to("limits")})
		for j, name := range names {
			line.Cells[2*j].Mark = markOf(w, p, computeresources.Requests, name)
			line.Cells[2*j+1].Mark = markOf(w, p, computeresources.Limits, name)
		}
	}
	sum := func(label words, class string, s *report.Sums, at at) {
		line := add(label, class, amounts{s.Requests, at.to("requests")}, amounts{s.Limits, at.to("limits")})
		for j, name := range names {
			if slices.Contains(s.Unbounded, name) && line.Cells[2*j+1].Number.Path != "" {
				line.Cells[2*j+1].Mark = &unbounded
			}
		}
	}
	for i := range w.Containers {
		at := path.to("containers", i)
		part(&w.Containers[i], containerName(&w.Containers[i], at), at)
	}
	if w.PodLevel != nil {
		part(w.PodLevel, words{say("pod level")}, path.to("podLevel"))
	}
	if len(w.Overhead) > 0 {
		add(words{say("overhead")}, "", amounts{w.Overhead, path.to("overhead")}, amounts{})
	}
	label := "all of the pod"
	if w.Pods > 1 {
		label = "each pod"
	}
	sum(words{say(label)}, "sum", &w.Pod, path.to("pod"))
	for i := range w.Others {
		v, at := &w.Others[i], path.to("others", i)
		sum(append(counted(v.Pods, "pod", at.to("pods")), say(" that exist, each")), "", &v.Pod, at.to("pod"))
	}
	if w.Pods > 1 {
		sum(counted(w.Pods, "pod", path.to("pods")), "sum", &w.All, path.to("all"))
	}
	return t
}

func containerName(p *report.Part, path at) words {
	return words{quote(p.Kind.String(), path.to("kind")), say(" "), quote(p.Name, path.to("name"))}
}

func markOf(w *report.Workload, p *report.Part, list computeresources.List, name corev1.ResourceName) *mark {
	d := w.DefaultOf(p.Ref, list, name)
	switch {
	case d == nil:
		return nil
	case d.Source == (computeresources.Source{}):
		return &markOfServer
	default:
		return &markOfRanges
	}
}

func resourcesOfPod(w *report.Workload) []corev1.ResourceName {
	always := report.Amounts{corev1.ResourceCPU: {}, corev1.ResourceMemory: {}}
	lists := []report.Amounts{always, w.Pod.Requests, w.Pod.Limits}
	for i := range w.Containers {
		lists = append(lists, w.Containers[i].Requests, w.Containers[i].Limits)
	}
	if w.PodLevel != nil {
		lists = append(lists, w.PodLevel.Requests, w.PodLevel.Limits)
	}
	return resourcesOf(lists...)
}

// textOf returns words without markup.
func textOf(w words) string {
	var b strings.Builder
	for _, p := range w {
		if p.Number != nil {
			b.WriteString(p.Number.Text)
		}
		b.WriteString(p.Text)
	}
	return b.String()
}

func (w *writer) accounts(id, title string, list []account) {
	if len(list) == 0 {
		return
	}
	w.Around(`<section id="`, id, `">`+"\n<h2>")
	w.Around("", title, "</h2>\n")
	for i := range list {
		w.account(&list[i])
	}
	w.Raw("</section>\n")
}

func (w *writer) account(a *account) {
	w.Raw(`<details class="account`)
	w.If(a.Rejected, " rejected")
	w.Around(`" id="`, a.ID, `">`+"\n")
	w.summary(a)
	w.line("\n"+`<p class="place">`, a.Place, "</p>\n")
	if a.Verdict != nil {
		w.verdict(a.Verdict)
	}
	for i := range a.Tables {
		w.table(&a.Tables[i])
	}
	w.Raw(`<dl class="facts">` + "\n")
	for _, f := range a.Facts {
		w.Around("<div><dt>", f.Name, "</dt><dd>")
		w.line("", f.Text, "</dd></div>\n")
	}
	if a.Class != "" {
		w.Around("<div><dt>QoS class</dt><dd>", a.Class, ": ")
		w.line("", a.Reason, "</dd></div>\n")
	}
	if len(a.Advice) > 0 {
		w.Raw("<div><dt>To be Guaranteed</dt><dd><ul>")
		for _, advice := range a.Advice {
			w.line("<li>", advice, "</li>")
		}
		w.Raw("</ul></dd></div>\n")
	}
	w.Raw("</dl>\n</details>\n")
}

func (w *writer) summary(a *account) {
	w.line(`<summary><span class="title">`, a.Title, "</span>")
	w.line(` <span class="scale">`, a.Scale, "</span>")
	for _, brief := range a.Brief {
		w.line(` <span class="brief">`, brief, "</span>")
	}
	if a.Class != "" {
		w.Around(` <span class="class `, a.Class, `">`)
		w.Around("", a.Class, "</span>")
	}
	w.If(a.Rejected, ` <span class="class bad">rejected</span>`)
	w.Raw("</summary>")
}
