package quantity_test

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/quantity"
)

func TestWide(t *testing.T) {
	const most, least = math.MaxInt64, math.MinInt64
	for name, test := range map[string]struct {
		add  []int64
		want int64
	}{
		"nothing":                           {nil, 0},
		"the largest":                       {[]int64{most}, most},
		"the least":                         {[]int64{least}, least},
		"beyond the largest":                {[]int64{most, 1}, most},
		"beyond the least":                  {[]int64{least, -1}, least},
		"beyond the largest, and back":      {[]int64{most, 5, -5}, most},
		"beyond the largest, and below it":  {[]int64{most, most, -5, -most}, most - 5},
		"beyond the least, and back":        {[]int64{least, least, most, most, 2}, 0},
		"a carry from the lower half":       {[]int64{-1, 1}, 0},
		"two of the largest are too many":   {[]int64{most, most}, most},
		"two of the least are too many":     {[]int64{least, least}, least},
		"a negative sum of opposite values": {[]int64{most, least}, -1},
	} {
		var w quantity.Wide
		for _, n := range test.add {
			w.Add(n)
		}
		if got := w.Int64(); got != test.want {
			t.Errorf("%s: %d, want %d", name, got, test.want)
		}
	}
}

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
		if got := w.Int64(); got != want {
			t.Fatalf("%d, want %d", got, want)
		}
	})
}
