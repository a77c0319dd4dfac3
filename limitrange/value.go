package limitrange

import (
	"cmp"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/enum"
	"github.com/kubemath/kubemath/internal/ordering"
	"github.com/kubemath/kubemath/internal/quantity"
)

// Bound says how an amount bounds requests and limits: as a list of a LimitRange item or, in a
// Conflict, as what remains of a ResourceQuota or what the pod sets. The zero value is unspecified.
type Bound uint8

const (
	Min            Bound = iota + 1 // min: the smallest request and limit
	Max                             // max: the largest limit and request
	Ratio                           // maxLimitRequestRatio: how many times the request a limit may be
	DefaultLimit                    // default: the limit of a container that has none
	DefaultRequest                  // defaultRequest: the request of a container that has none

	// These only occur in conflicts.

	Remaining // the remaining amount of a ResourceQuota
	Overhead  // spec.overhead, which counts against quotas
	Request   // a request that is set in the pod
	Limit     // a limit that is set in the pod

	// The aggregate also keeps the largest defaults, to find those that are out of
	// bounds.
	greatestLimit
	greatestRequest
)

// String returns the name of the list in a manifest, such as "maxLimitRequestRatio";
// "remaining", "overhead", "request" or "limit"; "unspecified" for the zero value, and
// "unknown" for any other value.
func (b Bound) String() string {
	switch b {
	case 0:
		return "unspecified"
	case Remaining:
		return "remaining"
	case Overhead:
		return "overhead"
	case Request:
		return "request"
	case Limit:
		return "limit"
	case Min:
		return "min"
	case Max:
		return "max"
	case Ratio:
		return "maxLimitRequestRatio"
	case DefaultLimit, greatestLimit:
		return "default"
	case DefaultRequest, greatestRequest:
		return "defaultRequest"
	}
	return enum.Unknown
}

// MarshalText returns the name that String returns, and an error for an undefined value.
func (b Bound) MarshalText() ([]byte, error) { return enum.Marshal(b) }

// UnmarshalText sets b to the bound of that name. An unknown name is an error.
func (b *Bound) UnmarshalText(text []byte) error { return enum.Unmarshal(b, text, Limit) }

// BoundValue is one amount that constrains requests and limits, and where it is set: in a
// LimitRange or, in a Conflict, also in a ResourceQuota or in the pod.
type BoundValue struct {
	Type corev1.LimitType `json:"type,omitempty"` // of the LimitRange item; otherwise empty
	// Ref is the part of the pod for Overhead, Request and Limit, and otherwise zero.
	Ref computeresources.Ref `json:"ref,omitzero"`
	// Resource is the name under which the amount is set, such as requests.cpu in a quota.
	Resource corev1.ResourceName     `json:"resource"`
	Bound    Bound                   `json:"bound"`
	Amount   resource.Quantity       `json:"amount"`
	Source   computeresources.Source `json:"source,omitzero"` // zero if it is set in the pod, or not known
}

// String returns the value in words:
//
//	Container cpu max 2 of LimitRange team/bounds
//	requests.cpu remaining 500m of ResourceQuota team/compute
//	container app cpu request 2
func (v BoundValue) String() string {
	of := string(v.Type)
	if v.Ref != (computeresources.Ref{}) {
		of = v.Ref.String()
	}
	if of != "" {
		of += " "
	}
	return fmt.Sprintf("%s%s %s", of, v.Resource, v.boundAndSource())
}

// boundAndSource returns the value without its type and resource: "max 2 of LimitRange team/bounds".
func (v BoundValue) boundAndSource() string {
	amount := quantity.Text(&v.Amount)
	if v.Source == (computeresources.Source{}) {
		return fmt.Sprintf("%v %s", v.Bound, amount)
	}
	return fmt.Sprintf("%v %s of %v", v.Bound, amount, v.Source)
}

// owned returns the value with its own quantity.
func (v BoundValue) owned() BoundValue {
	v.Amount = v.Amount.DeepCopy()
	return v
}

// compareKeys orders values by type, resource and bound.
func (v BoundValue) compareKeys(other BoundValue) int {
	return cmp.Or(
		cmp.Compare(v.Type, other.Type),
		cmp.Compare(v.Resource, other.Resource),
		cmp.Compare(v.Bound, other.Bound),
	)
}

// prevails reports whether v, rather than other with the same key, is the value of the aggregate:
// the largest minimum, and the smallest of anything else. Equal amounts are ordered by source, and
// equal amounts of one source by format, so that exactly one of two different values prevails.
func (v BoundValue) prevails(other BoundValue) bool {
	order := v.Amount.Cmp(other.Amount)
	if v.Bound == Min || v.Bound == greatestLimit || v.Bound == greatestRequest {
		order = -order
	}
	return cmp.Or(order, ordering.Sources(v.Source, other.Source),
		cmp.Compare(formatted(v.Amount), formatted(other.Amount))) < 0
}

// formatted distinguishes quantities of the same value: 1 and 1000m, 1Gi and 1073741824. It takes a
// copy, because String writes to its receiver.
func formatted(q resource.Quantity) string { return q.String() + string(q.Format) }
