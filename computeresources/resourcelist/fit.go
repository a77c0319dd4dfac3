package resourcelist

import (
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
