package diff

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// page is what a report says, before it is written as text or Markdown.
type page struct {
	summary  string
	sections []section
}

// section has items or a table.
type section struct {
	title   string
	items   []item
	columns []string
	rows    [][]string // the first cell is a name
}

// item is an object, and what is to be said about it.
type item struct {
	head  string
	notes []string
}

func pageOf(r *Report) *page {
	p := &page{summary: r.summary()}
	p.add(section{title: "Objects", items: items(r.Objects)})
	p.add(section{title: "Other workloads", items: items(r.Others)})
	p.add(quotaTable(r.Quotas))
	p.add(nodeTable(r))
	return p
}

func (p *page) add(s section) {
	if len(s.items)+len(s.rows) > 0 {
		p.sections = append(p.sections, s)
	}
}

// summary counts what has become of the objects and of the pods.
func (r *Report) summary() string {
	actions, pods := map[string]int{}, map[string]int64{}
	for i := range r.Objects {
		actions[r.Objects[i].Action]++
	}
	for _, list := range [][]Object{r.Objects, r.Others} {
		for i := range list {
			o := &list[i]
			pods["placed"] += int64(len(o.nodes))
			for _, w := range o.Waiting {
				pods["waiting"] += int64(w.Pods)
			}
			if o.Missing != "" {
				pods["not created"] += max(o.Wanted-o.Created, 1)
			}
			pods["gone"] += int64(o.leaving)
		}
	}
	var objects, others []string
	for _, action := range []string{"created", "updated", "unchanged", "deleted", "refused", "not found"} {
		if n := actions[action]; n > 0 {
			objects = append(objects, fmt.Sprintf("%d %s", n, action))
		}
	}
	for _, what := range []string{"placed", "waiting", "not created", "gone"} {
		if n := pods[what]; n > 0 {
			others = append(others, fmt.Sprintf("%d %s", n, what))
		}
	}
	text := wording.Count(int64(len(r.Objects)), "object") + ": " + strings.Join(objects, ", ")
	if len(others) > 0 {
		text += "; pods: " + strings.Join(others, ", ")
	}
	return text
}

func items(objects []Object) (items []item) {
	for i := range objects {
		o := &objects[i]
		items = append(items, item{o.head(), o.notes()})
	}
	return items
}

// head returns "Deployment shop/web updated: 8 pods wanted, 6 created, 5 placed".
func (o *Object) head() string {
	text := fmt.Sprintf("%s %s %s", wording.Printable(o.Kind), wording.Printable(wording.Qualified(o.Namespace, o.Name)), o.Action)
	if o.Wanted > 0 || o.Created > 0 {
		text += fmt.Sprintf(": %s wanted, %d created, %d on nodes", wording.Count(o.Wanted, "pod"), o.Created, o.Placed)
	}
	if o.Outdated > 0 {
		text += fmt.Sprintf(", %d of the former template left", o.Outdated)
	}
	return text
}

func (o *Object) notes() (notes []string) {
	add := func(format string, args ...any) {
		notes = append(notes, wording.Printable(fmt.Sprintf(format, args...)))
	}
	for line := range strings.Lines(o.Error) {
		add("%s", strings.TrimSpace(line))
	}
	switch {
	case o.gone != "" && len(o.nodes) > 0:
		add("%s, %d new on %s", o.gone, len(o.nodes), counted(o.nodes))
	case o.gone != "":
		add("%s", o.gone)
	case len(o.nodes) > 0:
		add("%d new on %s", len(o.nodes), counted(o.nodes))
	}
	if o.Missing != "" {
		add("next pod: %s", o.Missing)
	}
	for _, w := range o.Waiting {
		add("%s: %s", wording.Count(int64(w.Pods), "pod"), w.Message)
	}
	if len(o.Fix) > 0 {
		add("all would be admitted with %s", strings.Join(fixes(o.Fix), "; "))
	}
	if len(o.NotConsidered) > 0 {
		add("not considered: %s", strings.Join(o.NotConsidered, ", "))
	}
	if o.Depends {
		add("the API server may decide otherwise: its LimitRanges have different defaults, and no order")
	}
	return notes
}

// counted returns "worker-1 (2), worker-2", by name.
func counted(nodes []string) string {
	count := map[string]int{}
	for _, name := range nodes {
		count[name]++
	}
	var words []string
	for _, name := range slices.Sorted(maps.Keys(count)) {
		if n := count[name]; n > 1 {
			name += fmt.Sprintf(" (%d)", n)
		}
		words = append(words, name)
	}
	if n := len(words) - mostWords; n > 0 {
		words = append(words[:mostWords], fmt.Sprintf("%d more", n))
	}
	return strings.Join(words, ", ")
}

// mostWords is how many nodes are named in a note.
const mostWords = 10

// fixes returns the changes by container: "cpu request 500m (is 750m) and limit 1 (is 1500m) of app container web".
func fixes(changes []Change) (words []string) {
	var of []string
	byContainer := map[string][]string{}
	for _, c := range changes {
		text := fmt.Sprintf("%s %s %s", c.Resource, singular(c.List), cmp.Or(c.To, "removed"))
		if c.From != "" {
			text += " (is " + c.From + ")"
		}
		if len(byContainer[c.Container]) == 0 {
			of = append(of, c.Container)
		}
		byContainer[c.Container] = append(byContainer[c.Container], text)
	}
	for _, name := range of {
		words = append(words, wording.Enumerate(byContainer[name])+" of "+name)
	}
	return words
}

func singular(l computeresources.List) string { return strings.TrimSuffix(l.String(), "s") }

func quotaTable(quotas []Quota) section {
	s := section{title: "Quotas", columns: []string{"", "before", "", "after", "", "hard"}}
	for i := range quotas {
		q := &quotas[i]
		hard := cmp.Or(q.After.Hard, "-")
		if q.Before.Hard != q.After.Hard && q.Before.Hard != "" {
			hard += " (was " + q.Before.Hard + ")"
		}
		s.rows = append(s.rows, []string{
			wording.Printable(fmt.Sprintf("%s/%s %s", q.Namespace, q.Name, q.Resource)),
			short(q.Before.Used), percent(q.Before), short(q.After.Used), percent(q.After), hard,
		})
	}
	return s
}

// mostNodes is how many nodes have rows, those that are fullest afterwards.
const mostNodes = 30

func nodeTable(r *Report) section {
	s := section{title: "Nodes", columns: []string{""}}
	resources := requested(r)
	for _, name := range resources {
		if name == corev1.ResourcePods { // whose percentages hardly anyone asks for
			s.columns = append(s.columns, "pods", "after")
			continue
		}
		s.columns = append(s.columns, wording.Printable(string(name)), "", "after", "")
	}
	nodes := slices.Clone(r.Nodes)
	if len(nodes) > mostNodes {
		slices.SortStableFunc(nodes, func(a, b Node) int { return cmp.Compare(b.fullest(), a.fullest()) })
		nodes = nodes[:mostNodes]
		s.title = fmt.Sprintf("Nodes, the fullest %d of %d that change", mostNodes, len(r.Nodes))
	}
	if len(nodes) != 1 && r.Total != nil {
		nodes = append(nodes, *r.Total)
	}
	for i := range nodes {
		n := &nodes[i]
		row := []string{wording.Printable(n.Name)}
		for _, name := range resources {
			was, is := n.Before[name], n.After[name]
			if name == corev1.ResourcePods {
				row = append(row, short(was.Used), short(is.Used))
				continue
			}
			row = append(row, short(was.Used), percent(was), short(is.Used), percent(is))
		}
		s.rows = append(s.rows, row)
	}
	return s
}

// fullest returns the largest percentage.
func (n *Node) fullest() (most int64) {
	for _, u := range n.After {
		if u.Percent != nil {
			most = max(most, *u.Percent)
		}
	}
	return most
}

// requested returns pods, cpu and memory, and the other resources whose requests change.
func requested(r *Report) []corev1.ResourceName {
	names := []corev1.ResourceName{corev1.ResourcePods, corev1.ResourceCPU, corev1.ResourceMemory}
	if r.Total == nil {
		return names
	}
	for _, name := range slices.Sorted(maps.Keys(r.Total.After)) {
		if !slices.Contains(names, name) && r.Total.Before[name].Used != r.Total.After[name].Used {
			names = append(names, name)
		}
	}
	return names
}

func short(amount string) string {
	q, err := quantity.Parse(amount)
	if err != nil {
		return "-"
	}
	return quantity.Short(q)
}

func percent(u Usage) string {
	if u.Percent == nil {
		return ""
	}
	return fmt.Sprintf("%d%%", *u.Percent)
}
