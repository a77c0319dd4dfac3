package quantity_test

import (
	"math/big"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestSmall(t *testing.T) {
	tests := []struct {
		quantity string
		scale    resource.Scale
		want     int64
		exact    bool
	}{
		{"0", 0, 0, true},
		{"0", resource.Milli, 0, true},
		{"100m", resource.Milli, 100, true},
		{"2", resource.Milli, 2000, true},
		{"0.5", resource.Milli, 500, true},
		{"500u", resource.Milli, 0, false},
		{"1000001n", resource.Milli, 0, false},
		{"100m", 0, 0, false},
		{"128974848000m", 0, 128974848, true},
		{"128Mi", 0, 128 << 20, true},
		{"1.5Gi", 0, 3 << 29, true},
		{"1.5Ki", resource.Milli, 1536000, true},
		{"100.5Gi", 0, 201 << 29, true},
		{"4503599627370496", 0, 1 << 52, true},
		{"4503599627370497", 0, 0, false},
		{"281474976710.656", resource.Milli, 1 << 48, true},
		{"281474976710.655", resource.Milli, 1<<48 - 1, true},
		{"281474976710.657", resource.Milli, 0, false},
		{"281474976710.6555", resource.Milli, 0, false},
		{"140737488355.3275", resource.Milli, 0, false},
		{"4194303.5Gi", 0, 1<<52 - 1<<29, true},
		{"4194304.5Gi", 0, 0, false},
		{"-1", 0, 0, false},
		{"-1m", resource.Milli, 0, false},
		{"-1.5Gi", 0, 0, false},
		{"18446744073709551621", 0, 0, false},               // 2^64 + 5
		{"18446744073709551.621", resource.Milli, 0, false}, // the same in milli
		{"1E", resource.Milli, 0, false},
		{"1e1000000000", 0, 0, false},
		{"1e1000000000", resource.Milli, 0, false},
		{"1m", resource.Milli, 1, true},
		{"1n", resource.Milli, 0, false},
	}
	for _, test := range tests {
		q := resource.MustParse(test.quantity)
		got, exact := quantity.Small(&q, test.scale)
		if exact != test.exact || exact && got != test.want {
			t.Errorf("Small(%s, %d) = %d, %v, want %d, %v", test.quantity, test.scale, got, exact, test.want, test.exact)
		}
	}
	for _, test := range []struct {
		quantity string
		want     int64
		exact    bool
	}{{"0", 0, true}, {"1n", 1, true}, {"1.5m", 1500000, true}, {"281474976710656n", 1 << 48, true}, {"281474976710657n", 0, false}, {"-1n", 0, false}, {"1P", 0, false}} {
		q := resource.MustParse(test.quantity)
		got, exact := quantity.SmallNano(&q)
		if exact != test.exact || exact && got != test.want {
			t.Errorf("SmallNano(%s) = %d, %v, want %d, %v", test.quantity, got, exact, test.want, test.exact)
		}
	}
}

// A decimal of a whole number is small, too.
func TestSmallDecimalWithoutPlaces(t *testing.T) {
	for text, want := range map[string]int64{"128Mi": 128 << 20, "4Pi": quantity.MaxSmall, "0": 0, "12M": 12e6} {
		q := resource.MustParse(text)
		q.AsDec()
		if got, exact := quantity.Small(&q, 0); got != want || !exact {
			t.Errorf("Small(%s, held by a decimal) = %d, %v", text, got, exact)
		}
	}
}

// Nothing is small at any scale.
func TestSmallOfNothing(t *testing.T) {
	for _, scale := range []resource.Scale{0, resource.Milli} {
		for _, held := range []resource.Scale{resource.Nano, 0, resource.Exa} {
			if got, exact := quantity.Small(resource.NewScaledQuantity(0, held), scale); got != 0 || !exact {
				t.Errorf("Small(0e%d, %d) = %d, %v", held, scale, got, exact)
			}
		}
	}
}

// More digits than two words hold do no harm either.
func TestSmallDecimalOfManyWords(t *testing.T) {
	for _, text := range []string{"123456789012345678901234567890123456789012", "1234567890123456789012345678901.5", "123456789012345678901234567890", "18446744073709551616"} {
		q := resource.MustParse(text)
		q.Format = resource.BinarySI
		if got, exact := quantity.Small(&q, 0); exact {
			t.Errorf("Small(%s) = %d", text, got)
		}
	}
}

// Small reports an amount as exact if and only if it is exact and small.
func TestSmallIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := testkit.Quantity().Draw(t, "quantity")
		scale := rapid.SampledFrom([]resource.Scale{0, resource.Milli}).Draw(t, "scale")
		before := testkit.Fingerprint(q)
		plainCopy := q
		got, exact := quantity.Small(&plainCopy, scale)
		testkit.Equal(t, testkit.Fingerprint(q), before, "the original has changed")
		amount := testkit.Exact(q)
		if scale == resource.Milli {
			amount.Mul(amount, big.NewRat(1000, 1))
		}
		isSmall := amount.IsInt() && amount.Sign() >= 0 && amount.Cmp(big.NewRat(quantity.MaxSmall, 1)) <= 0
		if exact && (!isSmall || amount.Cmp(big.NewRat(got, 1)) != 0) {
			t.Fatalf("Small(%s, %d) = %d, which it is not", q.String(), scale, got)
		}
		if !exact && isSmall && q.Format == resource.DecimalSI && q.AsDec().Scale() == 0 && scale == 0 {
			t.Fatalf("Small(%s, %d) misses %v", q.String(), scale, amount)
		}
		testkit.Equal(t, plainCopy.Cmp(q), 0, "Small of", &q, scale, "has made it", &plainCopy)
	})
}

// Milli-units are found with a float, but are exact: for any number, and any representation of the
// quantity.
func TestSmallMilliIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		milli := rapid.OneOf(rapid.Int64Range(0, 1e6), rapid.Int64Range(0, quantity.MaxSmallMilli-1),
			rapid.Map(rapid.Int64Range(1, 1e6), func(n int64) int64 { return quantity.MaxSmallMilli - n })).Draw(t, "milli")
		places := rapid.IntRange(0, 18).Draw(t, "places beyond milli-units")
		beyond := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil)
		unscaled := new(big.Int).Mul(big.NewInt(milli), beyond)

		q := quantity.OfUnits(unscaled, resource.Milli-resource.Scale(places), resource.DecimalSI)
		if rapid.Bool().Draw(t, "as a decimal") {
			q.AsDec()
		}
		before := testkit.Fingerprint(q)
		plainCopy := q
		if got, exact := quantity.SmallMilli(&plainCopy); got != milli || !exact {
			t.Fatalf("%v with %d places more: %d, %v", milli, places, got, exact)
		}
		testkit.Equal(t, testkit.Fingerprint(q), before, "the original has changed")

		if places == 0 {
			return
		}
		// A quantity that is not a number of milli-units is not treated as one, however close it
		// is.
		q = quantity.OfUnits(unscaled.Add(unscaled, big.NewInt(1)), resource.Milli-resource.Scale(places), resource.DecimalSI)
		if got, exact := quantity.SmallMilli(&q); exact {
			t.Fatalf("%v and a little is %d", milli, got)
		}
	})
}

// A quantity that is far from a multiple of a milli-unit is not small, and its digits are not written
// out.
func TestSmallMilliFarFromOne(t *testing.T) {
	for _, scale := range []resource.Scale{1e9, 400, -400, -1e9} {
		for _, decimal := range []bool{false, true} {
			q := *resource.NewScaledQuantity(7, scale)
			if decimal {
				q.AsDec()
			}
			if got, exact := quantity.SmallMilli(&q); exact {
				t.Errorf("7e%d = %dm", scale, got)
			}
		}
	}
}

func TestSmallAllocatesNothing(t *testing.T) {
	for _, text := range []string{"100m", "2", "128Mi", "1.5Gi", "4194303.5Gi", "128974848000m", "0"} {
		q := resource.MustParse(text)
		scale := resource.Scale(0)
		if text == "100m" {
			scale = resource.Milli
		}
		if got := testing.AllocsPerRun(100, func() { quantity.Small(&q, scale) }); got > 0 {
			t.Errorf("Small(%s): %v allocations, want none", text, got)
		}
	}
}

func BenchmarkSmall(b *testing.B) {
	for _, bench := range []struct {
		quantity string
		scale    resource.Scale
	}{{"128Mi", 0}, {"1.5Gi", 0}, {"100m", resource.Milli}} {
		b.Run(bench.quantity, func(b *testing.B) {
			q := resource.MustParse(bench.quantity)
			b.ReportAllocs()
			for b.Loop() {
				quantity.Small(&q, bench.scale)
			}
		})
	}
}
