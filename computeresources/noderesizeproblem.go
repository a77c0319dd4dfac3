package computeresources

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/aggregate"
)

// NodeResizeCause is the reason why the API server refuses to resize a pod in place on its node.
// The zero value is unspecified.
type NodeResizeCause string

const (
	NodeLacksFeatures NodeResizeCause = "features missing"     // the node does not declare features that the resize needs
	NodeIsNotLinux    NodeResizeCause = "not linux"            // the node does not run Linux
	NodeIsTooSmall    NodeResizeCause = "larger than the node" // the pod would request more than the node has allocatable
)

// NodeResizeProblem is one reason why the API server refuses to resize a pod in place on its node.
type NodeResizeProblem struct {
	Cause NodeResizeCause `json:"cause"`
	Node  string          `json:"node"` // its name
	// Features are those that the node does not declare, sorted, for NodeLacksFeatures.
	Features []string `json:"features,omitempty"`
	// OS is the value of the label kubernetes.io/os, for NodeIsNotLinux.
	OS string `json:"os,omitempty"`
	// Requested are the new requests of the pod, and Allocatable the amounts of the node, of the
	// resources that the node has too little of, for NodeIsTooSmall.
	Requested   corev1.ResourceList `json:"requested,omitempty"`
	Allocatable corev1.ResourceList `json:"allocatable,omitempty"`
}

// Error returns the message of the API server, without the name of the pod: "node didn't have
// enough allocatable resources: cpu, requested: 5000, allocatable: 4000". CPU is in milli-units,
// memory in bytes, rounded up.
func (p *NodeResizeProblem) Error() string {
	switch p.Cause {
	case NodeLacksFeatures:
		return fmt.Sprintf("pod update requires features %s which are not available on node %q", strings.Join(p.Features, ", "), p.Node)
	case NodeIsNotLinux:
		return fmt.Sprintf("pod resize is only supported on linux nodes, node %q is %q", p.Node, p.OS)
	case NodeIsTooSmall:
		var short []string
		if q, is := p.Requested[corev1.ResourceCPU]; is {
			short = append(short, fmt.Sprintf("cpu, requested: %d, allocatable: %d", q.MilliValue(), p.Allocatable.Cpu().MilliValue()))
		}
		if q, is := p.Requested[corev1.ResourceMemory]; is {
			short = append(short, fmt.Sprintf("memory, requested: %d, allocatable: %d", q.Value(), p.Allocatable.Memory().Value()))
		}
		return "node didn't have enough allocatable resources: " + strings.Join(short, "; ")
	}
	return string(p.Cause)
}

// NodeResizeProblems are the reasons why the API server refuses to resize a pod in place on its
// node, in its order.
type NodeResizeProblems []NodeResizeProblem

// Err returns the elements as one error, and nil if there are none. The message for several
// elements is "[a, b]". It wraps a *NodeResizeProblem for each, which is a copy.
func (ps NodeResizeProblems) Err() error {
	errs := make([]*NodeResizeProblem, len(ps))
	for i := range ps {
		errs[i] = ps[i].clone()
	}
	return aggregate.Of(errs)
}

// clone returns a copy that shares no memory with p.
func (p *NodeResizeProblem) clone() *NodeResizeProblem {
	own := *p
	own.Features = slices.Clone(p.Features)
	own.Requested, own.Allocatable = p.Requested.DeepCopy(), p.Allocatable.DeepCopy()
	return &own
}
