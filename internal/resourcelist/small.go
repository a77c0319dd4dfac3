package resourcelist

import (
	"math/bits"

	"k8s.io/apimachinery/pkg/api/resource"
)

// MaxSmall is the largest amount that Small calls small, and MaxSmallSum how many of
// them add up within an int64.
const (
	MaxSmall    = 1 << 52
	MaxSmallSum = 1000
)

// Small returns q in units of 10^scale, and whether that is exact: a whole number of
// units from 0 to MaxSmall. Nearly every quantity in a manifest is small, and plain
// integers are quickly added; for any other the caller has to work with the quantity
// itself.
//
// Small may change how q holds its value, so q must be a copy, as the variable of a map
// look-up is. What it shares with other quantities is only read.
func Small(q *resource.Quantity, scale resource.Scale) (amount int64, exact bool) {
	if scale == 0 {
		amount, exact = q.AsInt64()
	} else if amount = q.ScaledValue(scale); amount > 0 {
		// ScaledValue rounds, and gives 0 or nonsense beyond int64: it is the
		// answer only if it compares equal.
		exact = q.Cmp(*resource.NewScaledQuantity(amount, scale)) == 0
	}
	if !exact {
		amount, exact = unusual(q, scale)
	}
	return amount, exact && 0 <= amount && amount <= MaxSmall
}

// unusual is Small for zero and, in whole units, for decimals such as 1.5Gi, and for bytes
// written in thousandths.
func unusual(q *resource.Quantity, scale resource.Scale) (int64, bool) {
	switch {
	case q.IsZero():
		return 0, true
	case scale != 0:
		return 0, false
	case q.Format == resource.BinarySI:
		return smallDecimal(q)
	}
	amount := q.Value()
	return amount, amount > 0 && q.CmpInt64(amount) == 0
}

// smallDecimal is Small, in whole units, for quantities that hold unscaled · 10^-places
// behind a pointer. It divides 128 bits by 64, since arbitrary precision allocates.
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
