package resourcelist_test

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestExtremesOfMany(t *testing.T) {
	a, b, c := list("cpu", "1", "memory", "1.5Gi"), list("cpu", "3", "pods", "-1"), list("cpu", "2", "memory", "1536Mi")
	wantList(t, "Max", resourcelist.Max(a, b, c), list("cpu", "3", "memory", "1.5Gi", "pods", "-1"))
	wantList(t, "Min", resourcelist.Min(a, b, c), list("cpu", "1"))
	wantList(t, "Max of one", resourcelist.Max(a), a)
	wantList(t, "Min of one", resourcelist.Min(a), a)
	wantList(t, "Max of none", resourcelist.Max(), list())
	wantList(t, "Min of none", resourcelist.Min(), list())
}

func TestClamp(t *testing.T) {
	for _, test := range []struct {
		name, text        string
		list, least, most corev1.ResourceList
		changed           names
	}{
		{"nil", "", nil, list("cpu", "1"), list("cpu", "1"), names{}},
		{"within", "cpu=1,memory=1Gi", list("cpu", "1", "memory", "1Gi"), list("memory", "1073741824"), list("memory", "1073741824"), names{}},
		{"raised and lowered", "cpu=2,memory=1Gi,pods=3", list("cpu", "1", "memory", "3Gi", "pods", "3"), list("cpu", "2", "x", "1"), list("memory", "1Gi"), names{"cpu", "memory"}},
		{"a minimum above the maximum", "cpu=2", list("cpu", "1"), list("cpu", "3"), list("cpu", "2"), names{"cpu"}},
		{"raised and lowered to the same", "memory=1Gi", list("memory", "1Gi"), list("memory", "2Gi"), list("memory", "1073741824"), names{}},
		{"sorted", "a=1,b=1,c=1,d=1,e=1", list("e", "0", "d", "0", "c", "0", "b", "0", "a", "0"), list("a", "1", "b", "1", "c", "1", "d", "1", "e", "1"), nil, names{"a", "b", "c", "d", "e"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, changed := resourcelist.Clamp(test.list, test.least, test.most)
			testkit.Equal(t, resourcelist.String(got), test.text)
			testkit.NoDiff(t, changed, []corev1.ResourceName(test.changed))
		})
	}
}

// The list to fill may be any of the arguments, or one with other resources.
func TestClampInto(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		drawn := []corev1.ResourceList{lists().Draw(t, "other"), lists().Draw(t, "list"), lists().Draw(t, "minimum"), lists().Draw(t, "maximum")}
		testkit.Contract(t, func() any {
			clamped, changed := resourcelist.ClampInto(nil, drawn[1], drawn[2], drawn[3])
			return []any{clamped, changed}
		}, drawn[1], drawn[2], drawn[3])
		want, changed := resourcelist.Clamp(drawn[1], drawn[2], drawn[3])
		for i := range drawn {
			all := []corev1.ResourceList{drawn[0].DeepCopy(), drawn[1].DeepCopy(), drawn[2].DeepCopy(), drawn[3].DeepCopy()}
			got, names := resourcelist.ClampInto(all[i], all[1], all[2], all[3])
			if all[i] != nil {
				got = all[i] // which is filled
			}
			if diff := cmp.Diff(rats(want), rats(got), exactly); diff != "" || !slices.Equal(names, changed) {
				t.Fatalf("list %d: changed %v, want %v (-want +got):\n%s", i, names, changed, diff)
			}
			for j := range all {
				if j != i && !resourcelist.Equals(all[j], drawn[j]) {
					t.Fatalf("list %d has changed", j)
				}
			}
		}
	})
}

func TestTimes(t *testing.T) {
	for _, test := range []struct {
		name       string
		want, free corev1.ResourceList
		n          int64
		stops      names
	}{
		{"nothing", nil, list("cpu", "1"), math.MaxInt64, names{}},
		{"zero and negative", list("cpu", "0", "memory", "-1"), nil, math.MaxInt64, names{}},
		{"the scarcest", list("cpu", "300m", "memory", "1.5Gi"), list("cpu", "1", "memory", "64Gi"), 3, names{"cpu"}},
		{"two of them", list("cpu", "500m", "memory", "1Gi", "pods", "1"), list("cpu", "1", "memory", "2Gi", "pods", "110"), 2, names{"cpu", "memory"}},
		{"missing", list("cpu", "1", "nvidia.com/gpu", "1"), list("cpu", "1"), 0, names{"nvidia.com/gpu"}},
		{"overcommitted", list("cpu", "1"), list("cpu", "-8"), 0, names{"cpu"}},
		{"more than fit an int64", list("cpu", "1n"), list("cpu", "1e30"), math.MaxInt64, names{}},
		{"beyond int64", list("cpu", "1e30"), list("cpu", "7e30"), 7, names{"cpu"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			n, stops := resourcelist.Times(test.want, test.free)
			testkit.Equal(t, n, test.n)
			testkit.NoDiff(t, stops, []corev1.ResourceName(test.stops))
		})
	}
}

// N lists fit by the rule of Fits, one more does not, and what is short then stops it.
func TestTimesIsTheLargest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want, free := lists().Draw(t, "want"), lists().Draw(t, "free")
		minimum, maximum := lists().Draw(t, "minimum"), lists().Draw(t, "maximum")
		testkit.Contract(t, func() any { n, stops := resourcelist.Times(want, free); return []any{n, stops} }, want, free)
		testkit.Contract(t, func() any {
			clamped, changed := resourcelist.Clamp(want, minimum, maximum)
			return []any{clamped, changed, resourcelist.Max(want, free, minimum), resourcelist.Min(want, free, minimum)}
		}, want, free, minimum, maximum)
		n, stops := resourcelist.Times(want, free)
		if n > 0 && !resourcelist.Fits(resourcelist.Multiply(want, n), free) {
			t.Fatalf("%d do not fit", n)
		}
		if n < math.MaxInt64 {
			if short := resourcelist.Insufficient(resourcelist.Multiply(want, n+1), free); !slices.Equal(short, stops) {
				t.Fatalf("%d: %v, want %v", n, stops, short)
			}
		}
		clamped, changed := resourcelist.Clamp(want, minimum, maximum)
		values, least, most, differ := rats(want), rats(minimum), rats(maximum), names{}
		for _, name := range resourcelist.ResourceNames(want) {
			bounded := values[name]
			if low := least[name]; low != nil && bounded.Cmp(low) < 0 {
				bounded = low
			}
			if high := most[name]; high != nil && bounded.Cmp(high) > 0 {
				bounded = high
			}
			if bounded.Cmp(values[name]) != 0 {
				differ = append(differ, name)
			}
			values[name] = bounded
		}
		if diff := cmp.Diff(values, rats(clamped), exactly); diff != "" || !slices.Equal(changed, differ) {
			t.Fatalf("Clamp changed %v, want %v (-slow +ours):\n%s", changed, differ, diff)
		}
	})
}

// The smallest and the largest amount may be in any of the lists.
func TestExtremesOfListsInAnyOrder(t *testing.T) {
	lists := []corev1.ResourceList{list("cpu", "1", "memory", "1Gi"), list("cpu", "2", "memory", "2Gi", "pods", "-1"), list("cpu", "3", "memory", "3Gi")}
	for first := range lists {
		turned := append(slices.Clone(lists[first:]), lists[:first]...)
		testkit.NoDiff(t, resourcelist.Min(turned...), list("cpu", "1", "memory", "1Gi"))
		testkit.NoDiff(t, resourcelist.Max(turned...), list("cpu", "3", "memory", "3Gi", "pods", "-1"))
	}
	testkit.NoDiff(t, resourcelist.Min(lists[1]), lists[1])
	testkit.NoDiff(t, resourcelist.Max(), corev1.ResourceList{})
}

// What is missing is zero in the format of its resource.
func TestRestrictHasFormats(t *testing.T) {
	restricted := resourcelist.Restrict(list("pods", "1"), []corev1.ResourceName{"cpu", "memory"})
	testkit.Equal(t, restricted["cpu"].Format, resource.DecimalSI)
	testkit.Equal(t, restricted["memory"].Format, resourcelist.Quantity("memory", 0).Format)
	testkit.Equal(t, len(restricted), 2)
}

func TestEqualsWithin(t *testing.T) {
	for _, test := range []struct {
		name      string
		a, b      corev1.ResourceList
		tolerance *big.Rat
		want      bool
	}{
		{"nil tolerance, equal", list("memory", "1.5Gi"), list("memory", "1536Mi"), nil, true},
		{"nil tolerance", list("memory", "1"), list("memory", "2"), nil, false},
		{"at the tolerance", list("memory", "95"), list("memory", "100"), big.NewRat(5, 100), true},
		{"beyond it", list("memory", "94"), list("memory", "100"), big.NewRat(5, 100), false},
		{"milli-units", list("cpu", "950m"), list("cpu", "1"), big.NewRat(5, 100), true},
		{"missing", list("cpu", "0"), list("memory", "0"), big.NewRat(1, 1), false},
		{"one more", list("cpu", "1"), list("cpu", "1", "memory", "0"), big.NewRat(1, 1), false},
		{"negative", list("cpu", "-95"), list("cpu", "-100"), big.NewRat(5, 100), true},
		{"beyond it, below zero", list("cpu", "-94"), list("cpu", "-100"), big.NewRat(5, 100), false},
		{"both signs", list("cpu", "1"), list("cpu", "-1"), big.NewRat(1, 1), false},
		{"beyond int64", list("memory", "95e30"), list("memory", "100e30"), big.NewRat(5, 100), true},
	} {
		if got := resourcelist.EqualsWithin(test.a, test.b, test.tolerance); got != test.want || got != resourcelist.EqualsWithin(test.b, test.a, test.tolerance) {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

func TestEqualsWithinEqualsSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := testkit.Quantity().Draw(t, "x"), testkit.Quantity().Draw(t, "y")
		tolerance := big.NewRat(rapid.Int64Range(-1, 300).Draw(t, "num"), rapid.Int64Range(1, 200).Draw(t, "denom"))
		a, b := corev1.ResourceList{"cpu": x}, corev1.ResourceList{"cpu": y}
		testkit.Contract(t, func() any { return resourcelist.EqualsWithin(a, b, tolerance) }, a, b, tolerance)
		m, n := testkit.Exact(x), testkit.Exact(y)
		difference := new(big.Rat).Sub(m, n)
		difference.Abs(difference)
		larger := m.Abs(m)
		if n.Abs(n).Cmp(larger) > 0 {
			larger = n
		}
		want := difference.Sign() == 0 || difference.Cmp(new(big.Rat).Mul(larger, tolerance)) <= 0
		testkit.Equal(t, resourcelist.EqualsWithin(a, b, tolerance), want)
	})
}

// Products of quantities, ratios, and integers of any scale, against fractions.
func TestQuantitiesEqualSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q, other := testkit.Quantity().Draw(t, "q"), testkit.Quantity().Draw(t, "other")
		ratio := big.NewRat(rapid.Int64Range(-3000, 3000).Draw(t, "num"), rapid.Int64Range(1, 1000).Draw(t, "denom"))
		scale := rapid.SampledFrom([]resource.Scale{resource.Nano, resource.Micro, resource.Milli, 0, resource.Kilo}).Draw(t, "scale")
		testkit.Contract(t, func() any {
			return []any{resourcelist.ScaleQuantity(q, ratio, scale), resourcelist.PartOfQuantity(q, ratio, scale),
				resourcelist.Value(q, scale), resourcelist.Float(q), resourcelist.Ratio(q, other)}
		}, &q, &other, ratio)
		unit := big.NewRat(1, 1)
		for range scale {
			unit.Mul(unit, big.NewRat(10, 1))
		}
		for range -scale {
			unit.Mul(unit, big.NewRat(1, 10))
		}
		rounded := func(value *big.Rat, up bool) *big.Rat {
			return roundedIn(new(big.Rat).Quo(value, unit), 1, up)
		}
		exact := testkit.Exact(q)
		product := new(big.Rat).Mul(exact, ratio)
		for up, got := range map[bool]resource.Quantity{true: resourcelist.ScaleQuantity(q, ratio, scale), false: resourcelist.PartOfQuantity(q, ratio, scale)} {
			if want := rounded(product, up); new(big.Rat).Mul(want, unit).Cmp(testkit.Exact(got)) != 0 || got.Format != q.Format {
				t.Fatalf("%s, up %v: want %s", got.String(), up, want)
			}
		}
		testkit.Equal(t, resourcelist.Value(q, scale), saturated(rounded(exact, true)), "Value")
		testkit.Equal(t, resourcelist.Float(q), nearest(exact), "Float")
		divisor, got := testkit.Exact(other), resourcelist.Ratio(q, other)
		if (got == nil) != (divisor.Sign() == 0) || got != nil && new(big.Rat).Mul(got, divisor).Cmp(exact) != 0 {
			t.Fatalf("Ratio %v", got)
		}
	})
}

func TestSaturatedEqualsSlow(t *testing.T) {
	integers := rapid.OneOf(rapid.Int64(), rapid.SampledFrom([]int64{math.MinInt64, math.MinInt64 + 1, -2, -1, 0, 1, 2, math.MaxInt64}))
	rapid.Check(t, func(t *rapid.T) {
		a, b := integers.Draw(t, "a"), integers.Draw(t, "b")
		x, y := new(big.Rat).SetInt64(a), new(big.Rat).SetInt64(b)
		testkit.Equal(t, resourcelist.AddSaturated(a, b), saturated(new(big.Rat).Add(x, y)), "sum")
		testkit.Equal(t, resourcelist.SubSaturated(a, b), saturated(new(big.Rat).Sub(x, y)), "difference")
		testkit.Equal(t, resourcelist.MulSaturated(a, b), saturated(new(big.Rat).Mul(x, y)), "product")
	})
	testkit.Equal(t, resourcelist.MulSaturated(-1, math.MinInt64), math.MaxInt64)
	testkit.Equal(t, resourcelist.MulSaturated(math.MinInt64, -1), math.MaxInt64)
	testkit.Equal(t, resourcelist.MulSaturated(math.MinInt64, 2), math.MinInt64)
	testkit.Equal(t, resourcelist.MulSaturated(2, math.MinInt64), math.MinInt64)
}
