package resourcelist

import (
	"math/bits"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// MaxSmall is the largest amount that Small calls small. A thousand of them add
// up, and one times a thousand fits, within an int64.
const MaxSmall = 1 << 52

// Absent is what Small returns for a resource that the list does not name.
const Absent = -1

// Small returns what list states for a resource in units of 10^scale, and whether
// that is exact: a whole number of units from 0 to MaxSmall, or Absent. Nearly
// every quantity in a manifest is small, and plain integers are quickly added; for
// any other the caller has to work with the quantity itself.
func Small(list corev1.ResourceList, name corev1.ResourceName, scale resource.Scale) (amount int64, exact bool) {
	q := list[name] // a copy: what follows may change how it holds its value
	if scale == 0 {
		amount, exact = q.AsInt64()
	}
	if !exact {
		amount, exact = scaled(&q, scale)
	}
	if amount == 0 && exact {
		if _, stated := list[name]; !stated {
			return Absent, true
		}
	}
	return amount, exact && 0 <= amount && amount <= MaxSmall
}

// scaled returns a quantity in units of 10^scale, if it is a whole number of them that
// is not negative.
func scaled(q *resource.Quantity, scale resource.Scale) (int64, bool) {
	if q.Format == resource.BinarySI {
		return smallDecimal(q, scale)
	}
	// ScaledValue rounds, and gives 0 or nonsense beyond int64: it is the answer only
	// if it compares equal.
	amount := q.ScaledValue(scale)
	if amount == 0 {
		return 0, q.IsZero()
	}
	return amount, amount > 0 && q.Cmp(*resource.NewScaledQuantity(amount, scale)) == 0
}

// smallDecimal is Small for quantities such as 1.5Gi, which hold
// unscaled · 10^-places behind a pointer. It divides 128 bits by 64, since
// arbitrary precision allocates.
func smallDecimal(q *resource.Quantity, scale resource.Scale) (int64, bool) {
	d := q.AsDec()
	unscaled, places := d.UnscaledBig(), int(d.Scale())+int(scale)
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
