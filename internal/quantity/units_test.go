package quantity_test

import (
	"math/big"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/testkit"
)

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
