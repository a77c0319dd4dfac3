package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/examples/internal/quantity"
)

// Node is a node that pods are on, or are placed on. If there is only one, it has all pods except
// those whose spec names another node.
type Node struct {
	Name string `json:"name,omitempty"` // if it is in the input; otherwise the arguments define it
	// Allocatable is what pods can use. If the arguments define the node, other resources are not limited.
	Allocatable Amounts `json:"allocatable"`
	// Cordoned is set if no further pods are placed on it.
	Cordoned bool `json:"cordoned,omitempty"`
	// Pods is how many are there, without those that would be rejected.
	Pods int64 `json:"pods"`
	// Requested is what the scheduler counts of them.
	Requested Amounts `json:"requested"`
	// Missing is what the node has too little of to run all of them, if anything.
	Missing Amounts `json:"missing,omitempty"`

	source *corev1.Node // nil if the arguments define it
}

// NodePods is the number of pods of a workload that are on a node, or are placed there.
type NodePods struct {
	Node string `json:"node"` // may be one that is not in the input
	Pods int64  `json:"pods"`
}

// Unplaced are pods of a workload for which no node has room.
type Unplaced struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	Pods      int64  `json:"pods"`
	// Message is the scheduler's message about the first of them.
	Message string `json:"message"`
}

// Room is how many pods of a workload fit on a node.
type Room struct {
	// Node is the name of the node, if there are several: that of the first pod.
	Node string `json:"node,omitempty"`
	// Fit is how many such pods fit on the node if nothing else runs there.
	Fit int64 `json:"fit"`
	// Stops are the resources that the next pod lacks, and how much of each is missing.
	Stops Amounts `json:"stops"`
}

// Size has the amounts of the node that are given as arguments; the others are nil.
type Size struct{ CPU, Memory *resource.Quantity }

// SetCPU sets the CPU, a quantity such as 3920m.
func (s *Size) SetCPU(text string) (err error) {
	s.CPU, err = quantity.OfNode(text)
	return err
}

// SetMemory sets the memory, a quantity such as 16Gi.
func (s *Size) SetMemory(text string) (err error) {
	s.Memory, err = quantity.OfNode(text)
	return err
}

// defaultPods is the default of the kubelet, and defaultMemory the memory of a node of which only the CPU is given.
var defaultPods, defaultMemory = resource.MustParse("110"), resource.MustParse("16Gi")

// nodesOf returns the nodes of the input. If arguments give amounts, there is only the first, with these amounts, or
// one that they define, if they give the CPU.
func nodesOf(nodes []*corev1.Node, size Size) (hosts []*Node) {
	for _, n := range nodes {
		hosts = append(hosts, &Node{Name: n.Name, Allocatable: Amounts(n.Status.Allocatable.DeepCopy()), Cordoned: n.Spec.Unschedulable, source: n})
	}
	if len(hosts) == 0 && size.CPU != nil {
		hosts = []*Node{{Allocatable: Amounts{corev1.ResourceMemory: defaultMemory}}}
	}
	if size != (Size{}) && len(hosts) > 0 {
		hosts = hosts[:1]
		if size.CPU != nil {
			hosts[0].Allocatable[corev1.ResourceCPU] = size.CPU.DeepCopy()
		}
		if size.Memory != nil {
			hosts[0].Allocatable[corev1.ResourceMemory] = size.Memory.DeepCopy()
		}
	}
	for _, h := range hosts {
		if _, known := h.Allocatable[corev1.ResourcePods]; !known {
			h.Allocatable[corev1.ResourcePods] = defaultPods
		}
	}
	return hosts
}

func (n *Node) add(g group) {
	requests := g.request.Amounts(computeresources.Requests)
	requests[corev1.ResourcePods] = *resource.NewQuantity(1, resource.DecimalSI)
	n.Requested = Amounts(resourcelist.Add(corev1.ResourceList(n.Requested), resourcelist.Multiply(requests, g.n)))
	n.Pods += g.n
	g.w.first = cmp.Or(g.w.first, n)
}

// miss sets what the node lacks. Devices may provide a resource of a DeviceClass that the node does not have.
func (n *Node) miss(extended map[string]corev1.ResourceName) {
	requested, allocatable := corev1.ResourceList(n.Requested), corev1.ResourceList(n.Allocatable)
	if n.source == nil {
		requested = resourcelist.Mask(requested, resourcelist.ResourceNames(allocatable))
	}
	missing := resourcelist.SubtractWithNonNegativeResult(requested, allocatable)
	missing = resourcelist.RemoveZeros(resourcelist.Mask(missing, resourcelist.ResourceNames(requested)))
	for _, name := range extended {
		if has := allocatable[name]; has.IsZero() {
			delete(missing, name)
		}
	}
	n.Missing = Amounts(missing)
}

// room returns how many pods with a request fit on the node without others. If the arguments define the node, it has
// the largest amount of every other resource that a pod requests.
func (n *Node) room(r noderesources.Request, opts noderesources.FitOptions) *Room {
	allocatable := corev1.ResourceList(n.Allocatable)
	if n.source == nil {
		plenty := corev1.ResourceList{}
		for name := range r.Amounts(computeresources.Requests) {
			plenty[name] = resourcelist.Quantity(name, math.MaxInt64)
		}
		allocatable = resourcelist.Overlay(allocatable, plenty)
	}
	fit, next := noderesources.NewLedger(allocatable).Replicas(r, opts)
	return &Room{Fit: fit, Stops: Amounts(next.Shortfall())}
}

// mostPlaced is how many pods are placed on nodes, in addition to those that are on one.
const mostPlaced = 100_000

// group are equal pods of a workload: on a node, or yet to be placed.
type group struct {
	w       *Workload
	pod     *corev1.Pod
	request noderesources.Request
	node    string
	n       int64
}

// placing places the pods of a report on nodes.
type placing struct {
	*Report // whose nodes may take pods
	byName  map[string]*Node
	open    noderesources.Cluster // those that are not cordoned
	placed  int
	cluster *cluster
}

// place places the pods on nodes: pods whose spec names a node are on that node, and the others, in the
// order of their priority, on the first node by name that has room. If there is only one node, all
// others are on it, even if it has no room.
func (r *Report) place(nodes []*corev1.Node, size Size, c *cluster, between func()) {
	r.Nodes = nodesOf(nodes, size)
	p := placing{Report: r, byName: map[string]*Node{}, cluster: c}
	for _, n := range r.Nodes {
		p.byName[n.Name] = n
		if !n.Cordoned {
			_ = p.open.AddNode(n.Name, corev1.ResourceList(n.Allocatable)) // names differ
		}
	}
	var pending []group
	for _, w := range r.Workloads {
		for _, g := range p.groupsOf(w) {
			if g.node != "" {
				p.put(g)
			} else if g.n > 0 {
				pending = append(pending, g)
			}
		}
	}
	slices.SortStableFunc(pending, func(a, b group) int { return cmp.Compare(inventory.Priority(b.pod), inventory.Priority(a.pod)) })
	for _, g := range pending {
		between()
		p.putAnywhere(g)
	}
	for i := 0; i < len(r.Workloads) && len(r.Nodes) > 0; i++ {
		w, n := r.Workloads[i], cmp.Or(r.Workloads[i].first, r.Nodes[0])
		w.Room = n.room(w.request, c.fit())
		if len(r.Nodes) > 1 {
			w.Room.Node = n.Name
		}
	}
	for _, n := range r.Nodes {
		n.miss(c.extended)
	}
}

// groupsOf returns the admitted pods of a workload: those that exist, or whose spec names a node; one of a DaemonSet on
// each node that it selects and that has none; and all others, which have no node yet.
func (p *placing) groupsOf(w *Workload) (groups []group) {
	type key struct {
		pod  *corev1.Pod
		node string
	}
	of, rest, index, taken := w.workload, w.Admitted, map[key]int{}, map[string]bool{}
	add := func(pod *corev1.Pod, node string) {
		i, known := index[key{pod, node}]
		if !known {
			request := w.request
			if pod != w.Stored {
				request = noderesources.PodRequest(pod, p.cluster.sums())
			}
			i, groups = len(groups), append(groups, group{w, pod, request, node, 0})
			index[key{pod, node}] = i
		}
		groups[i].n++
		rest--
		taken[node] = true
	}
	if of.Node != "" && rest > 0 {
		add(w.Stored, of.Node)
	}
	for _, m := range of.Members {
		if m.Pod != nil && !m.Ended {
			add(m.Pod, m.Node)
		}
	}
	for i := 0; i < len(p.Nodes) && len(p.Nodes) > 1 && w.Kind == "DaemonSet" && rest > 0; i++ {
		if !taken[p.Nodes[i].Name] && manifest.Selects(of.Selector, p.Nodes[i].source) {
			add(w.Stored, p.Nodes[i].Name)
		}
	}
	return append(groups, group{w, w.Stored, w.request, "", rest})
}

// put places pods on a node, which may be one that is not in the input.
func (p *placing) put(g group) {
	byName := func(on NodePods, name string) int { return cmp.Compare(on.Node, name) }
	if i, found := slices.BinarySearchFunc(g.w.Nodes, g.node, byName); found {
		g.w.Nodes[i].Pods += g.n
	} else if g.node != "" {
		g.w.Nodes = slices.Insert(g.w.Nodes, i, NodePods{g.node, g.n})
	}
	n := p.byName[g.node]
	if n == nil {
		return
	}
	n.add(g)
	for i := int64(0); i < min(g.n, mostPlaced) && len(p.Nodes) > 1; i++ {
		p.placed++
		_ = p.open.AddPod(types.UID(fmt.Sprint(p.placed)), g.node, g.request) // it may be cordoned
	}
}

// putAnywhere places each pod on the first node that has room.
func (p *placing) putAnywhere(g group) {
	if len(p.Nodes) < 2 {
		for _, n := range p.Nodes {
			g.node = n.Name
			p.put(g)
		}
		return
	}
	n := max(0, min(g.n, int64(mostPlaced-p.placed)))
	placements := p.open.FirstFit(slices.Repeat([]noderesources.Request{g.request}, int(n)), p.cluster.fit())
	for i, node := range placements.Nodes { // equal pods fill one node after the other
		if last := i + 1; node != "" && (last == len(placements.Nodes) || placements.Nodes[last] != node) {
			count := int64(last - slices.Index(placements.Nodes, node))
			p.put(group{g.w, g.pod, g.request, node, count})
			g.n -= count
		}
	}
	if g.n == 0 {
		return
	}
	message := fmt.Sprintf("more than %d pods are not placed", mostPlaced)
	if err := p.open.CheckFit(g.request, p.cluster.fit()); err != nil {
		message = err.Error()
		if cordoned := len(p.Nodes) - len(p.open.Nodes()); cordoned > 0 {
			message += fmt.Sprintf(" %d more cordoned.", cordoned)
		}
	}
	p.Unplaced = append(p.Unplaced, Unplaced{g.w.Kind, g.w.Namespace, g.w.Name, g.n, message})
}
