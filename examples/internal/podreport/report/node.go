package report

import (
	"errors"
	"fmt"
	"math"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/examples/internal/quantity"
)

// Node is a node that pods are on, or are placed on. If there is only one, it has all pods except
// those whose spec names another node.
type Node struct {
	// Source is the place of the Node in the input. Without one, the node is defined by the
	// arguments.
	Source *objects.Source `json:"source,omitempty"`
	Name   string          `json:"name,omitempty"` // if it has a source
	// Allocatable is what pods can use.
	Allocatable Amounts `json:"allocatable"`
	// OnlyKnown is set if the arguments define the node: then other resources are not limited.
	OnlyKnown bool `json:"onlyKnown,omitempty"`
	// Cordoned is set if no further pods are placed on it.
	Cordoned bool `json:"cordoned,omitempty"`
	// Pods is how many are there, without those that would be rejected.
	Pods int64 `json:"pods"`
	// Requested is what the scheduler counts of them.
	Requested Amounts `json:"requested"`
	// Missing is what the node has too little of to run all of them, if anything.
	Missing Amounts `json:"missing,omitempty"`
	// Crowded is set if there are more of them than any node runs: then the CPU of each is not
	// computed.
	Crowded bool `json:"crowded,omitempty"`
}

// Size has the amounts of the node that are given as arguments; the others are nil.
type Size struct{ CPU, Memory *resource.Quantity }

// SetCPU sets the CPU, a quantity such as 3920m.
func (s *Size) SetCPU(text string) (err error) {
	s.CPU, err = sizeOf(text, 1000, "milli-units")
	return err
}

// SetMemory sets the memory, a quantity such as 16Gi.
func (s *Size) SetMemory(text string) (err error) {
	s.Memory, err = sizeOf(text, 1, "bytes")
	return err
}

// sizeOf parses an amount of a node that is counted in parts of its unit.
func sizeOf(text string, parts int64, unit string) (*resource.Quantity, error) {
	q, err := quantity.Parse(text)
	switch {
	case err != nil:
		return nil, err
	case q.Sign() <= 0:
		return nil, errors.New("must be positive")
	case q.CmpInt64(math.MaxInt64/parts) > 0:
		return nil, fmt.Errorf("more %s than an int64 can hold", unit)
	}
	return &q, nil
}

const (
	defaultPods = 110 // the default of the kubelet
	mostPods    = 1000
)

// defaultMemory is the memory of the node for OOM scores, if it is not known.
var defaultMemory = resource.MustParse("16Gi")

// host is a Node in exact arithmetic.
type host struct {
	known       bool // otherwise only its memory is known, and no Node is reported
	source      *manifest.Node
	allocatable corev1.ResourceList
	memory      resource.Quantity // in all

	spots []spot // the pods there
}

// spot are equal pods of a workload on a node.
type spot struct {
	w       *Workload
	pod     *corev1.Pod
	request noderesources.Request
	n       int64
}

// name is empty for a node that only the arguments define.
func (h *host) name() string {
	if h.source == nil {
		return ""
	}
	return h.source.Name
}

// hostsOf returns the nodes of the input, or only the first if arguments replace its amounts.
func hostsOf(nodes []manifest.Node, size Size) []host {
	if len(nodes) == 0 {
		return []host{hostOf(nil, size)}
	}
	if size != (Size{}) {
		nodes = nodes[:1]
	}
	var hosts []host
	for i := range nodes {
		hosts = append(hosts, hostOf(&nodes[i], size))
	}
	return hosts
}

// hostOf returns a node of the input, with the amounts of the arguments instead of its own. There is
// one if the input has one, or if its CPU is given.
func hostOf(node *manifest.Node, size Size) host {
	h := host{known: node != nil || size.CPU != nil, source: node, allocatable: corev1.ResourceList{}, memory: defaultMemory.DeepCopy()}
	if node != nil {
		h.allocatable = node.Allocatable.DeepCopy()
		h.memory = h.allocatable[corev1.ResourceMemory].DeepCopy()
		if capacity, stated := node.Capacity[corev1.ResourceMemory]; stated {
			h.memory = capacity.DeepCopy()
		}
	}
	if size.CPU != nil {
		h.allocatable[corev1.ResourceCPU] = size.CPU.DeepCopy()
	}
	if size.Memory != nil {
		h.memory = size.Memory.DeepCopy()
	}
	if size.Memory != nil || node == nil {
		h.allocatable[corev1.ResourceMemory] = h.memory.DeepCopy()
	}
	if _, stated := h.allocatable[corev1.ResourcePods]; !stated {
		h.allocatable[corev1.ResourcePods] = *resource.NewQuantity(defaultPods, resource.DecimalSI)
	}
	return h
}

// describe returns the node, if there is one.
func (h *host) describe() *Node {
	if !h.known {
		return nil
	}
	n := &Node{Allocatable: Amounts(h.allocatable), OnlyKnown: h.source == nil}
	if h.source != nil {
		source := h.source.Source()
		n.Source, n.Name, n.Cordoned = &source, h.source.Name, h.source.Cordoned
	}
	requested := corev1.ResourceList{}
	for _, s := range h.spots {
		requests := s.request.Amounts(computeresources.Requests)
		requests[corev1.ResourcePods] = *resource.NewQuantity(1, resource.DecimalSI)
		requested = resourcelist.AddInto(requested, requested, resourcelist.Multiply(requests, s.n))
		n.Pods += s.n
	}
	n.Crowded = n.Pods > mostPods
	n.Requested, n.Missing = Amounts(requested), h.missing(requested)
	return n
}

// missing returns by how much the requests exceed what the node has, by resource.
func (h *host) missing(requested corev1.ResourceList) Amounts {
	if h.source == nil {
		requested = resourcelist.Mask(requested, resourcelist.ResourceNames(h.allocatable))
	}
	missing := resourcelist.SubtractWithNonNegativeResult(requested, h.allocatable)
	return Amounts(resourcelist.RemoveZeros(resourcelist.Mask(missing, resourcelist.ResourceNames(requested))))
}

// kubelet is that of the node.
func (h *host) kubelet() cgroupconfig.Options {
	memory := cgroupconfig.NodeMemory{Capacity: h.memory.Value(), Allocatable: quantity.Floor(h.allocatable[corev1.ResourceMemory])}
	return cgroupconfig.Options{NodeMemory: memory}
}

// OnNode describes a pod on its node.
type OnNode struct {
	// Node is the name of the node, if there are several: that of the first pod.
	Node string `json:"node,omitempty"`
	// Fit is how many such pods fit on the node if nothing else runs there.
	Fit int64 `json:"fit"`
	// Stops are the resources that the next pod lacks, and how much of each is missing.
	Stops Amounts `json:"stops"`
	// Cgroup is that of the pod.
	Cgroup Cgroup `json:"cgroup"`
}

// ledger returns the node without pods. If the arguments define it, it has the largest amount of
// every other resource that a pod requests.
func (h *host) ledger(r noderesources.Request) *noderesources.Ledger {
	allocatable := h.allocatable
	if h.source == nil {
		plenty := corev1.ResourceList{}
		for name := range r.Amounts(computeresources.Requests) {
			plenty[name] = resourcelist.Quantity(name, math.MaxInt64)
		}
		allocatable = resourcelist.Overlay(allocatable, plenty)
	}
	return noderesources.New(allocatable)
}
