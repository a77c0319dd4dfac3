package whatif

import (
	"math"
	"slices"

	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/eviction"
	"github.com/kubemath/kubemath/internal/placement"
)

// uidOf returns what a pod is known by, because pods of manifests have no UID.
func uidOf(p *pod) types.UID { return types.UID(p.namespace + "/" + p.name) }

// preempt makes room for a pod that finds no node: it removes pods of a lower priority from the node where the
// scheduler does so, and returns that node. If there is none, it returns -1.
//
// Source: defaultpreemption of k8s.io/kubernetes/pkg/scheduler/framework/plugins, with all nodes as candidates. The pod
// gets the node as soon as its victims are gone.
func (d *draft) preempt(p *pod) int {
	priority := eviction.Priority(p.object)
	if d.isReading || !d.located || p.shape.isGated || priority <= d.leastPriority() {
		return -1
	}
	f := d.fittingOf(p.shape)
	if f.noVictims == d.now() {
		return -1
	}
	opts := noderesources.PreemptOptions{
		FitOptions: d.opts.fitOptions(), Kubernetes: d.opts.Admission.Kubernetes,
		Priority: priority, Budgets: d.budgets(), NominatedNode: p.object.Status.NominatedNodeName,
		Filter: func(name string) bool { return d.admits(p.shape, name) },
	}
	if state := d.stateOf(p.shape); state.IsLimited() {
		opts.Pods = podFilter{d, state}
	}
	if policy := p.object.Spec.PreemptionPolicy; policy != nil {
		opts.PreemptionPolicy = *policy
	}
	nodes, err := d.preemptible()
	if err != nil {
		return -1 // never: names of nodes and pods differ
	}
	found, err := nodes.Preempt(p.shape.request, d.potentialVictims, opts)
	if err != nil {
		f.noVictims = d.now()
		return -1
	}
	i, _ := d.nodeAt(found.Node)
	pods := slices.Clone(d.nodes[i].pods) // as potentialVictims returned them
	for _, victim := range slices.Sorted(slices.Values(found.Victims)) {
		d.lose(pods[victim], true)
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

// podFilter is a noderesources.PodFilter.
type podFilter struct {
	*draft
	state *placement.State
}

func (f podFilter) Refusal(name string) (message string, isResolvable bool) {
	i, _ := f.nodeAt(name)
	r := f.state.ByPods(i)
	return r.Message, r.Resolvable
}

func (f podFilter) Evict(name string, pod int) {
	i, _ := f.nodeAt(name)
	f.state.Evict(i, f.nodes[i].pods[pod].object)
}

func (f podFilter) PutBack(name string, pod int) {
	i, _ := f.nodeAt(name)
	f.state.PutBack(i, f.nodes[i].pods[pod].object)
}

// admits reports whether a pod may be on a node, whatever resources and pods it has.
func (d *draft) admits(s *shape, name string) bool {
	i, found := d.nodeAt(name)
	return found && d.nodes[i].object != nil && s.isFor(name) && d.stateOf(s).IsOpen(i)
}

// leastPriority returns a priority that no pod on a node is below.
func (d *draft) leastPriority() int32 {
	if !d.hasLeast {
		d.least, d.hasLeast = math.MaxInt32, true
		for _, n := range d.nodes {
			for _, p := range n.pods {
				d.least = min(d.least, eviction.Priority(p.object))
			}
		}
	}
	return d.least
}

// preemptible returns the nodes with the pods that are on them.
func (d *draft) preemptible() (*noderesources.Cluster, error) {
	if d.preempted != nil {
		return d.preempted, nil
	}
	c := &noderesources.Cluster{}
	for _, n := range d.nodes {
		if n.object == nil {
			continue
		}
		if err := c.AddNode(n.name, n.object.Status.Allocatable); err != nil {
			return nil, err
		}
		for _, p := range n.pods {
			if err := c.AddPod(uidOf(p), n.name, p.onNode); err != nil {
				return nil, err
			}
		}
	}
	d.preempted = c
	return c, nil
}

// podPlaced and podGone keep what is known up to date. Pods on a node that is not among the objects make no room.
func (d *draft) podPlaced(p *pod) {
	d.least = min(d.least, eviction.Priority(p.object))
	if d.preempted != nil && d.nodeOf(p.node).object != nil {
		d.recountIf(d.preempted.AddPod(uidOf(p), p.node, p.onNode))
	}
}

func (d *draft) podGone(p *pod) {
	if d.preempted != nil && d.nodeOf(p.node).object != nil {
		d.recountIf(d.preempted.RemovePod(uidOf(p)))
	}
}

// recountIf counts the nodes anew before the next preemption if they are not as expected.
func (d *draft) recountIf(err error) {
	if err != nil {
		d.preempted = nil
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
		for _, it := range s.items.All {
			if b, ok := it.object.(*policyv1.PodDisruptionBudget); ok {
				budgets = append(budgets, b)
			}
		}
	}
	return budgets
}

// place puts a pod that waits on the best node, or on one where others make room.
func (d *draft) place(p *pod) {
	i := d.best(p.shape)
	if i < 0 {
		i = d.preempt(p)
	}
	if i >= 0 {
		d.bind(p, i)
	}
}
