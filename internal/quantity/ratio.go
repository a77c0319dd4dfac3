package quantity

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Ratio is an exact fraction: of two integers wherever these fit an int64, and otherwise of arbitrary
// precision. Ratios may be copied, shared, and read concurrently. The zero value is 0.
type Ratio struct {
	num, denom int64    // not below zero; a denominator of zero counts as 1
	exact      *big.Rat // set if they do not fit, or the ratio is below zero; never written
}

// Whole returns n as a ratio.
func Whole(n int64) Ratio { return RatioOf(n, 1) }

// RatioOf returns num/denom. The denominator is above zero.
func RatioOf(num, denom int64) Ratio {
	if num < 0 {
		return Ratio{exact: big.NewRat(num, denom)}
	}
	return Ratio{num: num, denom: denom}
}

// RatioOfRat returns r as a ratio, and 0 for nil. It keeps r, which the caller must not change afterwards.
func RatioOfRat(r *big.Rat) Ratio {
	switch {
	case r == nil:
		return Ratio{}
	case r.Sign() >= 0 && r.Num().IsInt64() && r.IsInt(): // Denom allocates
		return Whole(r.Num().Int64())
	case r.Sign() >= 0 && r.Num().IsInt64() && r.Denom().IsInt64():
		return Ratio{num: r.Num().Int64(), denom: r.Denom().Int64()}
	}
	return Ratio{exact: r}
}

// RatioOfQuantities returns a/b. B is not zero.
func RatioOfQuantities(a, b resource.Quantity) Ratio {
	for _, scale := range [...]resource.Scale{0, resource.Milli} {
		num, small1 := Small(&a, scale)
		denom, small2 := Small(&b, scale)
		if small1 && small2 {
			return Ratio{num: num, denom: denom}
		}
	}
	return Ratio{exact: new(big.Rat).Quo(Rational(a), Rational(b))}
}

// Rat returns the ratio as a new fraction.
func (r Ratio) Rat() *big.Rat {
	if r.exact != nil {
		return new(big.Rat).Set(r.exact)
	}
	return big.NewRat(r.num, max(r.denom, 1))
}

// Sign returns -1, 0 or 1.
func (r Ratio) Sign() int {
	switch {
	case r.exact != nil:
		return r.exact.Sign()
	case r.num > 0:
		return 1
	}
	return 0
}

// Cmp returns -1 if r is less than s, 1 if it is greater, and 0 if both are equal.
func (r Ratio) Cmp(s Ratio) int {
	if r.exact != nil || s.exact != nil {
		return r.Rat().Cmp(s.Rat())
	}
	high1, low1 := bits.Mul64(uint64(r.num), uint64(max(s.denom, 1)))
	high2, low2 := bits.Mul64(uint64(s.num), uint64(max(r.denom, 1)))
	switch {
	case high1 < high2 || high1 == high2 && low1 < low2:
		return -1
	case high1 == high2 && low1 == low2:
		return 0
	}
	return 1
}

// Plus returns r + s.
func (r Ratio) Plus(s Ratio) Ratio {
	denom, ok := product(max(r.denom, 1), max(s.denom, 1))
	x, xOK := product(r.num, max(s.denom, 1))
	y, yOK := product(s.num, max(r.denom, 1))
	if num := x + y; r.exact == nil && s.exact == nil && ok && xOK && yOK && num >= 0 { // no overflow
		return Ratio{num: num, denom: denom}
	}
	return Ratio{exact: new(big.Rat).Add(r.Rat(), s.Rat())}
}

// Minus returns r - s.
func (r Ratio) Minus(s Ratio) Ratio {
	denom, ok := product(max(r.denom, 1), max(s.denom, 1))
	x, xOK := product(r.num, max(s.denom, 1))
	y, yOK := product(s.num, max(r.denom, 1))
	if r.exact == nil && s.exact == nil && ok && xOK && yOK && x >= y {
		return Ratio{num: x - y, denom: denom}
	}
	return Ratio{exact: new(big.Rat).Sub(r.Rat(), s.Rat())}
}

// Times returns r · s.
func (r Ratio) Times(s Ratio) Ratio {
	num, numOK := product(r.num, s.num)
	denom, ok := product(max(r.denom, 1), max(s.denom, 1))
	if r.exact == nil && s.exact == nil && numOK && ok {
		return Ratio{num: num, denom: denom}
	}
	return Ratio{exact: new(big.Rat).Mul(r.Rat(), s.Rat())}
}

// Over returns r / s. S is not zero.
func (r Ratio) Over(s Ratio) Ratio {
	if s.exact == nil {
		return r.Times(Ratio{num: max(s.denom, 1), denom: s.num})
	}
	return Ratio{exact: new(big.Rat).Quo(r.Rat(), s.exact)}
}

// Reduced returns the ratio in lowest terms, so that more products with it fit an int64.
func (r Ratio) Reduced() Ratio {
	if r.exact != nil {
		return r
	}
	divisor := GCD(r.num, max(r.denom, 1))
	return Ratio{num: r.num / divisor, denom: max(r.denom, 1) / divisor}
}

// String returns the ratio in lowest terms, as [big.Rat.RatString] writes it.
func (r Ratio) String() string {
	if r.exact != nil {
		return r.exact.RatString()
	}
	r = r.Reduced()
	if r.denom == 1 {
		return strconv.FormatInt(r.num, 10)
	}
	return strconv.FormatInt(r.num, 10) + "/" + strconv.FormatInt(r.denom, 10)
}

// Floor returns the ratio rounded down, also below zero. What does not fit is math.MaxInt64 or math.MinInt64.
func (r Ratio) Floor() int64 {
	if r.exact == nil {
		return r.num / max(r.denom, 1)
	}
	units, _ := Floor(r.exact, 0)
	return saturated(units)
}

// Of returns r · n, rounded down, and whether that is exact. N and r are not below zero. It is not ok if the
// product is not less than math.MaxInt64.
func (r Ratio) Of(n int64) (units int64, exact, ok bool) {
	if r.exact != nil {
		return 0, false, false
	}
	denom := uint64(max(r.denom, 1))
	high, low := bits.Mul64(uint64(r.num), uint64(n))
	if high >= denom { // the quotient does not fit 64 bits
		return 0, false, false
	}
	quotient, rest := bits.Div64(high, low, denom)
	return int64(quotient), rest == 0, quotient < math.MaxInt64
}

// Float64 returns the nearest float64; one beyond those is an infinity.
func (r Ratio) Float64() float64 {
	const exact = 1 << 53 // integers up to it are floats, and quotients of floats are rounded once
	if r.exact != nil || max(r.num, r.denom) > exact {
		f, _ := r.Rat().Float64()
		return f
	}
	return float64(r.num) / float64(max(r.denom, 1))
}

// GCD returns the greatest common divisor of two integers that are not below zero; that of 0 and n is n.
func GCD(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// product returns a · b, neither below zero, and whether it fits.
func product(a, b int64) (int64, bool) {
	high, low := bits.Mul64(uint64(a), uint64(b))
	return int64(low), high == 0 && low < 1<<63
}
