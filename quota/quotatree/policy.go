package quotatree

import (
	"cmp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/internal/aggregate"
)

// Holder is something that holds amounts of a node, or requests them, and releases all of them at once: a
// workload, a job or a claim.
type Holder struct {
	// Name is for the caller, and breaks ties.
	Name string
	// Node is where it holds, or requests, Amounts.
	Node    string
	Amounts map[corev1.ResourceName]int64
	// Priority is the higher the more important.
	Priority int32
	// Queued is when it began to wait; LowerOrNewerEqualPriority compares it. Since is when it got its
	// amounts.
	Queued, Since time.Time
	// Leaving means that it releases its amounts anyway, so it is the first choice.
	Leaving bool
}

// Policy says from which holders Tree.Reclaim may reclaim, and in which order. The zero value reclaims
// nothing.
type Policy struct {
	// WithinNode is for holders of the node of the request: withinClusterQueue of Kueue.
	WithinNode Preemption
	// WithinTree is for holders of other nodes, which have to borrow: reclaimWithinCohort of Kueue.
	WithinTree Preemption
	// BorrowAtMost is for a request that has to borrow itself: it may reclaim from holders of other nodes
	// up to this priority, if theirs is lower than its own. With nil, it may not; math.MaxInt32 is any
	// lower priority. It is maxPriorityThreshold of borrowWithinCohort of Kueue, whose policy is Never
	// or LowerPriority.
	BorrowAtMost *int32
	// Order is the order of the holders.
	Order Order
}

// validate returns the values that do not exist.
func (p *Policy) validate() error {
	var found problems
	path := field.NewPath("policy")
	preemptions := []Preemption{Never, LowerPriority, LowerOrNewerEqualPriority, Any}
	orders := []Order{ByPriority, ByTime, ByShare}
	if !slices.Contains(preemptions, cmp.Or(p.WithinNode, Never)) {
		found = append(found, field.NotSupported(path.Child("withinNode"), p.WithinNode, preemptions))
	}
	if !slices.Contains(preemptions, cmp.Or(p.WithinTree, Never)) {
		found = append(found, field.NotSupported(path.Child("withinTree"), p.WithinTree, preemptions))
	}
	if !slices.Contains(orders, cmp.Or(p.Order, ByPriority)) {
		found = append(found, field.NotSupported(path.Child("order"), p.Order, orders))
	}
	return aggregate.Of(found)
}

// Preemption says for which holders a request is more important, in the words of Kueue. The zero value is Never.
type Preemption string

const (
	// Never means that nothing is reclaimed.
	Never Preemption = "Never"
	// LowerPriority are holders with a priority below that of the request.
	LowerPriority Preemption = "LowerPriority"
	// LowerOrNewerEqualPriority are also holders with the same priority that began to wait later.
	LowerOrNewerEqualPriority Preemption = "LowerOrNewerEqualPriority"
	// Any are all holders.
	Any Preemption = "Any"
)

func (p Preemption) allows(request, h *Holder) bool {
	switch p {
	case LowerPriority:
		return h.Priority < request.Priority
	case LowerOrNewerEqualPriority:
		return h.Priority < request.Priority || h.Priority == request.Priority && request.Queued.Before(h.Queued)
	case Any:
		return true
	case Never:
		return false
	}
	return false // "" is Never
}

// Order is an order of holders, in which those come first from which is reclaimed first. In all of them,
// holders that are leaving come first, then those of nodes that use what is due to the node of the
// request, then those of other nodes, and then those of its own node. The zero value is ByPriority.
type Order string

const (
	// ByPriority is the lower priority first, then the holder that got its amounts last, then the smaller
	// name: the order of Kueue.
	ByPriority Order = "Priority"
	// ByTime is the holder that got its amounts last first, then the lower priority.
	ByTime Order = "Time"
	// ByShare is the holder of the node with the largest Share first: from the root down, the child with
	// the largest share, the first one by the order of the nodes if they are equal. Shares are computed
	// anew whenever something was reclaimed. Within a node, it is ByPriority.
	ByShare Order = "Share"
)
