// Package bisect finds the smallest integer for which a monotone condition holds.
package bisect

import "math/big"

// First returns the least number in [low, past) for which a monotone test holds, or past if there
// is none. The test is always called with low, and never with past. It must not keep or change its
// argument. The result may be past itself.
//
// Cost: one test, plus one for each bit of past - low.
func First(low, past *big.Int, holds func(*big.Int) bool) *big.Int {
	if holds(low) {
		return low
	}
	// The test fails for low, and is assumed to hold for past.
	for one := big.NewInt(1); new(big.Int).Add(low, one).Cmp(past) < 0; {
		middle := new(big.Int).Add(low, past)
		middle.Rsh(middle, 1)
		if holds(middle) {
			past = middle
		} else {
			low = middle
		}
	}
	return past
}
