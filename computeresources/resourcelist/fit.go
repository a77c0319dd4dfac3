package resourcelist

import (
	"math"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/quantity"
)

// Fits reports whether every requested amount is free. A resource that is not in free has a free
// amount of zero. A request for zero or less always fits, even if the free amount is negative.
//
// Use Fits for nodes, which have none of a resource that they do not list. A quota does not limit a
// resource that it does not list: use LessThanOrEqual or [github.com/kubemath/kubemath/quota.WithinHard],
// which also takes the usage. For both, a pod with a GPU fits if GPUs are not listed.
//
// Cost: a lookup for each requested resource. It allocates only for amounts that need arbitrary
// precision.
//
// Source: Fits of Karpenter, and NodeResourcesFit of the scheduler.
func Fits(want, free corev1.ResourceList) bool {
	for name, q := range want {
		if isShort(q, free[name]) {
			return false
		}
	}
	return true
}

// Insufficient returns the resources with less free than wanted, by the rule of Fits, sorted.
// It is empty if everything fits, and never nil.
func Insufficient(want, free corev1.ResourceList) []corev1.ResourceName {
	insufficient := []corev1.ResourceName{}
	for name, q := range want {
		if isShort(q, free[name]) {
			insufficient = append(insufficient, name)
		}
	}
	slices.Sort(insufficient)
	return insufficient
}

// Times returns how many times want fits into free: the largest n for which Fits(Multiply(want, n), free).
// Stops has the resources that are short for one more, sorted and never nil. A resource that is not in
// free has a free amount of zero, so n is 0 if more than zero of it is wanted. If nothing is wanted,
// or more than an int64 fit, n is math.MaxInt64, and stops is empty.
//
// If a resource that free does not have is unlimited, as in a quota, use
// Times(Mask(want, ResourceNames(free)), free).
//
// Cost: a lookup and a division for each resource of want. It allocates stops, and big integers for amounts
// that need arbitrary precision.
//
// Source: CountIn of Kueue.
func Times(want, free corev1.ResourceList) (n int64, stops []corev1.ResourceName) {
	n, stops = math.MaxInt64, []corev1.ResourceName{}
	for name, q := range want {
		if q.Sign() <= 0 {
			continue
		}
		fitting := quantity.Quotient(free[name], q)
		switch {
		case fitting == math.MaxInt64: // saturated
		case fitting < n:
			n, stops = fitting, append(stops[:0], name)
		case fitting == n:
			stops = append(stops, name)
		}
	}
	slices.Sort(stops)
	return n, stops
}

// isShort reports whether more is wanted than free.
func isShort(want, free resource.Quantity) bool {
	if want.Sign() <= 0 {
		return false
	}
	if want.Format == resource.BinarySI || free.Format == resource.BinarySI {
		// Integers spare the allocations of decimals such as 1.5Gi.
		wanted, small1 := quantity.SmallWhole(&want)
		left, small2 := quantity.SmallWhole(&free)
		if small1 && small2 {
			return wanted > left
		}
	}
	return want.Cmp(free) > 0
}
