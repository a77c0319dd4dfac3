package nodes

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// template is a node that pods are packed on.
type template struct {
	like        []string // nodes of this shape
	allocatable corev1.ResourceList
	daemons     []*pod // those that are on each node
}

// node returns a node before pods are placed on it.
func (t *template) node() *noderesources.Ledger {
	ledger := noderesources.New(t.allocatable)
	for _, p := range t.daemons {
		_ = ledger.Add(p.id, p.request) // ids differ
	}
	return ledger
}

// packings returns how many nodes of each shape are enough for all pods. Without shapes, they are those
// of the nodes.
func (c *cluster) packings(shapes []shape) []Packing {
	var templates []template
	for _, s := range shapes {
		if s.node != "" {
			templates = append(templates, c.templateLike(c.byName[s.node]))
		} else {
			templates = append(templates, template{allocatable: s.allocatable, daemons: c.daemons()})
		}
	}
	if len(shapes) == 0 {
		templates = c.templates()
	}
	pods, requests := c.movable()
	var packings []Packing
	for _, t := range templates {
		e := noderesources.EstimateNodes(requests, t.node(), noderesources.EstimateOptions{FitOptions: c.fit})
		p := Packing{
			Like: t.like, Allocatable: amountsOf(t.node().Allocatable()), PerNode: len(t.daemons),
			Pods: len(pods) - len(e.TooLarge), Nodes: e.Nodes, LowerBound: e.LowerBound,
		}
		for _, i := range slices.Sorted(maps.Keys(e.TooLarge)) {
			pod, shortages := pods[i], e.TooLarge[i]
			entry := Pending{Namespace: pod.Namespace, Name: pod.Name, Requests: amountsOf(pod.request.Amounts(computeresources.Requests))}
			_, entry.Owner = pod.owner()
			entry.Message = strings.Trim(shortages.Err().Error(), "[]")
			p.TooLarge = append(p.TooLarge, entry)
		}
		packings = append(packings, p)
	}
	return packings
}

// movable returns the pods that may be on any node, pending ones included.
func (c *cluster) movable() (pods []*pod, requests []noderesources.Request) {
	for _, p := range slices.Concat(c.pods, c.pending) {
		if !p.perNode() && !p.static() {
			pods, requests = append(pods, p), append(requests, p.request)
		}
	}
	return pods, requests
}

// templates returns the shapes of the nodes, each like the first of its nodes.
func (c *cluster) templates() []template {
	var templates []template
	known := map[string]int{}
	for _, n := range c.nodes {
		key := shapeKey(n.Status.Allocatable)
		i, found := known[key]
		if !found {
			i, known[key] = len(templates), len(templates)
			templates = append(templates, c.templateLike(n))
			templates[i].like = nil
		}
		templates[i].like = append(templates[i].like, n.Name)
	}
	return templates
}

// shapeKey returns a key that is equal for nodes of one shape. Machines of one type differ by some
// memory that the kernel uses.
func shapeKey(allocatable corev1.ResourceList) string {
	integers := resourcelist.Integers(allocatable)
	for _, name := range []corev1.ResourceName{corev1.ResourceMemory, corev1.ResourceEphemeralStorage} {
		integers[name] = (integers[name] + 1<<29) >> 30
	}
	return fmt.Sprint(integers) // sorted by name
}

// templateLike returns the shape of a node with the pods of DaemonSets that are on it, or restricted to it.
func (c *cluster) templateLike(n *node) template {
	t := template{like: []string{n.Name}, allocatable: n.Status.Allocatable}
	for _, p := range slices.Concat(c.pods, c.pending) {
		if p.perNode() && (p.Spec.NodeName == n.Name || p.to == n.Name) {
			t.daemons = append(t.daemons, p)
		}
	}
	return t
}

// daemons returns one pod of each DaemonSet, the first of them.
func (c *cluster) daemons() (first []*pod) {
	seen := map[[2]string]bool{}
	for _, p := range slices.Concat(c.pods, c.pending) {
		_, name := p.owner()
		if key := [2]string{p.Namespace, name}; p.perNode() && !seen[key] {
			seen[key] = true
			first = append(first, p)
		}
	}
	return first
}
