package limitranger_test

import (
	"math/big"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/limitranger"
)

func TestLeastRequest(t *testing.T) {
	tests := []struct {
		name, limit, ratio string
		scale              resource.Scale
		want               string // "" means none
	}{
		{"exactly", "4", "2", 0, "2"},
		{"rounded up to a unit", "5", "2", 0, "3"},
		{"in milli-units", "5", "2", resource.Milli, "2500m"},
		{"a ratio with a fraction", "3", "1.5", 0, "2"},
		{"one unit more for the floats", "2007m", "2.007", resource.Milli, "1001m"},
		{"in the format of the limit", "4Gi", "2", 0, "2Gi"},
		{"a limit of a nano", "1n", "2", 0, "1"},
		{"a limit of a nano, in milli-units", "1n", "2", resource.Milli, "1m"},
		{"1E", "1E", "100", 0, "10P"},
		{"beyond 64 bits", "30E", "2", 0, "15E"},
		{"no whole unit at which floats meet the ratio", "4027517340000000000", "2.007", 0, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, ok := limitranger.RatioOf(*amount(test.ratio), false).LeastRequest(*amount(test.limit), test.scale)
			if ok != (test.want != "") || ok && got.String() != test.want {
				t.Errorf("%s, %v, want %q", got.String(), ok, test.want)
			}
		})
	}
}

func TestGreatestLimit(t *testing.T) {
	tests := []struct {
		name, request, ratio string
		scale                resource.Scale
		want                 string // "" means none
	}{
		{"exactly", "2", "2", 0, "4"},
		{"rounded down to a unit", "3", "1.5", 0, "4"},
		{"in milli-units", "3", "1.5", resource.Milli, "4500m"},
		{"one unit less for the floats", "1", "2.007", resource.Milli, "2006m"},
		{"in the format of the request", "2Gi", "2", 0, "4Gi"},
		{"a request of a nano gives zero", "1n", "2", 0, "0"},
		{"10P", "10P", "100", 0, "1E"},
		{"beyond 64 bits", "15E", "2", 0, "30E"},
		{"no lower whole unit at which floats meet the ratio", "2006735097159940209", "2.007", 0, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, ok := limitranger.RatioOf(*amount(test.ratio), false).GreatestLimit(*amount(test.request), test.scale)
			if ok != (test.want != "") || ok && got.String() != test.want {
				t.Errorf("%s, %v, want %q", got.String(), ok, test.want)
			}
		})
	}
}

// In small units, no number that is nearer keeps the ratio. In large ones, the floats are so
// coarse that a unit more or less is not enough.
func TestLeastAndGreatestIn(t *testing.T) {
	bigger := func(s string) *big.Int { n, _ := new(big.Int).SetString(s, 10); return n }
	one := big.NewInt(1)
	tests := []struct {
		name                string
		unit, ratio, amount *big.Int
	}{
		{"milli-units", one, big.NewInt(2007), big.NewInt(2007)},
		{"milli-units of a request", one, big.NewInt(2007), big.NewInt(1000)},
		{"whole units", big.NewInt(1000), big.NewInt(1500), big.NewInt(7)},
		{"pages", big.NewInt(2 << 20 * 1000), big.NewInt(1001), big.NewInt(12345)},
		{"a ratio of one", one, big.NewInt(1000), big.NewInt(1)},
		{"a large ratio", one, bigger("10000000000000000000"), big.NewInt(3)},
		{"a product of more than 64 bits", one, big.NewInt((1<<24 + 1) * 1000), big.NewInt(1 << 40)},
		{"large whole units", big.NewInt(1000), big.NewInt(2007), bigger("4027517340000000000")},
		{"large milli-units", one, big.NewInt(2007), bigger("4027517340000000000000")},
		{"the largest amount", big.NewInt(1000), big.NewInt(1001), bigger("9223372036854775807")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := limitranger.RatioOfMilli(test.ratio, false)
			keeps := func(request, limit *big.Int) bool {
				return r.KeepsMilli(new(big.Int).Mul(request, test.unit), new(big.Int).Mul(limit, test.unit))
			}
			least := r.LeastRequestIn(test.unit, test.amount)
			if less := new(big.Int).Sub(least, one); !keeps(least, test.amount) || keeps(less, test.amount) {
				t.Errorf("%v is not the least request", least)
			}
			greatest := r.GreatestLimitIn(test.unit, test.amount)
			if more := new(big.Int).Add(greatest, one); !keeps(test.amount, greatest) || keeps(test.amount, more) {
				t.Errorf("%v is not the greatest limit", greatest)
			}
		})
	}
}
