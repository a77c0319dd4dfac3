package nodes

import (
	"cmp"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/top"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// Report is the output of -o json.
//
// Amounts are maps from resource name to quantity, in the canonical form that the API server
// writes: {"cpu": "250m", "memory": "1536Mi"}. The requests and limits of each pod are rounded up to
// milli-CPU, and to whole units of other resources, as in the scheduler.
type Report struct {
	// Nodes are sorted by name. With -l, they are those with the labels; pods are placed on all.
	Nodes []Node `json:"nodes"`
	// Groups are the sums of the nodes with the same value of a label, by value, with -group-by.
	Groups []Group `json:"groups,omitempty"`
	// Total is the sum over these nodes, including cordoned ones.
	Total Load `json:"total"`
	// Shown is the sum over the pods that are shown, with -pods and -n, -pod-labels or -namespace-labels.
	Shown *Shown `json:"shown,omitempty"`
	// Pending are the pods without a node, in the order in which they are placed.
	Pending []Pending `json:"pending"`
	// Packings are how many nodes of each shape are enough, with -pack.
	Packings []Packing `json:"packings,omitempty"`
	// Drain is what happens if a node is drained, with -drain.
	Drain *Drain `json:"drain,omitempty"`
	// Ended is how many pods do not count, because they have ended, or were deleted before they had a
	// node.
	Ended int `json:"ended"`
	// Elsewhere is how many pods are on nodes that are not in the input, by node, if any.
	Elsewhere map[string]int `json:"elsewhere,omitempty"`
	// NotComputed are objects whose pods are not counted, because they are of another kind, with -pack, if any.
	NotComputed []string `json:"notComputed,omitempty"`
}

// Node is a node with its pods.
type Node struct {
	Name string `json:"name"`
	// Unschedulable is set if the node is cordoned, so that no pending pods are placed on it.
	Unschedulable bool `json:"unschedulable,omitempty"`
	// Taints keep pods away that do not tolerate them.
	Taints []string `json:"taints,omitempty"`
	Load
	// Pods are those on the node by name, with -pods.
	Pods []Pod `json:"pods,omitempty"`
}

// Shown is some pods. Percentages are of all nodes.
type Shown struct {
	Pods int `json:"pods"`
	Load
}

// Group is the nodes with the same value of a label; it is empty for nodes without the label.
type Group struct {
	Value string `json:"value"`
	Nodes int    `json:"nodes"`
	Load
}

// Load is the allocatable amounts and the requests. The number of pods is a request, too.
type Load struct {
	Allocatable report.Amounts `json:"allocatable,omitempty"`
	Requests    report.Amounts `json:"requests"`
	Limits      report.Amounts `json:"limits"`
	Free        report.Amounts `json:"free,omitempty"`  // negative if the requests exceed the allocatable amount
	Usage       report.Amounts `json:"usage,omitempty"` // with -usage, if it is known
	// RequestsPercent are percentages of the allocatable amounts, rounded down, for the resources that the node has.
	RequestsPercent map[corev1.ResourceName]int64 `json:"requestsPercent,omitempty"`
}

// Pod is a pod on a node. Percentages are of the node.
type Pod struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	Load
	Containers []Container `json:"containers,omitempty"` // with -containers
}

// Container is a container of a pod.
type Container struct {
	Name string `json:"name"` // with its kind: sidecar proxy
	Load
}

// Pending is a pod without a node.
type Pending struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// Owner is the name of its controller, if it has one.
	Owner    string         `json:"owner,omitempty"`
	Requests report.Amounts `json:"requests"`
	// Node is where it is placed, if it fits anywhere, and Choice among which nodes the scheduler has chosen that.
	Node   string        `json:"node,omitempty"`
	Choice whatif.Choice `json:"choice,omitzero"`
	// Message is why it fits on no node, in the words of the scheduler.
	Message string `json:"message,omitempty"`
	// Gated is set if it has scheduling gates, so that it is not placed.
	Gated bool `json:"gated,omitempty"`
	// Nearest are up to three nodes that lack the least for it after all others are placed.
	Nearest []Nearest `json:"nearest,omitempty"`
	// Preempts are the pods that the scheduler would preempt for it, if any.
	Preempts *Preemption `json:"preempts,omitempty"`
	// Unknown are fields that the scheduler reads and that were not considered.
	Unknown []string `json:"notConsidered,omitempty"`
}

// Nearest is a node that has no room for a pod.
type Nearest struct {
	Node  string         `json:"node"`
	Lacks report.Amounts `json:"lacks"`
}

// Preemption is which pods make room on a node.
type Preemption struct {
	Node    string   `json:"node"`
	Victims []string `json:"victims"` // namespace/name, the most important one first
}

// Drain is what happens if a node is drained. Pods are namespace/name.
type Drain struct {
	Node      string   `json:"node"`
	Evicted   []string `json:"evicted"`
	Preempted []string `json:"preempted,omitempty"` // for pods of a higher priority that waited
	// Bare are the evicted pods without a controller, which nothing replaces: kubectl drain refuses without --force.
	Bare []string `json:"bare,omitempty"`
	// Local are the evicted pods with an emptyDir, whose data is lost: kubectl drain refuses without --delete-emptydir-data.
	Local []string `json:"local,omitempty"`
	// Protected are those that stay, since their PodDisruptionBudget allows no disruption: kubectl drain waits for it.
	Protected []Protected `json:"protected,omitempty"`
	// Pods are those that are created instead, get a node now, or wait because they would have come to this one.
	Pods []Pending `json:"pods"`
	// Missing is why a controller could not create a pod.
	Missing []string `json:"missing,omitempty"`
}

// Protected is a pod that may not be evicted, namespace/name, and why.
type Protected struct {
	Pod     string `json:"pod"`
	Message string `json:"message"`
}

// Packing is how many nodes of a shape are enough for all pods.
type Packing struct {
	// Like are the names of the nodes with this shape, if any.
	Like        []string       `json:"like,omitempty"`
	Allocatable report.Amounts `json:"allocatable"`
	// PerNode is how many pods are on each node: those of DaemonSets.
	PerNode int `json:"perNode"`
	// Pods is how many are placed on the nodes.
	Pods int `json:"pods"`
	// Nodes is how many nodes first fit decreasing needs.
	Nodes int `json:"nodes"`
	// LowerBound is a lower bound: the smallest possible number is between LowerBound and Nodes.
	LowerBound int `json:"lowerBound"`
	// TooLarge are the pods that do not fit on such a node, if any.
	TooLarge []Pending `json:"tooLarge,omitempty"`
	// Refused are the pods that its taints or their selectors keep from such a node, if any.
	Refused []Pending `json:"refused,omitempty"`
}

func (c *cluster) report(o *options, used top.Usage) Report {
	shows := o.showsPods(c)
	r := Report{Nodes: []Node{}, Pending: c.describe(shows), Ended: c.ended, Elsewhere: c.elsewhere}
	some, groups := Shown{}, map[string]*Group{}
	for _, n := range c.nodes {
		if !o.Rows.Selects(n.Node) {
			continue
		}
		node := Node{Name: n.Name, Unschedulable: n.Spec.Unschedulable, Taints: taints(n.Node), Load: n.load()}
		node.Usage = report.Amounts(used[n.Name])
		if o.pods {
			node.Pods = o.podsOf(n, used, shows)
		}
		for _, p := range node.Pods {
			some.Pods++
			some.add(&p.Load)
		}
		r.Nodes = append(r.Nodes, node)
		value := n.Labels[o.groupBy]
		if groups[value] == nil {
			groups[value] = &Group{Value: value}
		}
		groups[value].Nodes++
		groups[value].add(&node.Load)
		r.Total.add(&node.Load)
	}
	if o.narrowed() {
		part := partOf(corev1.ResourceList(some.Requests), corev1.ResourceList(some.Limits), corev1.ResourceList(r.Total.Allocatable))
		part.Usage = some.Usage
		r.Shown = &Shown{some.Pods, part}
	}
	if o.groupBy != "" {
		for _, value := range slices.Sorted(maps.Keys(groups)) {
			r.Groups = append(r.Groups, *groups[value])
		}
	}
	if o.pack {
		r.Packings = c.packings(o.shapes)
	}
	if o.drain != "" {
		r.Drain = c.drain(o.drain)
	}
	return r
}

func (l *Load) add(other *Load) {
	sum := func(a, b report.Amounts) corev1.ResourceList {
		return resourcelist.Add(corev1.ResourceList(a), corev1.ResourceList(b))
	}
	usage := report.Amounts(sum(l.Usage, other.Usage))
	*l = loadOf(sum(l.Allocatable, other.Allocatable), sum(l.Requests, other.Requests), sum(l.Limits, other.Limits))
	l.Usage = usage
}

// showsPods returns a function that reports whether a pod is shown.
func (o *options) showsPods(c *cluster) func(*pod) bool {
	among := o.Rows.Among(c.namespaces)
	return func(p *pod) bool {
		return o.ShowsNamespace(p.Namespace) && among(p.Namespace) && (o.podLabels == nil || o.podLabels.Matches(labels.Set(p.Labels)))
	}
}

// podsOf returns the pods on a node that are shown, by name.
func (o *options) podsOf(n *node, used top.Usage, shows func(*pod) bool) (pods []Pod) {
	for _, p := range n.pods {
		if !shows(p) {
			continue
		}
		pod := Pod{Namespace: p.Namespace, Name: p.Name,
			Load: partOf(p.request.Amounts(computeresources.Requests), p.request.Amounts(computeresources.Limits),
				n.Status.Allocatable)}
		pod.Usage = report.Amounts(used[p.title()])
		if o.containers {
			for ref, c := range computeresources.Containers(&p.Spec) {
				container := Container{Name: ref.String(),
					Load: partOf(c.Resources.Requests, c.Resources.Limits, n.Status.Allocatable)}
				container.Usage = report.Amounts(used[p.title()+"/"+c.Name])
				pod.Containers = append(pod.Containers, container)
			}
		}
		pods = append(pods, pod)
	}
	slices.SortStableFunc(pods, func(a, b Pod) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace),
			cmp.Compare(a.Name, b.Name))
	})
	return pods
}

func loadOf(allocatable, requests, limits corev1.ResourceList) Load {
	l := partOf(requests, limits, allocatable)
	l.Allocatable, l.Free = report.Amounts(allocatable), report.Amounts(resourcelist.Subtract(allocatable, requests))
	return l
}

// partOf returns the load of a part of a node.
func partOf(requests, limits, allocatable corev1.ResourceList) Load {
	percents := make(map[corev1.ResourceName]int64, len(allocatable))
	for name, total := range allocatable {
		if percent, ok := resourcelist.Percent(requests[name], total); ok {
			percents[name] = percent
		}
	}
	return Load{Requests: report.Amounts(requests), Limits: report.Amounts(limits), RequestsPercent: percents}
}

func (d *Drain) waiting() (n int) {
	for _, p := range d.Pods {
		if p.Node == "" {
			n++
		}
	}
	return n
}

// fails reports whether a drain does not end, or leaves a pod without a node or a controller.
func (d *Drain) fails() bool {
	return d.waiting()+len(d.Missing)+len(d.Bare)+len(d.Protected)+len(d.Preempted) > 0
}

// fits reports whether all pending pods fit, and, if nodes are packed, each pod on a node of some shape; and whether a drain
// does not fail.
func (r *Report) fits() bool {
	for _, p := range r.Pending {
		if p.Node == "" && !p.Gated && p.Message != noNode {
			return false
		}
	}
	if r.Drain != nil && r.Drain.fails() {
		return false
	}
	tooLarge := map[[2]string]int{}
	for _, p := range r.Packings {
		for _, pod := range slices.Concat(p.TooLarge, p.Refused) {
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
