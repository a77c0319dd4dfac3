package recipes_test

import (
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// A ledger is what a scheduler keeps of one node: what is free, and what each of its pods has
// taken, so that it gives back as much even if the pod has changed since.
type ledger struct {
	free  computeresources.Totals
	slots int64 // pods that there is still room for
	taken map[types.UID]computeresources.Totals
}

func newLedger(allocatable corev1.ResourceList) *ledger {
	l := &ledger{taken: map[types.UID]computeresources.Totals{}}
	l.free.ScalarResources = map[corev1.ResourceName]int64{}
	for name, amount := range resourcelist.Integers(allocatable) {
		switch name {
		case corev1.ResourcePods:
			l.slots = amount
		case corev1.ResourceCPU:
			l.free.MilliCPU = amount
		case corev1.ResourceMemory:
			l.free.Memory = amount
		case corev1.ResourceEphemeralStorage:
			l.free.EphemeralStorage = amount
		default:
			l.free.ScalarResources[name] = amount
		}
	}
	return l
}

// fits reports whether there is room. A resource that the node does not list is missing; resources
// that the pod does not request do not matter.
func (l *ledger) fits(want computeresources.Totals) bool {
	enough := func(want, free int64) bool { return want <= max(free, 0) }
	for name, amount := range want.ScalarResources {
		if !enough(amount, l.free.ScalarResources[name]) {
			return false
		}
	}
	return l.slots > 0 && enough(want.MilliCPU, l.free.MilliCPU) && enough(want.Memory, l.free.Memory) &&
		enough(want.EphemeralStorage, l.free.EphemeralStorage)
}

// add takes what a pod reserves, and reports whether it fits.
func (l *ledger) add(pod *corev1.Pod) bool {
	want := computeresources.PodRequestTotals(pod, computeresources.Options{})
	if _, known := l.taken[pod.UID]; known || !l.fits(want) {
		return false
	}
	l.free.Sub(want)
	l.slots--
	l.taken[pod.UID] = want
	return true
}

// remove releases what a pod has reserved.
func (l *ledger) remove(uid types.UID) {
	if taken, known := l.taken[uid]; known {
		l.free.Add(taken)
		l.slots++
		delete(l.taken, uid)
	}
}

// Example_schedulerLoop places pods on the first node that has room, and removes all of them.
func Example_schedulerLoop() {
	names := []string{"plain", "gpu"}
	nodes := map[string]*ledger{
		"plain": newLedger(corev1.ResourceList{"cpu": resource.MustParse("4"), "memory": resource.MustParse("8Gi"), "pods": resource.MustParse("110")}),
		"gpu":   newLedger(corev1.ResourceList{"cpu": resource.MustParse("8"), "memory": resource.MustParse("16Gi"), "pods": resource.MustParse("110"), "nvidia.com/gpu": resource.MustParse("2")}),
	}
	for _, pod := range []*corev1.Pod{
		arriving("web", corev1.ResourceList{"cpu": resource.MustParse("3"), "memory": resource.MustParse("1.5Gi")}),
		arriving("train", corev1.ResourceList{"cpu": resource.MustParse("1"), "nvidia.com/gpu": resource.MustParse("2")}),
		arriving("infer", corev1.ResourceList{"cpu": resource.MustParse("1"), "nvidia.com/gpu": resource.MustParse("1")}),
		arriving("batch", corev1.ResourceList{"cpu": resource.MustParse("2500m")}),
	} {
		placed := "nowhere"
		for _, name := range names {
			if nodes[name].add(pod) {
				placed = name
				break
			}
		}
		fmt.Println(pod.Name, "->", placed)
	}
	for _, name := range names {
		l := nodes[name]
		fmt.Println(name, l.free.MilliCPU, l.free.Memory, l.free.ScalarResources["nvidia.com/gpu"], l.slots)
		for uid := range maps.Clone(l.taken) {
			l.remove(uid)
		}
		fmt.Println(name, l.free.MilliCPU, l.free.Memory, l.free.ScalarResources["nvidia.com/gpu"], l.slots)
	}
	// Output:
	// web -> plain
	// train -> gpu
	// infer -> nowhere
	// batch -> gpu
	// plain 1000 6979321856 0 109
	// plain 4000 8589934592 0 110
	// gpu 4500 17179869184 0 108
	// gpu 8000 17179869184 2 110
}

func arriving(name string, requests corev1.ResourceList) *corev1.Pod {
	pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{
		{Name: "app", Resources: corev1.ResourceRequirements{Requests: requests}},
	}}}
	pod.Name, pod.UID = name, types.UID(name)
	return pod
}
