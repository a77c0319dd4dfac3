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
