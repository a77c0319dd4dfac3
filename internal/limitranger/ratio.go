package limitranger

import (
	"math/big"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/quantity"
)

// Ratio is a maxLimitRequestRatio, for callers that look for amounts within it. Ratios are
// shared and never written.
type Ratio struct {
	exact     *big.Rat
	bound     integers
	isExactly bool // the server compares exactly, not in floats
}

// RatioOf returns the ratio that a LimitRange sets, for a server that compares exactly (see Amounts.Exactly), or in
// floats.
func RatioOf(q resource.Quantity, exactly bool) *Ratio {
	return &Ratio{quantity.Rational(q), integersOf(&q), exactly}
}

// RatioOfMilli is RatioOf for a ratio of so many milli-units.
func RatioOfMilli(milli *big.Int, exactly bool) *Ratio {
	return &Ratio{new(big.Rat).SetFrac(milli, big.NewInt(1000)), integersOfMilli(milli), exactly}
}

// Keeps reports whether a limit above zero is at most ratio times a request: exactly, and
// in the floats of the server too, if it has any. These reject some limits that are exactly at the ratio,
// such as 2007m for a request of 1 and a ratio of 2.007. It is monotone: true for a larger
// request, and for a smaller limit, too. A request of zero or less keeps no ratio.
//
// Beyond 64 bits, the floats are those of the largest int64, so that the exact comparison
// decides.
func (r *Ratio) Keeps(request, limit resource.Quantity) bool {
	x, y := quantity.Rational(request), quantity.Rational(limit)
	// Both in a unit that has either denominator as a factor.
	return r.KeepsExactly(product(x.Num(), y.Denom()), product(y.Num(), x.Denom())) &&
		r.keepsOnServer(integersOf(&request), integersOf(&limit))
}

// KeepsMilli is Keeps for a request and a limit above zero in milli-units.
func (r *Ratio) KeepsMilli(request, limit *big.Int) bool {
	return r.KeepsExactly(request, limit) && r.keepsOnServer(integersOfMilli(request), integersOfMilli(limit))
}

// KeepsExactly is Keeps without the floats of the server, for amounts in any one unit.
func (r *Ratio) KeepsExactly(request, limit *big.Int) bool {
	return product(limit, r.exact.Denom()).Cmp(product(request, r.exact.Num())) <= 0
}

func (r *Ratio) keepsOnServer(request, limit integers) bool {
	if r.isExactly {
		return true
	}
	if r.bound.fitMilli() && request.fitMilli() && limit.fitMilli() {
		return r.bound.allow(float64(limit.milli) / float64(request.milli))
	}
	return r.bound.allow(float64(limit.whole) / float64(request.whole))
}

func product(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }
