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
	low, inMilli := r.leastUnits(new(big.Rat).SetInt(limit), 0), product(limit, unit)
	return bisect.First(low, new(big.Int).Add(low, margin(low)), func(request *big.Int) bool {
		return r.KeepsMilli(product(request, unit), inMilli)
	})
}

// GreatestLimitIn returns the greatest limit that keeps the ratio above a request above
// zero, both in units of so many milli-units. The ratio is at least one. There is one for
// every request of at most 2^63-1 whole units.
func (r *Ratio) GreatestLimitIn(unit, request *big.Int) *big.Int {
	if limit, ok := r.smallLimit(unit, request); ok {
		return big.NewInt(limit)
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

// smallLimit is GreatestLimitIn for integers so small that their margin is one.
func (r *Ratio) smallLimit(unit, request *big.Int) (limit int64, ok bool) {
	num, denom, units := r.exact.Num(), r.exact.Denom(), request.Int64()
	if !unit.IsInt64() || !request.IsInt64() || !num.IsInt64() || !denom.IsInt64() || units < 0 || num.Sign() < 0 {
		return 0, false
	}
	high, low := bits.Mul64(uint64(units), num.Uint64())
	limit = int64(low / denom.Uint64())
	if high > 0 || max(units, limit) >= min(1<<48, math.MaxInt64/unit.Int64()) {
		return 0, false
	}
	milli := func(units int64) integers { return AmountOfMilli(units * unit.Int64()).integers }
	if !r.keepsOnServer(milli(units), milli(limit)) {
		limit--
	}
	return limit, true
}
