package equalparts_test

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/internal/equalparts"
	"github.com/kubemath/kubemath/internal/testkit"
)

// Exact parts add up to the whole, differ by less than two units, and are in its format. Truncated ones are
// the same, and less than one unit of each is lost. What cannot be divided is given to the first or to each.
func TestParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(testkit.ResourceNames).Draw(t, "name")
		q, n := testkit.Quantity().Draw(t, "amount"), rapid.IntRange(1, 7).Draw(t, "parts")
		opts := division.Options{Truncated: rapid.Bool().Draw(t, "truncated"), ToEach: rapid.Bool().Draw(t, "to each")}
		parts, unit := equalparts.Of(name, q, n, opts), big.NewRat(1, 1)
		if name == "cpu" {
			unit = big.NewRat(1, 1000)
		}
		divisible := name != "example.com/gpu" && !strings.HasPrefix(string(name), "hugepages-")
		sum, first := new(big.Rat), testkit.Exact(parts.At(0))
		for i := range n {
			part := parts.At(i)
			testkit.Equal(t, part.Format, q.Format, "part", i, "is in the format")
			amount := testkit.Exact(part)
			sum.Add(sum, amount)
			switch less := new(big.Rat).Sub(first, amount); {
			case !divisible:
				if has := i == 0 || opts.ToEach; parts.Has(i) != has || has != (amount.Cmp(testkit.Exact(q)) == 0) && q.Sign() != 0 {
					t.Fatalf("%s: part %d is %s", name, i, part.String())
				}
			case less.Sign() < 0 && opts.Truncated, less.Cmp(unit) > 0, !parts.Has(i):
				t.Fatalf("part %d is %s, the first %v", i, part.String(), first)
			}
		}
		lost := new(big.Rat).Sub(testkit.Exact(q), sum)
		switch {
		case divisible && opts.Truncated:
			if lost.Sign() != 0 && lost.Sign() != q.Sign() || new(big.Rat).Abs(lost).Cmp(new(big.Rat).Mul(unit, big.NewRat(int64(n), 1))) >= 0 {
				t.Fatalf("%v is lost of %s", lost, q.String())
			}
		case (divisible || !opts.ToEach) && lost.Sign() != 0:
			t.Fatalf("%s in %d parts: %v is lost", q.String(), n, lost)
		}
	})
}

// Parts are not stored one by one: there may be any number of them.
func TestVeryManyParts(t *testing.T) {
	parts := equalparts.Of("memory", resource.MustParse("1e30"), math.MaxInt, division.Options{})
	first, last := parts.At(0), parts.At(math.MaxInt-1)
	if first.String() != "108420217249" || last.String() != "108420217248" {
		t.Errorf("from %s to %s", first.String(), last.String())
	}
	gpu := equalparts.Of("nvidia.com/gpu", resource.MustParse("1"), math.MaxInt, division.Options{})
	if !gpu.Has(0) || gpu.Has(1) || gpu.Has(math.MaxInt-1) {
		t.Error("another part than the first has the GPU")
	}
}

func TestPartsBeyondTheLast(t *testing.T) {
	parts := equalparts.Of("cpu", resource.MustParse("1"), 2, division.Options{})
	for _, i := range []int{-1, 2, math.MaxInt, math.MinInt} {
		if q := parts.At(i); !q.IsZero() {
			t.Errorf("part %d is %s", i, q.String())
		}
	}
	if q := (equalparts.Parts{}).At(0); !q.IsZero() {
		t.Errorf("the first of no parts is %s", q.String())
	}
}

func TestPartsAllocateNothing(t *testing.T) {
	cpu, fraction := resource.MustParse("1"), resource.MustParse("1.5Gi")
	if got := testing.AllocsPerRun(100, func() {
		equalparts.Of("cpu", cpu, 1_000_000_000, division.Options{}).At(7)
		equalparts.Of("memory", fraction, 3, division.Options{}).At(2)
	}); got > 0 {
		t.Errorf("%v allocations", got)
	}
}
