package explain

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/qos"
)

// mostCompared is how many pairs of pods of a node are compared: 500 new pods, of which no kubelet runs as many.
const mostCompared = 250_000

// runningOn returns the pods that a kubelet has started, and those that it starts next to them: the oldest first, as
// HandlePodAdditions of k8s.io/kubernetes/pkg/kubelet does. It refuses the rest. Where that is too much to compute, all are there.
func (e *explainer) runningOn(name string) []*corev1.Pod {
	node := e.nodes[name]
	if node == nil {
		return e.on[name]
	}
	if running, known := e.running[name]; known {
		return running
	}
	isNew := func(p *corev1.Pod) bool { return p.Status.Phase != corev1.PodRunning && p.Status.StartTime == nil }
	running := slices.DeleteFunc(slices.Clone(e.on[name]), isNew)
	if n := len(e.on[name]); (n-len(running))*n > mostCompared {
		return e.on[name]
	}
	for _, pod := range slices.SortedStableFunc(slices.Values(e.on[name]), func(a, b *corev1.Pod) int { return a.CreationTimestamp.Compare(b.CreationTimestamp.Time) }) {
		if !isNew(pod) {
			continue
		}
		if admission := e.admit(pod, node, running); admission.Reason != "" {
			e.refused[pod.UID] = admission
		} else {
			running = append(running, pod)
		}
	}
	e.running[name] = running
	return running
}

func (e *explainer) admit(pod *corev1.Pod, node *corev1.Node, beside []*corev1.Pod) noderesources.Admission {
	return noderesources.AdmitPod(pod, node.Status.Allocatable, beside, noderesources.KubeletOptions{Kubernetes: e.Kubernetes})
}

// eviction returns the place of a pod in the order in which the kubelet evicts those of its node under memory pressure.
func (e *explainer) eviction(pod *corev1.Pod) *Eviction {
	pressure := qos.NodePressure{Pressure: qos.MemoryPressure, Usage: map[types.UID]qos.PodUsage{}}
	on := e.runningOn(pod.Spec.NodeName)
	for _, other := range on {
		if used, known := e.used[other.Namespace+"/"+other.Name]; known {
			pressure.Usage[other.UID] = qos.PodUsage{Amount: used.Memory().Value()}
		}
	}
	order, _ := qos.EvictionOrder(on, pressure, e.Kubernetes) // the pressure is known
	for i := range order {
		if other := on[order[i].Index]; other.Namespace == pod.Namespace && other.Name == pod.Name {
			return &Eviction{Rank: i + 1, Of: len(order), Eviction: order[i]}
		}
	}
	return nil
}
