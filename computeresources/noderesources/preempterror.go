package noderesources

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// PreemptError is returned if preemption makes no room for a pod.
type PreemptError struct {
	// Ineligible is why the pod may not preempt others at all, in the words of the scheduler: because of its
	// preemptionPolicy, or because of a terminating pod on its nominated node. It is "" if it may. Otherwise the other
	// fields are zero.
	Ineligible string
	Nodes      int // how many nodes there are
	// NotHelpful is the number of nodes on which preemption does not help: the pod requests more than the
	// node has, the Filter refuses it, or it fits there anyway.
	NotHelpful int
	NoVictims  int // on how many of the others no pod has a lower priority
	// Reasons are what the remaining nodes would be short of without all pods of a lower priority, in the order of
	// Shortages.
	Reasons []FitReason
}

// err returns why preemption on none of so many nodes makes room.
func (d *dryRun) err(nodes int) *PreemptError {
	slices.SortFunc(d.reasons, func(a, b FitReason) int {
		return cmp.Or(rankOf(a.Resource)-rankOf(b.Resource), strings.Compare(string(a.Resource), string(b.Resource)))
	})
	return &PreemptError{Nodes: nodes, NotHelpful: nodes - d.noVictims - d.short, NoVictims: d.noVictims, Reasons: d.reasons}
}

// rankOf returns where a resource is in the order of Shortages.
func rankOf(name corev1.ResourceName) int {
	if name == corev1.ResourcePods {
		return -1
	}
	if i, isNative := nativeOf(name); isNative {
		return i
	}
	return natives
}

// Error returns the message of the scheduler, which follows that of FitError in events and in the condition
// PodScheduled: "preemption: 0/5 nodes are available: 2 No preemption victims found for incoming pod, 3
// Insufficient cpu.", in which reasons are sorted as text.
//
// Source: Evaluator.Preempt of k8s.io/kubernetes/pkg/scheduler/framework/preemption, and PostFilter of the plugin
// DefaultPreemption.
func (e *PreemptError) Error() string {
	const prefix = "preemption: "
	switch {
	case e.Ineligible != "":
		return prefix + e.Ineligible
	case e.Nodes == 0:
		return prefix + "no nodes available"
	}
	var reasons []string
	add := func(nodes int, reason string) {
		if nodes > 0 {
			reasons = append(reasons, fmt.Sprintf("%d %s", nodes, reason))
		}
	}
	add(e.NotHelpful, "Preemption is not helpful for scheduling")
	add(e.NoVictims, "No preemption victims found for incoming pod")
	for _, r := range e.Reasons {
		add(r.Nodes, (&Shortage{Resource: r.Resource}).Error())
	}
	slices.Sort(reasons)
	return fmt.Sprintf("%s0/%d nodes are available: %s.", prefix, e.Nodes, strings.Join(reasons, ", "))
}
