package quantity_test

import (
	"math"
	"math/big"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestMinusAndTimesEqualSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := testkit.Quantity().Draw(t, "a"), testkit.Quantity().Draw(t, "b")
		n := rapid.OneOf(rapid.Int64Range(0, 5), rapid.Int64()).Draw(t, "n")
		testkit.Contract(t, func() any { q := quantity.Minus(a, b); return &q }, a, b)
		testkit.Contract(t, func() any { q := quantity.Times(a, n); return &q }, a)

		x, y := testkit.Exact(a), testkit.Exact(b)
		if got, want := testkit.Exact(quantity.Minus(a, b)), new(big.Rat).Sub(x, y); got.Cmp(want) != 0 {
			t.Fatalf("%v - %v = %v, want %v", x, y, got, want)
		}
		if got, want := testkit.Exact(quantity.Times(a, n)), new(big.Rat).Mul(x, big.NewRat(n, 1)); got.Cmp(want) != 0 {
			t.Fatalf("%d × %v = %v, want %v", n, x, got, want)
		}
	})
}

// Quantity.Sub treats the smallest int64 as its own negation.
func TestMinusOfTheLeast(t *testing.T) {
	least := *resource.NewQuantity(math.MinInt64, resource.DecimalSI)
	got := quantity.Minus(resource.Quantity{}, least)
	if want := resource.MustParse("9223372036854775808"); got.Cmp(want) != 0 {
		t.Errorf("0 - MinInt64 = %s, want %s", got.String(), want.String())
	}
}

// A sum has the format of its first summand, unless that is zero.
func TestFormatOfSums(t *testing.T) {
	tests := []struct {
		sum, q string
		want   resource.Format
	}{
		{"1Gi", "1G", resource.BinarySI},
		{"0", "1Gi", resource.BinarySI},
		{"1Gi", "1e30", resource.BinarySI},
		{"1e30", "1Gi", resource.DecimalExponent},
		{"0", "1e30", resource.DecimalExponent},
	}
	for _, test := range tests {
		sum := resource.MustParse(test.sum)
		quantity.Add(&sum, resource.MustParse(test.q))
		testkit.Equal(t, sum.Format, test.want, test.sum, "+", test.q)
	}
}

func TestQuotient(t *testing.T) {
	tests := []struct {
		a, b string
		want int64
	}{
		{"10", "3", 3},
		{"9", "3", 3},
		{"8", "3", 2},
		{"10", "1500m", 6},
		{"1", "333m", 3},
		{"0", "1", 0},
		{"-1", "1", 0},
		{"-5", "3", 0},
		{"-1n", "1E", 0},
		{"1.5Gi", "512Mi", 3},
		{"1610612735", "512Mi", 2},
		{"1", "1n", 1000000000},
		{"1n", "1", 0},
		{"999n", "1u", 0},
		{"1E", "1m", math.MaxInt64},
		{"1E", "1", 1000000000000000000},
		{"9223372036854775807", "1", math.MaxInt64},
		{"9223372036854775806", "1", math.MaxInt64 - 1},
		{"9223372036854775808", "1", math.MaxInt64},
		{"9223372036854775808", "2", 1 << 62},
		{"50E", "10", 5000000000000000000},
		{"500000000000000000", "10.5", 47619047619047619},
		{"5000000000000000000", "10.25", 487804878048780487},
		{"94999999999999999999.5", "19", 4999999999999999999},
		{"95000000000000000000.5", "19", 5000000000000000000},
		{"1e1000000000", "1", math.MaxInt64},
	}
	for _, test := range tests {
		testkit.Equal(t, quantity.Quotient(resource.MustParse(test.a), resource.MustParse(test.b)), test.want, "Quotient of", test.a, test.b)
	}
}

func TestQuotientEqualsSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := testkit.Quantity().Draw(t, "a"), testkit.Positive().Draw(t, "b")
		testkit.Contract(t, func() any { return quantity.Quotient(a, b) }, a, b)
		ratio := new(big.Rat).Quo(testkit.Exact(a), testkit.Exact(b))
		want := int64(0)
		if floor := new(big.Int).Quo(ratio.Num(), ratio.Denom()); ratio.Sign() > 0 && floor.IsInt64() {
			want = floor.Int64()
		} else if ratio.Sign() > 0 {
			want = math.MaxInt64
		}
		testkit.Equal(t, quantity.Quotient(a, b), want, "Quotient of", &a, "and", &b)
	})
}

func TestTimesAllocatesNothing(t *testing.T) {
	for _, text := range []string{"0", "250m", "2", "1Gi", "1.5Gi"} {
		q := resource.MustParse(text)
		if got := testing.AllocsPerRun(100, func() { quantity.Times(q, 3) }); got > 0 {
			t.Errorf("3 times %s: %v allocations, want none", text, got)
		}
	}
}

func TestFormatOfTimes(t *testing.T) {
	for _, format := range []resource.Format{resource.BinarySI, resource.DecimalExponent, resource.DecimalSI, ""} {
		for _, value := range []int64{0, 1 << 20, -1 << 20, math.MaxInt64} {
			for _, n := range []int64{0, 1, 7, -1} {
				if got := quantity.Times(*resource.NewQuantity(value, format), n); got.Format != format {
					t.Errorf("%d times %d in %q is in %q", n, value, format, got.Format)
				}
			}
		}
	}
}
