package quantity_test

import (
	"math"
	"math/big"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestInteger(t *testing.T) {
	tests := []struct {
		quantity string
		scale    resource.Scale
		want     int64
	}{
		{"0", 0, 0},
		{"0", resource.Milli, 0},
		{"100m", resource.Milli, 100},
		{"100m", 0, 1},
		{"-100m", 0, -1},
		{"1.5Gi", 0, 1610612736},
		{"-1.5Gi", 0, -1610612736},
		{"1n", resource.Milli, 1},
		{"-1n", resource.Milli, -1},
		{"1000001n", resource.Milli, 2},
		{"-1000001n", resource.Milli, -2},
		{"9223372036854775807", 0, math.MaxInt64},
		{"9223372036854775806.5", 0, math.MaxInt64},
		{"9223372036854775808", 0, math.MaxInt64},
		{"-9223372036854775808", 0, math.MinInt64},
		{"-9223372036854775809", 0, math.MinInt64},
		{"9223372036854775807m", resource.Milli, math.MaxInt64},
		{"18446744073709551621", 0, math.MaxInt64}, // 2^64 + 5
		{"-18446744073709551621", 0, math.MinInt64},
		{"1E", resource.Milli, math.MaxInt64},
		{"-1E", resource.Milli, math.MinInt64},
		{"95e17", 0, math.MaxInt64},
		{"95e18", -1, math.MaxInt64},
		{"-95e17", 0, math.MinInt64},
		{"1e1000000000", 0, math.MaxInt64},
		{"-1e1000000000", 0, math.MinInt64},
		{"0e1000000000", 0, 0},
	}
	for _, test := range tests {
		testkit.Equal(t, quantity.Integer(resource.MustParse(test.quantity), test.scale), test.want, "Integer of", test.quantity, test.scale)
	}
	testkit.Equal(t, quantity.Integer(*resource.NewScaledQuantity(-7, -1000000000), 0), -1, "Integer of next to nothing below zero")
}

func TestIntegerEqualsSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := testkit.Quantity().Draw(t, "quantity")
		scale, unitsPerOne := resource.Scale(0), int64(1)
		if rapid.Bool().Draw(t, "milli") {
			scale, unitsPerOne = resource.Milli, 1000
		}
		before := testkit.Fingerprint(q)
		testkit.Equal(t, quantity.Integer(q, scale), testkit.RoundedAway(testkit.Exact(q), unitsPerOne), "Integer of", &q, "by", scale)
		testkit.Equal(t, testkit.Fingerprint(q), before, "the quantity has changed")
	})
}

func TestSaturatedSums(t *testing.T) {
	edges := []int64{math.MinInt64, math.MinInt64 + 1, -2, -1, 0, 1, 2, math.MaxInt64 - 1, math.MaxInt64}
	within := func(n *big.Int) int64 {
		switch {
		case n.IsInt64():
			return n.Int64()
		case n.Sign() > 0:
			return math.MaxInt64
		default:
			return math.MinInt64
		}
	}
	for _, a := range edges {
		for _, b := range edges {
			x, y := big.NewInt(a), big.NewInt(b)
			testkit.Equal(t, quantity.AddSaturated(a, b), within(new(big.Int).Add(x, y)), "AddSaturated of", a, b)
			testkit.Equal(t, quantity.SubSaturated(a, b), within(new(big.Int).Sub(x, y)), "SubSaturated of", a, b)
		}
	}
}

func TestRoundUp(t *testing.T) {
	tests := []struct {
		q, want string
		exact   bool
	}{
		{"0", "0", true},
		{"1", "1", true},
		{"1m", "1m", true},
		{"1n", "1m", false},
		{"-1n", "-1m", false},
		{"1500u", "2m", false},
		{"-1500u", "-2m", false},
		{"999999999n", "1", false},
		{"1.5Gi", "1536Mi", true},
		{"0.1Ki", "102400m", true},
		{"0.0001Ki", "103m", false},
		{"1E", "1E", true},
		{"10P", "10P", true},
		{"20E", "20E", true},
		{"20000000000000000000.0001", "20000000000000000000001m", false},
		{"1e1000000000", "1e1000000000", true},
	}
	for _, test := range tests {
		t.Run(test.q, func(t *testing.T) {
			q, want := resource.MustParse(test.q), resource.MustParse(test.want)
			before := testkit.Fingerprint(q)
			got, exact := quantity.RoundUp(q)
			if got.Cmp(want) != 0 || exact != test.exact || got.Format != q.Format {
				t.Errorf("%s, %v, want %s, %v", got.String(), exact, test.want, test.exact)
			}
			testkit.Equal(t, testkit.Fingerprint(q), before, "the quantity has changed")
		})
	}
}

func TestRoundUpAllEqualsSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := testkit.ResourceList(testkit.Quantity()).Draw(t, "list")
		shared := corev1.ResourceList{}
		for name, q := range list {
			shared[name] = q // its decimal is shared
		}
		before, wereRounded, exact := testkit.Fingerprint(shared), quantity.AreRounded(list), true
		quantity.RoundUpAll(list)
		testkit.Equal(t, testkit.Fingerprint(shared), before, "a shared decimal has changed")
		testkit.Equal(t, len(list), len(shared))
		for name, q := range shared {
			scaled := new(big.Rat).Mul(testkit.Exact(q.DeepCopy()), big.NewRat(1000, 1))
			units, rest := new(big.Int).QuoRem(scaled.Num(), scaled.Denom(), new(big.Int))
			units.Add(units, big.NewInt(int64(rest.Sign())))
			exact = exact && rest.Sign() == 0
			if want := new(big.Rat).SetFrac(units, big.NewInt(1000)); testkit.Exact(list[name]).Cmp(want) != 0 {
				t.Fatalf("%s: %v, want %v", name, testkit.Exact(list[name]), want)
			}
		}
		if wereRounded != exact || !quantity.AreRounded(list) {
			t.Fatalf("were rounded: %v, are: %v", wereRounded, quantity.AreRounded(list))
		}
	})
}

func TestIsWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := testkit.Quantity().Draw(t, "quantity")
		before := testkit.Fingerprint(q)
		testkit.Equal(t, quantity.IsWhole(q), testkit.Exact(q.DeepCopy()).IsInt(), &q, "is whole")
		testkit.Equal(t, testkit.Fingerprint(q), before, "the quantity has changed")
	})
}

// A list of exact entries may be shared: it is only read, which the race detector sees too.
func TestRoundUpAllOfASharedList(t *testing.T) {
	list := corev1.ResourceList{"cpu": resource.MustParse("1m"), "memory": resource.MustParse("1.5Gi")}
	before := testkit.Fingerprint(list)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() { quantity.RoundUpAll(list) })
	}
	wait.Wait()
	if after := testkit.Fingerprint(list); after != before {
		t.Errorf("was written: %s, before %s", after, before)
	}
}
