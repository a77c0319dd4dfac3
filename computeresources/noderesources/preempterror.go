package noderesources

import "slices"

// PreemptError is returned if preemption makes no room for a pod.
type PreemptError struct {
	// Ineligible is why the pod may not preempt others at all, in the words of the scheduler: because of its
	// preemptionPolicy, or because of a terminating pod on its nominated node. It is "" if it may. Otherwise the other
	// fields are zero.
	Ineligible string `json:"ineligible,omitempty"`
	Nodes      int    `json:"nodes"` // how many nodes there are
	// NotHelpful is the number of nodes on which preemption does not help: the pod requests more than the
	// node has, the Filter refuses it, or it fits there anyway.
	NotHelpful int `json:"notHelpful"`
	NoVictims  int `json:"noVictims"` // on how many of the others no pod has a lower priority
	// Reasons are what the remaining nodes would be short of without all pods of a lower priority, by message.
	Reasons []FitReason `json:"reasons,omitempty"`
}

// err returns why preemption on none of so many nodes makes room.
func (d *dryRun) err(nodes int) *PreemptError {
	slices.SortFunc(d.reasons, compareReasons)
	return &PreemptError{Nodes: nodes, NotHelpful: nodes - d.noVictims - d.short, NoVictims: d.noVictims,
		Reasons: d.reasons}
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
	case e == nil:
		return "<nil>"
	case e.Ineligible != "":
		return prefix + e.Ineligible
	case e.Nodes == 0:
		return prefix + "no nodes available"
	}
	reasons := slices.Clone(e.Reasons)
	add := func(nodes int, message string) {
		if nodes > 0 {
			reasons = append(reasons, FitReason{Message: message, Nodes: nodes})
		}
	}
	add(e.NotHelpful, "Preemption is not helpful for scheduling")
	add(e.NoVictims, "No preemption victims found for incoming pod")
	return prefix + noneAvailable(e.Nodes, reasons)
}
