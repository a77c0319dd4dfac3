package whatif

import (
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/quota/admit/whatif/internal/places"
)

func (o *Options) podRequest(pod *corev1.Pod) noderesources.Request {
	return noderesources.PodRequest(pod, computeresources.Options{Kubernetes: o.Admission.Kubernetes})
}

// scheduler returns the settings of the scheduler.
func (o *Options) scheduler(p *compiled) places.Options {
	return places.Options{Kubernetes: o.Admission.Kubernetes, Fit: noderesources.FitOptions{
		IgnoredResources: o.IgnoredResources, IgnoredGroups: o.IgnoredGroups,
		ExtendedResources: o.Admission.ExtendedResources}, Scorers: p.resources, NoScores: p.ignoresResources,
		PercentageOfNodesToScore: p.percent}
}

// place puts a pod that waits on the best node, or on one where others make room.
func (d *draft) place(p *pod) {
	if d.located {
		node, choice := d.places.Find(p.Shape)
		d.placeOn(p, node, choice)
	}
}

// placeOn puts a pod that waits on a node, or if its name is empty on one where others make room. It reports whether
// there is one.
func (d *draft) placeOn(p *pod, node string, choice *places.Choice) bool {
	if node == "" {
		node = d.preempt(p)
	}
	if node != "" {
		d.bind(p, node, choice)
	}
	return node != ""
}

// preempt makes room for a pod that finds no node: it removes pods of a lower priority from the node where the
// scheduler does so, and returns that node. If there is none, it is empty. While objects are read, all of them stay.
func (d *draft) preempt(p *pod) string {
	if d.isReading || d.opts.Profile != nil && d.opts.Profile.NoPreemption {
		return ""
	}
	node, victims := d.places.Preempt(&p.Pod, d.budgets)
	for _, victim := range d.asStored(victims) {
		d.lose(victim, true)
	}
	return node
}

// lose deletes a pod for others, or because it may not stay on its node.
func (d *draft) lose(p *pod, isPreempted bool) {
	d.setFate(p, fate{isPreempted: isPreempted, isEvicted: !isPreempted})
	d.removePod(p)
}

func (d *draft) setFate(p *pod, f fate) {
	if d.fates == nil {
		d.fates = map[types.NamespacedName]fate{}
	}
	d.fates[p.NamespacedName] = f
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

// bind puts a pod on a node.
func (d *draft) bind(p *pod, node string, choice *places.Choice) {
	bound := *p
	bound.Node, bound.choice, bound.depends, bound.unknown = node, choice, d.depends, d.bindVolumes(p, node)
	d.putPod(p, &bound)
}

// retry places pods that wait, if nodes have got room for them, or for pods of a lower priority that may make room.
func (d *draft) retry() {
	for freed := d.places.Freed(); d.located && len(freed) > 0; freed = d.places.Freed() {
		for _, p := range d.waiting() {
			p = d.podOf(p.NamespacedName) // as it is now: its shape may have changed
			node, choice := d.places.FindAgain(p.Shape, freed)
			if d.placeOn(p, node, choice) && !d.isReading {
				d.lookAgain(p.Namespace, p.owner)
			}
		}
	}
}
