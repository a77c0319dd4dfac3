package quantity

import (
	"math"
	"math/big"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Integer returns q in units of 10^scale: resource.Milli for milli-CPU, 0 for
// bytes. A fraction of a unit is rounded away from zero. What does not fit is
// math.MaxInt64 or math.MinInt64.
func Integer(q resource.Quantity, scale resource.Scale) int64 {
	if q.IsZero() {
		return 0
	}
	// A float is exact enough to detect values that are far too large, and avoids writing out all
	// the digits of 1e1000000000.
	f := q.AsApproximateFloat64() / math.Pow10(int(scale))
	switch {
	case f > 1e19: // saturate
		return math.MaxInt64
	case f < -1e19: // saturate
		return math.MinInt64
	case math.Abs(f) < 0.5:
		return int64(q.Sign())
	}
	if v := q.ScaledValue(scale); q.Cmp(*resource.NewScaledQuantity(v, scale)) == 0 {
		return v
	}
	d := q.AsDec()
	return saturated(unitsOf(d.UnscaledBig(), int(d.Scale())+int(scale)))
}

// unitsOf returns unscaled / 10^places, rounded away from zero.
func unitsOf(unscaled *big.Int, places int) *big.Int {
	units, rest := new(big.Int).QuoRem(shifted(unscaled, -places), powerOfTen(places), new(big.Int))
	return units.Add(units, big.NewInt(int64(rest.Sign())))
}

// shifted returns x · 10^n, and x itself if n is not above zero. It must not be written to.
func shifted(x *big.Int, n int) *big.Int {
	if n <= 0 {
		return x
	}
	return new(big.Int).Mul(x, powerOfTen(n))
}

// powerOfTen returns 10^n, and 1 if n is below zero.
func powerOfTen(n int) *big.Int {
	if n > 18 { // beyond 64 bits
		return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
	}
	power := int64(1)
	for range n {
		power *= 10
	}
	return big.NewInt(power)
}

func saturated(units *big.Int) int64 {
	switch {
	case units.IsInt64():
		return units.Int64()
	case units.Sign() > 0: // saturate
		return math.MaxInt64
	default: // saturate
		return math.MinInt64
	}
}

// AddSaturated returns a + b, or the end of the int64 range that the sum passes.
func AddSaturated(a, b int64) int64 {
	sum := a + b
	switch {
	case a > 0 && b > 0 && sum < 0: // saturate
		return math.MaxInt64
	case a < 0 && b < 0 && sum >= 0: // saturate
		return math.MinInt64
	}
	return sum
}

// SubSaturated returns a - b, or the end of the int64 range that the difference
// passes.
func SubSaturated(a, b int64) int64 {
	diff := a - b
	switch {
	case a >= 0 && b < 0 && diff < 0: // saturate
		return math.MaxInt64
	case a < 0 && b > 0 && diff >= 0: // saturate
		return math.MinInt64
	}
	return diff
}
