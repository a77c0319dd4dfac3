package nodes

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// outcome is the result for a pending pod: its node, or why it has none.
type outcome struct {
	*pod
	node    *node // that it is placed on, or nil
	gated   bool
	reasons []Reason // why it is on no node
}

// place places the pending pods, and returns the outcome of each. Pods that are restricted to one node
// come first, because pods of DaemonSets have a high priority.
func (c *cluster) place(p *placement) []outcome {
	var outcomes []outcome
	var rest []noderesources.Request
	for _, pending := range c.pending {
		o := outcome{pod: pending, gated: len(pending.Spec.SchedulingGates) > 0}
		switch name := pending.only(); {
		case o.gated:
		case name != "":
			c.placeOn(&o, name)
		default:
			rest = append(rest, pending.request)
		}
		outcomes = append(outcomes, o)
	}
	var placed noderesources.Placements
	if p.name == firstFit {
		placed = c.open.FirstFit(rest, c.fit)
	} else {
		placed = c.open.BestFit(rest, p.profile, c.fit)
	}
	i := 0
	for j := range outcomes {
		if o := &outcomes[j]; !o.gated && o.only() == "" {
			o.node = c.byName[placed.Nodes[i]]
			i++
		}
	}
	c.explain(outcomes, placed.Remaining)
	for _, o := range outcomes {
		if o.node != nil && o.only() == "" {
			c.put(o.pod, o.node)
		}
	}
	return outcomes
}

// placeOn places a pod on the only node that it is restricted to. Pods of DaemonSets tolerate a cordoned
// node.
func (c *cluster) placeOn(o *outcome, name string) {
	n, known := c.byName[name]
	others := len(c.nodes)
	if known {
		others--
		shortages := n.after.Shortages(o.request, c.fit)
		if len(shortages) == 0 {
			o.node = n
			c.put(o.pod, n)
			return
		}
		for i := range shortages {
			o.reasons = append(o.reasons, reasonOf(&shortages[i], 1))
		}
	}
	if others > 0 {
		o.reasons = append(o.reasons, Reason{Reason: "node(s) didn't satisfy plugin(s) [NodeAffinity]", Nodes: others})
	}
}

// explain sets the messages of the pods that remain.
func (c *cluster) explain(outcomes []outcome, remaining map[int]*noderesources.FitError) {
	cordoned := len(c.nodes) - len(c.open.Nodes())
	i := -1 // in the list of the pods that may be on any node
	for j := range outcomes {
		o := &outcomes[j]
		if o.gated || o.only() != "" {
			continue
		}
		if i++; o.node != nil {
			continue
		}
		for _, r := range remaining[i].Reasons {
			o.reasons = append(o.reasons, reasonOf(&noderesources.Shortage{Resource: r.Resource}, r.Nodes))
		}
		if cordoned > 0 {
			o.reasons = append(o.reasons, Reason{Reason: "node(s) were unschedulable", Nodes: cordoned})
		}
	}
}

func reasonOf(s *noderesources.Shortage, nodes int) Reason {
	return Reason{Reason: s.Error(), Nodes: nodes}
}

// message returns why a pod remains in the words of the scheduler.
func (o *outcome) message(nodes int) string {
	if o.gated {
		return "Scheduling is blocked due to non-empty scheduling gates"
	}
	if nodes == 0 {
		return "no nodes available to schedule pods"
	}
	var reasons []string
	for _, r := range o.reasons {
		reasons = append(reasons, fmt.Sprintf("%d %s", r.Nodes, r.Reason))
	}
	slices.Sort(reasons)
	return fmt.Sprintf("0/%d nodes are available: %s.", nodes, strings.Join(reasons, ", "))
}

// mostNearest is how many of the nodes that lack the least are named.
const mostNearest = 3

// nearest returns the nodes that lack the least for a pod in the final state: the largest lack of a
// node, as a fraction of its allocatable amount, decides.
func (c *cluster) nearest(o *outcome) []Nearest {
	type lacking struct {
		Nearest
		part float64
	}
	var all []lacking
	for _, n := range c.nodes {
		if only := o.only(); only != n.Name && (only != "" || n.Spec.Unschedulable) {
			continue
		}
		shortages := n.after.Shortages(o.request, c.fit)
		if len(shortages) == 0 {
			continue // room became free, because of a negative request
		}
		l := lacking{Nearest: Nearest{Node: n.Name, Lacks: Amounts{}, Unresolvable: shortages.Unresolvable()}}
		for i := range shortages {
			s := &shortages[i]
			lack := lackOf(s)
			l.Lacks[s.Resource] = canonical(lack)
			part, ok := resourcelist.Fraction(lack, resourcelist.Quantity(s.Resource, s.Capacity))
			if !ok {
				part = math.Inf(1) // the node has nothing of it
			}
			l.part = max(l.part, part)
		}
		all = append(all, l)
	}
	slices.SortStableFunc(all, func(a, b lacking) int { return cmp.Compare(a.part, b.part) })
	var nearest []Nearest
	for _, l := range all[:min(len(all), mostNearest)] {
		nearest = append(nearest, l.Nearest)
	}
	return nearest
}

// kind is equal for pods that lack the same on each node.
func (o *outcome) kind() string {
	return fmt.Sprint(o.gated, o.only(), resourcelist.Integers(o.request.Amounts(computeresources.Requests)))
}

// remaining returns one of each kind of the pods that fit on no node.
func remaining(outcomes []outcome) []*outcome {
	var distinct []*outcome
	seen := map[string]bool{}
	for i := range outcomes {
		if o := &outcomes[i]; o.node == nil && !o.gated && !seen[o.kind()] {
			seen[o.kind()] = true
			distinct = append(distinct, o)
		}
	}
	return distinct
}

// describe returns the outcomes for the report.
func (c *cluster) describe(outcomes []outcome) []Pending {
	pending := []Pending{}
	nearest := map[string][]Nearest{} // by kind
	for i := range outcomes {
		o := &outcomes[i]
		p := Pending{Namespace: o.Namespace, Name: strings.TrimPrefix(o.title, o.Namespace+"/"), Requests: amountsOf(o.request.Amounts(computeresources.Requests))}
		_, p.Owner = o.owner()
		if o.node != nil {
			p.Node = o.node.Name
		} else {
			p.Message, p.Gated, p.Reasons = o.message(len(c.nodes)), o.gated, o.reasons
			if _, found := nearest[o.kind()]; !found && !o.gated {
				nearest[o.kind()] = c.nearest(o)
			}
			p.Nearest = nearest[o.kind()]
		}
		pending = append(pending, p)
	}
	return pending
}
