package steps

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/quantity"
)

// An amount that may be missing is a pointer to a quantity, or nil. It is only read: results are
// clones.

// states reports whether list has an amount above zero.
func states(list corev1.ResourceList, name corev1.ResourceName) bool {
	q := list[name]
	return q.Sign() > 0
}

// positive returns the amount of list if it is above zero.
func positive(list corev1.ResourceList, name corev1.ResourceName) *resource.Quantity {
	return ifPositive(quantity.Find(list, name))
}

func ifPositive(q *resource.Quantity) *resource.Quantity {
	if q == nil || q.Sign() <= 0 {
		return nil
	}
	return q
}

func zero() *resource.Quantity { return resource.NewQuantity(0, resource.DecimalSI) }

// above reports whether a is more than b; none is if one is missing.
func above(a, b *resource.Quantity) bool { return a != nil && b != nil && a.Cmp(*b) > 0 }

// differ reports whether two amounts differ. A missing amount equals only another missing one.
func differ(a, b *resource.Quantity) bool {
	if a == nil || b == nil {
		return a != b
	}
	return a.Cmp(*b) != 0
}
