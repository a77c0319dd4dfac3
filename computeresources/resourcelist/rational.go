package resourcelist

import (
	"math/big"
	"strings"
)

// Rational is an exact fraction in an answer, as text that compares and marshals: "3/4", "5" or "-1/3", in lowest
// terms, as [big.Rat.RatString] writes it. Create one from a *big.Rat by Rational(r.RatString()). The zero value is
// zero.
type Rational string

// Rat returns the fraction, which belongs to the caller. It is zero for text that is not a fraction of two integers.
func (r Rational) Rat() *big.Rat {
	if strings.Trim(string(r), "-/0123456789") != "" { // big.Rat also reads exponents, of any size
		return new(big.Rat)
	}
	rat, ok := new(big.Rat).SetString(string(r))
	if !ok {
		return new(big.Rat)
	}
	return rat
}
