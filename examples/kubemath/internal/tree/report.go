package tree

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/cgroup/nodetree"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// Report is the output of -o json. Amounts are quantities in canonical form; those of CPU that a cgroup gets, and its quota, are
// milli-CPU with at most one digit after the decimal point.
type Report struct {
	// Nodes are sorted by name.
	Nodes []Node `json:"nodes"`
	// Unplaced are the pods without a node, namespace/name: they have no cgroups yet.
	Unplaced []string `json:"unplaced,omitempty"`
}

// Node is the cgroups of a node.
type Node struct {
	// Name is empty for one node that has all pods, because the input has neither Nodes nor pods on nodes.
	Name string `json:"name"`
	// CPU and Memory are what pods can use; empty if unknown. Capacity is the memory of the machine.
	CPU      string  `json:"cpu,omitempty"`
	Memory   string  `json:"memory,omitempty"`
	Capacity string  `json:"capacity,omitempty"`
	Groups   []Group `json:"groups"`

	tree      nodetree.Tree
	isUnknown bool // it is not in the input
}

// Group is a cgroup. What depends on an unknown amount of the node is empty.
type Group struct {
	// Depth is 0 for kubepods, whose groups follow it, depth first.
	Depth  int    `json:"depth"`
	Title  string `json:"title"`
	Class  string `json:"class,omitempty"` // of a pod
	Shares string `json:"shares,omitempty"`
	Weight string `json:"weight,omitempty"`
	Quota  string `json:"quota,omitempty"` // empty for no limit
	Memory string `json:"memory,omitempty"`
	// OOMScoreAdj is that of a container.
	OOMScoreAdj string `json:"oomScoreAdj,omitempty"`
	// V1, V2Old and V2 are the CPU that it gets.
	V1    string `json:"v1,omitempty"`
	V2Old string `json:"v2Old,omitempty"`
	V2    string `json:"v2,omitempty"`

	move string
}

// report returns the trees of the nodes in the input, of those that only pods name, or else of one node with all pods.
func (in *input) report(o *options) (r Report, err error) {
	r.Nodes = []Node{}
	nodes := map[string]*corev1.Node{}
	for _, n := range inventory.Of[*corev1.Node](&in.List) {
		nodes[n.Name] = n
	}
	names := slices.Sorted(maps.Keys(nodes))
	if len(nodes) == 0 {
		names = slices.Sorted(maps.Keys(in.pods))
		names = slices.DeleteFunc(names, func(name string) bool { return name == "" })
	}
	switch {
	case len(nodes) > 0 && (o.MilliCPU > 0 || o.memory > 0):
		return r, fmt.Errorf("-cpu and -memory are for nodes that are not in the input, which has %s", wording.Count(int64(len(nodes)), "Node"))
	case o.node != "" && !slices.Contains(names, o.node):
		return r, fmt.Errorf("-node %s: the input has no node of this name", wording.Printable(o.node))
	case o.node != "":
		names = []string{o.node}
	}
	if len(names) == 0 {
		names = []string{""}
	} else {
		for _, pod := range in.pods[""] {
			r.Unplaced = append(r.Unplaced, wording.Qualified(pod.Namespace, pod.Name))
		}
		slices.Sort(r.Unplaced)
	}
	for _, name := range names {
		n, err := in.node(name, nodes[name], o.Options, o.memory)
		if err != nil {
			return r, err
		}
		r.Nodes = append(r.Nodes, n)
	}
	return r, nil
}

// node returns the tree of a node, which may not be in the input.
func (in *input) node(name string, object *corev1.Node, opts nodetree.Options, memory int64) (n Node, err error) {
	n.Name = name
	capacity := memory
	switch {
	case object != nil:
		of := object.Status
		opts.MilliCPU, memory = of.Allocatable.Cpu().MilliValue(), of.Allocatable.Memory().Value()
		if capacity = of.Capacity.Memory().Value(); capacity == 0 {
			capacity = memory
		}
	case name == "":
		if opts.MilliCPU == 0 {
			opts.MilliCPU = 200
		}
		if memory == 0 {
			memory, capacity = 16<<30, 16<<30
		}
	default:
		n.isUnknown = true
	}
	opts.Kubelet.NodeMemory = cgroupconfig.NodeMemory{Capacity: capacity, Allocatable: memory}
	if opts.MilliCPU > 0 {
		n.CPU = quantity.Canonical(*resource.NewMilliQuantity(opts.MilliCPU, resource.DecimalSI))
	}
	if memory > 0 {
		n.Memory, n.Capacity = memoryOf(memory), memoryOf(capacity)
	}
	if n.tree, err = nodetree.Build(in.pods[name], opts); err != nil {
		return n, err
	}
	for depth, g := range n.tree.All() {
		n.Groups = append(n.Groups, n.group(depth, g))
	}
	return n, nil
}
