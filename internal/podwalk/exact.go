package podwalk

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/quantity"
)

// Exact is an amount of one resource at any magnitude and scale, which Sum adds up. The zero value is absent.
type Exact struct {
	// Amount is zero if it is absent. It may share a decimal with others, and keeps the text that it was read from
	// until another amount is added, so it is only read: Quantity returns it for callers.
	Amount resource.Quantity
	Set    bool
}

// ExactIn returns the amount of a resource in a list. It is absent if list does not set it.
func ExactIn(list corev1.ResourceList, name corev1.ResourceName) Exact {
	q, ok := list[name]
	return Exact{q, ok}
}

// Plus returns the sum. As in resource.Quantity.Add, it has the format of e, unless e is
// zero.
func (e Exact) Plus(other Exact) Exact {
	switch {
	case !other.Set:
		return e
	case !e.Set:
		return other
	}
	sum := e.Amount.DeepCopy()
	quantity.Add(&sum, other.Amount)
	return Exact{sum, true}
}

// Max returns the greater amount, and e if both are equal.
func (e Exact) Max(other Exact) Exact {
	if !e.Set || other.Set && other.Amount.Cmp(e.Amount) > 0 {
		return other
	}
	return e
}

// Quantity returns the amount as a new quantity with its canonical text, and zero if it is absent.
func (e Exact) Quantity() resource.Quantity {
	q := e.Amount.DeepCopy()
	q.Add(resource.Quantity{}) // forgets the text that it was read from
	q.Format = e.Amount.Format
	return q
}
