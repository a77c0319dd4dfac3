package limitrange

import (
	"math/big"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// withinRatio returns what else would meet a ratio that is exceeded: the least request for
// the limit that was found, and the greatest limit for the request, both in thousandths of
// cpu and whole units of anything else. There may be none, with a ratio below 1.
func (v Violation) withinRatio() (request, limit resource.Quantity, possible bool) {
	ratio := exact(v.Enforced)
	if ratio.Cmp(big.NewRat(1, 1)) < 0 || v.Request.Sign() <= 0 || v.Limit.Sign() <= 0 {
		return request, limit, false
	}
	leastRequest := roundedUp(new(big.Rat).Quo(v.inUnits(v.Limit), ratio))
	greatestLimit := new(big.Rat).Mul(v.inUnits(v.Request), ratio)
	whole := new(big.Int).Quo(greatestLimit.Num(), greatestLimit.Denom())
	return v.fromUnits(leastRequest, v.Request), v.fromUnits(whole, v.Limit), true
}

// inUnits returns an amount in units of its resource.
func (v Violation) inUnits(q *resource.Quantity) *big.Rat {
	units := exact(*q)
	if v.Resource == corev1.ResourceCPU {
		units.Mul(units, big.NewRat(1000, 1))
	}
	return units
}

// fromUnits is the way back, in the format of another quantity if that can be.
func (v Violation) fromUnits(units *big.Int, like *resource.Quantity) resource.Quantity {
	isCPU := v.Resource == corev1.ResourceCPU
	switch {
	case units.IsInt64() && isCPU:
		return *resource.NewMilliQuantity(units.Int64(), like.Format)
	case units.IsInt64():
		return *resource.NewQuantity(units.Int64(), like.Format)
	case isCPU:
		return resource.MustParse(units.String() + "m")
	default:
		return resource.MustParse(units.String())
	}
}

// roundedUp returns a positive fraction rounded up to a whole number.
func roundedUp(r *big.Rat) *big.Int {
	n := new(big.Int).Add(r.Num(), r.Denom())
	n.Sub(n, big.NewInt(1))
	return n.Quo(n, r.Denom())
}
