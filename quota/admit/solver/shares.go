package solver

import (
	"math/big"
	"slices"

	"github.com/kubemath/kubemath/internal/bisect"
)

// sharing moves amounts to their ends in proportion to weights, within what is valid. The share of
// a unit of an amount is its number divided by the weight. Upwards, units are added by ascending
// share; downwards, they are removed by descending share. Of units of the same share, those of the first
// amounts are added first, and removed last. A unit that would make the amounts invalid stays out, or
// in, and with it all later ones of its amount.
//
// Since what is once invalid remains so if more units are added, or removed, the result is the first of
// all valid ones in the order of units: any other valid result differs from it first in a unit that it
// lacks, or has.
//
// Shares are counted in 1/2^bits, which is finer than the difference of any two shares a/v and b/w: this
// is at least 1/(v·w). So units whose share is in the same step have the same share.
type sharing struct {
	amounts, ends, weights []*big.Int // weights are above zero for what moves
	down                   bool
	valid                  func(amounts []*big.Int) bool // holds for the amounts at the start
	bits                   uint
}

// shareUp moves amounts up to ends, which are no smaller. Amounts without a weight stay.
func shareUp(amounts, ends, weights []*big.Int, valid func([]*big.Int) bool) []*big.Int {
	s := &sharing{amounts: amounts, ends: ends, weights: weights, valid: valid}
	return s.move(func(i int) bool { return weights[i].Sign() > 0 })
}

// shareDown moves amounts down to ends, which are no larger: first those without a weight, unit by unit
// as if their weights were equal.
func shareDown(amounts, ends, weights []*big.Int, valid func([]*big.Int) bool) []*big.Int {
	unweighted := func(i int) bool { return weights[i].Sign() == 0 }
	equal := slices.Repeat([]*big.Int{big.NewInt(1)}, len(weights))
	s := &sharing{amounts: amounts, ends: ends, weights: equal, down: true, valid: valid}
	s.amounts = s.move(unweighted)
	s.weights = weights
	return s.move(func(i int) bool { return !unweighted(i) })
}

// move moves the chosen amounts.
func (s *sharing) move(chosen func(i int) bool) []*big.Int {
	var moving []int
	all := slices.Clone(s.amounts)
	for i := range s.amounts {
		if chosen(i) && s.amounts[i].Cmp(s.ends[i]) != 0 {
			moving, all[i] = append(moving, i), s.ends[i]
			s.bits = max(s.bits, 2*uint(s.weights[i].BitLen())+1)
		}
	}
	if len(moving) == 0 || s.valid(all) {
		return all
	}
	s.amounts = slices.Clone(s.amounts)
	for len(moving) > 0 {
		moving = s.advance(moving)
	}
	return s.amounts
}

// advance moves amounts until the first of them has to stay, and returns those that can move further.
func (s *sharing) advance(moving []int) []int {
	one := big.NewInt(1)
	past := new(big.Int)
	for _, i := range moving {
		past = atLeast(past, s.shareOf(i, atLeast(s.amounts[i], s.ends[i])))
	}
	past = sum(past, one)
	share := bisect.First(new(big.Int), past, func(share *big.Int) bool { return s.valid(s.at(moving, share)) == s.down })
	below, above := s.at(moving, difference(share, one)), s.at(moving, share)
	s.amounts = below
	if s.down {
		s.amounts = above
	}
	order := slices.Clone(moving)
	if s.down {
		slices.Reverse(order)
	}
	for _, i := range order { // of units of the same share
		if below[i].Cmp(above[i]) != 0 && !s.step(i) {
			moving = slices.DeleteFunc(moving, func(j int) bool { return j == i })
		}
	}
	return slices.DeleteFunc(moving, func(i int) bool {
		before := s.amounts[i]
		can := s.step(i)
		s.amounts[i] = before
		return !can
	})
}

// step moves an amount by one unit, and reports whether that is valid. If not, it stays.
func (s *sharing) step(i int) bool {
	if s.amounts[i].Cmp(s.ends[i]) == 0 {
		return false
	}
	before := s.amounts[i]
	s.amounts[i] = oneTowards(before, s.ends[i])
	if s.valid(s.amounts) {
		return true
	}
	s.amounts[i] = before
	return false
}

// at returns the amounts with the units up to a share, between where they are and their ends.
func (s *sharing) at(moving []int, share *big.Int) []*big.Int {
	amounts := slices.Clone(s.amounts)
	var units big.Int
	for _, i := range moving {
		units.Rsh(units.Mul(share, s.weights[i]), s.bits)
		low, high := s.amounts[i], s.ends[i]
		if s.down {
			low, high = high, low
		}
		if amounts[i] = atMost(atLeast(&units, low), high); amounts[i] == &units {
			amounts[i] = new(big.Int).Set(&units)
		}
	}
	return amounts
}

// shareOf returns the share of the last unit of an amount, rounded up.
func (s *sharing) shareOf(i int, amount *big.Int) *big.Int {
	return ceil(new(big.Int).Lsh(amount, s.bits), s.weights[i])
}
