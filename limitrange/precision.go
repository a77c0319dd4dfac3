package limitrange

import (
	"cmp"
	"fmt"
	"math"
	"strconv"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/resourcelist"
)

// amounts are what is requested and limited of one resource; those that are nil are not
// stated. The quantities are copies.
type amounts struct{ request, limit *resource.Quantity }

// scaleFor returns the precision at which the server compares amounts with a bound:
// thousandths, if all three are small enough, and otherwise whole units. What is not
// stated counts as zero.
func (a amounts) scaleFor(bound resource.Quantity) resource.Scale {
	for _, q := range []*resource.Quantity{a.request, a.limit, &bound} {
		if q != nil && units(*q, 0) > resource.MaxMilliValue {
			return 0
		}
	}
	return resource.Milli
}

// units returns a quantity, which is a copy, in units of 10^scale, rounded away from zero
// and saturated.
func units(q resource.Quantity, scale resource.Scale) int64 {
	if n, exact := resourcelist.Small(&q, scale); exact {
		return n
	}
	return resourcelist.Integer(q, scale)
}

// compareAt compares two quantities rounded away from zero to units of 10^scale. Beyond
// 64 bits of these units, it compares them as they are.
func compareAt(scale resource.Scale, a, b resource.Quantity) int {
	x, y := units(a, scale), units(b, scale)
	if x == y && (x == math.MaxInt64 || x == math.MinInt64) {
		return a.Cmp(b)
	}
	return cmp.Compare(x, y)
}

// checkMin returns why amounts are below a minimum, or passes.
func (a amounts) checkMin(bound resource.Quantity) Cause {
	scale := a.scaleFor(bound)
	switch {
	case a.request == nil:
		return NoRequest
	case compareAt(scale, *a.request, bound) < 0:
		return RequestOut
	case a.limit != nil && compareAt(scale, *a.limit, bound) < 0:
		return LimitOut
	}
	return passes
}

// checkMax returns why amounts are above a maximum, or passes.
func (a amounts) checkMax(bound resource.Quantity) Cause {
	scale := a.scaleFor(bound)
	switch {
	case a.limit == nil:
		return NoLimit
	case compareAt(scale, *a.limit, bound) > 0:
		return LimitOut
	case a.request != nil && compareAt(scale, *a.request, bound) > 0:
		return RequestOut
	}
	return passes
}

// checkClaimMax is checkMax for what has requests only.
func (a amounts) checkClaimMax(bound resource.Quantity) Cause {
	switch {
	case a.request == nil:
		return NoRequest
	case compareAt(a.scaleFor(bound), *a.request, bound) > 0:
		return RequestOut
	}
	return passes
}

// checkRatio returns why amounts exceed a ratio of limit to request, or passes, and the
// ratio if there is one.
func (a amounts) checkRatio(bound resource.Quantity) (Cause, float64) {
	scale := a.scaleFor(bound)
	if a.request == nil || units(*a.request, scale) == 0 {
		return NoRequest, 0
	}
	if a.limit == nil || units(*a.limit, scale) == 0 {
		return NoLimit, 0
	}
	ratio := asFloat(*a.limit, scale) / asFloat(*a.request, scale)
	if exceeds(ratio, bound) {
		return RatioOut, ratio
	}
	return passes, ratio
}

// exceeds reports whether a ratio is above a bound, which the server compares in
// thousandths if they fit. What is no number exceeds everything.
func exceeds(ratio float64, bound resource.Quantity) bool {
	if n := units(bound, 0); n > resource.MaxMilliValue {
		return !(ratio <= float64(n))
	}
	return !(ratio*1000 <= float64(units(bound, resource.Milli)))
}

// asFloat returns a quantity, which is a copy, in units of 10^scale, rounded away from zero if
// it fits 64 bits, and otherwise to the nearest float64.
func asFloat(q resource.Quantity, scale resource.Scale) float64 {
	if n := units(q, scale); n != math.MaxInt64 && n != math.MinInt64 {
		return float64(n)
	}
	// AsApproximateFloat64 would be off by a bit: of 1e21, for one.
	d := q.AsDec()
	f, _ := strconv.ParseFloat(fmt.Sprintf("%ve%d", d.UnscaledBig(), -int(d.Scale())-int(scale)), 64)
	return f
}
