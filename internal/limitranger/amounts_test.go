package limitranger_test

import (
	"math"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/limitranger"
	"github.com/kubemath/kubemath/internal/testkit"
)

// amount parses a quantity; "" is one that is not set.
func amount(s string) *resource.Quantity {
	if s == "" {
		return nil
	}
	q := resource.MustParse(s)
	return &q
}

func amounts(request, limit string) *limitranger.Amounts {
	return &limitranger.Amounts{Request: limitranger.AmountOf(amount(request)), Limit: limitranger.AmountOf(amount(limit))}
}

func bound(s string) *limitranger.Amount {
	a := limitranger.AmountOf(amount(s))
	return &a
}

func TestCheckMin(t *testing.T) {
	tests := []struct {
		name, request, limit, bound string
		want                        limitranger.Verdict
	}{
		{"nothing set", "", "", "1", limitranger.NoRequest},
		{"a limit only", "", "5", "1", limitranger.NoRequest},
		{"a limit only, at the minimum", "", "1", "1", limitranger.NoRequest},
		{"a limit only, below the minimum", "", "999m", "1", limitranger.NoRequest},
		{"a limit only, and a minimum of zero", "", "5", "0", limitranger.NoRequest},
		{"a request only", "1", "", "1", limitranger.Passes},
		{"zero is set", "0", "", "0", limitranger.Passes},
		{"request below", "999m", "1", "1", limitranger.RequestOut},
		{"both below", "999m", "999m", "1", limitranger.RequestOut},
		{"limit below", "1", "999m", "1", limitranger.LimitOut},
		{"negative request", "-1n", "1", "0", limitranger.RequestOut},
		{"negative bound", "-1", "1", "-1", limitranger.Passes},
		{"a nano less is rounded up to the milli-unit", "1.999000001", "2", "2", limitranger.Passes},
		{"a milli-unit less", "1999m", "2", "2", limitranger.RequestOut},
		{"the largest limit with which milli-units count", "1999m", "9223372036854775", "2", limitranger.RequestOut},
		{"with a larger limit, the request is rounded to whole units", "1999m", "9223372036854776", "2", limitranger.Passes},
		{"the bound is rounded like the request", "1", "10P", "500m", limitranger.Passes},
		{"10P against 1E", "10P", "10P", "1E", limitranger.RequestOut},
		{"1E against itself", "1E", "1E", "1000P", limitranger.Passes},
		{"beyond 64 bits, amounts are compared exactly", "20E", "20E", "20000000000000000001", limitranger.RequestOut},
		{"beyond 64 bits below zero", "-20000000000000000001", "1", "-20E", limitranger.RequestOut},
		{"a huge exponent", "1e1000000000", "1e1000000000", "1e30", limitranger.Passes},
		{"huge exponents below zero", "-2e1000000000", "1", "-1e1000000000", limitranger.RequestOut},
		{"bytes with a fraction", "1.5Gi", "1.5Gi", "1536Mi", limitranger.Passes},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			testkit.Equal(t, amounts(test.request, test.limit).CheckMin(bound(test.bound)), test.want, "verdict")
		})
	}
}

func TestCheckMax(t *testing.T) {
	tests := []struct {
		name, request, limit, bound string
		want, ofClaim               limitranger.Verdict
	}{
		{"nothing set", "", "", "1", limitranger.NoLimit, limitranger.NoRequest},
		{"a request only", "1", "", "1", limitranger.NoLimit, limitranger.Passes},
		{"a limit only", "", "1", "1", limitranger.Passes, limitranger.NoRequest},
		{"both at the maximum", "1", "1", "1", limitranger.Passes, limitranger.Passes},
		{"limit above", "1", "1001m", "1", limitranger.LimitOut, limitranger.Passes},
		{"request above", "1001m", "1", "1", limitranger.RequestOut, limitranger.RequestOut},
		{"both above", "1001m", "1001m", "1", limitranger.LimitOut, limitranger.RequestOut},
		{"zero and a maximum of zero", "0", "0", "0", limitranger.Passes, limitranger.Passes},
		{"a nano above zero", "1n", "1n", "0", limitranger.LimitOut, limitranger.RequestOut},
		{"a nano above zero, rounded like a maximum of a nano more", "2n", "2n", "1n", limitranger.Passes, limitranger.Passes},
		{"a negative maximum", "0", "0", "-1m", limitranger.LimitOut, limitranger.RequestOut},
		{"a maximum rounded to whole units with a large limit", "1", "9223372036854776", "9223372036854775.5", limitranger.Passes, limitranger.Passes},
		{"a large request rounded with a large maximum", "9223372036854775.5", "1", "9223372036854776", limitranger.Passes, limitranger.Passes},
		{"1E above 10P", "1E", "1E", "10P", limitranger.LimitOut, limitranger.RequestOut},
		{"beyond 64 bits, amounts are compared exactly", "20E", "20000000000000000001", "20E", limitranger.LimitOut, limitranger.Passes},
		{"a huge exponent", "1", "1e1000000000", "1e30", limitranger.LimitOut, limitranger.Passes},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a, bound := amounts(test.request, test.limit), bound(test.bound)
			testkit.Equal(t, a.CheckMax(bound), test.want, "verdict")
			a.Limit = limitranger.Amount{} // claims have none
			testkit.Equal(t, a.CheckMaxRequest(bound), test.ofClaim, "verdict on a claim")
		})
	}
}

func TestCheckRatio(t *testing.T) {
	tests := []struct {
		name, request, limit, bound string
		want                        limitranger.Verdict
		ratio                       float64
	}{
		{"nothing set", "", "", "2", limitranger.NoRequest, 0},
		{"no limit", "1", "", "2", limitranger.NoLimit, 0},
		{"no request", "", "1", "2", limitranger.NoRequest, 0},
		{"a request of zero", "0", "1", "2", limitranger.NoRequest, 0},
		{"a limit of zero", "1", "0", "2", limitranger.NoLimit, 0},
		{"at the ratio", "1", "2", "2", limitranger.Passes, 2},
		{"above the ratio", "1", "2001m", "2", limitranger.RatioOut, 2.001},
		{"a ratio of milli-units", "2", "3", "1500m", limitranger.Passes, 1.5},
		{"a ratio below one", "2", "1", "500m", limitranger.Passes, 0.5},
		{"a ratio of zero", "2", "1", "0", limitranger.RatioOut, 0.5},
		{"a negative limit", "1", "-1", "0", limitranger.Passes, -1},
		{"floats exceed a ratio that is met exactly", "100m", "1610m", "16.1", limitranger.RatioOut, 16.1},
		{"floats meet a ratio that is met exactly", "100m", "1620m", "16.2", limitranger.Passes, 16.2},
		{"a request that rounds to a milli-unit", "1n", "2m", "2", limitranger.Passes, 2},
		{"a ratio that rounds to a milli-unit", "1000", "1", "1n", limitranger.Passes, 0.001},
		{"amounts of whole units", "9223372036854776", "18446744073709552", "2", limitranger.Passes, 2},
		{"a fraction of a whole unit counts as one", "1500m", "9223372036854776", "9223372036854777", limitranger.Passes, 4611686018427388},
		{"a huge ratio", "1", "9223372036854780", "9223372036854777", limitranger.RatioOut, 9223372036854780},
		{"a huge ratio that is just met", "1", "10P", "10P", limitranger.Passes, 1e16},
		{"1E of 10P", "10P", "1E", "100", limitranger.Passes, 100},
		{"beyond 64 bits, above the ratio", "10E", "30E", "2", limitranger.RatioOut, 3},
		{"beyond 64 bits, within the ratio", "10E", "30E", "4", limitranger.Passes, 3},
		{"beyond 64 bits, the floats are the nearest", "1", "1e21", "1e21", limitranger.RatioOut, 1e21},
		{"negative beyond 64 bits", "-10E", "-30E", "3", limitranger.Passes, 3},
		{"a negative limit beyond 64 bits", "1", "-30E", "3", limitranger.Passes, -3e19},
		{"a huge exponent", "1", "1e1000000000", "1e30", limitranger.RatioOut, math.Inf(1)},
		{"a quotient that is NaN", "1e1000000000", "1e1000000000", "9E", limitranger.RatioOut, math.NaN()},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, ratio := amounts(test.request, test.limit).CheckRatio(bound(test.bound))
			if got != test.want || ratio != test.ratio && !(math.IsNaN(ratio) && math.IsNaN(test.ratio)) {
				t.Errorf("verdict %d and ratio %v, want %d and %v", got, ratio, test.want, test.ratio)
			}
		})
	}
}

// Amounts that have a fraction of a milli-unit, are negative or are too large are not small.
func TestMilli(t *testing.T) {
	tests := []struct {
		amount string
		milli  int64
		small  bool
	}{
		{"", 0, true},
		{"0", 0, true},
		{"1m", 1, true},
		{"1500m", 1500, true},
		{"2", 2000, true},
		{"1n", 1, false},
		{"1.0001", 1001, false},
		{"-1", -1000, false},
		{"1P", 1e18, false},
		{"10P", math.MaxInt64, false},
		{"30E", math.MaxInt64, false},
	}
	for _, test := range tests {
		t.Run(test.amount, func(t *testing.T) {
			milli, small := bound(test.amount).Milli()
			testkit.Equal(t, milli, test.milli, "milli-units")
			testkit.Equal(t, small, test.small, "small")
		})
	}
}

func TestWidest(t *testing.T) {
	tests := []struct {
		name, bound, min, max string
		ratio, widest         float64
	}{
		{"milli-units", "1.5", "500m", "2", 1.5, 4},
		{"finer amounts are rounded up", "1.0001", "1n", "2m", 1.001, 2},
		{"a large maximum makes all whole", "1.5", "500m", "10P", 2, 1e16},
		{"just below the largest that milli-units count for", "1.5", "500m", "9223372036854774", 1.5, 18446744073709548},
		{"a maximum that is too large for milli-units", "1.5", "500m", "9223372036854775", 2, 9223372036854775},
		{"a large minimum makes all whole", "1.5", "1E", "1E", 2, 1},
		{"a large ratio makes all whole", "1E", "500m", "1500m", 1e18, 2},
		{"a minimum of zero", "2", "0", "1", 2, math.Inf(1)},
		{"negative", "-1.5", "-1", "2", -1.5, -2},
		{"beyond 64 bits", "2", "10E", "30E", 2, 3},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ratio, widest := limitranger.Widest(*amount(test.bound), *amount(test.min), *amount(test.max))
			if ratio != test.ratio || widest != test.widest {
				t.Errorf("%v and %v, want %v and %v", ratio, widest, test.ratio, test.widest)
			}
		})
	}
}
