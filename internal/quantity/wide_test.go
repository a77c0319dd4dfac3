package quantity_test

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestWideEqualsSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.OneOf(rapid.Int64(), rapid.SampledFrom([]int64{math.MaxInt64, math.MinInt64, -1, 0, 1}))
		var w quantity.Wide
		sum := new(big.Int)
		for _, n := range rapid.SliceOf(n).Draw(t, "numbers") {
			w.Add(n)
			sum.Add(sum, big.NewInt(n))
		}
		want := int64(math.MaxInt64)
		switch {
		case sum.IsInt64():
			want = sum.Int64()
		case sum.Sign() < 0:
			want = math.MinInt64
		}
		testkit.Equal(t, w.Int64(), want)
	})
}

// The sum, the difference of two sums and the quotient always equal those of arbitrary precision.
func TestWideArithmeticEqualsSlow(t *testing.T) {
	any := rapid.OneOf(rapid.Int64(), rapid.SampledFrom([]int64{math.MaxInt64, math.MinInt64, -1, 0, 1}))
	positive := rapid.OneOf(rapid.Int64Range(1, math.MaxInt64), rapid.SampledFrom([]int64{1, 2, 1 << 62, math.MaxInt64}))
	saturated := func(n *big.Int) int64 {
		switch {
		case n.IsInt64():
			return n.Int64()
		case n.Sign() < 0:
			return math.MinInt64
		}
		return math.MaxInt64
	}
	rapid.Check(t, func(t *rapid.T) {
		var sums [2]quantity.Wide
		var want [2]*big.Int
		for i := range sums {
			want[i] = new(big.Int)
			for _, n := range rapid.SliceOf(any).Draw(t, "added") {
				sums[i].Add(n)
				want[i].Add(want[i], big.NewInt(n))
			}
			for _, n := range rapid.SliceOf(any).Draw(t, "subtracted") {
				sums[i].Sub(n)
				want[i].Sub(want[i], big.NewInt(n))
			}
			if rapid.Bool().Draw(t, "multiplied") {
				n, times := positive.Draw(t, "n")-1, positive.Draw(t, "times")
				sums[i].AddProduct(n, times)
				want[i].Add(want[i], new(big.Int).Mul(big.NewInt(n), big.NewInt(times)))
			}
			if got := sums[i].Int64(); got != saturated(want[i]) {
				t.Fatalf("sum %d, want %v", got, want[i])
			}
		}
		difference := new(big.Int).Sub(want[0], want[1])
		if got := sums[0].Minus(sums[1]).Int64(); got != saturated(difference) {
			t.Fatalf("difference %d, want %v", got, difference)
		}
		n := positive.Draw(t, "divisor")
		quotient := int64(0)
		if difference.Sign() > 0 {
			quotient = saturated(new(big.Int).Quo(difference, big.NewInt(n)))
		}
		testkit.Equal(t, sums[0].Minus(sums[1]).Quotient(n), quotient, difference, "/", n)
	})
}
