package manifest

import (
	"math"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/objects"
)

// Node is the one that pods are put on: the first of the input.
type Node struct {
	objects.Place
	Name string
	// Allocatable is what pods can use. Without it, that is the capacity, as for the server.
	Allocatable corev1.ResourceList
	Capacity    corev1.ResourceList
}

// addNode adds the first node of which something is known.
func (in *Input) addNode(at objects.Place, o *corev1.Node) {
	n := Node{at, nameOf(&o.ObjectMeta), o.Status.Allocatable, o.Status.Capacity}
	if len(n.Allocatable) == 0 {
		n.Allocatable = n.Capacity
	}
	switch {
	case n.Name == "":
		in.failAll(at, objects.Invalid, []objects.Fault{{Field: "metadata.name", Text: "missing"}})
	case in.Node != nil:
		in.skip(at, "pods are put on one node only, the first: "+in.Node.Name)
	case !sized(n.Allocatable):
		in.skip(at, "without status.allocatable, of cpu and memory, it has no room for pods")
	case n.huge():
		in.fail(at, "status", "more than can be counted of cpu, memory or pods")
	default:
		in.Node = &n
	}
}

func sized(list corev1.ResourceList) bool {
	cpu, memory := list[corev1.ResourceCPU], list[corev1.ResourceMemory]
	return !cpu.IsZero() && !memory.IsZero()
}

// huge reports whether there are more thousandths of a CPU or bytes than an int64 holds, or
// more pods than an int32 does.
func (n *Node) huge() bool {
	for _, list := range []corev1.ResourceList{n.Allocatable, n.Capacity} {
		for name, most := range map[corev1.ResourceName]int64{
			corev1.ResourceCPU:    math.MaxInt64 / 1000,
			corev1.ResourceMemory: math.MaxInt64,
			corev1.ResourcePods:   math.MaxInt32,
		} {
			if q := list[name].DeepCopy(); q.CmpInt64(most) > 0 {
				return true
			}
		}
	}
	return false
}
