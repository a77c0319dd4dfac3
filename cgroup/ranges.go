package cgroup

import (
	"fmt"
	"math/bits"
)

// Range has the numbers from Min to Max, inclusive. If there are none, Max is below Min: WeightToMilliCPU
// returns Range{Min: 1, Max: 0} then. The zero Range only has 0.
type Range struct{ Min, Max int64 }

// String returns "989 to 1000", "7" for a single number, and "none" for an empty range.
func (r Range) String() string {
	switch {
	case r.Max < r.Min:
		return "none"
	case r.Min == r.Max:
		return fmt.Sprint(r.Min)
	default:
		return fmt.Sprintf("%d to %d", r.Min, r.Max)
	}
}

// mulDiv returns a·b / c rounded down, whether there is a remainder, and whether the result fits.
// a and b must be at least 0, and c at least 1.
func mulDiv(a, b, c int64) (quotient int64, rest, ok bool) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if hi >= uint64(c) {
		return 0, false, false
	}
	q, r := bits.Div64(hi, lo, uint64(c))
	return int64(q), r > 0, q < 1<<63
}

// mulDivUp is mulDiv rounded up.
func mulDivUp(a, b, c int64) (quotient int64, ok bool) {
	q, rest, ok := mulDiv(a, b, c)
	if rest {
		q++
	}
	return q, ok && q >= 0
}
