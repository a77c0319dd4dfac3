package podwalk

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/quantity"
)

// Exact is an amount of one resource at any magnitude and scale, with the format in which
// resource.Quantity would write it. The zero value is absent. Amounts own their memory, and may be
// copied and shared. Add and compare only amounts of the same resource.
type Exact struct {
	amount quantity.Amount
	scale  resource.Scale
	format resource.Format
	set    bool
}

// ExactIn returns the amount of a resource in a list. It is absent if list does not set it.
func ExactIn(list corev1.ResourceList, name corev1.ResourceName) Exact {
	q := list[name]
	if q.IsZero() {
		if _, set := list[name]; !set {
			return Exact{}
		}
	}
	scale := quantity.ScaleOf(name)
	format := q.Format
	return Exact{quantity.AmountOf(&q, scale), scale, format, true}
}

// IsSet reports whether the amount is not absent.
func (e Exact) IsSet() bool { return e.set }

// Sign returns -1, 0 or 1; 0 if the amount is absent.
func (e Exact) Sign() int { return e.amount.Sign() }

// Plus returns the sum. As in resource.Quantity.Add, it has the format of e, unless e is
// zero.
func (e Exact) Plus(other Exact) Exact {
	switch {
	case !other.set:
		return e
	case !e.set:
		return other
	}
	sum := Exact{e.amount.Plus(other.amount, e.scale), e.scale, e.format, true}
	if e.amount.Sign() == 0 {
		sum.format = other.format
	}
	return sum
}

// Max returns the greater amount, and e if both are equal.
func (e Exact) Max(other Exact) Exact {
	switch {
	case !other.set:
		return e
	case !e.set || other.amount.Exceeds(e.amount, e.scale):
		return other
	}
	return e
}

// Quantity returns the amount as a new quantity, and zero if it is absent.
func (e Exact) Quantity() resource.Quantity {
	q := e.amount.Quantity(e.scale, e.format)
	q.Format = e.format
	return q
}

// Integer returns the amount in milli-units of cpu, and in whole units of anything else,
// rounded away from zero. What does not fit is math.MaxInt64 or math.MinInt64.
func (e Exact) Integer() int64 { return e.amount.Integer(e.scale) }
