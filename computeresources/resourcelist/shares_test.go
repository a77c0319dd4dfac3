package resourcelist_test

import (
	"math"
	"math/big"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestFractionAndPercent(t *testing.T) {
	tests := []struct {
		name        string
		used, total string
		fraction    float64
		percent     int64
		ok          bool
	}{
		{"half", "500m", "1", 0.5, 50, true},
		{"a third of bytes", "1Gi", "3Gi", 1.0 / 3, 33, true},
		{"a decimal", "1.5Gi", "2Gi", 0.75, 75, true},
		{"nearly all", "999m", "1", 0.999, 99, true},
		{"nearly all, by a billionth", "999999999n", "1", 0.999999999, 99, true},
		{"all", "1", "1000m", 1, 100, true},
		{"more than all", "3", "2", 1.5, 150, true},
		{"nothing", "0", "2", 0, 0, true},
		{"negative amount", "-1m", "1", -0.001, -1, true},
		{"zero total", "1", "0", 0, 0, false},
		{"zero of zero", "0", "0", 0, 0, false},
		{"a negative total", "1", "-1", 0, 0, false},
		{"beyond milli-units of an int64", "9Pi", "18Pi", 0.5, 50, true},
		{"sums of a cluster", "5Ei", "7Ei", 5.0 / 7, 71, true},
		{"beyond int64", "1e30", "3e30", 1.0 / 3, 33, true},
		{"as many percent as fit", "92233720368547758.07", "1", 92233720368547758.07, math.MaxInt64, true},
		{"more percent than fit", "92233720368547758.08", "1", 92233720368547758.08, math.MaxInt64, true},
		{"many percent", "1e30", "1n", 1e39, math.MaxInt64, true},
		{"many percent below zero", "-1e30", "1n", -1e39, math.MinInt64, true},
		{"one of many", "1n", "1e30", 1e-39, 0, true},
		{"below one of many", "-1n", "1e30", -1e-39, -1, true},
		{"more than floats", "1e400", "1", math.Inf(1), math.MaxInt64, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			used, total := resource.MustParse(test.used), resource.MustParse(test.total)
			if got, ok := resourcelist.Fraction(used, total); got != test.fraction || ok != test.ok {
				t.Errorf("Fraction %v, %v, want %v, %v", got, ok, test.fraction, test.ok)
			}
			if got, ok := resourcelist.Percent(used, total); got != test.percent || ok != test.ok {
				t.Errorf("Percent %v, %v, want %v, %v", got, ok, test.percent, test.ok)
			}
		})
	}
}

func TestDominantShare(t *testing.T) {
	tests := []struct {
		name        string
		used, total corev1.ResourceList
		want        corev1.ResourceName
		fraction    float64
	}{
		{"nil", nil, nil, "", 0},
		{"no usage", list("cpu", "0"), list("cpu", "1"), "", 0},
		{"negative usage", list("cpu", "-1"), list("cpu", "1"), "", 0},
		{"the greater share", list("cpu", "1", "memory", "4Gi"), list("cpu", "9", "memory", "18Gi"), "memory", 4.0 / 18},
		{"the greater share, named first", list("cpu", "3", "memory", "1Gi"), list("cpu", "9", "memory", "18Gi"), "cpu", 3.0 / 9},
		{"equal shares, the first by name", list("memory", "1.5Gi", "cpu", "500m", "b", "1", "a", "-2"), list("memory", "3Gi", "cpu", "1", "b", "2", "a", "1"), "b", 0.5},
		{"missing total", list("nvidia.com/gpu", "1", "cpu", "1"), list("cpu", "10"), "cpu", 0.1},
		{"a usage whose low 32 bits are zero", list("memory", "4Gi"), list("memory", "8Gi"), "memory", 0.5},
		{"a total of zero", list("a", "1", "cpu", "1"), list("a", "0", "cpu", "10"), "cpu", 0.1},
		{"negative total", list("a", "1"), list("a", "-1"), "", 0},
		{"more than all", list("cpu", "3"), list("cpu", "2"), "cpu", 1.5},
		// A float64 has these shares equal.
		{"closer than floats are", list("a", "4503599627370494", "b", "4503599627370495"), list("a", "4503599627370495", "b", "4503599627370496"), "b", 4503599627370495.0 / 4503599627370496},
		{"closer than floats are, beyond integers", list("a", "1e40", "b", "10000000000000000000000000000000000000001"), list("a", "2e40", "b", "2e40"), "b", 0.5},
		{"equal, one of them beyond integers", list("b", "1", "a", "1e40"), list("b", "2", "a", "2e40"), "a", 0.5},
		{"equal, the other one beyond integers", list("a", "1", "b", "1e40"), list("a", "2", "b", "2e40"), "a", 0.5},
		{"a product of 128 bits", list("a", "4503599627370496", "b", "1"), list("a", "1", "b", "4503599627370496"), "a", 4503599627370496},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for range 8 { // maps come in any order
				name, fraction := resourcelist.DominantShare(test.used, test.total)
				if name != test.want || fraction != test.fraction {
					t.Fatalf("%q, %v, want %q, %v", name, fraction, test.want, test.fraction)
				}
			}
		})
	}
}

// nearest returns the float64 that is nearest to a fraction.
func nearest(r *big.Rat) float64 {
	f, _ := r.Float64()
	return f
}

func TestSharesEqualSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		used, total := lists().Draw(t, "used"), lists().Draw(t, "total")
		if rapid.Bool().Draw(t, "equal shares") {
			used = resourcelist.Multiply(total, 3)
		}
		testkit.Contract(t, func() any { name, share := resourcelist.DominantShare(used, total); return []any{name, share} }, used, total)
		u, w := rats(used), rats(total)
		var dominant corev1.ResourceName
		most := new(big.Rat)
		for _, name := range []corev1.ResourceName{"cpu", "ephemeral-storage", "example.com/gpu", "hugepages-1Gi", "hugepages-2Mi", "memory"} {
			if w[name] == nil || w[name].Sign() <= 0 {
				continue
			}
			share := new(big.Rat).Quo(orZero(u[name]), w[name])
			if got, ok := resourcelist.Fraction(used[name], total[name]); got != nearest(share) || !ok {
				t.Fatalf("Fraction of %s = %v, %v, want %v", name, got, ok, nearest(share))
			}
			percent := saturated(roundedIn(new(big.Rat).Mul(share, big.NewRat(100, 1)), 1, false))
			if got, ok := resourcelist.Percent(used[name], total[name]); got != percent || !ok {
				t.Fatalf("Percent of %s = %d, %v, want %d", name, got, ok, percent)
			}
			if share.Cmp(most) > 0 {
				dominant, most = name, share
			}
			x, y := used[name], total[name]
			testkit.Contract(t, func() any { f, ok := resourcelist.Fraction(x, y); return []any{f, ok} }, &x, &y)
			testkit.Contract(t, func() any { p, ok := resourcelist.Percent(x, y); return []any{p, ok} }, &x, &y)
		}
		if name, share := resourcelist.DominantShare(used, total); name != dominant || share != nearest(most) {
			t.Fatalf("DominantShare = %s, %v, want %s, %v", name, share, dominant, nearest(most))
		}
	})
}

func saturated(whole *big.Rat) int64 {
	switch n := whole.Num(); {
	case n.IsInt64():
		return n.Int64()
	case n.Sign() > 0:
		return math.MaxInt64
	}
	return math.MinInt64
}

// Usage is at least p percent exactly if Percent is at least p; then it is at least PartOf.
func TestPercentIsAThreshold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		used, total := testkit.Quantity().Draw(t, "used"), testkit.Positive().Draw(t, "total")
		threshold := rapid.Int64Range(0, 200).Draw(t, "threshold")
		percent, _ := resourcelist.Percent(used, total)
		part := new(big.Rat).Mul(testkit.Exact(total), big.NewRat(threshold, 100))
		if reached := testkit.Exact(used).Cmp(part) >= 0; reached != (percent >= threshold) {
			t.Fatalf("%d percent, and at least %d is %v", percent, threshold, reached)
		}
		if q := resourcelist.PartOf(corev1.ResourceList{"memory": total}, big.NewRat(threshold, 100))["memory"]; percent >= threshold && used.Cmp(q) < 0 {
			t.Fatalf("%d percent, less than %s", percent, q.String())
		}
	})
}
