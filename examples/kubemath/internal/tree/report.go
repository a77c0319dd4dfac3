package tree

import (
	"cmp"
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

// Report is the output of -o json. Amounts are quantities in canonical form.
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
	CPU      string `json:"cpu,omitempty"`
	Memory   string `json:"memory,omitempty"`
	Capacity string `json:"capacity,omitempty"`
	// Groups have the cells of the table by their headings, depth first, without those that are empty, and their depth.
	Groups []map[string]string `json:"groups"`

	tree      nodetree.Tree
	isUnknown bool // it is not in the input
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
	n.isUnknown = object == nil
	capacity := int64(0)
	if object != nil {
		of := object.Status
		opts.MilliCPU, memory, capacity = of.Allocatable.Cpu().MilliValue(), of.Allocatable.Memory().Value(), of.Capacity.Memory().Value()
	} else if name == "" {
		opts.MilliCPU, memory = cmp.Or(opts.MilliCPU, 200), cmp.Or(memory, 16<<30)
	}
	capacity = cmp.Or(capacity, memory)
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
		group := map[string]string{"depth": fmt.Sprint(depth)}
		for i, cell := range n.row(g) {
			if cell != "" && cell != "-" && cell != "?" {
				group[headings[i]] = cell
			}
		}
		n.Groups = append(n.Groups, group)
	}
	return n, nil
}
