package noderesources

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/eviction"
)

// PotentialVictim is a pod on a node that another pod may preempt. The Ledger has its request under the same UID.
type PotentialVictim struct {
	UID       types.UID         `json:"uid,omitempty"`
	Namespace string            `json:"namespace,omitempty"`
	Name      string            `json:"name,omitempty"`
	Labels    map[string]string `json:"labels,omitempty"` // for budgets
	Priority  int32             `json:"priority"`
	// StartTime is zero for a pod that has not started. It counts as started after all others.
	StartTime metav1.Time `json:"startTime,omitzero"`
	// Preempted reports that the scheduler has preempted the pod already, and it is terminating.
	Preempted bool `json:"preempted,omitempty"`
}

// PotentialVictimOf returns what counts of a pod. Without a priority, it is zero. A nil pod returns the zero
// PotentialVictim. The labels are copied.
func PotentialVictimOf(pod *corev1.Pod) PotentialVictim {
	if pod == nil {
		return PotentialVictim{}
	}
	v := PotentialVictim{
		UID: pod.UID, Namespace: pod.Namespace, Name: pod.Name, Labels: maps.Clone(pod.Labels),
		Priority: eviction.Priority(pod), Preempted: isPreempted(pod),
	}
	if pod.Status.StartTime != nil {
		v.StartTime = *pod.Status.StartTime
	}
	return v
}

// isPreempted reports whether a pod is terminating because the scheduler has preempted it.
//
// Source: podTerminatingByPreemption of k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption.
func isPreempted(pod *corev1.Pod) bool {
	if pod.DeletionTimestamp == nil {
		return false
	}
	for i := range pod.Status.Conditions {
		if c := &pod.Status.Conditions[i]; c.Type == corev1.DisruptionTarget { // the first decides
			return c.Status == corev1.ConditionTrue && c.Reason == corev1.PodReasonPreemptionByScheduler
		}
	}
	return false
}

// NominatedPod is a pod that waits for room on a node: the scheduler has preempted others for it.
type NominatedPod struct {
	Node     string // its status.nominatedNodeName
	Priority int32
	Request  Request
}

// PreemptOptions describe the pod that preempts others, and what it has to respect. The zero value means a
// pod of priority zero, all nodes, no budgets and no nominated pods.
type PreemptOptions struct {
	FitOptions

	// Kubernetes selects how pods count in Budgets. Of its fields, Release counts.
	Kubernetes computeresources.Kubernetes

	// Priority is that of the pod. Pods of a lower priority are potential victims.
	Priority int32
	// PreemptionPolicy is that of the pod. With PreemptNever, Cluster.Preempt returns an error.
	PreemptionPolicy corev1.PreemptionPolicy
	// NominatedNode is the status.nominatedNodeName of the pod. It preempts no others while a pod that it has
	// preempted is terminating there, unless preemption can no longer help on that node.
	NominatedNode string

	// Nominated are other pods that are nominated to a node. Those of at least the same priority count as if
	// they were on that node; and, as in the scheduler, the pod also has to fit without them.
	Nominated []NominatedPod
	// Budgets are violated if there is no other way. A pod counts in its budgets in the order of their names up to the
	// first that it violates; up to 1.36, in all of them. Those that are nil, or whose selector is nil or invalid, are
	// ignored, and so are those of an empty selector; since 1.38, that matches all pods.
	Budgets []*policyv1.PodDisruptionBudget
	// Filter reports whether the pod may be on a node apart from its resources, whatever is preempted
	// there: for example, whether it tolerates the taints of the node. Nil means any node. It is called once
	// for each node, in the order of their names, and before for NominatedNode.
	Filter func(node string) bool
	// Pods is what else decides whether the pod may be on a node, and depends on the pods there, such as their host
	// ports. Nil means nothing. If it refuses a node for good, the node is like one that Filter refuses.
	Pods PodFilter

	// Offset and Count select the nodes that are tried, among those on which preemption may help, in the
	// order of their names. The first one is at Offset, and the last is followed by the first by name. Once
	// there are Count nodes on which preemption makes room, and one of them without violating a budget, no other
	// is tried. With a Count of zero or less, all nodes are tried.
	//
	// The scheduler draws an Offset. Its Count is the larger of MinCandidateNodesPercentage (10) of these nodes
	// and MinCandidateNodesAbsolute (100).
	Offset, Count int
}

// PodFilter knows where a pod may be by the pods of nodes, apart from their resources. It gets the names of nodes, and
// the indices of pods in the list of the pods on the node.
type PodFilter interface {
	// Refusal returns why the pod may not be on a node now, empty if it may, and whether it may once pods have left.
	Refusal(node string) (message string, isResolvable bool)
	// Evict takes a pod from its node, and PutBack puts it back. In the end, all are back.
	Evict(node string, pod int)
	PutBack(node string, pod int)
}

// Preemption is which pods have to be preempted on a node so that another pod fits there.
type Preemption struct {
	Node string `json:"node,omitempty"` // "" for that of a Ledger
	// Victims are the indices of the pods in the list of the pods on the node, the most important one first: by
	// priority, the time for which they have been running, namespace, name and UID.
	Victims []int `json:"victims,omitempty"`
	// PDBViolations is how many of them are protected by a budget that allows no more disruptions.
	PDBViolations int `json:"pdbViolations"`
}

// Victims returns which of the pods on the node have to be preempted so that a pod with this request fits: pods
// of a lower priority, as few of the important ones as possible. If there are none of a lower priority, or the
// pod does not fit without all of them either, it returns a *PreemptError. There are no victims if the pod fits.
//
// All pods of a lower priority are taken from the node. Then each is put back if the pod still fits: first those that
// a budget protects, then all others, and the most important ones first. Those that cannot be put back are the
// victims. The result is not always the smallest number of pods.
//
// Pods that are not known to the Ledger by their UID are ignored, and they may be in any order. Of the options,
// FitOptions, Priority, Nominated, Budgets and Pods count. All Nominated pods count, whatever their Node, and Pods
// gets an empty name of the node.
//
// Cost: n·log(n) for n pods, and a comparison of each with the budgets of its namespace.
//
// Source: SelectVictimsOnNode of k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption.
func (l *Ledger) Victims(r Request, pods []PotentialVictim, opts PreemptOptions) (Preemption, error) {
	l = l.orEmpty()
	d := newDryRun(&r, &opts)
	var nominated []*Request
	for i := range opts.Nominated {
		nominated = d.appendNominated(nominated, &opts.Nominated[i])
	}
	if !d.run("", l, pods, nominated) {
		return Preemption{}, d.err(1)
	}
	return d.preemption(""), nil
}

// Preempt returns the node on which the scheduler makes room for a pod with this request by preempting
// others, and its victims there, as Ledger.Victims returns them. Pods returns what is on a node, which the victims are
// indices of. It is called for nodes on which preemption may help and for NominatedNode, and may be nil if there is
// nothing to preempt.
//
// Preemption may help on a node that is short of some resource for the pod, but has at least as much of it as
// the pod requests, and on a node where other pods are in the way of PreemptOptions.Pods. The node with the fewest
// violated budgets is chosen; of several, the one with the lowest
// priority of its most important victim, then the lowest sum of priorities (each plus 2³¹), the fewest
// victims, the latest start of a victim with the highest priority there, and at last the first by name.
// Nodes on which the pod fits are ignored: the scheduler preempts only if CheckFit returns an error.
//
// If the pod may not preempt others, or there is no such node, it returns a *PreemptError; for an unknown
// PreemptionPolicy, a *field.Error. Cost: that of Ledger.Victims for each node on which preemption may help.
//
// Source: Evaluator.Preempt and pickOneNodeForPreemption of
// k8s.io/kubernetes/pkg/scheduler/framework/preemption. Extenders are not called.
func (c *Cluster) Preempt(
	r Request, pods func(node string) []PotentialVictim, opts PreemptOptions,
) (Preemption, error) {
	if pods == nil {
		pods = func(string) []PotentialVictim { return nil }
	}
	switch opts.PreemptionPolicy {
	case "", corev1.PreemptLowerPriority, corev1.PreemptNever:
	default:
		return Preemption{}, field.NotSupported(field.NewPath("preemptionPolicy"), opts.PreemptionPolicy,
			[]corev1.PreemptionPolicy{corev1.PreemptNever, corev1.PreemptLowerPriority})
	}
	c = c.orEmpty()
	d := newDryRun(&r, &opts)
	nominated := map[string][]*Request{}
	for i := range opts.Nominated {
		n := &opts.Nominated[i]
		nominated[n.Node] = d.appendNominated(nominated[n.Node], n)
	}
	if reason := c.ineligible(d, pods, nominated); reason != "" {
		return Preemption{}, &PreemptError{Ineligible: reason}
	}
	tried := make([]int, 0, len(c.names)) // the rows on which preemption may help
	for row, name := range c.names {
		if d.refuses(name) {
			continue
		}
		if d.mayHelp(name, &c.members[row].Ledger, nominated[name]) {
			tried = append(tried, row)
		}
	}
	var chosen Preemption
	least := cost{row: -1}
	w := window{count: opts.Count}
	for _, row := range rotated(tried, opts.Offset) {
		if w.isComplete() {
			break
		}
		name := c.names[row]
		if !d.run(name, &c.members[row].Ledger, pods(name), nominated[name]) {
			continue
		}
		if other := d.cost(row); w.takes(&other) && (least.row < 0 || other.compare(&least) < 0) {
			chosen, least = d.preemption(name), other
		}
	}
	if least.row < 0 {
		return Preemption{}, d.err(len(c.names))
	}
	return chosen, nil
}

// ineligible returns why the pod may not preempt others at all, in the words of the scheduler, or "".
//
// Source: PodEligibleToPreemptOthers of
// k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption.
func (c *Cluster) ineligible(d *dryRun, pods func(node string) []PotentialVictim,
	nominated map[string][]*Request) string {
	if d.opts.PreemptionPolicy == corev1.PreemptNever {
		return "not eligible due to preemptionPolicy=Never."
	}
	name := d.opts.NominatedNode
	row, known := c.find(name)
	if name == "" || !known || d.refuses(name) {
		return ""
	}
	l := &c.members[row].Ledger
	if d.shortages(l, nominated[name]).Unresolvable() {
		return ""
	}
	for _, v := range d.potential(l, pods(name)) {
		if v.pod.Preempted {
			return "not eligible due to a terminating pod on the nominated node."
		}
	}
	return ""
}

// rotated returns rows from an offset on, and then those before it.
func rotated(rows []int, offset int) []int {
	if len(rows) == 0 {
		return nil
	}
	offset = (offset%len(rows) + len(rows)) % len(rows)
	return slices.Concat(rows[offset:], rows[:offset])
}

// window counts on how many nodes preemption makes room.
//
// Source: DryRunPreemption of k8s.io/kubernetes/pkg/scheduler/framework/preemption, for one node after the other.
type window struct {
	count             int
	violating, others int
}

// takes counts a node, and reports whether it may be chosen.
func (w *window) takes(c *cost) bool {
	if c.violations == 0 {
		w.others++
		return true
	}
	w.violating++
	return w.count <= 0 || w.violating <= w.count
}

// isComplete reports whether no other node is tried.
func (w *window) isComplete() bool {
	return w.count > 0 && w.others > 0 && w.others+min(w.violating, w.count) >= w.count
}
