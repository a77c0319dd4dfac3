package page

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/playground/internal/markup"
)

// The namespaces: requests and limits of each resource, on one scale for all namespaces, and the usage
// of quotas.

type namespace struct {
	Name    words
	Held    words
	Table   table
	Quotas  []quota
	Remarks []words // what is unusual about its LimitRanges and ResourceQuotas
}

type quota struct {
	Name    words
	AtLeast bool
	Table   table
}

func namespacesOf(r *report.Report) (list []namespace) {
	scale := corev1.ResourceList{}
	for i := range r.Namespaces {
		scale = most(scale, corev1.ResourceList(r.Namespaces[i].Requests), corev1.ResourceList(r.Namespaces[i].Limits))
	}
	for i := range r.Namespaces {
		s, path := &r.Namespaces[i], at("/namespaces").to(i)
		n := namespace{
			Name: words{quote(s.Name, path.to("name"))},
			Held: slices.Concat(counted(s.Workloads, "workload", path.to("workloads")), words{say(", ")}, counted(s.Pods, "pod", path.to("pods"))),
		}
		if s.Rejected > 0 {
			n.Held = append(n.Held, say(", "), figure(countOf(s.Rejected, path.to("rejected"))), say(" rejected"))
		}
		n.Table = heldTable(s, path, scale)
		for j := range s.Quotas {
			n.Quotas = append(n.Quotas, quotaOf(&s.Quotas[j].Held, path.to("quotas", j)))
		}
		n.Remarks = remarksOf(s, path)
		list = append(list, n)
	}
	for i := range r.SharedQuotas {
		s, path := &r.SharedQuotas[i], at("/sharedQuotas").to(i)
		list = append(list, sharedOf(s, path))
	}
	return list
}

// sharedOf returns a quota that several namespaces share, in the place of a namespace.
func sharedOf(s *report.SharedQuota, path at) namespace {
	n := namespace{Name: words{quote(s.Kind, path.to("kind")), say(" "), quote(s.Name, path.to("name"))}}
	var sharers []words
	n.Table = table{Caption: "What each namespace uses of it", Class: "held", Corner: words{say("resource")}}
	for j := range s.Namespaces {
		sharers = append(sharers, words{quote(s.Namespaces[j].Name, path.to("namespaces", j, "name"))})
	}
	n.Table.Columns = sharers
	for _, name := range s.Hard.Names() {
		line := row{Label: words{resourceName(name)}}
		for j := range s.Namespaces {
			used := amounts{s.Namespaces[j].Used, path.to("namespaces", j, "used")}
			line.Cells = append(line.Cells, cellsOf(used.of(name))...)
		}
		n.Table.Rows = append(n.Table.Rows, line)
	}
	switch {
	case s.Unknown:
		n.Held = words{say("the input does not say which namespaces share it: it has neither Namespaces nor a status")}
	case len(sharers) == 0:
		n.Held = words{say("shared by no namespace of the input")}
	default:
		n.Held = append(words{say("shared by ")}, enumerate(sharers)...)
	}
	q := quotaOf(&s.Held, path)
	q.Name = words{say("All of them together")}
	n.Quotas = []quota{q}
	if len(sharers) == 0 {
		n.Table.Rows = nil
	}
	return n
}

func heldTable(n *report.Namespace, path at, scale corev1.ResourceList) table {
	t := table{Caption: "What its pods request", Class: "held", Corner: words{say("resource")}, Columns: columns("requests", "limits", "")}
	requests, limits := amounts{n.Requests, path.to("requests")}, amounts{n.Limits, path.to("limits")}
	for _, name := range resourcesOf(n.Requests, n.Limits) {
		cells := cellsOf(requests.of(name), limits.of(name))
		cells = append(cells, cell{Class: "graph", Bar: []segment{
			share("limit", n.Limits[name], scale[name]),
			share("request", n.Requests[name], scale[name]),
		}})
		t.Rows = append(t.Rows, row{Label: words{resourceName(name)}, Cells: cells})
	}
	return t
}

func quotaOf(s *report.Held, path at) quota {
	q := quota{Name: words{say("ResourceQuota "), quote(s.Name, path.to("name"))}, AtLeast: s.AtLeast}
	q.Table = table{Caption: "What is used of the quota", Class: "quota", Corner: words{say("resource")}, Columns: columns("used", "with this", "hard", "")}
	used, then, hard := amounts{s.Used, path.to("used")}, amounts{s.Then, path.to("then")}, amounts{s.Hard, path.to("hard")}
	for _, name := range s.Hard.Names() {
		before, after := s.Used[name], s.Then[name]
		added := after.DeepCopy()
		added.Sub(before)
		bar := []segment{share("used", before, s.Hard[name]), share("added", added, s.Hard[name])}
		line := row{Label: words{resourceName(name)}, Cells: append(cellsOf(used.of(name), then.of(name), hard.of(name)), cell{Class: "graph stacked", Bar: bar})}
		limit := s.Hard[name]
		switch {
		case after.Cmp(limit) > 0:
			line.Class = "bad"
		case resourcelist.Equals(corev1.ResourceList{name: after}, corev1.ResourceList{name: limit}):
			line.Class = "full"
		}
		q.Table.Rows = append(q.Table.Rows, line)
	}
	return q
}

// remarksOf returns what is unusual about the LimitRanges and ResourceQuotas of a namespace.
func remarksOf(n *report.Namespace, path at) (remarks []words) {
	for j, q := range n.Quotas {
		var names, never []words
		for _, name := range q.Unevaluated {
			if slices.Contains(q.NeverCounted, name) {
				never = append(never, words{resourceName(name)})
			} else {
				names = append(names, words{resourceName(name)})
			}
		}
		if len(never) > 0 {
			remark := words{say("Never counted by Kubernetes, so that it limits nothing: of ResourceQuota "), quote(q.Name, path.to("quotas", j, "name")), say(": ")}
			remarks = append(remarks, append(remark, enumerate(never)...))
		}
		if len(names) > 0 {
			remark := words{say("Not used by any object in the input: of ResourceQuota "), quote(q.Name, path.to("quotas", j, "name")), say(": ")}
			remarks = append(remarks, append(remark, enumerate(names)...))
		}
	}
	for j, c := range n.Conflicts {
		remarks = append(remarks, words{say("Conflict: "), sentence(c.Error(), path.to("conflicts", j))})
	}
	for j, a := range n.Ambiguities {
		remarks = append(remarks, words{say("Ambiguous: "), sentence(a.String(), path.to("ambiguities", j)), say("; the API server may apply any of them, this report applies the first")})
	}
	return remarks
}

// resourcesOf returns the resources of lists: cpu and memory, and then the others by name.
func resourcesOf(lists ...report.Amounts) []corev1.ResourceName {
	all := report.Amounts{}
	for _, list := range lists {
		for name, q := range list {
			all[name] = q
		}
	}
	return all.Names()
}

func (w *writer) namespaces(list []namespace) {
	if len(list) == 0 {
		return
	}
	w.Raw(`<section id="namespaces">` + "\n<h2>Namespaces</h2>\n" + `<p class="key">`)
	w.key("request", " requests ")
	w.key("limit", " limits, of the most that a namespace has; ")
	w.key("used", " used of a quota, ")
	w.key("added", " added by what was read")
	w.Raw("</p>\n" + `<div class="namespaces">` + "\n")
	for i := range list {
		w.namespace(&list[i])
	}
	w.Raw("</div>\n</section>\n")
}

// key explains the color of a bar.
func (w *writer) key(class string, meaning markup.HTML) {
	w.bar([]segment{{Class: class, Width: "100"}})
	w.Raw(meaning)
}

func (w *writer) namespace(n *namespace) {
	w.line("<article>\n<h3>", n.Name, "</h3>\n")
	w.line(`<p class="place">`, n.Held, "</p>\n")
	if len(n.Table.Rows) > 0 {
		w.table(&n.Table)
	}
	for i := range n.Quotas {
		q := &n.Quotas[i]
		w.line("<h4>", q.Name, "</h4>\n")
		w.If(q.AtLeast, `<p class="place">It has no status: this is the least that is used.</p>`+"\n")
		w.table(&q.Table)
	}
	for _, remark := range n.Remarks {
		w.line(`<p class="remark">`, remark, "</p>\n")
	}
	w.Raw("</article>\n")
}
