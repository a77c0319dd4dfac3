package resourcelist

import (
	"math/big"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/quantity"
)

// Equals reports whether two lists have the same resources with equal amounts; the format does not
// matter. A resource with an amount of zero differs from a missing one: if it should not, compare the
// lists that RemoveZeros returns.
//
// Source: Equals of k8s.io/apiserver/pkg/quota/v1.
func Equals(a, b corev1.ResourceList) bool {
	if len(a) != len(b) {
		return false
	}
	for name, x := range a {
		y, both := b[name]
		if !both || x.Cmp(y) != 0 {
			return false
		}
	}
	return true
}

// EqualsWithin reports whether two lists have the same resources with amounts that differ by no more
// than a part of the larger one: big.NewRat(3, 2000) allows 0.15 %. Of amounts below zero, the larger
// one is that which is farther from zero. A tolerance of 0 or 1 is Equals or any amount of
// one sign, and nil or a negative one counts as 0.
//
// To ignore resources, compare the lists that Mask returns.
//
// Cost: as that of Scale. It allocates only for amounts that need arbitrary precision.
//
// Source: resourceMapsWithinTolerance of cluster-autoscaler, which compares floats.
func EqualsWithin(a, b corev1.ResourceList, tolerance *big.Rat) bool {
	if tolerance == nil || tolerance.Sign() <= 0 {
		return Equals(a, b)
	}
	if len(a) != len(b) {
		return false
	}
	part := quantity.RatioOfRat(tolerance)
	for name, x := range a {
		if y, both := b[name]; !both || !differBy(x, y, part) {
			return false
		}
	}
	return true
}

// differBy reports whether two amounts differ by no more than this part of the one that is farther from zero.
func differBy(x, y resource.Quantity, part quantity.Ratio) bool {
	if y.IsZero() {
		x, y = y, x
	}
	if y.IsZero() {
		return true
	}
	one := quantity.Whole(1)
	quotient := quantity.RatioOfQuantities(x, y)
	if quotient.Cmp(one) > 0 || quotient.Plus(one).Sign() < 0 {
		quotient = one.Over(quotient)
	}
	return one.Minus(quotient).Cmp(part) <= 0
}

// LessThanOrEqual reports whether a ≤ b for every resource that is in both lists, and returns the
// sorted names of the resources that exceed b. Resources that are in only one list are not
// compared: a list of limits does not limit other resources.
//
// It does not answer whether a pod fits on a node: a request for nvidia.com/gpu is "less
// than or equal" to a node without GPUs, since only the request names them. Fits answers
// that.
//
// Source: LessThanOrEqual of k8s.io/apiserver/pkg/quota/v1.
func LessThanOrEqual(a, b corev1.ResourceList) (bool, []corev1.ResourceName) {
	exceeded := []corev1.ResourceName{}
	for name, limit := range b {
		if x, both := a[name]; both && x.Cmp(limit) > 0 {
			exceeded = append(exceeded, name)
		}
	}
	slices.Sort(exceeded)
	return len(exceeded) == 0, exceeded
}

// IsZero reports whether all amounts of a list are zero. It is true for an empty list.
//
// Source: IsZero of k8s.io/apiserver/pkg/quota/v1.
func IsZero(a corev1.ResourceList) bool {
	for _, q := range a {
		if !q.IsZero() {
			return false
		}
	}
	return true
}

// IsNegative returns the names of the resources with a negative amount, sorted.
//
// Source: IsNegative of k8s.io/apiserver/pkg/quota/v1.
func IsNegative(a corev1.ResourceList) []corev1.ResourceName {
	negative := []corev1.ResourceName{}
	for name, q := range a {
		if q.Sign() < 0 {
			negative = append(negative, name)
		}
	}
	slices.Sort(negative)
	return negative
}
