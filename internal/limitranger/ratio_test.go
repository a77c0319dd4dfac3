package limitranger_test

import (
	"math/big"
	"testing"

	"github.com/kubemath/kubemath/internal/limitranger"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestKeeps(t *testing.T) {
	tests := []struct {
		name, request, limit, ratio string
		want                        bool
	}{
		{"at the ratio", "1", "2", "2", true},
		{"a milli-unit above", "1", "2001m", "2", false},
		{"a nano above, which the server rounds up", "1", "2.000000001", "2", false},
		{"a nano above, which the server rounds away", "1.000000001", "2.000000003", "2", false},
		{"a ratio with a fraction", "2", "3", "1.5", true},
		{"floats exceed a ratio that is met exactly", "1", "2007m", "2.007", false},
		{"floats exceed another", "100m", "1610m", "16.1", false},
		{"a request of zero", "0", "1", "2", false},
		{"a negative request", "-1", "1", "2", false},
		{"whole units", "10P", "20P", "2", true},
		{"whole units above", "10P", "20000000000000001", "2", false},
		{"a limit of whole units beside a request with a fraction", "1500m", "13835058055282163", "9223372036854775", false},
		{"a ratio of whole units, rounded up", "1", "10000000000000000", "9999999999999999.5", false},
		{"1E of 10P", "10P", "1E", "100", true},
		{"beyond 64 bits, the exact comparison decides", "10E", "30E", "3", true},
		{"beyond 64 bits, a unit above", "10E", "30000000000000000001", "3", false},
		{"beyond 64 bits, where the nearest floats exceed the ratio", "1e21", "2007e18", "2.007", true},
		{"a ratio beyond 64 bits", "1", "20E", "20E", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			testkit.Equal(t, limitranger.RatioOf(*amount(test.ratio), false).Keeps(*amount(test.request), *amount(test.limit)), test.want)
		})
	}
}

// Amounts and ratios in milli-units.
func TestKeepsMilli(t *testing.T) {
	const wholeMax = "9223372036854775807000" // 2^63-1 whole units
	tests := []struct {
		name, request, limit, ratio string
		want                        bool
	}{
		{"at the ratio", "1000", "2000", "2000", true},
		{"above the ratio", "1000", "2001", "2000", false},
		{"floats exceed a ratio that is met exactly", "1000", "2007", "2007", false},
		{"one milli-unit", "1", "1", "1000", true},
		{"the largest amounts of milli-units", "9223372036854775000", "9223372036854775000", "1000", true},
		{"amounts of whole units", "10000000000000000000", "20000000000000000000", "2000", true},
		{"a large request rounded to whole units", "9223372036854775001", "18446744073709550002", "2000", true},
		{"the largest amounts that the server converts", wholeMax, wholeMax, "1000", true},
		{"a ratio of whole units", "1000", "10000000000000000000", "10000000000000000000", true},
		{"a ratio of whole units, exceeded", "1000", "10000000000000001000", "10000000000000000000", false},
		{"the largest ratio", "1000", wholeMax, wholeMax, true},
		{"a limit beyond what the server converts", "9223372036854775807000", "20000000000000000000000", "3000", true},
	}
	integer := func(s string) *big.Int {
		n, ok := new(big.Int).SetString(s, 10)
		if !ok {
			t.Fatalf("%s is no number", s)
		}
		return n
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := limitranger.RatioOfMilli(integer(test.ratio), false)
			testkit.Equal(t, r.KeepsMilli(integer(test.request), integer(test.limit)), test.want)
			ofQuantities := limitranger.RatioOf(*amount(test.ratio + "m"), false)
			testkit.Equal(t, ofQuantities.Keeps(*amount(test.request + "m"), *amount(test.limit + "m")), test.want, "of quantities")
		})
	}
}
