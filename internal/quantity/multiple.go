package quantity

import (
	"math"
	"math/big"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Times returns n·q, in the format of q. The result shares nothing with q.
func Times(q resource.Quantity, n int64) resource.Quantity {
	// Quantity.Mul converts every quantity with milli-units to a decimal.
	for _, scale := range [...]resource.Scale{0, resource.Milli} {
		own := q
		units, small := Small(&own, scale)
		if product := units * n; small && n > 0 && product/n == units {
			p := resource.NewScaledQuantity(product, scale)
			p.Format = q.Format
			return *p
		}
	}
	product := q.DeepCopy()
	product.Mul(n) // reports whether the product fits an int64, and is exact either way
	return product
}

// Quotient returns how many whole times b, which is above zero, goes into a: 0 if a is
// below b, and math.MaxInt64 if the number does not fit.
func Quotient(a, b resource.Quantity) int64 {
	for _, scale := range []resource.Scale{0, resource.Milli} {
		x, small := Small(&a, scale)
		if !small {
			continue
		}
		if y, small := Small(&b, scale); small {
			return x / y
		}
	}
	// A float is exact enough to detect values that are far too large, and avoids writing out all
	// the digits of 1e1000000000.
	f := a.AsApproximateFloat64() / b.AsApproximateFloat64()
	switch {
	case f > 1e19: // saturate
		return math.MaxInt64
	case f < 0.5:
		return 0
	}
	x, y := a.AsDec(), b.AsDec()
	places := int(y.Scale()) - int(x.Scale())
	dividend, divisor := shifted(x.UnscaledBig(), places), shifted(y.UnscaledBig(), -places)
	return saturated(new(big.Int).Quo(dividend, divisor))
}
