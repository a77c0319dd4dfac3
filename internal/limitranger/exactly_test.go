package limitranger_test

import (
	"math/big"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/limitranger"
	"github.com/kubemath/kubemath/internal/testkit"
)

func exactly(request, limit *resource.Quantity) *limitranger.Amounts {
	return &limitranger.Amounts{Request: limitranger.AmountOf(request), Limit: limitranger.AmountOf(limit), Exactly: true}
}

// What rounding and floats decide otherwise.
func TestExactly(t *testing.T) {
	for _, test := range []struct {
		name, request, limit, bound string
		min, max, ratio             limitranger.Verdict
	}{
		{"a part of a milli-unit", "1u", "1u", "1m", limitranger.RequestOut, limitranger.Passes, limitranger.RatioOut},
		{"above by a part of a milli-unit", "1", "1000001u", "1", limitranger.Passes, limitranger.LimitOut, limitranger.RatioOut},
		{"above by a part of a unit", "9223372036854776", "9223372036854776.5", "9223372036854776", limitranger.Passes, limitranger.LimitOut, limitranger.Passes},
		{"floats exceed the ratio", "1", "2007m", "2.007", limitranger.RequestOut, limitranger.Passes, limitranger.Passes},
		{"floats round the ratio", "1", "9007199254740993", "9007199254740992", limitranger.RequestOut, limitranger.LimitOut, limitranger.RatioOut},
		{"beyond 64 bits", "1", "10E", "8Ei", limitranger.RequestOut, limitranger.LimitOut, limitranger.RatioOut},
		{"a ratio beyond 64 bits", "1", "10E", "10E", limitranger.RequestOut, limitranger.Passes, limitranger.Passes},
		{"a huge exponent", "1", "1e1000000000", "1e30", limitranger.RequestOut, limitranger.LimitOut, limitranger.RatioOut},
		{"a huge product", "1e1000000000", "1e1000000000", "2", limitranger.Passes, limitranger.LimitOut, limitranger.Passes},
		{"a negative limit", "1", "-1", "0", limitranger.LimitOut, limitranger.RequestOut, limitranger.Passes},
	} {
		a, bound := exactly(amount(test.request), amount(test.limit)), limitranger.AmountOf(amount(test.bound))
		testkit.Equal(t, a.CheckMin(&bound), test.min, test.name, "minimum")
		testkit.Equal(t, a.CheckMax(&bound), test.max, test.name, "maximum")
		ratio, _ := a.CheckRatio(&bound)
		testkit.Equal(t, ratio, test.ratio, test.name, "ratio")
	}
}

func TestExactlyEqualsSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		request, limit, bound := testkit.Quantity().Draw(t, "request"), testkit.Quantity().Draw(t, "limit"), testkit.Quantity().Draw(t, "bound")
		before := testkit.Fingerprint([]any{request, limit, bound})
		a, ofBound := exactly(&request, &limit), limitranger.AmountOf(&bound)
		x, y, z := testkit.Exact(request), testkit.Exact(limit), testkit.Exact(bound)
		var min, max, ratio limitranger.Verdict
		switch {
		case x.Cmp(z) < 0:
			min = limitranger.RequestOut
		case y.Cmp(z) < 0:
			min = limitranger.LimitOut
		}
		switch {
		case y.Cmp(z) > 0:
			max = limitranger.LimitOut
		case x.Cmp(z) > 0:
			max = limitranger.RequestOut
		}
		switch {
		case x.Sign() == 0:
			ratio = limitranger.NoRequest
		case y.Sign() == 0:
			ratio = limitranger.NoLimit
		case y.Cmp(new(big.Rat).Mul(x, z)) > 0:
			ratio = limitranger.RatioOut
		}
		testkit.Equal(t, a.CheckMin(&ofBound), min, "minimum")
		testkit.Equal(t, a.CheckMax(&ofBound), max, "maximum")
		got, _ := a.CheckRatio(&ofBound)
		testkit.Equal(t, got, ratio, "ratio")
		if x.Sign() > 0 && y.Sign() > 0 {
			kept := limitranger.RatioOf(bound, true).Keeps(request, limit)
			testkit.Equal(t, kept, ratio == limitranger.Passes, "the ratio is kept")
		}
		testkit.Equal(t, testkit.Fingerprint([]any{request, limit, bound}), before, "the amounts have changed")
	})
}

// With floats, one unit of the request more or of the limit less may be needed.
func TestSearchByComparison(t *testing.T) {
	for isExactly, want := range map[bool][2]int64{false: {1001, 2006}, true: {1000, 2007}} {
		ratio := limitranger.RatioOfMilli(big.NewInt(2007), isExactly)
		testkit.Equal(t, ratio.LeastRequestIn(big.NewInt(1), big.NewInt(2007)).Int64(), want[0], "the least request")
		testkit.Equal(t, ratio.GreatestLimitIn(big.NewInt(1), big.NewInt(1000)).Int64(), want[1], "the greatest limit")
	}
}
