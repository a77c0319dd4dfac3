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
// The zero value is the aggregate of no LimitRanges. The order of the ranges does not matter, and
// neither does it if one of them is given twice. To make this possible, an Aggregate has defaults
// as they are set; Value and Item bring them within the bounds.
//
// The document "Compute Resources in Tekton" prints a minimum of 300m for its two LimitRanges,
// although its own rule, the largest minimum, gives 500m. This package follows the rule.
type Aggregate struct {
	// Values are the values as they are written in the ranges, sorted by type, resource and bound. A default may be
	// outside the bounds, unlike that of Value.
	Values []BoundValue `json:"values,omitempty"`
}

// AggregateOf returns the aggregate of LimitRanges. Nil ones are ignored. Values are used as they
// are: see WithDefaults for the defaults that the server adds to an item when it stores it. If an
// object has several items of one type, which the server would not store, all of them count.
//
// Cost: O(n log n) for n values.
func AggregateOf(ranges []*corev1.LimitRange) Aggregate {
	all := slices.DeleteFunc(prevailing(ranges), func(v BoundValue) bool { return v.Bound > DefaultRequest })
	if len(all) == 0 {
		return Aggregate{}
	}
	return Aggregate{Values: all}
}

// prevailing returns the value of each bound, the greatest defaults included, sorted by their keys.
func prevailing(ranges []*corev1.LimitRange) []BoundValue {
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
	return slices.CompactFunc(all, func(a, b BoundValue) bool { return a.compareKeys(b) == 0 })
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

// asSet returns the value of a bound as it is written in the ranges, and whether any of them sets it.
// The quantity is the caller's.
func (a Aggregate) asSet(limitType corev1.LimitType, name corev1.ResourceName, bound Bound) (BoundValue, bool) {
	v, found := find(a.Values, limitType, name, bound)
	return v.owned(), found
}

// find returns the value of a bound among those of prevailing. The quantity is theirs.
func find(
	all []BoundValue, limitType corev1.LimitType, name corev1.ResourceName, bound Bound,
) (BoundValue, bool) {
	i, found := slices.BinarySearchFunc(all, BoundValue{Type: limitType, Resource: name, Bound: bound},
		BoundValue.compareKeys)
	if !found {
		return BoundValue{}, false
	}
	return all[i], true
}

// Value returns the value of a bound, and whether any of the ranges sets it. A default
// is brought within the bounds: lowered to the maximum, then raised to the minimum. It
// then carries the source of that bound. If the minimum is above the maximum, which is one
// of the Conflicts, the minimum wins. The quantity is the caller's.
func (a Aggregate) Value(limitType corev1.LimitType, name corev1.ResourceName, bound Bound) (BoundValue, bool) {
	v, found := a.asSet(limitType, name, bound)
	if !found || bound != DefaultLimit && bound != DefaultRequest {
		return v, found
	}
	if upper, bounded := a.asSet(limitType, name, Max); bounded && v.Amount.Cmp(upper.Amount) > 0 {
		v.Amount, v.Source = upper.Amount, upper.Source
	}
	if lower, bounded := a.asSet(limitType, name, Min); bounded && v.Amount.Cmp(lower.Amount) < 0 {
		v.Amount, v.Source = lower.Amount, lower.Source
	}
	return v, true
}

// Item returns the item of one type of the virtual LimitRange that has the effect of all ranges,
// for package steps. Its values are those of Value: a default above the maximum is lowered to it, and
// one below the minimum is raised. Values has the defaults as they are written. The quantities belong
// to the caller. An empty list is nil.
func (a Aggregate) Item(limitType corev1.LimitType) corev1.LimitRangeItem {
	item := corev1.LimitRangeItem{Type: limitType}
	for _, v := range a.Values {
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
