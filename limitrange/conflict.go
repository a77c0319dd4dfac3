package limitrange

import (
	"fmt"
	"math/big"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/aggregate"
	"github.com/kubemath/kubemath/internal/limitranger"
	"github.com/kubemath/kubemath/internal/quantity"
)

// ConflictCause is how values contradict each other. The zero value is unspecified.
type ConflictCause string

const (
	// MinAboveMax: no amount is within the bounds.
	MinAboveMax ConflictCause = "MinAboveMax"
	// MaxBelowZero: no amount is within the bounds, because the maximum is negative.
	MaxBelowZero ConflictCause = "MaxBelowZero"
	// RatioUnreachable: no request and limit within the bounds satisfy the ratio. For a container,
	// whose limit is at least its request, this is a ratio below 1. For a pod, whose limits may add
	// up to less than its requests because some containers have no limit, it is a ratio below
	// min/max. With a maximum of zero, no ratio can be satisfied, since the limit must be positive.
	RatioUnreachable ConflictCause = "RatioUnreachable"
	// DefaultOutOfBounds: a container that gets the default is rejected. With several ranges, the
	// server may use the default of any of them, so each default has to be within the bounds of all
	// ranges. Not reported if no amount is within the bounds.
	DefaultOutOfBounds ConflictCause = "DefaultOutOfBounds"
	// DefaultsReversed: the default request is above the default limit, so that a
	// container that gets both is invalid.
	DefaultsReversed ConflictCause = "DefaultsReversed"
	// DefaultsExceedRatio: a container that gets both defaults is rejected because of their ratio.
	DefaultsExceedRatio ConflictCause = "DefaultsExceedRatio"
	// LimitBelowMin: a container has a limit below the minimum.
	LimitBelowMin ConflictCause = "LimitBelowMin"
	// LimitAboveMax: a container has a limit that requires a request above the maximum, because of
	// the ratio, or because request and limit have to be equal.
	LimitAboveMax ConflictCause = "LimitAboveMax"
	// RequestAboveLimit: the request to set is above the limit of the container.
	RequestAboveLimit ConflictCause = "RequestAboveLimit"
	// Unsatisfiable: no requests and limits satisfy all of the values, but if any one of the values
	// is removed, some do.
	Unsatisfiable ConflictCause = "Unsatisfiable"
	// LimitNotSet: a container has no limit, and no request is known to be valid with the default
	// limit that it will get.
	LimitNotSet ConflictCause = "LimitNotSet"
)

// text returns the cause as the message has it.
func (c ConflictCause) text() string {
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
	case LimitBelowMin:
		return "the limit is below min"
	case LimitAboveMax:
		return "the limit requires a request above max"
	case RequestAboveLimit:
		return "the request is above the limit"
	case Unsatisfiable:
		return "no amount satisfies all of"
	case LimitNotSet:
		return "no request suits every limit that the container may get"
	}
	return string(c)
}

// Conflict is a set of values for one resource that no request and limit can satisfy together. The
// values come from LimitRanges (Conflicts), from LimitRanges and a container (package
// steps), or from LimitRanges, quotas and the pod (package solver). A *Conflict is an error.
type Conflict struct {
	Cause ConflictCause `json:"cause"`
	// Type is the type of the LimitRange items, and Ref the container that cannot satisfy them.
	// Either may be zero; both are if the conflict is Unsatisfiable.
	Type     corev1.LimitType     `json:"type,omitempty"`
	Ref      computeresources.Ref `json:"ref,omitzero"`
	Resource corev1.ResourceName  `json:"resource"`
	Values   []BoundValue         `json:"values"` // one or more values that cannot all be satisfied, as they are set
	// NotSmallest reports that a smaller set of values may exist that contradict each other,
	// although each of these values is needed. It is set for very large Unsatisfiable pods.
	NotSmallest bool `json:"notSmallest,omitempty"`
}

// Error returns the conflict in words:
//
//	Container cpu: min is above max: min 2 of LimitRange team/a, max 1 of LimitRange team/b
//	container app cpu: the limit is below min: limit 200m, min 300m
//	cpu: no amount satisfies all of: Pod cpu max 1 of LimitRange team/a; container app cpu request 2
func (c *Conflict) Error() string {
	if c == nil {
		return "<nil>"
	}
	values, separator := make([]string, len(c.Values)), ", "
	for i, v := range c.Values {
		values[i] = v.boundAndSource()
		if c.Cause == Unsatisfiable { // by values of several types, parts and names
			values[i], separator = v.String(), "; "
		}
	}
	about := string(c.Resource)
	switch {
	case c.Ref != computeresources.Ref{}:
		about = c.Ref.String() + " " + about
	case c.Type != "":
		about = string(c.Type) + " " + about
	}
	return fmt.Sprintf("%s: %s: %s", about, c.Cause.text(), strings.Join(values, separator))
}

// Field returns the conflict as an error at the resources of the container, or at the pod spec if
// there is no container. Path is the path of the pod spec; nil means spec.
func (c *Conflict) Field(path *field.Path) *field.Error {
	if c == nil {
		return nil
	}
	at := c.Ref.Path(path)
	if c.Ref != (computeresources.Ref{}) {
		at = at.Child("resources")
	}
	return field.Forbidden(at, c.Error())
}

// Conflicts returns the conflicts between the values of LimitRanges, sorted by type, resource and
// cause: those that cause every pod or claim to be rejected, and those that cause a container to be
// rejected because of its defaults. If there are none, each resource has a request and a limit that
// pass.
//
// What a pod sets may still contradict the ranges: see package admit. Types other than Container and
// Pod are only checked for MinAboveMax and MaxBelowZero, since the LimitRanger enforces nothing
// else of them. The quantities belong to the caller. Nil LimitRanges are ignored.
//
// Cost: that of AggregateOf.
func Conflicts(ranges []*corev1.LimitRange) computeresources.Problems[*Conflict] {
	var found []Conflict
	all := prevailing(ranges)
	for i, v := range all {
		if i > 0 && v.Type == all[i-1].Type && v.Resource == all[i-1].Resource {
			continue
		}
		s := valuesOf(all, v.Type, v.Resource)
		found = s.appendBoundConflicts(found)
		switch v.Type {
		case corev1.LimitTypeContainer:
			found = s.appendContainerRatioConflicts(found)
			found = s.appendDefaultConflicts(found)
		case corev1.LimitTypePod:
			found = s.appendPodRatioConflicts(found)
		}
	}
	return aggregate.Pointers(found)
}

// values are the values for one type and resource; nil ones are not set.
type values struct {
	min, max, ratio                *BoundValue
	limit, request                 *BoundValue // the smallest defaults
	greatestLimit, greatestRequest *BoundValue // the largest
}

func valuesOf(all []BoundValue, limitType corev1.LimitType, name corev1.ResourceName) values {
	find := func(bound Bound) *BoundValue {
		if v, found := find(all, limitType, name, bound); found {
			return &v
		}
		return nil
	}
	return values{
		find(Min), find(Max), find(Ratio),
		find(DefaultLimit), find(DefaultRequest), find(greatestLimit), find(greatestRequest),
	}
}

func (s values) appendBoundConflicts(found []Conflict) []Conflict {
	if above(s.min, s.max) {
		found = append(found, conflict(MinAboveMax, s.min, s.max))
	}
	if s.max != nil && s.max.Amount.Sign() < 0 {
		found = append(found, conflict(MaxBelowZero, s.max))
	}
	return found
}

func (s values) appendContainerRatioConflicts(found []Conflict) []Conflict {
	if s.ratio == nil {
		return found
	}
	if s.ratio.Amount.Cmp(*resource.NewQuantity(1, resource.DecimalSI)) < 0 {
		found = append(found, conflict(RatioUnreachable, s.ratio))
	}
	return s.appendRatioOfNothing(found)
}

func (s values) appendPodRatioConflicts(found []Conflict) []Conflict {
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
func (s values) appendRatioOfNothing(found []Conflict) []Conflict {
	if s.max != nil && s.max.Amount.IsZero() {
		found = append(found, conflict(RatioUnreachable, s.ratio, s.max))
	}
	return found
}

// appendDefaultConflicts leaves out defaults that no amount could be better than.
func (s values) appendDefaultConflicts(found []Conflict) []Conflict {
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
		asGiven := limitranger.Amounts{Request: limitranger.AmountOf(&s.request.Amount),
			Limit: limitranger.AmountOf(&s.limit.Amount)}
		ratio := limitranger.AmountOf(&s.ratio.Amount)
		if verdict, _ := asGiven.CheckRatio(&ratio); verdict != limitranger.Passes {
			found = append(found, conflict(DefaultsExceedRatio, s.request, s.limit, s.ratio))
		}
	}
	return found
}

// above reports whether both values are set, and the lower one is above the upper one.
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
		case Min, Max, Ratio, DefaultLimit, DefaultRequest, Remaining, Overhead, Request, Limit:
			// Exported bounds.
		}
		c.Values = append(c.Values, v)
	}
	return c
}
