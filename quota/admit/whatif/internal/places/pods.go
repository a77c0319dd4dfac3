package places

import (
	"cmp"
	"maps"
	"math"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/eviction"
	"github.com/kubemath/kubemath/internal/ordering"
)

// Add adds a pod to its node, or to those that wait if it names none.
func (p *Places) Add(pod *Pod) {
	if pod.Node == "" {
		i, _ := slices.BinarySearchFunc(p.waiting, pod, byQueue)
		p.waiting = slices.Insert(p.waiting, i, pod)
		return
	}
	i, found := p.find(pod.Node)
	if !found {
		p.elsewhere[pod.Node] = append(slices.Clip(p.elsewhere[pod.Node]), pod)
		return
	}
	_ = p.resources.AddPod(uidOf(pod), pod.Node, pod.Request)
	n := p.own(i)
	n.pods = append(n.pods, pod)
	if p.least != nil {
		*p.least = min(*p.least, eviction.Priority(pod.Object))
	}
	p.noteMove(move{node: i, pod: pod.Object})
}

// Remove removes a pod, as it was added.
func (p *Places) Remove(pod *Pod) {
	isIt := func(other *Pod) bool { return other.NamespacedName == pod.NamespacedName }
	if pod.Node == "" {
		if i, found := slices.BinarySearchFunc(p.waiting, pod, byQueue); found {
			p.waiting = slices.Delete(p.waiting, i, i+1)
		}
		return
	}
	i, found := p.find(pod.Node)
	if !found {
		p.elsewhere[pod.Node] = slices.DeleteFunc(slices.Clone(p.elsewhere[pod.Node]), isIt)
		return
	}
	_ = p.resources.RemovePod(uidOf(pod))
	n := p.own(i)
	n.pods = slices.DeleteFunc(n.pods, isIt)
	p.noteMove(move{i, pod.Object, true})
}

// Waiting returns the pods that wait, in the order in which the scheduler tries them.
func (p *Places) Waiting() []*Pod { return slices.Clone(p.waiting) }

// Free notes that all nodes may have room for pods that wait, since these ask for something else now.
func (p *Places) Free() {
	for _, n := range p.nodes {
		p.freed[n.object.Name] = true
	}
}

// Freed returns the names of the nodes that may have room for pods that wait since it was last asked, sorted, and of
// those that are gone and kept pods off others.
func (p *Places) Freed() []string {
	freed := slices.Sorted(maps.Keys(p.freed))
	clear(p.freed)
	return freed
}

// noteMove notes that a pod has come to a node, or has left it. Either may open nodes for pods that wait.
func (p *Places) noteMove(m move) {
	p.moves = append(p.moves, m)
	if m.leaves || p.gainByOthers() {
		p.freed[p.nodes[m.node].object.Name] = true
	}
	if m.leaves {
		p.freeDomains(m.node, m.pod)
	}
}

// gainByOthers reports whether what happens elsewhere may open a node for a pod that waits.
func (p *Places) gainByOthers() bool {
	return slices.ContainsFunc(p.waiting, func(pod *Pod) bool { return pod.Shape.pod.GainsByOthers() })
}

// freeDomains notes the nodes off which a pod on a node may keep others by its required anti-affinity, before it leaves
// or the node has other labels: those in its domains.
func (p *Places) freeDomains(row int, pod *corev1.Pod) {
	affinity := pod.Spec.Affinity
	if affinity == nil || affinity.PodAntiAffinity == nil || len(p.waiting) == 0 {
		return
	}
	for _, term := range affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution {
		domain, isIn := p.nodes[row].object.Labels[term.TopologyKey]
		for _, n := range p.nodes {
			if value, isSet := n.object.Labels[term.TopologyKey]; isIn && isSet && value == domain {
				p.freed[n.object.Name] = true
			}
		}
	}
}

// leastPriority returns a priority that no pod on a node is below.
func (p *Places) leastPriority() int32 {
	if p.least == nil {
		least := int32(math.MaxInt32)
		for _, n := range p.nodes {
			for _, pod := range n.pods {
				least = min(least, eviction.Priority(pod.Object))
			}
		}
		p.least = &least
	}
	return *p.least
}

// objectsOn returns the pods on a node.
func (p *Places) objectsOn(i int) []*corev1.Pod {
	objects := make([]*corev1.Pod, len(p.nodes[i].pods))
	for k, pod := range p.nodes[i].pods {
		objects[k] = pod.Object
	}
	return objects
}

// byQueue compares pods in the order in which the scheduler tries them: by priority, then creation time, then namespace
// and name.
func byQueue(a, b *Pod) int {
	return cmp.Or(-cmp.Compare(eviction.Priority(a.Object), eviction.Priority(b.Object)),
		ordering.Ages(a.Object, b.Object), a.Compare(b))
}
