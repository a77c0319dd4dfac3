package quantity

import (
	"math"
	"math/bits"
)

// Wide is an exact sum of int64, in 128 bits. Since it never overflows, the order of what is
// added does not matter, also where the sum does not fit an int64 on the way. The zero value
// is 0.
type Wide struct {
	high int64
	low  uint64
}

// Add adds n.
func (w *Wide) Add(n int64) {
	low, carry := bits.Add64(w.low, uint64(n), 0)
	w.low = low
	w.high += n>>63 + int64(carry) // n>>63 are the upper 64 bits of n
}

// Int64 returns the sum. One that does not fit is math.MaxInt64 or math.MinInt64.
func (w *Wide) Int64() int64 {
	sum := int64(w.low)
	switch {
	case w.high == sum>>63:
		return sum
	case w.high < 0: // saturate
		return math.MinInt64
	default: // saturate
		return math.MaxInt64
	}
}
