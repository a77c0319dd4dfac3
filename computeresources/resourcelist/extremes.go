package resourcelist

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Max returns the largest amount of every resource that is in any of the lists. A resource that is in
// only one list keeps its amount, even if it is negative. Of equal amounts, the result has the
// first, with its format. The maximum of no lists is empty.
//
// Cost: a lookup for each amount, and a copy of each that is larger than those before it.
//
// Source: Max of k8s.io/apiserver/pkg/quota/v1, which takes two lists and has the format of the second.
func Max(lists ...corev1.ResourceList) corev1.ResourceList {
	largest := make(corev1.ResourceList, longest(lists))
	for _, list := range lists {
		for name, q := range list {
			if found, set := largest[name]; !set || found.Cmp(q) < 0 {
				largest[name] = q.DeepCopy()
			}
		}
	}
	return largest
}

func longest(lists []corev1.ResourceList) int {
	most := 0
	for _, list := range lists {
		most = max(most, len(list))
	}
	return most
}

// MaxInto clears dst, fills it with Max(a, b) and returns it. Dst may be a or b.
func MaxInto(dst, a, b corev1.ResourceList) corev1.ResourceList {
	dst = ready(dst, a, b)
	for name, x := range a {
		if y, both := b[name]; both && x.Cmp(y) < 0 {
			x = y
		}
		dst[name] = x.DeepCopy()
	}
	for name, y := range b {
		if _, both := a[name]; !both {
			dst[name] = y.DeepCopy()
		}
	}
	return dst
}

// Min returns the smallest amount of every resource that is in all of the lists. Resources that a list
// does not have are not in the result. Of equal amounts, the result has the first, with its format.
// The minimum of no lists is empty.
//
// To keep what only one of them names, use Overlay(Overlay(Min(a, b), a), b).
//
// Cost: a lookup in each list for each resource of the first.
//
// Source: MinResources of Karpenter and MinResourceList of Koordinator, which agree.
func Min(lists ...corev1.ResourceList) corev1.ResourceList {
	if len(lists) == 0 {
		return corev1.ResourceList{}
	}
	smallest := make(corev1.ResourceList, len(lists[0]))
	for name, q := range lists[0] {
		if least, inAll := leastOf(name, q, lists[1:]); inAll {
			smallest[name] = least.DeepCopy()
		}
	}
	return smallest
}

// leastOf returns the first of the smallest amounts, of which q comes first, and whether all lists
// have one. It may share a decimal with q and the lists.
func leastOf(
	name corev1.ResourceName, q resource.Quantity, lists []corev1.ResourceList,
) (least resource.Quantity, inAll bool) {
	least = q
	for _, list := range lists {
		other, set := list[name]
		if !set {
			return least, false
		}
		if other.Cmp(least) < 0 {
			least = other
		}
	}
	return least, true
}

// Clamp returns a list with every amount raised to the minimum and lowered to the maximum of its
// resource, and the names of the resources whose amounts differ from those of list, sorted and never
// nil. If a minimum is above the maximum, the result has the maximum. A resource without a minimum or
// maximum is not bounded on that side, and one that list does not have is not added. Amounts that
// are not changed keep their format; others have that of the bound.
//
// The second result of LessThanOrEqual(list, clamped) has the names of the amounts that were lowered.
//
// Cost: two lookups for each resource of list.
//
// Source: applyVPAPolicy of the Vertical Pod Autoscaler.
func Clamp(list, minimum, maximum corev1.ResourceList) (clamped corev1.ResourceList, changed []corev1.ResourceName) {
	return ClampInto(nil, list, minimum, maximum)
}

// ClampInto clears dst, fills it with Clamp(list, minimum, maximum) and returns it, and the names of the resources
// whose amounts have changed. Dst may be any of the lists: ClampInto(list, list, minimum, maximum) clamps a list in
// place.
//
// Cost: that of Clamp, with an allocation only for the names.
func ClampInto(
	dst, list, minimum, maximum corev1.ResourceList,
) (clamped corev1.ResourceList, changed []corev1.ResourceName) {
	dst, changed = ready(dst, list, nil), []corev1.ResourceName{}
	for name, q := range list {
		bounded := q
		if low, set := minimum[name]; set && bounded.Cmp(low) < 0 {
			bounded = low
		}
		if high, set := maximum[name]; set && bounded.Cmp(high) > 0 {
			bounded = high
		}
		if bounded.Cmp(q) != 0 {
			changed = append(changed, name)
		} else {
			bounded = q // with its format
		}
		dst[name] = bounded.DeepCopy()
	}
	slices.Sort(changed)
	return dst, changed
}
