package quantity

import (
	"math"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Quantity.Add and Quantity.Sub are exact for every int64 at a precision of resource.Nano. Of apimachinery 0.38 on,
// they round the finer one of two amounts whose scales are more than 29 orders apart. Before, Sub has the wrong
// sign for the smallest int64, since it is its own negation. Decimals have no such limits.
//
// Quantity.AsDec returns a decimal that belongs to the quantity, or of apimachinery 0.38 on a copy of it. So the
// quantity must be a copy of one's own, and nothing is written through its decimal.

// Add adds q to sum exactly. Like Quantity.Add, it keeps the format of sum, unless that is zero. Sum shares nothing
// with other quantities, and q is only read.
func Add(sum *resource.Quantity, q resource.Quantity) {
	if !isVast(*sum) && !isVast(q) {
		sum.Add(q)
		return
	}
	x, y := sum.DeepCopy(), q.DeepCopy()
	total := x.AsDec()
	*sum = *resource.NewDecimalQuantity(*total.Add(total, y.AsDec()), formatOfSum(sum, &q))
}

// Minus returns a - b exactly, in the format of a, unless that is zero. The result shares nothing with either.
func Minus(a, b resource.Quantity) resource.Quantity {
	x := a.DeepCopy()
	if b.Sign() >= 0 && !isVast(a) && !isVast(b) {
		x.Sub(b)
		return x
	}
	y := b.DeepCopy()
	difference := x.AsDec()
	return *resource.NewDecimalQuantity(*difference.Sub(difference, y.AsDec()), formatOfSum(&a, &b))
}

// isVast reports whether an amount is beyond every int64.
func isVast(q resource.Quantity) bool { return math.Abs(q.AsApproximateFloat64()) > 1e19 }

func formatOfSum(a, b *resource.Quantity) resource.Format {
	if a.IsZero() {
		return b.Format
	}
	return a.Format
}
