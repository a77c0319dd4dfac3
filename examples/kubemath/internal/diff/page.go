package diff

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/comparison"
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

func pageOf(r *comparison.Report) *page {
	p := &page{summary: r.Summary()}
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

func items(objects []comparison.Object) (items []item) {
	for i := range objects {
		o := &objects[i]
		items = append(items, item{o.Head(), o.Notes()})
	}
	return items
}

func quotaTable(quotas []comparison.Quota) section {
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

func nodeTable(r *comparison.Report) section {
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
		slices.SortStableFunc(nodes, func(a, b comparison.Node) int { return cmp.Compare(fullest(&b), fullest(&a)) })
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
func fullest(n *comparison.Node) (most int64) {
	for _, u := range n.After {
		if u.Percent != nil {
			most = max(most, *u.Percent)
		}
	}
	return most
}

// requested returns pods, cpu and memory, and the other resources whose requests change.
func requested(r *comparison.Report) []corev1.ResourceName {
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

func percent(u comparison.Usage) string {
	if u.Percent == nil {
		return ""
	}
	return fmt.Sprintf("%d%%", *u.Percent)
}
