package limitrange

import (
	"fmt"
	"math/big"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/limitranger"
	"github.com/kubemath/kubemath/internal/quantity"
)

// ConflictCause says how values of an aggregate contradict each other.
type ConflictCause uint8

const (
	// MinAboveMax: no amount is within the bounds.
	MinAboveMax ConflictCause = iota
	// MaxBelowZero: no amount is within the bounds, since none is negative.
	MaxBelowZero
	// RatioUnreachable: no request and limit within the bounds meet the ratio. In a
	// container, whose limit is at least its request, that is a ratio below 1; in a
	// pod, whose limits may add up to less, because not every container has one, it is
	// a ratio below min/max. A maximum of zero meets no ratio either: the limit must
	// be positive.
	RatioUnreachable
	// DefaultOutOfBounds: a container that gets the default is rejected for it. With
	// several ranges, the server may take the default of any of them, so that each
	// has to be within the bounds of all. Not reported where no amount is.
	DefaultOutOfBounds
	// DefaultsReversed: the default request is above the default limit, so that a
	// container that gets both is invalid.
	DefaultsReversed
	// DefaultsExceedRatio: a container that gets both defaults is rejected for their
	// ratio.
	DefaultsExceedRatio
)

// String returns the cause in words, such as "min is above max", and "unknown" for a value
// that is none of the constants.
func (c ConflictCause) String() string {
	switch c {
	case MinAboveMax:
		return "min is above max"
	case MaxBelowZero:
		return "max is below zero"
	case RatioUnreachable:
		return "no request and limit within the bounds meet the ratio"
	case DefaultOutOfBounds:
		return "the default is out of bounds"
	case DefaultsReversed:
		return "the default request is above the default limit"
	case DefaultsExceedRatio:
		return "the defaults exceed the ratio"
	}
	return "unknown"
}

// Conflict is a contradiction among the values of an aggregate for one type and resource.
type Conflict struct {
	Cause    ConflictCause
	Type     corev1.LimitType
	Resource corev1.ResourceName
	Values   []BoundValue // one to three that cannot all be met, each as stated
}

// String returns the conflict in words: "Container cpu: min is above max: min 2 of
// LimitRange team/a, max 1 of LimitRange team/b".
func (c Conflict) String() string {
	values := make([]string, len(c.Values))
	for i, v := range c.Values {
		values[i] = v.words()
	}
	return fmt.Sprintf("%s %s: %v: %s", c.Type, c.Resource, c.Cause, strings.Join(values, ", "))
}

// Conflicts returns the contradictions among the values of an aggregate, by type,
// resource and cause: those that reject every pod or claim, and those that reject a
// container for what it was given by default. Without any, each resource has a request
// and a limit that pass.
//
// What a pod states itself may still contradict the ranges: see Policy.Admit. Types other
// than Container and Pod are only checked for MinAboveMax and MaxBelowZero, since the
// LimitRanger looks at nothing else in them. The quantities are the caller's.
func (a Aggregate) Conflicts() []Conflict {
	var found []Conflict
	for i, v := range a.values {
		if i > 0 && v.Type == a.values[i-1].Type && v.Resource == a.values[i-1].Resource {
			continue
		}
		s := a.stated(v.Type, v.Resource)
		found = s.appendBoundConflicts(found)
		switch v.Type {
		case corev1.LimitTypeContainer:
			found = s.appendContainerRatioConflicts(found)
			found = s.appendDefaultConflicts(found)
		case corev1.LimitTypePod:
			found = s.appendPodRatioConflicts(found)
		}
	}
	return found
}

// stated are the values for one type and resource; those that are nil are not stated.
type stated struct {
	min, max, ratio                *BoundValue
	limit, request                 *BoundValue // the least defaults
	greatestLimit, greatestRequest *BoundValue // the greatest
}

func (a Aggregate) stated(limitType corev1.LimitType, name corev1.ResourceName) stated {
	find := func(bound Bound) *BoundValue {
		if v, found := a.find(limitType, name, bound); found {
			return &v
		}
		return nil
	}
	return stated{
		find(Min), find(Max), find(Ratio),
		find(DefaultLimit), find(DefaultRequest), find(greatestLimit), find(greatestRequest),
	}
}

func (s stated) appendBoundConflicts(found []Conflict) []Conflict {
	if above(s.min, s.max) {
		found = append(found, conflict(MinAboveMax, s.min, s.max))
	}
	if s.max != nil && s.max.Amount.Sign() < 0 {
		found = append(found, conflict(MaxBelowZero, s.max))
	}
	return found
}

func (s stated) appendContainerRatioConflicts(found []Conflict) []Conflict {
	if s.ratio == nil {
		return found
	}
	if s.ratio.Amount.Cmp(*resource.NewQuantity(1, resource.DecimalSI)) < 0 {
		found = append(found, conflict(RatioUnreachable, s.ratio))
	}
	return s.appendRatioOfNothing(found)
}

func (s stated) appendPodRatioConflicts(found []Conflict) []Conflict {
	if s.ratio == nil {
		return found
	}
	switch {
	case s.ratio.Amount.Sign() <= 0:
		found = append(found, conflict(RatioUnreachable, s.ratio))
	case s.min != nil && s.max != nil && !above(s.min, s.max):
		mostRequested := new(big.Rat).Mul(quantity.Rational(s.ratio.Amount), quantity.Rational(s.max.Amount))
		if quantity.Rational(s.min.Amount).Cmp(mostRequested) > 0 {
			found = append(found, conflict(RatioUnreachable, s.ratio, s.min, s.max))
		}
	}
	return s.appendRatioOfNothing(found)
}

// appendRatioOfNothing is about a maximum that allows no positive limit.
func (s stated) appendRatioOfNothing(found []Conflict) []Conflict {
	if s.max != nil && s.max.Amount.IsZero() {
		found = append(found, conflict(RatioUnreachable, s.ratio, s.max))
	}
	return found
}

// appendDefaultConflicts leaves out defaults that no amount could be better than.
func (s stated) appendDefaultConflicts(found []Conflict) []Conflict {
	if above(s.min, s.max) || s.max != nil && s.max.Amount.Sign() < 0 {
		return found
	}
	for _, out := range [][2]*BoundValue{
		{s.greatestLimit, s.max}, {s.min, s.limit},
		{s.greatestRequest, s.max}, {s.min, s.request},
	} {
		if above(out[0], out[1]) {
			found = append(found, conflict(DefaultOutOfBounds, out[0], out[1]))
		}
	}
	if above(s.request, s.limit) {
		found = append(found, conflict(DefaultsReversed, s.request, s.limit))
	}
	if s.request != nil && s.limit != nil && s.ratio != nil {
		asGiven := limitranger.Amounts{Request: &s.request.Amount, Limit: &s.limit.Amount}
		if verdict, _ := asGiven.CheckRatio(s.ratio.Amount); verdict != limitranger.Passes {
			found = append(found, conflict(DefaultsExceedRatio, s.request, s.limit, s.ratio))
		}
	}
	return found
}

// above reports whether both values are stated, and the lower one is above the upper one.
func above(lower, upper *BoundValue) bool {
	return lower != nil && upper != nil && lower.Amount.Cmp(upper.Amount) > 0
}

func conflict(cause ConflictCause, values ...*BoundValue) Conflict {
	c := Conflict{Cause: cause, Type: values[0].Type, Resource: values[0].Resource}
	for _, v := range values {
		v := v.owned()
		switch v.Bound {
		case greatestLimit:
			v.Bound = DefaultLimit
		case greatestRequest:
			v.Bound = DefaultRequest
		case Min, Max, Ratio, DefaultLimit, DefaultRequest:
			// Exported bounds.
		}
		c.Values = append(c.Values, v)
	}
	return c
}
