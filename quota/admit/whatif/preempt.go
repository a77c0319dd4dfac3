package whatif

import (
	"math"
	"slices"

	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources/noderesources"
)

// preempting is what is known of pods that others may preempt.
type preempting struct {
	isReading bool                   // objects that are read stay
	least     int32                  // no pod on a node has a lower priority, if hasLeast
	hasLeast  bool                   // otherwise it has to be found out
	rows      *noderesources.Cluster // the nodes with the UIDs of uidOf; nil until a pod may preempt others
	failed    map[*shape]int         // one more than how many nodes had changed when no victims were found
	lost      map[podName]bool       // the pods that were preempted, if true, or evicted
}

// uidOf returns what a pod is known by, because pods of manifests have no UID.
func uidOf(p *pod) types.UID { return types.UID(p.namespace + "/" + p.name) }

// preempt makes room for a pod that finds no node: it removes pods of a lower priority from the node where the scheduler
// does so, and returns that node. If there is none, it returns -1.
//
// Source: defaultpreemption of k8s.io/kubernetes/pkg/scheduler/framework/plugins, with all nodes as candidates. The pod
// gets the node as soon as its victims are gone.
func (d *draft) preempt(p *pod) int {
	if d.isReading || !d.located || p.shape.isGated || priorityOf(p.object) <= d.leastPriority() || d.failed[p.shape] == len(d.changed)+1 {
		return -1
	}
	opts := noderesources.PreemptOptions{
		FitOptions: d.opts.fitOptions(), Priority: priorityOf(p.object), NominatedNode: p.object.Status.NominatedNodeName, Budgets: d.budgets(),
		Filter: func(name string) bool { return d.admits(p.shape, name) },
	}
	if policy := p.object.Spec.PreemptionPolicy; policy != nil {
		opts.PreemptionPolicy = *policy
	}
	found, err := d.preemptible().Preempt(p.shape.request, d.potentialVictims, opts)
	if err != nil {
		if d.failed == nil {
			d.failed = map[*shape]int{}
		}
		d.failed[p.shape] = len(d.changed) + 1
		return -1
	}
	i, _ := d.nodeAt(found.Node)
	for _, victim := range slices.Clone(d.nodes[i].pods) {
		if slices.Contains(found.Victims, uidOf(victim)) {
			d.lose(victim, true)
		}
	}
	return i
}

// lose deletes a pod for others, or because it may not stay on its node.
func (d *draft) lose(p *pod, isPreempted bool) {
	if d.lost == nil {
		d.lost = map[podName]bool{}
	}
	d.lost[p.podName] = isPreempted
	d.removePod(p)
}

// admits reports whether a pod may be on a node, apart from its resources.
func (d *draft) admits(s *shape, name string) bool {
	i, found := d.nodeAt(name)
	return found && d.nodes[i].object != nil && d.accepts(d.fittingOf(s), s, i)
}

// leastPriority returns a priority that no pod on a node is below.
func (d *draft) leastPriority() int32 {
	if !d.hasLeast {
		d.least, d.hasLeast = math.MaxInt32, true
		for _, n := range d.nodes {
			for _, p := range n.pods {
				d.least = min(d.least, priorityOf(p.object))
			}
		}
	}
	return d.least
}

// preemptible returns the nodes with the pods that are on them.
func (d *draft) preemptible() *noderesources.Cluster {
	if d.rows == nil {
		d.rows = &noderesources.Cluster{}
		for _, n := range d.nodes {
			if n.object == nil {
				continue
			}
			_ = d.rows.AddNode(n.name, n.object.Status.Allocatable) // names differ
			for _, p := range n.pods {
				_ = d.rows.AddPod(uidOf(p), n.name, p.onNode) // so do these
			}
		}
	}
	return d.rows
}

// comes and goes keep what is known up to date.
func (p *preempting) comes(other *pod) {
	p.least = min(p.least, priorityOf(other.object))
	if p.rows != nil {
		_ = p.rows.AddPod(uidOf(other), other.node, other.onNode) // a node that is not there has no room to make
	}
}

func (p *preempting) goes(other *pod) {
	if p.rows != nil {
		_ = p.rows.RemovePod(uidOf(other))
	}
}

// potentialVictims returns the pods on a node.
func (d *draft) potentialVictims(name string) (victims []noderesources.PotentialVictim) {
	for _, p := range d.nodeOf(name).pods {
		v := noderesources.PotentialVictimOf(p.object)
		v.UID = uidOf(p)
		victims = append(victims, v)
	}
	return victims
}

// budgets returns the PodDisruptionBudgets, as their status says.
func (d *draft) budgets() (budgets []*policyv1.PodDisruptionBudget) {
	for _, s := range d.spaces {
		for _, it := range s.items.all {
			if b, is := it.object.(*policyv1.PodDisruptionBudget); is {
				budgets = append(budgets, b)
			}
		}
	}
	return budgets
}

// place puts a pod that waits on the best node, or on one where others make room, and reports whether there is one.
func (d *draft) place(p *pod) bool {
	i := d.best(p.shape)
	if i < 0 {
		i = d.preempt(p)
	}
	if i >= 0 {
		d.bind(p, i)
	}
	return i >= 0
}
