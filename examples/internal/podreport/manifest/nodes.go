package manifest

import (
	"math"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/objects"
)

// Node is a node that pods are on, or are placed on.
type Node struct {
	objects.Place
	Name     string
	Labels   map[string]string
	Cordoned bool // no pods are placed on it
	// Allocatable is what pods can use. It defaults to the capacity, as in the API server.
	Allocatable corev1.ResourceList
	Capacity    corev1.ResourceList
}

// addNode adds a node whose resources are known.
func (in *Input) addNode(at objects.Place, o *corev1.Node) {
	n := Node{Place: at, Name: nameOf(&o.ObjectMeta), Labels: o.Labels, Cordoned: o.Spec.Unschedulable, Allocatable: o.Status.Allocatable, Capacity: o.Status.Capacity}
	if len(n.Allocatable) == 0 {
		n.Allocatable = n.Capacity
	}
	switch {
	case n.Name == "":
		in.failAll(at, objects.Invalid, []objects.Fault{{Field: "metadata.name", Text: "missing"}})
	case !sized(n.Allocatable):
		in.skip(at, "no status.allocatable of cpu and memory: no pod fits on it")
	case n.huge():
		in.fail(at, "status", "too large: cpu, memory or pods")
	default:
		if _, known := in.earlier(at, identity{"Node", "", n.Name}, place{}); known {
			in.Nodes = slices.DeleteFunc(in.Nodes, func(before Node) bool { return before.Name == n.Name })
		}
		in.Nodes = append(in.Nodes, n)
	}
}

func sized(list corev1.ResourceList) bool {
	cpu, memory := list[corev1.ResourceCPU], list[corev1.ResourceMemory]
	return !cpu.IsZero() && !memory.IsZero()
}

// huge reports whether the milli-CPU or the bytes exceed an int64, or the pods exceed an int32.
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

// Selected reports whether a node has all labels of a selector.
func (n *Node) Selected(selector map[string]string) bool {
	for key, value := range selector {
		if has, found := n.Labels[key]; !found || has != value {
			return false
		}
	}
	return true
}
