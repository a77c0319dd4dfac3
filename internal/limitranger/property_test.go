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
		a := limitranger.Amounts{Request: limitranger.AmountOf(optional(t, "request")), Limit: limitranger.AmountOf(optional(t, "limit"))}
		quantity := testkit.Quantity().Draw(t, "bound")
		amount := limitranger.AmountOf(&quantity)
		bound := &amount
		ratio, _ := a.CheckRatio(bound)
		return testkit.Each("verdict ", []limitranger.Verdict{a.CheckMin(bound), a.CheckMax(bound), a.CheckMaxRequest(bound), ratio})
	}, testkit.Each("verdict ", allVerdicts)...)
}

func TestBoundsEqualSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		request, limit, bound := optional(t, "request"), optional(t, "limit"), testkit.Quantity().Draw(t, "bound")
		before := testkit.Fingerprint([]any{request, limit, bound})
		a, ofBound := limitranger.Amounts{Request: limitranger.AmountOf(request), Limit: limitranger.AmountOf(limit)}, limitranger.AmountOf(&bound)
		gotMin, gotMax, gotClaim := a.CheckMin(&ofBound), a.CheckMax(&ofBound), a.CheckMaxRequest(&ofBound)
		a.CheckRatio(&ofBound)
		testkit.Equal(t, testkit.Fingerprint([]any{request, limit, bound}), before, "the amounts have changed")
		unit := slowUnit(request, limit, &bound)
		out := func(q *resource.Quantity, unit int64, order int) bool {
			return q != nil && slowCompare(*q, bound, unit) == order
		}
		wantMin, wantMax, wantClaim := limitranger.Passes, limitranger.Passes, limitranger.Passes
		switch {
		case request == nil:
			wantMin, wantClaim = limitranger.NoRequest, limitranger.NoRequest
		case out(request, unit, -1):
			wantMin = limitranger.RequestOut
		case out(limit, unit, -1):
			wantMin = limitranger.LimitOut
		}
		switch {
		case limit == nil:
			wantMax = limitranger.NoLimit
		case out(limit, unit, 1):
			wantMax = limitranger.LimitOut
		case out(request, unit, 1):
			wantMax = limitranger.RequestOut
		}
		if out(request, unit, 1) {
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
		a, ofBound := limitranger.Amounts{Request: limitranger.AmountOf(&request), Limit: limitranger.AmountOf(&limit)}, limitranger.AmountOf(&bound)
		verdict, _ := a.CheckRatio(&ofBound)
		want := exactly && verdict == limitranger.Passes
		if got := limitranger.RatioOf(bound, false).Keeps(request, limit); got != want {
			t.Fatalf("Keeps = %v, want %v: exactly %v, verdict %d", got, want, exactly, verdict)
		}
	})
}

func TestRatioContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		request, limit := testkit.Positive().Draw(t, "request"), testkit.Positive().Draw(t, "limit")
		bound := testkit.Positive().Draw(t, "ratio")
		r := limitranger.RatioOf(bound, false)
		testkit.Contract(t, func() any {
			least, leastOK := r.LeastRequest(limit, 0)
			greatest, greatestOK := r.GreatestLimit(request, 0)
			return []any{r.Keeps(request, limit), least, leastOK, greatest, greatestOK}
		}, request, limit, bound, r)
	})
}
