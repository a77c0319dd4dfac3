package quantity

import (
	"math/big"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Rational returns the value of q as a fraction. Time and memory grow with the number of
// digits of q.
func Rational(q resource.Quantity) *big.Rat {
	own := q.DeepCopy()
	d := own.AsDec()
	unscaled, places := d.UnscaledBig(), int(d.Scale())
	return new(big.Rat).SetFrac(shifted(unscaled, -places), powerOfTen(places))
}

// Floor returns how many units of 10^scale value holds, rounded down, also below zero,
// and whether that is exact.
func Floor(value *big.Rat, scale resource.Scale) (units *big.Int, exact bool) {
	num, denom := shifted(value.Num(), int(-scale)), shifted(value.Denom(), int(scale))
	units, rest := new(big.Int).DivMod(num, denom, new(big.Int)) // rest >= 0, as denom > 0
	return units, rest.Sign() == 0
}

// Ceil returns how many units of 10^scale value holds, rounded up, also below zero.
func Ceil(value *big.Rat, scale resource.Scale) *big.Int {
	units, exact := Floor(value, scale)
	if !exact {
		units.Add(units, big.NewInt(1))
	}
	return units
}

// OfUnits returns the quantity of so many units of 10^scale, however many they are.
func OfUnits(units *big.Int, scale resource.Scale, format resource.Format) resource.Quantity {
	if units.IsInt64() {
		q := resource.NewScaledQuantity(units.Int64(), scale)
		q.Format = format
		return *q
	}
	q := resource.NewScaledQuantity(1, scale)
	d := q.AsDec() // one unit
	return *resource.NewDecimalQuantity(*d.SetUnscaledBig(units), format)
}
