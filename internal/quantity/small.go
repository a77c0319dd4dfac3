package quantity

import (
	"math/bits"

	"k8s.io/apimachinery/pkg/api/resource"
)

// MaxSmall is the largest number of whole units, and MaxSmallMilli of milli-units, that counts as
// small. MaxSmallSum is how many of either add up within an int64.
const (
	MaxSmall      = 1 << 52
	MaxSmallMilli = 1 << 48
	MaxSmallSum   = 1000
)

// Small returns q in units of 10^scale, which is 0 or resource.Milli, and whether that is
// exact and small: a whole number of units that is not below zero. Nearly every quantity
// in a manifest is small, and plain integers are quickly added; for any other the caller
// has to work with the quantity itself.
//
// Small may change how q holds its value, so q must be a copy, as the variable of a map lookup is.
// What it shares with other quantities is only read.
func Small(q *resource.Quantity, scale resource.Scale) (amount int64, exact bool) {
	if scale == 0 {
		return SmallWhole(q)
	}
	own := *q
	return SmallMilli(&own)
}

// SmallWhole is Small in whole units.
func SmallWhole(q *resource.Quantity) (amount int64, exact bool) {
	amount, exact = q.AsInt64()
	switch { // decimals such as 1.5Gi, and bytes written in milli-units
	case exact:
	case q.IsZero():
		return 0, true
	case q.Format == resource.BinarySI:
		return smallDecimal(q)
	default:
		amount = q.Value()
		exact = amount > 0 && q.CmpInt64(amount) == 0
	}
	return amount, exact && 0 <= amount && amount <= MaxSmall
}

// SmallMilli is Small in milli-units, for callers that need q no longer: it may round what is not
// small.
func SmallMilli(q *resource.Quantity) (amount int64, exact bool) {
	return smallPart(q, resource.Milli, 1e3)
}

// SmallNano is SmallMilli in units of 10^-9, of which up to MaxSmallMilli are small.
func SmallNano(q *resource.Quantity) (amount int64, exact bool) {
	return smallPart(q, resource.Nano, 1e9)
}

// smallPart is Small in units of 10^scale, of which each whole unit has perUnit.
func smallPart(q *resource.Quantity, scale resource.Scale, perUnit float64) (amount int64, exact bool) {
	// Rounding happens some five times on the way to this float, by 2^-53 each: up to
	// MaxSmallMilli, that is less than half of a part.
	parts := q.AsApproximateFloat64() * perUnit
	if small := 0.5 <= parts && parts <= MaxSmallMilli; !small { // NaN is neither
		return 0, q.IsZero()
	}
	// RoundUp comes second, since it writes out the digits of a decimal such as 1e1000000000.
	if !q.RoundUp(scale) {
		return 0, false
	}
	return int64(parts + 0.5), true
}

// smallDecimal is SmallWhole for quantities that hold unscaled · 10^-places behind a
// pointer. It divides 128 bits by 64, since arbitrary precision allocates.
func smallDecimal(q *resource.Quantity) (int64, bool) {
	d := q.AsDec()
	unscaled, places := d.UnscaledBig(), int(d.Scale())
	if unscaled.Sign() < 0 || unscaled.BitLen() > 127 || bits.UintSize != 64 || places < 0 || places > 19 {
		return 0, false
	}
	var words [2]uint64
	for i, w := range unscaled.Bits() {
		words[i] = uint64(w)
	}
	unit := uint64(1)
	for range places {
		unit *= 10
	}
	if words[1] >= unit { // the quotient does not fit 64 bits
		return 0, false
	}
	units, rest := bits.Div64(words[1], words[0], unit)
	return int64(units), rest == 0 && units <= MaxSmall
}
