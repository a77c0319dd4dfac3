package resourcelist

import (
	"cmp"
	"math"
	"math/big"
	"math/bits"

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
	return s.float64(), true
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
	return s.percent(), true
}

// Percents returns the Percent of every resource with a total above zero. What
// used does not name is not used: 0. What only used names, or has no total, is absent. The
// result is never nil.
func Percents(used, total corev1.ResourceList) map[corev1.ResourceName]int64 {
	percents := make(map[corev1.ResourceName]int64, len(total))
	for name, whole := range total {
		if percent, ok := Percent(used[name], whole); ok {
			percents[name] = percent
		}
	}
	return percents
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
	var most share
	found := false
	for other, q := range used {
		s, ok := shareOf(q, total[other])
		if !ok || s.sign() <= 0 {
			continue
		}
		if !found || s.dominates(most, other < name) {
			name, most, found = other, s, true
		}
	}
	if !found {
		return "", 0
	}
	return name, most.float64()
}

// DominantShareOfIntegers is DominantShare of integers, which have one unit for each resource, such as
// those that Integers returns.
//
// Cost: a lookup and two multiplications for each resource of used. It allocates only if the dominant share
// is of integers beyond 2^53.
func DominantShareOfIntegers(used, total map[corev1.ResourceName]int64) (name corev1.ResourceName, fraction float64) {
	var most share
	found := false
	for other, n := range used {
		s := share{used: n, total: total[other]}
		if s.used <= 0 || s.total <= 0 {
			continue
		}
		if !found || s.dominates(most, other < name) {
			name, most, found = other, s, true
		}
	}
	if !found {
		return "", 0
	}
	return name, most.float64()
}

// share is used/total: as integers of one unit, used not below and total above zero, or as a fraction.
// Those of shareOf are no more than 2^52, so that 100 times used fits an int64.
type share struct {
	used, total int64
	exact       *big.Rat // set if the integers are not
}

// shareOf returns used/total, and whether there is a total. Its arguments are copies, so it may change
// their representation.
func shareOf(used, total resource.Quantity) (s share, ok bool) {
	if total.Sign() <= 0 {
		return share{}, false
	}
	for _, scale := range [...]resource.Scale{0, resource.Milli} {
		part, small1 := quantity.Small(&used, scale)
		whole, small2 := quantity.Small(&total, scale)
		if small1 && small2 {
			return share{used: part, total: whole}, true
		}
	}
	return share{exact: new(big.Rat).Quo(quantity.Rational(used), quantity.Rational(total))}, true
}

func (s share) rational() *big.Rat {
	if s.exact != nil {
		return s.exact
	}
	return big.NewRat(s.used, s.total)
}

func (s share) sign() int {
	if s.exact != nil {
		return s.exact.Sign()
	}
	return cmp.Compare(s.used, 0)
}

func (s share) compare(other share) int {
	if s.exact != nil || other.exact != nil {
		return s.rational().Cmp(other.rational())
	}
	high1, low1 := bits.Mul64(uint64(s.used), uint64(other.total))
	high2, low2 := bits.Mul64(uint64(other.used), uint64(s.total))
	if high1 != high2 {
		low1, low2 = high1, high2
	}
	switch {
	case low1 < low2:
		return -1
	case low1 > low2:
		return 1
	}
	return 0
}

// dominates reports whether a share is greater than another, or equal and first.
func (s share) dominates(other share, first bool) bool {
	order := s.compare(other)
	return order > 0 || order == 0 && first
}

func (s share) float64() float64 {
	if s.exact != nil || max(s.used, s.total) > 1<<53 {
		f, _ := s.rational().Float64()
		return f
	}
	return float64(s.used) / float64(s.total) // integers up to 2^53 are floats, and quotients of floats are rounded once
}

func (s share) percent() int64 {
	if s.exact == nil {
		return s.used * 100 / s.total // 100·2^52 fits
	}
	percent, _ := quantity.Floor(new(big.Rat).Mul(s.rational(), big.NewRat(100, 1)), 0)
	switch {
	case percent.IsInt64():
		return percent.Int64()
	case percent.Sign() > 0: // saturate
		return math.MaxInt64
	default: // saturate
		return math.MinInt64
	}
}
