package nodes

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
)

// kind is equal for pods that wait for the same reasons, and lack the same on each node.
func (p *pod) kind() string {
	return textOf(fmt.Sprint(p.waits), priorityOf(p), p.Spec.PreemptionPolicy, p.Spec.NodeSelector, p.Spec.Tolerations, p.Spec.Affinity,
		p.Status.NominatedNodeName, resourcelist.Integers(p.request.Amounts(computeresources.Requests)))
}

// describe returns the pending pods for the report.
func (c *cluster) describe() []Pending {
	pending := []Pending{}
	known := map[string]Pending{} // by kind
	var preempting *noderesources.Cluster
	for _, p := range c.pending {
		d := Pending{Namespace: p.Namespace, Name: p.Name, Requests: report.Amounts(p.request.Amounts(computeresources.Requests)),
			Unknown: p.unknown}
		_, d.Owner = p.owner()
		switch {
		case p.to != "":
			d.Node = p.to
		case len(c.nodes) == 0 && !p.gated():
			d.Message = noNode
		case p.gated():
			d.Gated, d.Message = true, fmt.Sprint(p.waits)
		default:
			kind := p.kind()
			like, found := known[kind]
			if !found {
				if preempting == nil {
					preempting = c.preempting()
				}
				like = Pending{Nearest: c.nearest(p), Preempts: c.preempts(p, preempting)}
				known[kind] = like
			}
			d.Message, d.Nearest, d.Preempts = fmt.Sprint(p.waits), like.Nearest, like.Preempts
		}
		pending = append(pending, d)
	}
	return pending
}

// noNode is why nothing is said of where pods go.
const noNode = "the input has no Node"

// mostNearest is how many of the nodes that lack the least are named.
const mostNearest = 3

// nearest returns the nodes that lack the least for a pod, after all others are placed: the largest lack of a node, as a
// fraction of its allocatable amount, decides.
func (c *cluster) nearest(p *pod) []Nearest {
	type lacking struct {
		Nearest
		part float64
	}
	var all []lacking
	for _, n := range c.nodes {
		shortages := n.after.Shortages(p.request, c.fit)
		if len(shortages) == 0 || !c.allows(p, n) {
			continue
		}
		l := lacking{Nearest: Nearest{Node: n.Name, Lacks: report.Amounts(shortages.Shortfall())}}
		for name, lack := range l.Lacks {
			part, ok := resourcelist.Fraction(lack, n.Status.Allocatable[name])
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

// preempting returns the nodes with all pods that are there or placed there.
func (c *cluster) preempting() *noderesources.Cluster {
	all := &noderesources.Cluster{}
	for _, n := range c.nodes {
		_ = all.AddNode(n.Name, n.Status.Allocatable) // names differ
	}
	for _, p := range slices.Concat(c.pods, c.pending) {
		if name := cmp.Or(p.Spec.NodeName, p.to); c.byName[name] != nil {
			_ = all.AddPod(p.id, name, p.request) // ids differ
		}
	}
	return all
}

// preempts returns which pods the scheduler would preempt so that a pod gets a node; nil if there are none.
func (c *cluster) preempts(p *pod, all *noderesources.Cluster) *Preemption {
	byID := map[types.UID]*pod{}
	opts := noderesources.PreemptOptions{
		FitOptions: c.fit, Priority: priorityOf(p), NominatedNode: p.Status.NominatedNodeName, Budgets: c.budgets,
		Filter: func(name string) bool { return c.allows(p, c.byName[name]) },
	}
	if policy := p.Spec.PreemptionPolicy; policy != nil {
		opts.PreemptionPolicy = *policy
	}
	on := map[string][]noderesources.PotentialVictim{}
	for _, other := range slices.Concat(c.pods, c.pending) {
		name := cmp.Or(other.Spec.NodeName, other.to)
		victim := noderesources.PotentialVictimOf(other.Pod)
		victim.UID = other.id
		on[name], byID[other.id] = append(on[name], victim), other
	}
	found, err := all.Preempt(p.request, func(name string) []noderesources.PotentialVictim { return on[name] }, opts)
	if err != nil || len(found.Victims) == 0 {
		return nil
	}
	preemption := &Preemption{Node: found.Node}
	for _, id := range found.Victims {
		preemption.Victims = append(preemption.Victims, byID[id].title)
	}
	return preemption
}

// drain returns what happens to the pods of a node if it is drained.
func (c *cluster) drain(name string) *Drain {
	d := &Drain{Node: name, Evicted: []string{}, Pods: []Pending{}}
	result := c.Drain(name)
	for i := range result.Pods {
		p := &result.Pods[i]
		switch title := p.Object.Namespace + "/" + p.Object.Name; {
		case p.Before == name:
			d.Evicted = append(d.Evicted, title)
			if metav1.GetControllerOfNoCopy(p.Object) == nil {
				d.Bare = append(d.Bare, title)
			}
			for _, b := range c.budgets {
				selector, err := metav1.LabelSelectorAsSelector(b.Spec.Selector)
				if err == nil && b.Namespace == p.Object.Namespace && b.Status.DisruptionsAllowed == 0 && selector.Matches(labels.Set(p.Object.Labels)) {
					d.Protected = append(d.Protected, fmt.Sprintf("%s by PodDisruptionBudget %s", title, b.Name))
				}
			}
		case p.Preempted:
			d.Preempted = append(d.Preempted, title)
		}
		if p.Gone {
			continue
		}
		placed := Pending{Namespace: p.Object.Namespace, Name: p.Object.Name, Owner: p.Owner.Name, Node: p.Node,
			Requests: report.Amounts{}}
		if p.Waits != nil {
			placed.Message = p.Waits.Error()
		}
		d.Pods = append(d.Pods, placed)
	}
	for i := range result.Others {
		if o := &result.Others[i]; o.Missing != nil {
			d.Missing = append(d.Missing, fmt.Sprintf("%s %s/%s: %v", o.Kind, o.Namespace, o.Name, o.Missing))
		}
	}
	return d
}

// taints returns the taints of a node that keep pods away, as kubectl writes them, without that of a cordoned node,
// whose spec says the same.
func taints(n *corev1.Node) (texts []string) {
	for i := range n.Spec.Taints {
		if t := &n.Spec.Taints[i]; t.Effect != corev1.TaintEffectPreferNoSchedule && t.Key != corev1.TaintNodeUnschedulable {
			texts = append(texts, t.ToString())
		}
	}
	return texts
}
