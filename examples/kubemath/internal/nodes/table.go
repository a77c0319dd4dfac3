package nodes

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/listing"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/terminal"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// nodes writes a row for each node, and for its pods and their containers, with a group of columns for each resource.
func (s *sheet) nodes(r *Report) {
	if len(r.Nodes) == 0 {
		s.WriteString("no nodes\n")
		return
	}
	resources, amounts := s.shown(r), []string{"alloc", "requests", "limits"}
	if s.usage != "" {
		amounts = append(amounts, "used")
	}
	table := terminal.Table{Group: len(amounts)}
	if s.Columns < 60 {
		table.Group = 1
	}
	titles, heads := table.Add(0, "", "pods"), table.Add(0, "node", "")
	for _, name := range resources {
		for i := range amounts {
			title := ""
			if i == len(amounts)-1 || table.Group == 1 {
				title = string(name) // of a resource that the scheduler counts
			}
			titles.Cells = append(titles.Cells, title)
		}
		heads.Cells = append(heads.Cells, amounts...)
	}
	add := func(indent int, label string, l, node *Load) {
		pods := ""
		if l == node {
			pods = cmp.Or(l.Requests.Text("pods"), "0") + "/" + cmp.Or(l.Allocatable.Text("pods"), "0")
		}
		row := table.Add(indent, wording.Printable(label), pods)
		for _, name := range resources {
			row.Cells = append(row.Cells, short(l.Allocatable, name), withPercent(l.Requests, node, name), withPercent(l.Limits, node, name))
			if s.usage != "" {
				row.Cells = append(row.Cells, withPercent(l.Usage, node, name))
			}
		}
	}
	if len(r.Nodes) > 1 { // that of one node is that node
		add(0, "all "+wording.Count(int64(len(r.Nodes)), "node"), &r.Total, &r.Total)
	}
	if r.Shown != nil && r.Shown.Pods != 1 { // nor of one pod
		add(0, wording.Count(int64(r.Shown.Pods), "pod")+" below", &r.Shown.Load, &r.Total)
	}
	if len(table.Rows) > 2 {
		table.Add(0, "").Rule = true
	}
	for _, g := range r.Groups {
		add(0, fmt.Sprintf("%s, %s", cmp.Or(g.Value, "without "+s.groupBy), wording.Count(int64(g.Nodes), "node")), &g.Load, &g.Load)
	}
	nodes := s.fullest(r)
	for _, n := range nodes {
		add(0, n.Name, &n.Load, &n.Load)
		for _, p := range n.Pods {
			add(1, p.Namespace+"/"+p.Name, &p.Load, &n.Load)
			for k := range p.Containers {
				add(2, p.Containers[k].Name, &p.Containers[k].Load, &n.Load)
			}
		}
	}
	if rest := len(r.Nodes) - len(nodes); rest > 0 && len(r.Groups) == 0 {
		text := "and " + wording.Count(int64(rest), "less full one") + ": -all shows all"
		if s.narrowed() {
			text = "and " + wording.Count(int64(rest), "node") + " without such pods"
		}
		table.Add(0, text)
	}
	s.Table(&table)
	s.Line("")
}

// mostRows is how many nodes have rows.
const mostRows = 20

// fullest returns the nodes that have rows: those with pods that are shown; of many the fullest, and none beside groups.
func (s *sheet) fullest(r *Report) []Node {
	if len(r.Groups) > 0 {
		return nil
	}
	if s.narrowed() {
		return slices.DeleteFunc(slices.Clone(r.Nodes), func(n Node) bool { return len(n.Pods) == 0 })
	}
	if s.all || len(r.Nodes) <= mostRows {
		return r.Nodes
	}
	nodes := slices.Clone(r.Nodes)
	share := func(n *Node) float64 {
		_, most := resourcelist.DominantShare(corev1.ResourceList(n.Requests), corev1.ResourceList(n.Allocatable))
		return most
	}
	slices.SortStableFunc(nodes, func(a, b Node) int { return cmp.Compare(share(&b), share(&a)) })
	return nodes[:mostRows]
}

// withPercent returns an amount, and what percentage of a node that is, rounded down.
func withPercent(a report.Amounts, node *Load, name corev1.ResourceName) string {
	part, percent := a[name], ""
	if n, ok := resourcelist.Percent(part, node.Allocatable[name]); ok && !part.IsZero() {
		percent = fmt.Sprintf("%d%%", n)
	}
	return terminal.WithPercent(short(a, name), percent)
}

// shown returns the resources that have columns: those of -resources, or else cpu and memory, and others that are requested or
// that a node has. Ephemeral storage, which all nodes have, must be requested.
func (o *options) shown(r *Report) []corev1.ResourceName {
	lists := []report.Amounts{r.Total.Allocatable, r.Total.Requests, r.Total.Limits}
	return slices.DeleteFunc(report.NamesOf(lists...), func(name corev1.ResourceName) bool {
		of := lists
		if len(o.Rows.Resources) > 0 {
			return name == corev1.ResourcePods || !o.Rows.ShowsResource(name)
		}
		switch name {
		case corev1.ResourceCPU, corev1.ResourceMemory:
			return false
		case corev1.ResourcePods:
			return true // which have a column of their own
		case corev1.ResourceEphemeralStorage:
			of = lists[1:]
		}
		return !slices.ContainsFunc(of, func(a report.Amounts) bool { return short(a, name) != "-" })
	})
}

// rows returns a row for each node, or for each group of them, or with -pods and -containers for each of these.
func (o *options) rows(r *Report) *listing.List {
	l := &listing.List{Columns: []string{"NODE"}}
	switch {
	case o.groupBy != "":
		l.Columns = []string{strings.ToUpper(o.groupBy), "NODES"}
	case o.containers:
		l.Columns = append(l.Columns, "NAMESPACE", "POD", "CONTAINER")
	case o.pods:
		l.Columns = append(l.Columns, "NAMESPACE", "POD")
	}
	parts, names := o.pods, o.shown(r)
	if !parts {
		l.Columns = append(l.Columns, "PODS", "PODS-ALLOC")
	}
	for _, name := range names {
		of := strings.ToUpper(string(name))
		l.Columns = append(l.Columns, of, of+"%", of+"-LIMITS", of+"-LIMITS%")
		if !parts {
			l.Columns = append(l.Columns, of+"-ALLOC", of+"-FREE")
		}
		if o.usage != "" {
			l.Columns = append(l.Columns, of+"-USED", of+"-USED%")
		}
	}
	add := func(name string, load, node *Load, cells ...any) {
		if !parts {
			cells = append(cells, listing.Amount(load.Requests, corev1.ResourcePods), listing.Amount(load.Allocatable, corev1.ResourcePods))
		}
		for _, of := range names {
			for _, list := range []report.Amounts{load.Requests, load.Limits} {
				cells = append(cells, listing.Amount(list, of), listing.Share(list, node.Allocatable, of))
			}
			if !parts {
				cells = append(cells, listing.Amount(load.Allocatable, of), listing.Amount(load.Free, of))
			}
			if o.usage != "" {
				cells = append(cells, listing.Amount(load.Usage, of), listing.Share(load.Usage, node.Allocatable, of))
			}
		}
		l.Add(name, cells...)
	}
	for _, g := range r.Groups {
		add(g.Value, &g.Load, &g.Load, g.Value, g.Nodes)
	}
	for _, n := range r.Nodes {
		if !parts && o.groupBy == "" {
			add(listing.NameOf("node", n.Name), &n.Load, &n.Load, n.Name)
		}
		for _, p := range n.Pods {
			name := listing.NameOf("pod", p.Name)
			if !o.containers {
				add(name, &p.Load, &n.Load, n.Name, p.Namespace, p.Name)
			}
			for _, c := range p.Containers {
				add(name, &c.Load, &n.Load, n.Name, p.Namespace, p.Name, c.Name)
			}
		}
	}
	return l
}
