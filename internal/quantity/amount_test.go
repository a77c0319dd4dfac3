package quantity_test

import (
	"math"
	"math/big"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestScaleOf(t *testing.T) {
	for name, want := range map[corev1.ResourceName]resource.Scale{
		"cpu": resource.Milli, "requests.cpu": resource.Milli, "limits.cpu": resource.Milli,
		"memory": 0, "requests.memory": 0, "pods": 0, "example.com/cpu": 0, "": 0,
	} {
		testkit.Equal(t, quantity.ScaleOf(name), want, "ScaleOf of", name)
	}
}

// Sums, differences, order and sign equal those of fractions for all amounts, and the arguments are
// not modified.
func TestAmountEqualsSlow(t *testing.T) {
	edges := []int64{math.MinInt64, math.MinInt64 + 1, -1, 0, 1, math.MaxInt64 - 1, math.MaxInt64}
	quantities := rapid.OneOf(testkit.Quantity(), rapid.Custom(func(t *rapid.T) resource.Quantity {
		return *resource.NewQuantity(rapid.SampledFrom(edges).Draw(t, "edge"), resource.DecimalSI)
	}))
	rapid.Check(t, func(t *rapid.T) {
		x, y := quantities.Draw(t, "x"), quantities.Draw(t, "y")
		scale := rapid.SampledFrom([]resource.Scale{0, resource.Milli}).Draw(t, "scale")
		before := testkit.Fingerprint([]resource.Quantity{x, y})
		xCopy, yCopy := x, y
		a, b := quantity.AmountOf(&xCopy, scale), quantity.AmountOf(&yCopy, scale)
		testkit.Equal(t, testkit.Fingerprint([]resource.Quantity{x, y}), before, "a quantity has changed")
		value := func(a quantity.Amount) *big.Rat { return testkit.Exact(a.Quantity(scale, "")) }
		want := func(what string, got quantity.Amount, want *big.Rat) {
			if value(got).Cmp(want) != 0 {
				t.Fatalf("%s = %v, want %v", what, value(got), want)
			}
			if got.Sign() != want.Sign() || got.IsZero() != (want.Sign() == 0) {
				t.Fatalf("%s: sign %d, zero %v, of %v", what, got.Sign(), got.IsZero(), want)
			}
		}
		exactX, exactY := testkit.Exact(xCopy.DeepCopy()), testkit.Exact(yCopy.DeepCopy())
		frozen := testkit.Fingerprint([]any{a, b})
		want("x", a, exactX)
		want("y", b, exactY)
		want("x + y", a.Plus(b, scale), new(big.Rat).Add(exactX, exactY))
		want("x - y", a.Minus(b, scale), new(big.Rat).Sub(exactX, exactY))
		want("x - x", a.Minus(a, scale), new(big.Rat))
		if a.Exceeds(a, scale) {
			t.Fatal("x exceeds itself")
		}
		n := rapid.OneOf(rapid.Int64Range(-3, 3), rapid.SampledFrom(edges)).Draw(t, "n")
		want("n·x", a.Times(n, scale), new(big.Rat).Mul(exactX, new(big.Rat).SetInt64(n)))
		testkit.Equal(t, a.Exceeds(b, scale), exactX.Cmp(exactY) > 0, "Exceeds")
		testkit.Equal(t, testkit.Fingerprint([]any{a, b}), frozen, "an amount has changed")
	})
}

func TestAmountSpelling(t *testing.T) {
	for _, test := range []struct {
		quantity string
		name     corev1.ResourceName
		format   resource.Format
		want     string
	}{
		{"1125m", "limits.cpu", resource.DecimalSI, "1125m"},
		{"2", "limits.cpu", "", "2"},
		{"3Gi", "memory", resource.BinarySI, "3Gi"},
		{"1.5Gi", "memory", resource.BinarySI, "1536Mi"},
		{"1.5Gi", "memory", "", "1610612736"},
		{"0.5", "memory", resource.BinarySI, "500m"},
		{"100n", "limits.cpu", "", "100n"},
		{"10E", "limits.cpu", "", "10E"},
		{"0.5", "memory", resource.DecimalExponent, "500e-3"},
		{"10E", "limits.cpu", resource.DecimalExponent, "10e18"},
	} {
		decimal := resource.MustParse(test.quantity)
		decimal.AsDec()
		cached := decimal.DeepCopy()
		testkit.Equal(t, cached.String() == "", false, "no string is cached")
		for how, q := range map[string]resource.Quantity{"parsed": resource.MustParse(test.quantity), "as a decimal": decimal, "as a decimal with a cached string": cached} {
			amount := quantity.AmountOf(&q, quantity.ScaleOf(test.name))
			got := amount.Quantity(quantity.ScaleOf(test.name), test.format)
			testkit.Equal(t, got.String(), test.want, test.quantity, "of", test.name, how, "in", test.format)
		}
	}
}

// An amount that had to be held exactly becomes an integer again as soon as it can, so
// that equal amounts look the same.
func TestAmountIsCanonical(t *testing.T) {
	half := resource.MustParse("0.5")
	a := quantity.AmountOf(&half, 0)
	one := resource.MustParse("1")
	testkit.Equal(t, a.Plus(a, 0), quantity.AmountOf(&one, 0), "0.5 + 0.5")
}

func TestAmountAllocs(t *testing.T) {
	q := resource.MustParse("1536Mi")
	a := quantity.AmountOf(&q, 0)
	if got := testing.AllocsPerRun(100, func() {
		b := quantity.AmountOf(&q, 0)
		if a.Plus(b, 0).Minus(b, 0).Exceeds(a, 0) {
			t.Error("1536Mi exceeds itself")
		}
	}); got > 0 {
		t.Errorf("%v allocations, want none", got)
	}
}

func TestAmountOfUnits(t *testing.T) {
	if got := quantity.AmountOfUnits(1500).Quantity(resource.Milli, resource.DecimalSI); got.String() != "1500m" {
		t.Errorf("1500 milli-units are %v", got.String())
	}
	for _, test := range []struct {
		amount string
		scale  resource.Scale
		want   int64
	}{
		{"1500m", resource.Milli, 1500},
		{"1500m", 0, 2},
		{"-1500u", resource.Milli, -2},
		{"1e30", 0, math.MaxInt64},
		{"-1e30", 0, math.MinInt64},
	} {
		q := resource.MustParse(test.amount)
		testkit.Equal(t, quantity.AmountOf(&q, test.scale).Integer(test.scale), test.want, test.amount, "at scale", test.scale)
	}
}

func TestUnits(t *testing.T) {
	tests := []struct {
		quantity    string
		scale       resource.Scale
		floor, ceil string
	}{
		{"0", 0, "0", "0"},
		{"1", resource.Milli, "1000", "1000"},
		{"1.0005", resource.Milli, "1000", "1001"},
		{"-1.0005", resource.Milli, "-1001", "-1000"},
		{"1.5Gi", 0, "1610612736", "1610612736"},
		{"1n", 0, "0", "1"},
		{"-1n", 0, "-1", "0"},
		{"-1n", resource.Milli, "-1", "0"},
		{"1500", resource.Kilo, "1", "2"},
		{"2k", resource.Kilo, "2", "2"},
		{"123456789012345678901234", 0, "123456789012345678901234", "123456789012345678901234"},
		{"123456789012345678901234.5", resource.Milli, "123456789012345678901234500", "123456789012345678901234500"},
		{"1e30", 0, "1000000000000000000000000000000", "1000000000000000000000000000000"},
	}
	for _, test := range tests {
		value := quantity.Rational(resource.MustParse(test.quantity))
		floor, exact := quantity.Floor(value, test.scale)
		ceil := quantity.Ceil(value, test.scale)
		if floor.String() != test.floor || ceil.String() != test.ceil || exact != (test.floor == test.ceil) {
			t.Errorf("%s in 10^%d: floor %v, exact %v, ceil %v; want %s and %s", test.quantity, test.scale, floor, exact, ceil, test.floor, test.ceil)
		}
	}
}

func TestOfUnits(t *testing.T) {
	tests := []struct {
		units  string
		scale  resource.Scale
		format resource.Format
		want   string
	}{
		{"334", resource.Milli, resource.DecimalSI, "334m"},
		{"1073741824", 0, resource.BinarySI, "1Gi"},
		{"9223372036854775807", resource.Milli, resource.DecimalSI, "9223372036854775807m"},
		{"9223372036854775808", resource.Milli, resource.DecimalSI, "9223372036854775808m"},
		{"-9223372036854775809", 0, resource.DecimalSI, "-9223372036854775809"},
		{"18446744073709551616", 0, resource.BinarySI, "16Ei"},
		{"0", 0, resource.DecimalExponent, "0"},
	}
	for _, test := range tests {
		units, _ := new(big.Int).SetString(test.units, 10)
		got := quantity.OfUnits(units, test.scale, test.format)
		units.Add(units, big.NewInt(1)) // which is not the quantity's
		if got.Format != test.format || got.String() != test.want {
			t.Errorf("OfUnits(%s, %d, %s) = %s of format %s, want %s", test.units, test.scale, test.format, got.String(), got.Format, test.want)
		}
	}
}

// Rational equals the quantity, which is between its Floor and Ceil.
func TestUnitsEqualSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := testkit.Quantity().Draw(t, "quantity")
		scale := rapid.SampledFrom([]resource.Scale{0, resource.Milli, resource.Kilo}).Draw(t, "scale")
		before := testkit.Fingerprint(q)
		value := quantity.Rational(q)
		testkit.Equal(t, testkit.Fingerprint(q), before, "the quantity has changed")
		if value.Cmp(testkit.Exact(q)) != 0 {
			t.Fatalf("Rational = %v, want %v", value, testkit.Exact(q))
		}
		floor, exact := quantity.Floor(value, scale)
		ceil := quantity.Ceil(value, scale)
		low, high := testkit.Exact(quantity.OfUnits(floor, scale, q.Format)), testkit.Exact(quantity.OfUnits(ceil, scale, q.Format))
		if low.Cmp(value) > 0 || high.Cmp(value) < 0 || exact != (low.Cmp(value) == 0) {
			t.Fatalf("%v lies between %v and %v, exact %v", value, low, high, exact)
		}
		apart, between := new(big.Int).Sub(ceil, floor).Int64(), int64(1)
		if exact {
			between = 0
		}
		if apart != between {
			t.Fatalf("%v and %v are %d apart", floor, ceil, apart)
		}
	})
}
