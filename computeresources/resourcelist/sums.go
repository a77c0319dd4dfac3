package resourcelist

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/quantity"
)

// Add returns a + b: every resource that either names, with the sum of both.
//
// Source: Add of k8s.io/apiserver/pkg/quota/v1.
func Add(a, b corev1.ResourceList) corev1.ResourceList { return AddInto(nil, a, b) }

// AddInto clears dst, fills it with Add(a, b) and returns it. Dst may be a or b:
// AddInto(total, total, list) adds a list to a total.
func AddInto(dst, a, b corev1.ResourceList) corev1.ResourceList {
	dst = ready(dst, a, b)
	for name, x := range a {
		sum := x.DeepCopy()
		if y := b[name]; !y.IsZero() {
			quantity.Add(&sum, y)
		}
		dst[name] = sum
	}
	for name, y := range b {
		if _, both := a[name]; !both {
			dst[name] = y.DeepCopy()
		}
	}
	return dst
}

// Sum returns the sum of all lists: every resource that any of them names, with the sum of
// its amounts, in the format of the first that is not zero, or of the first if all are. The sum
// of no lists is empty.
//
// It takes lists as they come, Sum(a, b, c) or Sum(lists...), since a list is a value, and
// not an object: an Add of any number.
//
// Cost: each amount of each list is read once, and looked for among the resources that have
// been found before.
func Sum(lists ...corev1.ResourceList) corev1.ResourceList {
	var space [16]entry
	sums := space[:0]
	for _, list := range lists {
		for name, q := range list {
			i := 0
			for i < len(sums) && sums[i].name != name {
				i++
			}
			if i == len(sums) {
				sums = append(sums, entry{name, q.DeepCopy()})
			} else if !q.IsZero() {
				quantity.Add(&sums[i].amount, q)
			}
		}
	}
	total := make(corev1.ResourceList, len(sums))
	for i := range sums {
		total[sums[i].name] = sums[i].amount
	}
	return total
}

type entry struct {
	name   corev1.ResourceName
	amount resource.Quantity
}

// Subtract returns a - b: every resource that either names, with the difference, which
// is below zero where b is greater.
//
// Source: Subtract of k8s.io/apiserver/pkg/quota/v1.
func Subtract(a, b corev1.ResourceList) corev1.ResourceList { return SubtractInto(nil, a, b) }

// SubtractInto clears dst, fills it with Subtract(a, b) and returns it. Dst may be a or b:
// SubtractInto(remaining, remaining, used) subtracts from a list. Resources that only b has are then
// in the list, with a negative amount.
func SubtractInto(dst, a, b corev1.ResourceList) corev1.ResourceList {
	dst = ready(dst, a, b)
	for name, x := range a {
		dst[name] = minus(x, b[name])
	}
	for name, y := range b {
		if _, both := a[name]; !both {
			dst[name] = quantity.Minus(resource.Quantity{}, y)
		}
	}
	return dst
}

// SubtractKeepNames returns a - b for the resources of a: what b has beyond them is ignored. A
// difference is below zero where b is greater; Max(SubtractKeepNames(a, b), Multiply(a, 0)) has zero
// instead. Where b has nothing, the amount and its format are those of a.
//
// Cost: a lookup for each resource of a.
//
// Source: Subtract of Karpenter's pkg/utils/resources.
func SubtractKeepNames(a, b corev1.ResourceList) corev1.ResourceList {
	differences := make(corev1.ResourceList, len(a))
	for name, x := range a {
		differences[name] = minus(x, b[name])
	}
	return differences
}

// SubtractWithNonNegativeResult returns a - b, with zero instead of negative amounts: what an
// update adds to the usage of a quota. A resource that is only in b is zero, even if its amount in
// b is negative.
//
// Source: SubtractWithNonNegativeResult of k8s.io/apiserver/pkg/quota/v1.
func SubtractWithNonNegativeResult(a, b corev1.ResourceList) corev1.ResourceList {
	left := make(corev1.ResourceList, max(len(a), len(b)))
	zero := resource.Quantity{Format: resource.DecimalSI}
	for name, x := range a {
		if difference := minus(x, b[name]); difference.Sign() > 0 {
			left[name] = difference
		} else {
			left[name] = zero
		}
	}
	for name := range b {
		if _, both := a[name]; !both {
			left[name] = zero
		}
	}
	return left
}

// minus is quantity.Minus, but keeps the format of a if nothing is subtracted.
func minus(a, b resource.Quantity) resource.Quantity {
	if b.IsZero() {
		return a.DeepCopy()
	}
	return quantity.Minus(a, b)
}

// ready returns dst, or a new list if it is nil, without the resources that neither a nor b has.
// Resources of a or b remain, since dst may be one of them.
func ready(dst, a, b corev1.ResourceList) corev1.ResourceList {
	if dst == nil {
		return make(corev1.ResourceList, max(len(a), len(b)))
	}
	for name := range dst {
		_, inA := a[name]
		_, inB := b[name]
		if !inA && !inB {
			delete(dst, name)
		}
	}
	return dst
}
