package limitranger

import (
	"cmp"
	"fmt"
	"math"
	"strconv"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/quantity"
)

// scaleUpTo returns resource.Milli if no amount has more than the given number of whole units, and
// otherwise 0. Nil amounts are ignored.
func scaleUpTo(most int64, amounts ...*resource.Quantity) resource.Scale {
	for _, q := range amounts {
		if q != nil && units(*q, 0) > most {
			return 0
		}
	}
	return resource.Milli
}

// units returns a quantity, which is a copy, in units of 10^scale, rounded away from zero
// and saturated.
func units(q resource.Quantity, scale resource.Scale) int64 {
	if n, exact := quantity.Small(&q, scale); exact {
		return n
	}
	return quantity.Integer(q, scale)
}

// compareAt compares two quantities rounded away from zero to units of 10^scale. Beyond 64 bits of these
// units, it compares them exactly.
func compareAt(scale resource.Scale, a, b resource.Quantity) int {
	x, y := units(a, scale), units(b, scale)
	if x != y || x != math.MaxInt64 && x != math.MinInt64 {
		return cmp.Compare(x, y)
	}
	// Comparing floats first avoids writing out all digits of amounts such as 1e1000000000.
	if x, y := a.AsApproximateFloat64(), b.AsApproximateFloat64(); math.IsInf(x, 0) != math.IsInf(y, 0) {
		return cmp.Compare(x, y)
	}
	return a.Cmp(b)
}

// float returns a quantity, which is a copy, in units of 10^scale, rounded away from zero if
// it fits 64 bits, and otherwise to the nearest float64.
func float(q resource.Quantity, scale resource.Scale) float64 {
	if n := units(q, scale); n != math.MaxInt64 && n != math.MinInt64 {
		return float64(n)
	}
	// AsApproximateFloat64 would be off by one bit, for instance for 1e21.
	d := q.AsDec()
	f, _ := strconv.ParseFloat(fmt.Sprintf("%ve%d", d.UnscaledBig(), -int(d.Scale())-int(scale)), 64)
	return f
}
