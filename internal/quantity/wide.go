package quantity

import (
	"math"
	"math/bits"
)

// Wide is an exact sum of int64 values, in 128 bits. It never overflows, so the order of addition
// does not matter, even if an intermediate sum does not fit into an int64. The zero value is 0.
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

// Sub subtracts n.
func (w *Wide) Sub(n int64) {
	low, borrow := bits.Sub64(w.low, uint64(n), 0)
	w.low = low
	w.high -= n>>63 + int64(borrow)
}

// AddProduct adds n·times, of which neither is below zero.
func (w *Wide) AddProduct(n, times int64) {
	high, low := bits.Mul64(uint64(n), uint64(times))
	var carry uint64
	w.low, carry = bits.Add64(w.low, low, 0)
	w.high += int64(high + carry)
}

// Minus returns the difference of two sums.
func (w Wide) Minus(other Wide) Wide {
	low, borrow := bits.Sub64(w.low, other.low, 0)
	return Wide{high: w.high - other.high - int64(borrow), low: low}
}

// Quotient returns how many whole times n, which is above zero, goes into the sum: 0 if the
// sum is below zero, and math.MaxInt64 if the number does not fit.
func (w Wide) Quotient(n int64) int64 {
	switch {
	case w.high < 0:
		return 0
	case w.high >= n: // saturate
		return math.MaxInt64
	}
	quotient, _ := bits.Div64(uint64(w.high), w.low, uint64(n))
	return int64(min(quotient, math.MaxInt64)) // saturate
}

// Int64 returns the sum. One that does not fit is math.MaxInt64 or math.MinInt64.
func (w Wide) Int64() int64 {
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
