package division_test

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
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

// numbers draws numbers of parts, few of which are invalid.
func numbers() *rapid.Generator[int] {
	return rapid.SampledFrom([]int{-1, 0, 1, 2, 2, 3, 3, 4, 5, 6, 7})
}

// few draws some weights, which are often equal, and now and then invalid.
func few() *rapid.Generator[[]int64] {
	return rapid.OneOf(
		rapid.SliceOfN(rapid.SampledFrom([]int64{1, 1, 1, 2, 3, 9}), 1, 5),
		rapid.SliceOfN(rapid.SampledFrom([]int64{0, 1, 1, 2}), 1, 5),
		rapid.SliceOfN(rapid.Int64Range(-1, 9), 0, 5),
	)
}

func TestContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name, q := names().Draw(t, "name"), testkit.Quantity().Draw(t, "quantity")
		list := testkit.ResourceList(testkit.Quantity()).Draw(t, "list")
		n, weights := numbers().Draw(t, "parts"), few().Draw(t, "weights")
		opts := options(t)
		testkit.Contract(t, func() any {
			parts, _ := division.Divide(name, q, n, opts)
			return parts
		}, &q)
		testkit.Contract(t, func() any {
			parts, _ := division.List(list, n, opts)
			return parts
		}, list)
		testkit.Contract(t, func() any {
			parts, _ := division.Weighted(name, q, weights, opts)
			return parts
		}, &q, weights)
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
		cut, _ := division.Divide(name, q, n, division.Options{Truncated: true})
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
		parts, _ := division.Divide(name, q, n, division.Options{})
		want := slowParts(name, testkit.Exact(q), slices.Repeat([]int64{1}, n))
		compare(t, parts, want, q.Format)
	})
}

func TestWeightedEqualsSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name, q := divisibleNames().Draw(t, "name"), testkit.Quantity().Draw(t, "quantity")
		// More than 12 are sorted otherwise than a few, and few units leave many to be dealt out.
		weights := rapid.SliceOfN(rapid.OneOf(rapid.Int64Range(0, 5), rapid.Int64Range(0, 1<<62)), 1, 12).Draw(t, "weights")
		if rapid.IntRange(0, 3).Draw(t, "many") == 0 {
			weights = rapid.SliceOfN(rapid.Int64Range(0, 3), 13, 40).Draw(t, "many weights")
			if rapid.Bool().Draw(t, "few units") {
				q = *resource.NewQuantity(rapid.Int64Range(0, 60).Draw(t, "units"), resource.BinarySI)
			}
		}
		parts, err := division.Weighted(name, q, weights, division.Options{})
		if slices.Max(weights) == 0 {
			if err == nil {
				t.Fatal("weights of zero divide something")
			}
			return
		}
		compare(t, parts, slowParts(name, testkit.Exact(q), weights), q.Format)
		testkit.Equal(t, sumOf(parts).Cmp(testkit.Exact(q)), 0, texts(parts), "do not add up")
		for i := range parts {
			for j := range parts {
				if q.Sign() >= 0 && weights[i] > weights[j] && parts[i].Cmp(parts[j]) < 0 {
					t.Fatalf("weights %v give %v", weights, texts(parts))
				}
			}
		}
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

// Equal weights are an exact division, by weight or not; and of a list, each resource.
func TestEqualWeightsAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := testkit.ResourceList(testkit.Quantity()).Draw(t, "list")
		n := rapid.IntRange(1, 8).Draw(t, "parts")
		opts := division.Options{ToEach: options(t).ToEach}
		weights := slices.Repeat([]int64{rapid.Int64Range(1, 1<<62).Draw(t, "weight")}, n)
		equal, _ := division.List(list, n, opts)
		for name, whole := range list {
			byWeight, err := division.Weighted(name, whole, weights, opts)
			testkit.OK(t, err)
			for i, part := range equal {
				q, has := part[name]
				if !has && (division.Divisible(name) || i == 0 || opts.ToEach) {
					t.Fatalf("part %d has no %s: %v", i, name, part)
				}
				if q.Cmp(byWeight[i]) != 0 || has && q.Format != byWeight[i].Format {
					t.Fatalf("part %d: %v, by weight %v", i, part, byWeight[i])
				}
			}
		}
	})
}

// For any amount of any resource, divided evenly or by weight, the parts add up.
func FuzzDivide(f *testing.F) {
	f.Add("cpu", "1", int64(1), int64(1), int64(1))
	f.Add("memory", "1.5Gi", int64(3), int64(0), int64(7))
	f.Add("nvidia.com/gpu", "1", int64(1), int64(1), int64(0))
	f.Add("cpu", "-1000001n", int64(1), int64(2), int64(1<<62))
	f.Add("hugepages-2Mi", "123456789012345678901234.5", int64(0), int64(-1), int64(2))
	f.Fuzz(func(t *testing.T, name, amount string, a, b, c int64) {
		q, ok := testkit.Parse(amount)
		if !ok {
			return
		}
		resource := corev1.ResourceName(name)
		n := int(uint64(a)%40) + 1
		parts, err := division.Divide(resource, q, n, division.Options{})
		testkit.OK(t, err)
		if got := sumOf(parts); got.Cmp(testkit.Exact(q)) != 0 {
			t.Errorf("%d parts of %s add up to %v", n, amount, got)
		}
		weights := []int64{a, b, c}
		weighted, err := division.Weighted(resource, q, weights, division.Options{})
		if bad := slices.Min(weights) < 0 || slices.Max(weights) == 0; bad != (err != nil) {
			t.Fatalf("weights %v: error %v", weights, err)
		}
		if err == nil && sumOf(weighted).Cmp(testkit.Exact(q)) != 0 {
			t.Errorf("weights %v of %s give %v", weights, amount, texts(weighted))
		}
	})
}

// The generators of the property tests draw amounts that do and do not divide, and every error.
func TestDrawsReachEveryRule(t *testing.T) {
	testkit.Reached(t, 1000, func(t *rapid.T) (reached []string) {
		name, q := names().Draw(t, "name"), testkit.Quantity().Draw(t, "quantity")
		opts := options(t)
		parts, err := division.Divide(name, q, numbers().Draw(t, "parts"), opts)
		switch {
		case err != nil:
			if errors.Is(err, division.ErrParts) {
				reached = append(reached, "no parts")
			}
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
		weights := few().Draw(t, "weights")
		weighted, err := division.Weighted(name, q, weights, opts)
		switch {
		case err != nil:
			reached = append(reached, "invalid weights")
		case slices.Contains(weights, 0):
			reached = append(reached, "a weight of zero")
		default:
			reached = append(reached, "weights")
		}
		for i := range weighted {
			for j := range i {
				if weights[i] == weights[j] && weights[i] > 0 && weighted[i].Cmp(weighted[j]) != 0 {
					reached = append(reached, "equal weights with unequal parts")
				}
			}
		}
		return reached
	},
		"no parts", "one part", "equal parts: truncated false", "unequal parts: truncated false", "equal parts: truncated true", "a rest is lost: truncated true", "below zero",
		"indivisible, to each: false", "indivisible, to each: true", "weights", "a weight of zero", "equal weights with unequal parts", "invalid weights",
	)
}
