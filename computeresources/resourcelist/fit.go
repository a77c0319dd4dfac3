package resourcelist

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/quantity"
)

// Fits reports whether there is as much free as is wanted of every resource. A resource that
// free does not name is one of which there is none. A request for zero, or less, always fits,
// even where less than zero is free: what is not wanted does not matter.
//
// This is the question for a node, or anything else that has what it names and no more. A
// quota does not limit what it does not name: for that, use LessThanOrEqual, or Fits of
// package quota, which also takes what is used. Both say that a pod with a GPU fits where
// nothing says anything of GPUs.
//
// Cost: a lookup for each resource that is wanted. It allocates for amounts that need arbitrary
// precision alone.
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

// Insufficient returns the resources of which there is less free than wanted, by the rule of
// Fits, sorted. It is empty if everything fits, and never nil.
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
