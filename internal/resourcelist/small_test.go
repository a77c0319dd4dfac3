package resourcelist_test

import (
	"math/big"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/resourcelist"
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
		{"4503599627370.496", resource.Milli, 1 << 52, true},
		{"4503599627370.497", resource.Milli, 0, false},
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
	}
	for _, test := range tests {
		q := resource.MustParse(test.quantity)
		got, exact := resourcelist.Small(&q, test.scale)
		if exact != test.exact || exact && got != test.want {
			t.Errorf("Small(%s, %d) = %d, %v, want %d, %v", test.quantity, test.scale, got, exact, test.want, test.exact)
		}
	}
}

// A decimal of a whole number is small, too.
func TestSmallDecimalWithoutPlaces(t *testing.T) {
	for text, want := range map[string]int64{"128Mi": 128 << 20, "4Pi": resourcelist.MaxSmall} {
		q := resource.MustParse(text)
		q.AsDec()
		if got, exact := resourcelist.Small(&q, 0); got != want || !exact {
			t.Errorf("Small(%s, held by a decimal) = %d, %v", text, got, exact)
		}
	}
}

// Nor do more digits than two words hold do any harm.
func TestSmallDecimalOfManyWords(t *testing.T) {
	for _, text := range []string{"123456789012345678901234567890123456789012", "1234567890123456789012345678901.5", "123456789012345678901234567890", "18446744073709551616"} {
		q := resource.MustParse(text)
		q.Format = resource.BinarySI
		if got, exact := resourcelist.Small(&q, 0); exact {
			t.Errorf("Small(%s) = %d", text, got)
		}
	}
}

// If Small says that an amount is exact, it is; and it says so whenever it can be said.
func TestSmallIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := testkit.Quantity().Draw(t, "quantity")
		scale := rapid.SampledFrom([]resource.Scale{0, resource.Milli}).Draw(t, "scale")
		before := testkit.Fingerprint(q)
		plainCopy := q
		got, exact := resourcelist.Small(&plainCopy, scale)
		if testkit.Fingerprint(q) != before {
			t.Fatal("the original has changed")
		}
		amount := testkit.Exact(q)
		if scale == resource.Milli {
			amount.Mul(amount, big.NewRat(1000, 1))
		}
		isSmall := amount.IsInt() && amount.Sign() >= 0 && amount.Cmp(big.NewRat(resourcelist.MaxSmall, 1)) <= 0
		if exact && (!isSmall || amount.Cmp(big.NewRat(got, 1)) != 0) {
			t.Fatalf("Small(%s, %d) = %d, which it is not", q.String(), scale, got)
		}
		if !exact && isSmall && q.Format == resource.DecimalSI && q.AsDec().Scale() == 0 && scale == 0 {
			t.Fatalf("Small(%s, %d) misses %v", q.String(), scale, amount)
		}
	})
}

func TestAllocs(t *testing.T) {
	for _, quantity := range []string{"100m", "2", "128Mi", "1.5Gi", "4194303.5Gi", "128974848000m", "0"} {
		q := resource.MustParse(quantity)
		scale := resource.Scale(0)
		if quantity == "100m" {
			scale = resource.Milli
		}
		if got := testing.AllocsPerRun(100, func() { resourcelist.Small(&q, scale) }); got > 0 {
			t.Errorf("Small(%s): %v allocations, want none", quantity, got)
		}
	}
}

func BenchmarkSmall(b *testing.B) {
	for _, quantity := range []string{"128Mi", "1.5Gi"} {
		b.Run(quantity, func(b *testing.B) {
			q := resource.MustParse(quantity)
			b.ReportAllocs()
			for b.Loop() {
				resourcelist.Small(&q, 0)
			}
		})
	}
}
