package places

import (
	"slices"

	policyv1 "k8s.io/api/policy/v1"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/eviction"
	"github.com/kubemath/kubemath/internal/placement"
)

// Preempt returns the node on which the scheduler makes room for a pod that finds none, and the pods of a lower
// priority there that have to go. The node is empty if there is none. Budgets is only called if it has to be.
//
// Source: defaultpreemption of k8s.io/kubernetes/pkg/scheduler/framework/plugins, with all nodes as candidates. The pod
// gets the node as soon as its victims are gone.
func (p *Places) Preempt(pod *Pod, budgets func() []*policyv1.PodDisruptionBudget) (node string, victims []*Pod) {
	s, priority := pod.Shape, eviction.Priority(pod.Object)
	f := p.fittingOf(s)
	if s.isGated || priority <= p.leastPriority() || f.noVictims == p.version() || p.failsToCompare(s) {
		return "", nil
	}
	state := p.stateOf(s)
	opts := noderesources.PreemptOptions{
		FitOptions: p.opts.Fit, Kubernetes: p.opts.Kubernetes,
		Priority: priority, Budgets: budgets(), NominatedNode: pod.Object.Status.NominatedNodeName,
		Filter: func(name string) bool {
			row, found := p.find(name)
			return found && s.isFor(name) && state.MayOpen(row)
		},
	}
	if state.IsLimited() {
		opts.Pods = podFilter{p, state}
	}
	if policy := pod.Object.Spec.PreemptionPolicy; policy != nil {
		opts.PreemptionPolicy = *policy
	}
	found, err := p.resources.Preempt(s.request, p.potentialVictims, opts)
	if err != nil {
		if opts.NominatedNode == "" { // otherwise, another pod of the shape may preempt
			f.noVictims = p.version()
		}
		return "", nil
	}
	i, _ := p.find(found.Node)
	for _, victim := range slices.Sorted(slices.Values(found.Victims)) {
		victims = append(victims, p.nodes[i].pods[victim])
	}
	return found.Node, victims
}

// potentialVictims returns the pods on a node.
func (p *Places) potentialVictims(name string) (victims []noderesources.PotentialVictim) {
	i, found := p.find(name)
	if !found {
		return nil
	}
	for _, pod := range p.nodes[i].pods {
		v := noderesources.PotentialVictimOf(pod.Object)
		v.UID = uidOf(pod)
		victims = append(victims, v)
	}
	return victims
}

// podFilter is a noderesources.PodFilter.
type podFilter struct {
	*Places
	state *placement.State
}

func (f podFilter) Refusal(name string) (message string, isResolvable bool) {
	i, _ := f.find(name)
	r := f.state.ByPods(i)
	return r.Message, r.Resolvable
}

func (f podFilter) Evict(name string, pod int) {
	i, _ := f.find(name)
	f.state.Evict(i, f.nodes[i].pods[pod].Object)
}

func (f podFilter) PutBack(name string, pod int) {
	i, _ := f.find(name)
	f.state.PutBack(i, f.nodes[i].pods[pod].Object)
}
