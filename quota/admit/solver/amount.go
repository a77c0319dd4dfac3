package solver

import (
	"math"
	"math/big"
	"math/bits"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/resourcename"
)

// This file turns quantities into integers and back. The API server rounds every amount
// that it stores up to a milli-unit, so that milli-units hold all of them.

// maxAmount returns the largest amount that Kubernetes compares, in milli-units: 2^63 - 1.
func maxAmount() *big.Int {
	return new(big.Int).Mul(big.NewInt(math.MaxInt64), big.NewInt(1000))
}

// milliUnits returns q in milli-units, rounded away from zero, and whether it is within
// what Kubernetes compares.
func milliUnits(q resource.Quantity) (*big.Int, bool) {
	if v := quantity.Integer(q, resource.Milli); v != math.MaxInt64 && v != math.MinInt64 {
		return big.NewInt(v), true
	}
	// A float is exact enough to detect amounts that are out of range, and avoids writing out all the
	// digits of 1e1000000000.
	if math.Abs(q.AsApproximateFloat64()) > 1e19 {
		return nil, false
	}
	exact := quantity.Rational(q)
	exact.Mul(exact, big.NewRat(1000, 1))
	v := quotientAway(exact.Num(), exact.Denom())
	return v, v.CmpAbs(maxAmount()) <= 0
}

// quantityOf returns an amount in milli-units with the format of resourcelist.Quantity.
func quantityOf(name corev1.ResourceName, v *big.Int) resource.Quantity {
	whole, rest := new(big.Int).QuoRem(v, big.NewInt(1000), new(big.Int))
	if rest.Sign() != 0 {
		return resource.MustParse(v.String() + "m")
	}
	var integer int64
	if whole.IsInt64() {
		integer = whole.Int64()
	}
	return quantity.OfUnits(whole, 0, resourcelist.Quantity(name, integer).Format)
}

// unitOf returns the unit of a resource in milli-units: 1m of cpu, a page of hugepages,
// and 1 of anything else.
func unitOf(name corev1.ResourceName) *big.Int {
	if name == corev1.ResourceCPU {
		return big.NewInt(1)
	}
	if size, ok := resourcename.HugePageSize(name); ok {
		if page, ok := milliUnits(size); ok {
			return page
		}
	}
	return big.NewInt(1000)
}

// quotientAway returns a / b for b > 0, rounded away from zero.
func quotientAway(a, b *big.Int) *big.Int {
	q, rest := new(big.Int).QuoRem(a, b, new(big.Int))
	return q.Add(q, big.NewInt(int64(rest.Sign())))
}

// floor returns a / b for b > 0, rounded down.
func floor(a, b *big.Int) *big.Int { return new(big.Int).Div(a, b) }

// ceil returns a / b for b > 0, rounded up.
func ceil(a, b *big.Int) *big.Int {
	q := new(big.Int).Neg(a)
	return q.Neg(q.Div(q, b))
}

// portion returns amount · part / whole for amounts that are not negative and whole > 0, rounded down.
func portion(amount, part, whole *big.Int) *big.Int {
	if amount.IsUint64() && part.IsUint64() && whole.IsUint64() {
		if high, low := bits.Mul64(amount.Uint64(), part.Uint64()); high < whole.Uint64() {
			quotient, _ := bits.Div64(high, low, whole.Uint64())
			return new(big.Int).SetUint64(quotient)
		}
	}
	return floor(new(big.Int).Mul(amount, part), whole)
}

func sum(a, b *big.Int) *big.Int        { return new(big.Int).Add(a, b) }
func difference(a, b *big.Int) *big.Int { return new(big.Int).Sub(a, b) }

// atLeast returns the larger of two amounts, and atMost the smaller. Amounts are never
// changed once they are computed, so that they can be shared.
func atLeast(a, b *big.Int) *big.Int {
	if a.Cmp(b) < 0 {
		return b
	}
	return a
}

func atMost(a, b *big.Int) *big.Int {
	if a.Cmp(b) > 0 {
		return b
	}
	return a
}
