package nodes

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/listing"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
)

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
	for i := range r.Groups {
		g := &r.Groups[i]
		add(g.Value, &g.Load, &g.Load, g.Value, g.Nodes)
	}
	for i := range r.Nodes {
		n := &r.Nodes[i]
		if !parts && o.groupBy == "" {
			add(listing.NameOf("node", n.Name), &n.Load, &n.Load, n.Name)
		}
		for j := range n.Pods {
			p := &n.Pods[j]
			name := listing.NameOf("pod", p.Name)
			if !o.containers {
				add(name, &p.Load, &n.Load, n.Name, p.Namespace, p.Name)
			}
			for k := range p.Containers {
				c := &p.Containers[k]
				add(name, &c.Load, &n.Load, n.Name, p.Namespace, p.Name, c.Name)
			}
		}
	}
	return l
}
