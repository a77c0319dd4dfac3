package cgroup

import (
	"math"
	"sort"
)

// logarithmicWeight returns the weight of shares within minShares and maxShares: 10 to the power of (l² +
// 125·l)/612 - 7/34, where l is the binary logarithm of the shares, rounded up.
//
// Floating point is enough: that power is an integer for 2, 1024 and 262144 shares, and differs by more than 4e-10 of
// itself from an integer for all others, which is more than any rounding, and than the part that is subtracted.
func logarithmicWeight(shares int64) int64 {
	l := math.Log2(float64(shares))
	return int64(math.Ceil(math.Pow(10, (l*l+125*l)/612-7.0/34) * (1 - 1e-12)))
}

// greatestLogarithmic returns the largest shares whose logarithmic weight is at most the given one. For
// weight 0, that is one below minShares.
func greatestLogarithmic(weight int64) int64 {
	above := func(i int) bool { return logarithmicWeight(minShares+int64(i)) > weight }
	return minShares - 1 + int64(sort.Search(maxShares-minShares+1, above))
}
