package limitranger_test

import (
	"math"
	"math/big"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/limitranger"
	"github.com/kubemath/kubemath/internal/testkit"
)

// optional draws a quantity over the whole range, or none.
func optional(t *rapid.T, label string) *resource.Quantity {
	if rapid.IntRange(0, 4).Draw(t, "no "+label) == 0 {
		return nil
	}
	q := testkit.Quantity().Draw(t, label)
	return &q
}

// slowUnit returns how many units one is counted in.
func slowUnit(amounts ...*resource.Quantity) int64 {
	for _, q := range amounts {
		if q != nil && testkit.RoundedAway(testkit.Exact(*q), 1) > math.MaxInt64/1000 {
			return 1
		}
	}
	return 1000
}

// slowCompare is in int64 as far as these go.
func slowCompare(a, b resource.Quantity, unit int64) int {
	x, y := testkit.RoundedAway(testkit.Exact(a), unit), testkit.RoundedAway(testkit.Exact(b), unit)
	if x == y && (x == math.MaxInt64 || x == math.MinInt64) {
		return testkit.Exact(a).Cmp(testkit.Exact(b))
	}
	return big.NewInt(x).Cmp(big.NewInt(y))
}

// allVerdicts is compared with the constants by the tests of the architecture.
var allVerdicts = []limitranger.Verdict{
	limitranger.Passes, limitranger.NoRequest, limitranger.NoLimit, limitranger.RequestOut, limitranger.LimitOut, limitranger.RatioOut,
}

// The amounts and bounds that the properties draw have each verdict.
func TestDrawsReachEveryVerdict(t *testing.T) {
	testkit.Reached(t, 300, func(t *rapid.T) []string {
		a := limitranger.Amounts{Request: optional(t, "request"), Limit: optional(t, "limit")}
		bound := testkit.Quantity().Draw(t, "bound")
		ratio, _ := a.CheckRatio(bound)
		return testkit.Each("verdict ", []limitranger.Verdict{a.CheckMin(bound), a.CheckMax(bound), a.CheckMaxRequest(bound), ratio})
	}, testkit.Each("verdict ", allVerdicts)...)
}

func TestBoundsEqualSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := limitranger.Amounts{Request: optional(t, "request"), Limit: optional(t, "limit")}
		bound := testkit.Quantity().Draw(t, "bound")
		before := testkit.Fingerprint([]any{a, bound})
		gotMin, gotMax, gotClaim := a.CheckMin(bound), a.CheckMax(bound), a.CheckMaxRequest(bound)
		a.CheckRatio(bound)
		testkit.Equal(t, testkit.Fingerprint([]any{a, bound}), before, "the amounts have changed")
		unit := slowUnit(a.Request, a.Limit, &bound)
		out := func(q *resource.Quantity, unit int64, order int) bool {
			return q != nil && slowCompare(*q, bound, unit) == order
		}
		wantMin, wantMax, wantClaim := limitranger.Passes, limitranger.Passes, limitranger.Passes
		switch {
		case a.Request == nil:
			wantMin, wantClaim = limitranger.NoRequest, limitranger.NoRequest
		case out(a.Request, unit, -1):
			wantMin = limitranger.RequestOut
		case out(a.Limit, unit, -1):
			wantMin = limitranger.LimitOut
		}
		switch {
		case a.Limit == nil:
			wantMax = limitranger.NoLimit
		case out(a.Limit, unit, 1):
			wantMax = limitranger.LimitOut
		case out(a.Request, unit, 1):
			wantMax = limitranger.RequestOut
		}
		if out(a.Request, unit, 1) {
			wantClaim = limitranger.RequestOut
		}
		if gotMin != wantMin || gotMax != wantMax || gotClaim != wantClaim {
			t.Fatalf("verdicts %d, %d, %d, want %d, %d, %d", gotMin, gotMax, gotClaim, wantMin, wantMax, wantClaim)
		}
	})
}

// Amounts that keep a ratio pass its check, within the range that the server converts; amounts that
// pass the check keep the ratio, unless they are slightly above it in exact arithmetic.
func TestKeepsAgreesWithCheckRatio(t *testing.T) {
	most := resource.MustParse("9223372036854775807")
	rapid.Check(t, func(t *rapid.T) {
		request, limit, bound := testkit.Positive().Draw(t, "request"), testkit.Positive().Draw(t, "limit"), testkit.Positive().Draw(t, "ratio")
		if request.Cmp(most) > 0 || limit.Cmp(most) > 0 {
			t.Skip("the server's integers overflow")
		}
		exactly := testkit.Exact(limit).Cmp(new(big.Rat).Mul(testkit.Exact(request), testkit.Exact(bound))) <= 0
		verdict, _ := limitranger.Amounts{Request: &request, Limit: &limit}.CheckRatio(bound)
		want := exactly && verdict == limitranger.Passes
		if got := limitranger.RatioOf(bound).Keeps(request, limit); got != want {
			t.Fatalf("Keeps = %v, want %v: exactly %v, verdict %d", got, want, exactly, verdict)
		}
	})
}

func TestSmallAgreesWithAmounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scale := rapid.SampledFrom([]resource.Scale{0, resource.Milli}).Draw(t, "scale")
		units := rapid.OneOf(rapid.Int64Range(0, 5), rapid.Int64Range(0, limitranger.MaxSmall), rapid.Int64Range(limitranger.MaxSmall-2, limitranger.MaxSmall))
		draw := func(label string) (limitranger.Small, *resource.Quantity) {
			if rapid.IntRange(0, 4).Draw(t, "no "+label) == 0 {
				return limitranger.Small{}, nil
			}
			n := units.Draw(t, label)
			return limitranger.Small{Units: n, Set: true}, resource.NewScaledQuantity(n, scale)
		}
		request, requestAmount := draw("request")
		limit, limitAmount := draw("limit")
		bound := units.Draw(t, "bound")
		milli := rapid.OneOf(rapid.Int64Range(0, 5000), rapid.Just(limit.Units*1000/max(1, request.Units)), rapid.Just(int64(math.MaxInt64/1000*1000))).Draw(t, "ratio")

		a := limitranger.Amounts{Request: requestAmount, Limit: limitAmount}
		amountOfBound := *resource.NewScaledQuantity(bound, scale)
		testkit.Equal(t, (&limitranger.SmallBounds{HasMin: true, Min: bound}).Pass(request, limit), a.CheckMin(amountOfBound) == limitranger.Passes, "min")
		testkit.Equal(t, (&limitranger.SmallBounds{HasMax: true, Max: bound}).Pass(request, limit), a.CheckMax(amountOfBound) == limitranger.Passes, "max")
		verdict, _ := a.CheckRatio(*resource.NewMilliQuantity(milli, resource.DecimalSI))
		testkit.Equal(t, (&limitranger.SmallBounds{HasRatio: true, Ratio: float64(milli)}).Pass(request, limit), verdict == limitranger.Passes, "ratio")
	})
}

func TestRatioContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		request, limit := testkit.Positive().Draw(t, "request"), testkit.Positive().Draw(t, "limit")
		bound := testkit.Positive().Draw(t, "ratio")
		r := limitranger.RatioOf(bound)
		testkit.Contract(t, func() any {
			least, leastOK := r.LeastRequest(limit, 0)
			greatest, greatestOK := r.GreatestLimit(request, 0)
			return []any{r.Keeps(request, limit), least, leastOK, greatest, greatestOK}
		}, request, limit, bound, r)
	})
}
