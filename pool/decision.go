package pool

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/quantity"
)

// State is the result of an allocation for a claim.
type State string

// The states. Only a claim in state Holding has its resources.
const (
	Holding        State = "Bound"
	PoolExhausted  State = "PoolExhausted"  // waits for resources that the pool is short of
	QueueExhausted State = "QueueExhausted" // waits for an earlier claim for the same resources
	Released       State = "Released"       // was holding, and gives everything back
	Invalid        State = "Invalid"        // requests a negative amount
)

// Decision is the result of an allocation for a claim, with the reasons.
type Decision struct {
	Claim types.NamespacedName `json:"claim,omitzero"`
	State State                `json:"state,omitempty"`
	// Shortages are the resources that prevent the claim from being granted, sorted by name. There are
	// none in the states Holding and Released.
	Shortages []Shortage `json:"shortages,omitempty"`
}

// Shortage is a resource that keeps a claim from being granted.
type Shortage struct {
	Resource  corev1.ResourceName `json:"resource"`
	Requested resource.Quantity   `json:"requested"` // in the format of the claim
	// Available is what remains in the pool, in the state PoolExhausted.
	Available resource.Quantity `json:"available,omitzero"`
	// Queued is what the earlier claim waits for, in the state QueueExhausted.
	Queued resource.Quantity `json:"queued,omitzero"`
}

// The condition types, reasons and messages that are not those of a state.
const (
	conditionBound      = "Bound"
	conditionExhausted  = "Exhausted"
	conditionReady      = "Ready"
	reasonSucceeded     = "Succeeded"
	reasonFailed        = "Failed"
	reasonNoExhaustions = "NoExhaustions"
	reasonInUse         = "InUse"
	reasonUnused        = "Unused"
)

// Message returns why the claim is in its state, in the words of Capsule: "requested: requests.memory=2Gi, available:
// requests.memory=1Gi", and the like for each shortage, joined by "; ".
func (d Decision) Message() string {
	switch d.State {
	case Holding:
		return "resource claimable from pool"
	case Released:
		return "claim is disassociated from the pool"
	case PoolExhausted, QueueExhausted, Invalid: // for each shortage
	}
	parts := make([]string, len(d.Shortages))
	for i, s := range d.Shortages {
		parts[i] = fmt.Sprintf("requested: %s=%s, ", s.Resource, quantity.Text(&s.Requested))
		switch d.State {
		case PoolExhausted:
			parts[i] += fmt.Sprintf("available: %s=%s", s.Resource, quantity.Text(&s.Available))
		case QueueExhausted:
			parts[i] += fmt.Sprintf("queued: %s=%s", s.Resource, quantity.Text(&s.Queued))
		case Invalid:
			parts[i] += "must not be negative"
		case Holding, Released: // without shortages
		}
	}
	return strings.Join(parts, "; ")
}

// Condition returns the condition for the decision, without the time. A released claim has none.
//
//   - Of the current API: type Exhausted; for a holding claim with status False, reason
//     NoExhaustions and the Message, and for others with status True, the state and the Message.
//   - Of the documented API: type Bound; for a holding claim with status True, reason Succeeded and
//     message "Claimed resources", and for others with status False, the state and the Message.
func (d Decision) Condition(opts Options) metav1.Condition {
	switch d.State {
	case Holding:
		if opts.Documented {
			return condition(conditionBound, metav1.ConditionTrue, reasonSucceeded, "Claimed resources")
		}
		return condition(conditionExhausted, metav1.ConditionFalse, reasonNoExhaustions, d.Message())
	case PoolExhausted, QueueExhausted, Invalid:
		if opts.Documented {
			return condition(conditionBound, metav1.ConditionFalse, string(d.State), d.Message())
		}
		return condition(conditionExhausted, metav1.ConditionTrue, string(d.State), d.Message())
	case Released:
	}
	return metav1.Condition{}
}
