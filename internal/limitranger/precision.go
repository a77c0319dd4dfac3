package limitranger

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"strconv"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/quantity"
)

// Amount is an amount as the server converts it. The zero value is not set.
type Amount struct {
	integers
	isSet bool
	exact *resource.Quantity // set unless the integers are exact; never written
}

// AmountOf returns an amount, which is not set if q is nil. It shares nothing with q.
func AmountOf(q *resource.Quantity) Amount {
	if q == nil {
		return Amount{}
	}
	a := Amount{integers: integersOf(q), isSet: true}
	if !a.isExact {
		a.exact = quantity.Clone(q)
	}
	return a
}

// AmountOfMilli returns an amount of so many milli-units, which are not below zero.
func AmountOfMilli(milli int64) Amount {
	return Amount{integers: integers{milli/1000 + min(milli%1000, 1), milli, true}, isSet: true}
}

// IsSet reports whether the amount is set.
func (a *Amount) IsSet() bool { return a.isSet }

// Milli returns the amount in milli-units, and whether it is exactly so many, which are as few as small amounts
// have (quantity.MaxSmallMilli). An amount that is not set is zero.
func (a *Amount) Milli() (milli int64, small bool) {
	return a.milli, !a.isSet || a.isExact && a.milli <= quantity.MaxSmallMilli
}

// quantity returns an amount that is set, as a quantity of the caller's own.
func (a *Amount) quantity() resource.Quantity {
	if a.exact != nil {
		return a.exact.DeepCopy()
	}
	return *resource.NewMilliQuantity(a.milli, resource.DecimalSI)
}

// compareAt compares two amounts in units of 10^scale. Beyond 64 bits of these, it compares them exactly.
func compareAt(scale resource.Scale, a, b *Amount) int {
	x, y := a.in(scale), b.in(scale)
	if x != y || !isSaturated(x) {
		return cmp.Compare(x, y)
	}
	return compareQuantities(a.quantity(), b.quantity())
}

// compareQuantities compares two quantities of the caller's own. Comparing floats first avoids writing out all digits
// of amounts such as 1e1000000000.
func compareQuantities(x, y resource.Quantity) int {
	f, g := x.AsApproximateFloat64(), y.AsApproximateFloat64()
	if math.IsInf(f, 0) != math.IsInf(g, 0) {
		return cmp.Compare(f, g)
	}
	return x.Cmp(y)
}

// float returns an amount in units of 10^scale, rounded away from zero if it fits 64 bits, and otherwise to the nearest
// float64.
func (a *Amount) float(scale resource.Scale) float64 {
	if n := a.in(scale); !isSaturated(n) {
		return float64(n)
	}
	// AsApproximateFloat64 would be off by one bit, for instance for 1e21.
	exact := a.exact.DeepCopy()
	d := exact.AsDec()
	f, _ := strconv.ParseFloat(fmt.Sprintf("%ve%d", d.UnscaledBig(), -int(d.Scale())-int(scale)), 64)
	return f
}

// scaleUpTo returns resource.Milli if no amount has more than the given number of whole units, and otherwise 0.
func scaleUpTo(most int64, amounts ...*Amount) resource.Scale {
	for _, a := range amounts {
		if a.whole > most {
			return 0
		}
	}
	return resource.Milli
}

// integers are an amount rounded away from zero and saturated.
type integers struct {
	whole, milli int64
	isExact      bool // in milli-units, of amounts that are not below zero
}

func integersOf(q *resource.Quantity) integers {
	if whole, ok := q.AsInt64(); ok && 0 <= whole && whole <= quantity.MaxSmall {
		return integers{whole, whole * 1000, true} // which fits
	}
	own := *q
	if milli, small := quantity.SmallMilli(&own); small {
		return AmountOfMilli(milli).integers
	}
	own = *q
	if whole, small := quantity.SmallWhole(&own); small {
		return integers{whole, whole * 1000, true}
	}
	return integers{whole: quantity.Integer(own, 0), milli: quantity.Integer(own, resource.Milli)}
}

func isSaturated(n int64) bool { return n == math.MaxInt64 || n == math.MinInt64 }

// integersOfMilli takes an amount that is not below zero.
func integersOfMilli(milli *big.Int) integers {
	if milli.IsInt64() {
		return AmountOfMilli(milli.Int64()).integers
	}
	whole, rest := new(big.Int).QuoRem(milli, big.NewInt(1000), new(big.Int))
	whole.Add(whole, big.NewInt(int64(rest.Sign())))
	if whole.IsInt64() {
		return integers{whole: whole.Int64(), milli: math.MaxInt64}
	}
	return integers{whole: math.MaxInt64, milli: math.MaxInt64} // saturate
}

func (n integers) in(scale resource.Scale) int64 {
	if scale == 0 {
		return n.whole
	}
	return n.milli
}

// fitMilli reports whether the server counts the amount in milli-units, if the others fit too.
func (n integers) fitMilli() bool { return n.whole <= resource.MaxMilliValue }

// allow reports whether the server finds a quotient within the ratio n: compared in milli-units if
// the ratio fits them, regardless of the unit of the amounts. NaN is not within any ratio.
func (n integers) allow(quotient float64) bool {
	if !n.fitMilli() {
		return quotient <= float64(n.whole)
	}
	return quotient*1000 <= float64(n.milli)
}
