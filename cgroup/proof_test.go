package cgroup_test

import (
	"math/big"
	"testing"

	"github.com/kubemath/kubemath/cgroup"
)

// The logarithmic formula in floating point is proven here, over all shares that there are.
//
// A weight w is enough for s shares, of the binary logarithm L, if
//
//	(L² + 125·L)/612 - 7/34 ≤ log10 w
//	       (L - 1)·(L + 126) ≤ 612·log10 w
//	(ln s - ln 2)·(ln s + 126·ln 2)·ln 10 ≤ 612·ln w·(ln 2)²
//
// Both sides are computed with 200 binary digits behind the point. They are equal for
// powers of two alone: if L is 1, 10 or 18, the left side of the second line is 612 times
// 0, 2 or 4, and w is 1, 100 or 10000. Anywhere else they turn out to differ by far more
// than rounding could account for, and so the comparison is beyond doubt.
func TestLogarithmicWeights(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes each number of shares")
	}
	ln := logarithms(maxShares)
	left := func(s int) *big.Int {
		l := new(big.Int).Mul(sub(ln[s], ln[2]), add(ln[s], times(126, ln[2])))
		return l.Mul(l, ln[10])
	}
	lnTwoSquared := new(big.Int).Mul(ln[2], ln[2])
	right := func(w int) *big.Int {
		return new(big.Int).Mul(times(612, ln[w]), lnTwoSquared)
	}
	margin := new(big.Int).Lsh(big.NewInt(1), 3*places-100)
	enough := func(w, s int) bool {
		if exact := map[int]int{2: 1, 1 << 10: 100, 1 << 18: 10000}; exact[s] == w {
			return true
		}
		difference := sub(right(w), left(s))
		if new(big.Int).Abs(difference).Cmp(margin) < 0 {
			t.Fatalf("%d shares and weight %d are too close to be told apart", s, w)
		}
		return difference.Sign() > 0
	}
	w := minWeight
	for s := minShares; s <= maxShares; s++ {
		for !enough(w, s) {
			w++
		}
		if got := cgroup.SharesToLogarithmicWeight(int64(s)); got != int64(w) {
			t.Errorf("%d shares: weight %d, want %d", s, got, w)
		}
	}
	if w != maxWeight {
		t.Fatalf("%d weights, want %d", w, maxWeight)
	}
}

// places is the number of binary digits after the point.
const places = 200

// logarithms returns the natural logarithms of 0 to n, those of 0 and 1 being 0, each
// within 2^-150. That of a product is the sum of those of its factors, and that of a prime
// p follows from its neighbors, which have smaller factors:
//
//	ln p = (ln(p-1) + ln(p+1))/2 + artanh(1/(2p² - 1))
func logarithms(n int) []*big.Int {
	factor := make([]int, n+2) // the smallest
	for i := 2; i < len(factor); i++ {
		if factor[i] != 0 {
			continue
		}
		for j := i; j < len(factor); j += i {
			if factor[j] == 0 {
				factor[j] = i
			}
		}
	}
	ln := make([]*big.Int, n+2)
	ln[0], ln[1] = new(big.Int), new(big.Int)
	ln[2] = sub(add(times(18, artanh(26)), times(8, artanh(8749))), times(2, artanh(4801)))
	var of func(i int) *big.Int
	of = func(i int) *big.Int {
		if ln[i] != nil {
			return ln[i]
		}
		if p := factor[i]; p < i {
			ln[i] = add(of(p), of(i/p))
			return ln[i]
		}
		half := add(of(i-1), of(i+1))
		ln[i] = add(half.Rsh(half, 1), artanh(2*int64(i)*int64(i)-1))
		return ln[i]
	}
	for i := range n + 1 {
		of(i)
	}
	return ln
}

// artanh returns the inverse hyperbolic tangent of 1/n: 1/n + 1/3n³ + 1/5n⁵ and so on.
func artanh(n int64) *big.Int {
	power := new(big.Int).Lsh(big.NewInt(1), places)
	power.Quo(power, big.NewInt(n))
	square := new(big.Int).Mul(big.NewInt(n), big.NewInt(n))
	sum := new(big.Int)
	for k := int64(1); power.Sign() > 0; k += 2 {
		sum.Add(sum, new(big.Int).Quo(power, big.NewInt(k)))
		power.Quo(power, square)
	}
	return sum
}

func add(a, b *big.Int) *big.Int         { return new(big.Int).Add(a, b) }
func sub(a, b *big.Int) *big.Int         { return new(big.Int).Sub(a, b) }
func times(n int64, a *big.Int) *big.Int { return new(big.Int).Mul(big.NewInt(n), a) }
