package nodes

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// Report is the output of -o json.
//
// Amounts are maps from resource name to quantity, in the canonical form that the API server
// writes: {"cpu": "250m", "memory": "1536Mi"}. The requests and limits of each pod are rounded up to
// milli-CPU, and to whole units of other resources, as in the scheduler.
type Report struct {
	// Nodes are sorted by name.
	Nodes []Node `json:"nodes"`
	// Total is the sum over all nodes, including cordoned ones.
	Total Load `json:"total"`
	// Placement is how pending pods are placed: first, profile, or a strategy of the scheduler.
	Placement string `json:"placement"`
	// Pending are the pods without a node, in the order in which they are placed.
	Pending []Pending `json:"pending"`
	// Packings are how many nodes of each shape are enough, with -pack.
	Packings []Packing `json:"packings,omitempty"`
	// Ended is how many pods do not count, because they have ended, or were deleted before they had a
	// node.
	Ended int `json:"ended"`
	// Elsewhere is how many pods are on nodes that are not in the input, by node, if any.
	Elsewhere map[string]int `json:"elsewhere,omitempty"`
	// NotLookedAt counts other constraints on the placement of pods, which are ignored.
	NotLookedAt NotLookedAt `json:"notLookedAt"`
}

// Node is a node with its pods.
type Node struct {
	Name string `json:"name"`
	// Unschedulable is set if the node is cordoned, so that no pending pods are placed on it.
	Unschedulable bool `json:"unschedulable,omitempty"`
	Load
	// Placed is the requests of the pods that are placed there.
	Placed Amounts `json:"placed,omitempty"`
	// Short has the resources that the remaining pods lack there, or, if no pod remains, the resource
	// with the largest requested share, including placed pods.
	Short []corev1.ResourceName `json:"short"`
}

// Load is the allocatable amounts and the requests. The number of pods is a request, too.
type Load struct {
	Allocatable Amounts `json:"allocatable"`
	Requests    Amounts `json:"requests"`
	Limits      Amounts `json:"limits"`
	Free        Amounts `json:"free"` // negative if the requests exceed the allocatable amount
	// RequestsPercent and LimitsPercent are percentages of the allocatable amounts, rounded down, for
	// the resources that the node has.
	RequestsPercent map[corev1.ResourceName]int64 `json:"requestsPercent"`
	LimitsPercent   map[corev1.ResourceName]int64 `json:"limitsPercent"`
}

// Pending is a pod without a node.
type Pending struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// Owner is the name of its controller, if it has one.
	Owner    string  `json:"owner,omitempty"`
	Requests Amounts `json:"requests"`
	// Node is where it is placed, if it fits anywhere.
	Node string `json:"node,omitempty"`
	// Message is why it fits on no node, in the words of the scheduler.
	Message string `json:"message,omitempty"`
	// Gated is set if it has scheduling gates, so that it is not placed.
	Gated   bool     `json:"gated,omitempty"`
	Reasons []Reason `json:"reasons,omitempty"`
	// Nearest are up to three nodes that lack the least for it in the final state.
	Nearest []Nearest `json:"nearest,omitempty"`
}

// Reason is why a pod is not placed on some nodes.
type Reason struct {
	Reason string `json:"reason"` // in the words of the scheduler: Insufficient cpu
	Nodes  int    `json:"nodes"`
}

// Nearest is a node that has no room for a pod.
type Nearest struct {
	Node  string  `json:"node"`
	Lacks Amounts `json:"lacks"`
	// Unresolvable is set if the node would have no room even without other pods.
	Unresolvable bool `json:"unresolvable,omitempty"`
}

// Packing is how many nodes of a shape are enough for all pods.
type Packing struct {
	// Like are the names of the nodes with this shape, if any.
	Like        []string `json:"like,omitempty"`
	Allocatable Amounts  `json:"allocatable"`
	// PerNode is how many pods are on each node: those of DaemonSets.
	PerNode int `json:"perNode"`
	// Pods is how many are placed on the nodes.
	Pods int `json:"pods"`
	// Nodes is how many nodes first fit decreasing needs.
	Nodes int `json:"nodes"`
	// LowerBound is a lower bound: the smallest possible number is between LowerBound and Nodes.
	LowerBound int `json:"lowerBound"`
	// TooLarge are the pods that do not fit on such a node, if any.
	TooLarge []TooLarge `json:"tooLarge,omitempty"`

	empty  *noderesources.Ledger // a node before pods are placed on it
	packed []*noderesources.Ledger
}

// TooLarge is a pod that does not fit on a node by itself.
type TooLarge struct {
	Namespace string   `json:"namespace"`
	Name      string   `json:"name"`
	Owner     string   `json:"owner,omitempty"`
	Reasons   []string `json:"reasons"` // in the words of the scheduler
}

// NotLookedAt counts objects with constraints on the placement of pods that are not about resources.
type NotLookedAt struct {
	// Taints is how many nodes have a taint that keeps pods away.
	Taints int `json:"nodesWithTaints"`
	// Constraints is how many pending pods have a node selector, affinity or spread constraints.
	Constraints int `json:"podsWithConstraints"`
}

// report places the pending pods, and returns the report.
func (c *cluster) report(o *options) Report {
	outcomes := c.place(&o.place)
	remain := remaining(outcomes)
	r := Report{Nodes: []Node{}, Placement: o.place.name, Pending: c.describe(outcomes), Ended: c.ended, Elsewhere: c.elsewhere}
	allocatable, requests, limits := corev1.ResourceList{}, corev1.ResourceList{}, corev1.ResourceList{}
	for _, n := range c.nodes {
		node := Node{Name: n.Name, Unschedulable: n.Spec.Unschedulable, Load: loadOf(n.now.Allocatable(), n.now.Requested(), n.now.Limited())}
		node.Placed = amountsOf(resourcelist.RemoveZeros(resourcelist.Subtract(n.after.Requested(), n.now.Requested())))
		node.Short = c.shortOn(n, remain)
		r.Nodes = append(r.Nodes, node)
		resourcelist.AddInto(allocatable, allocatable, n.now.Allocatable())
		resourcelist.AddInto(requests, requests, n.now.Requested())
		resourcelist.AddInto(limits, limits, n.now.Limited())
		if keepsAway(n.Spec.Taints) {
			r.NotLookedAt.Taints++
		}
	}
	r.Total = loadOf(allocatable, requests, limits)
	for i := range outcomes {
		if outcomes[i].only() == "" && constrained(&outcomes[i].Spec) {
			r.NotLookedAt.Constraints++
		}
	}
	if o.pack {
		r.Packings = c.packings(o.shapes)
	}
	return r
}

func loadOf(allocatable, requests, limits corev1.ResourceList) Load {
	limitable := maps.Clone(allocatable)
	delete(limitable, corev1.ResourcePods)
	return Load{
		Allocatable: amountsOf(allocatable), Requests: amountsOf(requests), Limits: amountsOf(limits),
		Free:            amountsOf(resourcelist.Subtract(allocatable, requests)),
		RequestsPercent: resourcelist.Percents(requests, allocatable),
		LimitsPercent:   resourcelist.Percents(limits, limitable),
	}
}

// shortOn returns the resources that the remaining pods lack on a node, sorted.
func (c *cluster) shortOn(n *node, remaining []*outcome) []corev1.ResourceName {
	short := map[corev1.ResourceName]bool{}
	for _, o := range remaining {
		if o.only() == "" && !n.Spec.Unschedulable || o.only() == n.Name {
			for _, s := range n.after.Shortages(o.request, c.fit) {
				short[s.Resource] = true
			}
		}
	}
	if len(remaining) == 0 {
		if name, part := resourcelist.DominantShare(n.after.Requested(), n.after.Allocatable()); part > 0 {
			short[name] = true
		}
	}
	return append([]corev1.ResourceName{}, slices.Sorted(maps.Keys(short))...)
}

// fits reports whether all pending pods fit, and, if nodes are packed, each pod on a node of some
// shape.
func (r *Report) fits() bool {
	for i := range r.Pending {
		if p := &r.Pending[i]; p.Node == "" && !p.Gated {
			return false
		}
	}
	tooLarge := map[[2]string]int{}
	for i := range r.Packings {
		for _, pod := range r.Packings[i].TooLarge {
			tooLarge[[2]string{pod.Namespace, pod.Name}]++
		}
	}
	for _, shapes := range tooLarge {
		if shapes >= len(r.Packings) {
			return false
		}
	}
	return true
}

// keepsAway reports whether a taint keeps pods away from a node. The taint of a cordoned node is
// ignored, because its spec says the same.
func keepsAway(taints []corev1.Taint) bool {
	return slices.ContainsFunc(taints, func(t corev1.Taint) bool {
		return t.Effect != corev1.TaintEffectPreferNoSchedule && t.Key != corev1.TaintNodeUnschedulable
	})
}

// constrained reports whether a pod has constraints on its placement that are not about resources.
func constrained(spec *corev1.PodSpec) bool {
	return len(spec.NodeSelector) > 0 || spec.Affinity != nil || len(spec.TopologySpreadConstraints) > 0
}
