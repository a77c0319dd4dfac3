package manifest

import (
	"math"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/objects"
)

// Node is a node that pods are on, or are placed on.
type Node struct {
	Name        string
	Labels      map[string]string
	Cordoned    bool // no pods are placed on it
	Allocatable corev1.ResourceList
}

// addNode adds a node whose resources are known. The allocatable ones default to the capacity, as in the API server.
func (in *Input) addNode(at objects.Place, o *corev1.Node) {
	n := Node{nameOf(&o.ObjectMeta), o.Labels, o.Spec.Unschedulable, o.Status.Allocatable}
	if len(n.Allocatable) == 0 {
		n.Allocatable = o.Status.Capacity
	}
	cpu, memory := n.Allocatable[corev1.ResourceCPU], n.Allocatable[corev1.ResourceMemory]
	switch {
	case n.Name == "":
		in.fail(at, objects.Invalid, objects.Fault{Field: "metadata.name", Text: "missing"})
	case cpu.IsZero() || memory.IsZero():
		in.fail(at, objects.Skipped, objects.Fault{Text: "no status.allocatable of cpu and memory: no pod fits on it"})
	case n.huge():
		in.fail(at, objects.Unreadable, objects.Fault{Field: "status", Text: "too large: cpu, memory or pods"})
	default:
		if _, known := in.earlier(at, identity{"Node", "", n.Name}, place{}); known {
			in.Nodes = slices.DeleteFunc(in.Nodes, func(before Node) bool { return before.Name == n.Name })
		}
		in.Nodes = append(in.Nodes, n)
	}
}

// huge reports whether the milli-CPU or the bytes exceed an int64, or the pods exceed an int32.
func (n *Node) huge() bool {
	for name, most := range map[corev1.ResourceName]int64{
		corev1.ResourceCPU: math.MaxInt64 / 1000, corev1.ResourceMemory: math.MaxInt64, corev1.ResourcePods: math.MaxInt32,
	} {
		if q := n.Allocatable[name].DeepCopy(); q.CmpInt64(most) > 0 {
			return true
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
