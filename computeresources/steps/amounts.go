package steps

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// An amount that may be missing is a pointer to a quantity, or nil. It is only read: what is
// handed out is a clone.

// named returns what list states, be it zero or below.
func named(list corev1.ResourceList, name corev1.ResourceName) *resource.Quantity {
	q, ok := list[name]
	if !ok {
		return nil
	}
	return &q
}

// states reports whether list states an amount above zero.
func states(list corev1.ResourceList, name corev1.ResourceName) bool {
	q := list[name]
	return q.Sign() > 0
}

// positive returns what list states above zero.
func positive(list corev1.ResourceList, name corev1.ResourceName) *resource.Quantity {
	return ifPositive(named(list, name))
}

func ifPositive(q *resource.Quantity) *resource.Quantity {
	if q == nil || q.Sign() <= 0 {
		return nil
	}
	return q
}

// either returns the first that is not missing.
func either(a, b *resource.Quantity) *resource.Quantity {
	if a != nil {
		return a
	}
	return b
}

func zero() *resource.Quantity { return resource.NewQuantity(0, resource.DecimalSI) }

// above reports whether a is more than b; none is if one is missing.
func above(a, b *resource.Quantity) bool { return a != nil && b != nil && a.Cmp(*b) > 0 }

// differ reports whether a is not b, a missing amount being no amount at all.
func differ(a, b *resource.Quantity) bool {
	if a == nil || b == nil {
		return a != b
	}
	return a.Cmp(*b) != 0
}

// clone returns a copy that shares nothing.
func clone(q *resource.Quantity) *resource.Quantity {
	if q == nil {
		return nil
	}
	own := q.DeepCopy()
	return &own
}

// namesOf returns the names in any of the lists, sorted.
func namesOf(lists ...corev1.ResourceList) []corev1.ResourceName {
	var names []corev1.ResourceName
	for _, list := range lists {
		names = slices.AppendSeq(names, maps.Keys(list))
	}
	slices.Sort(names)
	return slices.Compact(names)
}
