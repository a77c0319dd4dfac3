package resourcelist

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/quantity"
)

// Fraction returns used/total: 0.5 if half of it is used. The quotient is exact, and rounded once,
// to the nearest float64; one beyond those is an infinity. It is above 1 if more than the total is
// used, and negative if the usage is negative. If the total is zero or less, the result is 0, and
// ok is false.
//
// Cost: amounts up to 2^52 take one division of floats, others big integers with all their
// digits.
func Fraction(used, total resource.Quantity) (fraction float64, ok bool) {
	s, ok := shareOf(used, total)
	if !ok {
		return 0, false
	}
	return s.Float64(), true
}

// Percent returns 100·used/total, rounded down to a whole percent, also below zero, so the usage is
// at least p percent of the total if and only if Percent is at least p. A result that does not fit
// is math.MaxInt64 or math.MinInt64. If the total is zero or less, the result is 0, and ok is
// false.
func Percent(used, total resource.Quantity) (percent int64, ok bool) {
	s, ok := shareOf(used, total)
	if !ok {
		return 0, false
	}
	return s.Times(quantity.Whole(100)).Floor(), true
}

// DominantShare returns the resource with the largest used fraction of its total, and that
// Fraction: the share that Dominant Resource Fairness compares. Fractions are compared exactly; of
// equal ones, the first by name is returned. Only resources whose usage and total are above zero
// count, so a resource that is missing in total is ignored. If there is none, the result is "" and
// 0.
//
// Cost: it allocates only for amounts that need arbitrary precision.
//
// Source: dominantResourceShare of Kueue, and A. Ghodsi et al., "Dominant Resource Fairness".
func DominantShare(used, total corev1.ResourceList) (name corev1.ResourceName, fraction float64) {
	var most quantity.Ratio
	for other, q := range used {
		s, ok := shareOf(q, total[other])
		if !ok || s.Sign() <= 0 {
			continue
		}
		if order := s.Cmp(most); order > 0 || order == 0 && other < name {
			name, most = other, s
		}
	}
	return name, most.Float64()
}

// shareOf returns used/total, and whether there is a total.
func shareOf(used, total resource.Quantity) (share quantity.Ratio, ok bool) {
	if total.Sign() <= 0 {
		return quantity.Ratio{}, false
	}
	return quantity.RatioOfQuantities(used, total), true
}
