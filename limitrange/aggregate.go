package limitrange

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/quantity"
)

// Aggregate is the combined effect of LimitRanges: for each type and resource, the largest minimum,
// the smallest maximum, the smallest ratio, and the smallest default limit and default request,
// each with the object that it comes from. Types and resources that only some of the ranges have
// are kept, even unknown ones.
//
// Aggregates are values. Merge is commutative, associative and idempotent, and its identity is the
// zero value, the aggregate of no LimitRanges (a semilattice). To make this possible, an Aggregate
// stores defaults as they are set; Value clamps them to the bounds.
//
// The document "Compute Resources in Tekton" prints a minimum of 300m for its two LimitRanges,
// although its own rule, the largest minimum, gives 500m. This package follows the rule.
type Aggregate struct {
	values []BoundValue // sorted by key; never written, and not shared with anyone else
}

// AggregateOf returns the aggregate of LimitRanges. Nil ones are ignored. Values are used as they
// are: see WithDefaults for the defaults that the server adds to an item when it stores it. If an
// object has several items of one type, which the server would not store, all of them count.
//
// Cost: O(n log n) for n values.
func AggregateOf(ranges []*corev1.LimitRange) Aggregate {
	var all []BoundValue
	for _, lr := range ranges {
		if lr != nil {
			all = appendValues(all, lr)
		}
	}
	slices.SortStableFunc(all, func(a, b BoundValue) int {
		if order := a.compareKeys(b); order != 0 {
			return order
		}
		if a.prevails(b) {
			return -1
		}
		return 1
	})
	return Aggregate{slices.CompactFunc(all, func(a, b BoundValue) bool { return a.compareKeys(b) == 0 })}
}

// appendValues appends the values of a LimitRange, in no order.
func appendValues(all []BoundValue, lr *corev1.LimitRange) []BoundValue {
	for i := range lr.Spec.Limits {
		item, source := &lr.Spec.Limits[i], sourceOf(lr, i)
		add := func(bound Bound, list corev1.ResourceList) {
			for name, q := range list {
				all = append(all, BoundValue{Type: item.Type, Resource: name, Bound: bound, Amount: q.DeepCopy(), Source: source})
			}
		}
		add(Min, item.Min)
		add(Max, item.Max)
		add(Ratio, item.MaxLimitRequestRatio)
		add(DefaultLimit, item.Default)
		add(DefaultRequest, item.DefaultRequest)
		add(greatestLimit, item.Default)
		add(greatestRequest, item.DefaultRequest)
	}
	return all
}

// Merge returns the aggregate of the LimitRanges of a and b, without changing either.
//
// Cost: linear in the number of values.
func (a Aggregate) Merge(b Aggregate) Aggregate {
	merged := make([]BoundValue, 0, len(a.values)+len(b.values))
	for len(a.values) > 0 && len(b.values) > 0 {
		x, y := a.values[0], b.values[0]
		order := x.compareKeys(y)
		if order < 0 || order == 0 && !y.prevails(x) {
			merged = append(merged, x)
		} else {
			merged = append(merged, y)
		}
		if order <= 0 {
			a.values = a.values[1:]
		}
		if order >= 0 {
			b.values = b.values[1:]
		}
	}
	return Aggregate{append(append(merged, a.values...), b.values...)}
}

// RawValue returns the value of a bound as it is written in the ranges, and whether any of them
// sets it. Unlike Value, it leaves a default that is outside the bounds as it is. The quantity is
// the caller's.
func (a Aggregate) RawValue(limitType corev1.LimitType, name corev1.ResourceName, bound Bound) (BoundValue, bool) {
	v, found := a.find(limitType, name, bound)
	if !found || bound > DefaultRequest {
		return BoundValue{}, false
	}
	return v.owned(), true
}

// find is RawValue for all bounds. The quantity is that of the aggregate.
func (a Aggregate) find(limitType corev1.LimitType, name corev1.ResourceName, bound Bound) (BoundValue, bool) {
	i, found := slices.BinarySearchFunc(a.values, BoundValue{Type: limitType, Resource: name, Bound: bound}, BoundValue.compareKeys)
	if !found {
		return BoundValue{}, false
	}
	return a.values[i], true
}

// Value returns the value of a bound, and whether any of the ranges sets it. A default
// is brought within the bounds: lowered to the maximum, then raised to the minimum. It
// then carries the source of that bound. If the minimum is above the maximum, which is one
// of the Conflicts, the minimum wins. The quantity is the caller's.
func (a Aggregate) Value(limitType corev1.LimitType, name corev1.ResourceName, bound Bound) (BoundValue, bool) {
	v, found := a.RawValue(limitType, name, bound)
	if !found || bound != DefaultLimit && bound != DefaultRequest {
		return v, found
	}
	if upper, bounded := a.RawValue(limitType, name, Max); bounded && v.Amount.Cmp(upper.Amount) > 0 {
		v.Amount, v.Source = upper.Amount, upper.Source
	}
	if lower, bounded := a.RawValue(limitType, name, Min); bounded && v.Amount.Cmp(lower.Amount) < 0 {
		v.Amount, v.Source = lower.Amount, lower.Source
	}
	return v, true
}

// Values returns the values of the aggregate, sorted by type, resource and bound. It belongs to the
// caller. The values are those of RawValue.
func (a Aggregate) Values() []BoundValue {
	var all []BoundValue
	for _, v := range a.values {
		if v.Bound <= DefaultRequest {
			all = append(all, v.owned())
		}
	}
	return all
}

// Types returns the types that have a value, sorted.
func (a Aggregate) Types() []corev1.LimitType {
	var types []corev1.LimitType
	for _, v := range a.values {
		if len(types) == 0 || types[len(types)-1] != v.Type {
			types = append(types, v.Type)
		}
	}
	return types
}

// Item returns the item of one type of the virtual LimitRange that has the effect of all ranges,
// for package steps. Its values are those of Value, so defaults are moved into the bounds. Use
// RawValue for the defaults as they are written. The quantities belong to the caller. An empty list
// is nil.
func (a Aggregate) Item(limitType corev1.LimitType) corev1.LimitRangeItem {
	item := corev1.LimitRangeItem{Type: limitType}
	for _, v := range a.values {
		if v.Type != limitType {
			continue
		}
		switch v.Bound {
		case Min:
			quantity.Set(&item.Min, v.Resource, v.Amount)
		case Max:
			quantity.Set(&item.Max, v.Resource, v.Amount)
		case Ratio:
			quantity.Set(&item.MaxLimitRequestRatio, v.Resource, v.Amount)
		case DefaultLimit:
			within, _ := a.Value(limitType, v.Resource, DefaultLimit)
			quantity.Set(&item.Default, v.Resource, within.Amount)
		case DefaultRequest:
			within, _ := a.Value(limitType, v.Resource, DefaultRequest)
			quantity.Set(&item.DefaultRequest, v.Resource, within.Amount)
		case greatestLimit, greatestRequest:
			// Other ranges have smaller defaults, which prevail.
		case Remaining, Overhead, Request, Limit:
			// Are not of LimitRanges.
		}
	}
	return item
}
