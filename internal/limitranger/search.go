package limitranger

import (
	"math"
	"math/big"
	"math/bits"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/bisect"
	"github.com/kubemath/kubemath/internal/quantity"
)

// LeastRequest returns the least request in whole units of 10^scale that keeps the ratio
// below a limit above zero, in the format of the limit. The ratio is above zero. It tries the
// least that keeps it exactly, and one unit more, which is mostly enough for the floats of the
// server to agree; ok is false if neither keeps it.
func (r *Ratio) LeastRequest(limit resource.Quantity, scale resource.Scale) (request resource.Quantity, ok bool) {
	requestOf := func(units *big.Int) resource.Quantity { return quantity.OfUnits(units, scale, limit.Format) }
	low := r.leastUnits(quantity.Rational(limit), scale)
	past := new(big.Int).Add(low, big.NewInt(2))
	units := bisect.First(low, past, func(units *big.Int) bool { return r.Keeps(requestOf(units), limit) })
	return requestOf(units), units.Cmp(past) < 0
}

// GreatestLimit returns the largest limit in whole units of 10^scale that keeps the ratio
// for a request above zero, in the format of the request. It tries the largest that keeps
// it exactly, and one unit less; ok is false if neither keeps it. The limit may be zero.
func (r *Ratio) GreatestLimit(request resource.Quantity, scale resource.Scale) (limit resource.Quantity, ok bool) {
	high, past := r.greatestUnits(quantity.Rational(request), scale), big.NewInt(2)
	limitOf := func(less *big.Int) resource.Quantity {
		return quantity.OfUnits(new(big.Int).Sub(high, less), scale, request.Format)
	}
	less := bisect.First(new(big.Int), past, func(less *big.Int) bool { return r.Keeps(request, limitOf(less)) })
	return limitOf(less), less.Cmp(past) < 0
}

// leastUnits returns the least request that keeps the ratio exactly below a limit, in units
// of 10^scale. The ratio is above zero.
func (r *Ratio) leastUnits(limit *big.Rat, scale resource.Scale) *big.Int {
	return quantity.Ceil(new(big.Rat).Quo(limit, r.exact), scale)
}

// greatestUnits returns the greatest limit that keeps the ratio exactly above a request, in
// units of 10^scale.
func (r *Ratio) greatestUnits(request *big.Rat, scale resource.Scale) *big.Int {
	units, _ := quantity.Floor(new(big.Rat).Mul(request, r.exact), scale)
	return units
}

// LeastRequestIn returns the least request that keeps the ratio below a limit above zero,
// both in units of so many milli-units. The ratio is above zero. There is one for every
// limit of at most 2^63-1 whole units.
func (r *Ratio) LeastRequestIn(unit, limit *big.Int) *big.Int {
	if l, ok := r.multiple(limit, unit, r.exact.Denom(), r.exact.Num()); ok {
		low := l.quotient
		if l.rest > 0 {
			low++
		}
		if !r.keepsOnServer(milliOf(low, l.unit), milliOf(l.amount, l.unit)) {
			low++
		}
		return big.NewInt(low)
	}
	low, inMilli := r.leastUnits(new(big.Rat).SetInt(limit), 0), product(limit, unit)
	return bisect.First(low, new(big.Int).Add(low, margin(low)), func(request *big.Int) bool {
		return r.KeepsMilli(product(request, unit), inMilli)
	})
}

// GreatestLimitIn returns the greatest limit that keeps the ratio above a request above
// zero, both in units of so many milli-units. The ratio is at least one. There is one for
// every request of at most 2^63-1 whole units.
func (r *Ratio) GreatestLimitIn(unit, request *big.Int) *big.Int {
	if l, ok := r.multiple(request, unit, r.exact.Num(), r.exact.Denom()); ok {
		high := l.quotient
		if !r.keepsOnServer(milliOf(l.amount, l.unit), milliOf(high, l.unit)) {
			high--
		}
		return big.NewInt(high)
	}
	high, inMilli := r.greatestUnits(new(big.Rat).SetInt(request), 0), product(request, unit)
	less := bisect.First(new(big.Int), margin(high), func(less *big.Int) bool {
		return r.KeepsMilli(inMilli, product(new(big.Int).Sub(high, less), unit))
	})
	return high.Sub(high, less)
}

// margin is more than the floats of the server are off by: a few of their last bits.
func margin(v *big.Int) *big.Int {
	few := new(big.Int).Rsh(v, 48)
	return few.Add(few, big.NewInt(1))
}

// fewUnits are so many that the margin beside them is one.
const fewUnits = 1 << 48

// small is an amount times a ratio, in integers.
type small struct{ amount, unit, quotient, rest int64 }

// multiple returns amount·a/b if all of its terms are small, and if so are the results in milli-units.
func (r *Ratio) multiple(amount, unit, a, b *big.Int) (_ small, ok bool) {
	if !amount.IsInt64() || !unit.IsInt64() || !a.IsInt64() || !b.IsInt64() || b.Sign() <= 0 {
		return small{}, false
	}
	s := small{amount: amount.Int64(), unit: unit.Int64()}
	high, low := bits.Mul64(uint64(s.amount), a.Uint64())
	if high > 0 || s.amount|a.Int64() < 0 || max(s.amount, int64(low/b.Uint64())) >= min(fewUnits, math.MaxInt64/s.unit) {
		return small{}, false
	}
	s.quotient, s.rest = int64(low/b.Uint64()), int64(low%b.Uint64())
	return s, true
}

func milliOf(units, unit int64) integers { return AmountOfMilli(units * unit).integers }
