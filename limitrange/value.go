package limitrange

import (
	"cmp"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
)

// Bound says which list of a LimitRange item a value stands in.
type Bound uint8

const (
	Min            Bound = iota // min: the least request and limit
	Max                         // max: the greatest limit and request
	Ratio                       // maxLimitRequestRatio: how many times the request a limit may be
	DefaultLimit                // default: the limit of a container that has none
	DefaultRequest              // defaultRequest: the request of a container that has none

	// The aggregate keeps the greatest defaults as well, to find those that are out
	// of bounds.
	greatestLimit
	greatestRequest
)

// String returns the name of the list in a manifest, such as "maxLimitRequestRatio", and
// "unknown" for a value that is none of the constants.
func (b Bound) String() string {
	switch b {
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
	return "unknown"
}

// BoundValue is one amount of a LimitRange, and where it stands.
type BoundValue struct {
	Type     corev1.LimitType
	Resource corev1.ResourceName
	Bound    Bound
	Amount   resource.Quantity
	Source   computeresources.Source
}

// String returns the value in words: "Container cpu max 2 of LimitRange team/bounds".
func (v BoundValue) String() string {
	return fmt.Sprintf("%s %s %v %s of %v", v.Type, v.Resource, v.Bound, v.Amount.String(), v.Source)
}

// words returns the value without type and resource: "max 2 of LimitRange team/bounds".
func (v BoundValue) words() string {
	return fmt.Sprintf("%v %s of %v", v.Bound, v.Amount.String(), v.Source)
}

// owned returns the value with a quantity of its own.
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

// prevails reports whether v, rather than other of the same key, is the value of the
// aggregate: the greatest minimum, the least of anything else. Equal amounts go by
// source, and equal amounts of one source by spelling, so that exactly one of two
// different values prevails.
func (v BoundValue) prevails(other BoundValue) bool {
	order := v.Amount.Cmp(other.Amount)
	if v.Bound == Min || v.Bound == greatestLimit || v.Bound == greatestRequest {
		order = -order
	}
	return cmp.Or(order, compareSources(v.Source, other.Source), cmp.Compare(spelling(v.Amount), spelling(other.Amount))) < 0
}

// spelling tells quantities of one value apart: 1 and 1000m, 1Gi and 1073741824. It takes
// a copy, as String writes to its receiver.
func spelling(q resource.Quantity) string { return q.String() + string(q.Format) }
