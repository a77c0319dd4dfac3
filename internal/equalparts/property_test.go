package equalparts_test

import (
	"fmt"
	"math/big"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/internal/testkit"
)

func options(t *rapid.T) division.Options {
	return division.Options{Truncated: rapid.Bool().Draw(t, "truncated"), ToEach: rapid.Bool().Draw(t, "to each")}
}

func names() *rapid.Generator[corev1.ResourceName] { return rapid.SampledFrom(testkit.ResourceNames) }

func divisibleNames() *rapid.Generator[corev1.ResourceName] {
	return rapid.SampledFrom([]corev1.ResourceName{"cpu", "memory", "ephemeral-storage"})
}

// numbers draws numbers of parts.
func numbers() *rapid.Generator[int] {
	return rapid.SampledFrom([]int{1, 2, 2, 3, 3, 4, 5, 6, 7})
}

func TestContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name, q := names().Draw(t, "name"), testkit.Quantity().Draw(t, "quantity")
		n, opts := numbers().Draw(t, "parts"), options(t)
		testkit.Contract(t, func() any { return divide(name, q, n, opts) }, &q)
	})
}

func sumOf(parts []resource.Quantity) *big.Rat {
	total := new(big.Rat)
	for _, q := range parts {
		total.Add(total, testkit.Exact(q))
	}
	return total
}

// All truncated parts are the same: the share of the amount, without what is below a whole unit. So
// each is less than a unit nearer to zero than the share.
func TestTruncatedLosesLessThanAUnitEach(t *testing.T) {
	negative := 0
	rapid.Check(t, func(t *rapid.T) {
		name, q := divisibleNames().Draw(t, "name"), testkit.Quantity().Draw(t, "quantity")
		n := rapid.IntRange(1, 50).Draw(t, "parts")
		cut := divide(name, q, n, division.Options{Truncated: true})
		share := new(big.Rat).Quo(testkit.Exact(q), new(big.Rat).Mul(slowUnit(name), big.NewRat(int64(n), 1)))
		units := new(big.Rat).SetInt(new(big.Int).Quo(share.Num(), share.Denom())) // toward zero
		want := units.Mul(units, slowUnit(name))
		for i := range n {
			if got := testkit.Exact(cut[i]); got.Cmp(want) != 0 {
				t.Fatalf("part %d is %v, want %v", i, got, want)
			}
		}
		if q.Sign() < 0 && !share.IsInt() {
			negative++
		}
	})
	if !testing.Short() && negative == 0 {
		t.Error("no amount below zero had a remainder")
	}
}

func TestDivideEqualsSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name, q := divisibleNames().Draw(t, "name"), testkit.Quantity().Draw(t, "quantity")
		n := rapid.IntRange(1, 12).Draw(t, "parts")
		parts := divide(name, q, n, division.Options{})
		want := slowParts(name, testkit.Exact(q), n)
		compare(t, parts, want, q.Format)
	})
}

func compare(t *rapid.T, got []resource.Quantity, want []*big.Rat, format resource.Format) {
	t.Helper()
	testkit.Equal(t, len(got), len(want))
	for i := range got {
		if testkit.Exact(got[i]).Cmp(want[i]) != 0 || got[i].Format != format {
			t.Fatalf("part %d is %v, want %v", i, texts(got), want)
		}
	}
}

// For any amount of any resource, the parts add up.
func FuzzDivide(f *testing.F) {
	f.Add("cpu", "1", int64(1))
	f.Add("memory", "1.5Gi", int64(3))
	f.Add("nvidia.com/gpu", "1", int64(1))
	f.Add("cpu", "-1000001n", int64(1))
	f.Add("hugepages-2Mi", "123456789012345678901234.5", int64(0))
	f.Fuzz(func(t *testing.T, name, amount string, a int64) {
		q, ok := testkit.Parse(amount)
		if !ok {
			return
		}
		resource := corev1.ResourceName(name)
		n := int(uint64(a)%40) + 1
		parts := divide(resource, q, n, division.Options{})
		if got := sumOf(parts); got.Cmp(testkit.Exact(q)) != 0 {
			t.Errorf("%d parts of %s add up to %v", n, amount, got)
		}
	})
}

// The generators of the property tests draw amounts that do and do not divide.
func TestDrawsReachEveryRule(t *testing.T) {
	testkit.Reached(t, 1000, func(t *rapid.T) (reached []string) {
		name, q := names().Draw(t, "name"), testkit.Quantity().Draw(t, "quantity")
		opts := options(t)
		parts := divide(name, q, numbers().Draw(t, "parts"), opts)
		switch {
		case !division.Divisible(name):
			reached = append(reached, fmt.Sprint("indivisible, to each: ", opts.ToEach))
		case len(parts) == 1:
			reached = append(reached, "one part")
		default:
			first, last := parts[0], parts[len(parts)-1]
			how := "equal parts: "
			if first.Cmp(last) != 0 {
				how = "unequal parts: "
			}
			if total := sumOf(parts); total.Cmp(testkit.Exact(q)) != 0 {
				how = "a rest is lost: "
			}
			reached = append(reached, fmt.Sprint(how, "truncated ", opts.Truncated))
			if q.Sign() < 0 {
				reached = append(reached, "below zero")
			}
		}
		return reached
	},
		"one part", "equal parts: truncated false", "unequal parts: truncated false", "equal parts: truncated true", "a rest is lost: truncated true", "below zero",
		"indivisible, to each: false", "indivisible, to each: true",
	)
}
