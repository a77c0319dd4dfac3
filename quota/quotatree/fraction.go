package quotatree

import (
	"math/big"
	"math/bits"
)

// fraction is an exact number that is not below zero. Its zero value is not valid.
type fraction struct {
	num, den int64    // num not below, den above zero
	exact    *big.Rat // set if they do not fit; never written
}

func whole(n int64) fraction { return fraction{num: n, den: 1} }

// rational returns a new number, which the caller may change.
func (f fraction) rational() *big.Rat {
	if f.exact != nil {
		return new(big.Rat).Set(f.exact)
	}
	return big.NewRat(f.num, f.den)
}

func (f fraction) compare(g fraction) int {
	if f.exact != nil || g.exact != nil {
		return f.rational().Cmp(g.rational())
	}
	high1, low1 := bits.Mul64(uint64(f.num), uint64(g.den))
	high2, low2 := bits.Mul64(uint64(g.num), uint64(f.den))
	switch {
	case high1 < high2 || high1 == high2 && low1 < low2:
		return -1
	case high1 == high2 && low1 == low2:
		return 0
	default:
		return 1
	}
}

// times returns f · n, with n not below zero.
func (f fraction) times(n int64) fraction {
	if num, ok := product(f.num, n); ok && f.exact == nil {
		return fraction{num: num, den: f.den}
	}
	return fraction{exact: f.rational().Mul(f.rational(), big.NewRat(n, 1))}
}

// over returns f / n, with n above zero.
func (f fraction) over(n int64) fraction {
	if den, ok := product(f.den, n); ok && f.exact == nil {
		return fraction{num: f.num, den: den}
	}
	return fraction{exact: f.rational().Mul(f.rational(), big.NewRat(1, n))}
}

// minus returns f - n, which is not below zero.
func (f fraction) minus(n int64) fraction {
	if of, ok := product(f.den, n); ok && f.exact == nil {
		return fraction{num: f.num - of, den: f.den}
	}
	return fraction{exact: f.rational().Sub(f.rational(), big.NewRat(n, 1))}
}

// reduced returns f in lowest terms.
func (f fraction) reduced() fraction {
	if f.exact != nil {
		return f
	}
	d := gcd(f.num, f.den)
	return fraction{num: f.num / d, den: f.den / d}
}

// product returns a · b, neither below zero, and whether it fits.
func product(a, b int64) (int64, bool) {
	high, low := bits.Mul64(uint64(a), uint64(b))
	return int64(low), high == 0 && low < 1<<63
}

// gcd returns the greatest common divisor, of which neither number is below zero; that of 0 and n is n.
func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// sum is an exact sum of numbers that are not below zero.
type sum struct {
	n     int64
	exact *big.Int // set if n does not fit
}

func (s *sum) add(n int64) {
	if s.exact == nil && s.n+n >= 0 { // no overflow
		s.n += n
		return
	}
	if s.exact == nil {
		s.exact = big.NewInt(s.n)
	}
	s.exact.Add(s.exact, big.NewInt(n))
}

func (s *sum) isZero() bool { return s.exact == nil && s.n == 0 }

// over returns s / total, which is not zero.
func (s *sum) over(total *sum) fraction {
	if s.exact == nil && total.exact == nil {
		return fraction{num: s.n, den: total.n}
	}
	return fraction{exact: new(big.Rat).SetFrac(s.integer(), total.integer())}
}

func (s *sum) integer() *big.Int {
	if s.exact != nil {
		return s.exact
	}
	return big.NewInt(s.n)
}
