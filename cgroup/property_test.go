package cgroup_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/cgroup"
	"github.com/kubemath/kubemath/internal/testkit"
)

// For all shares: weights match the definition, do not decrease, leave no weight out, and map the
// ends of the ranges to each other. (TestLogarithmicWeights compares the logarithmic formula with
// its definition.)
func TestWeightsOverAllShares(t *testing.T) {
	for _, f := range formulas {
		last := int64(0)
		for s := int64(minShares); s <= maxShares; s++ {
			w := sharesToWeight(s, f)
			if w != last && w != last+1 {
				t.Fatalf("%v: %d shares are weight %d, after %d", f, s, w, last)
			}
			if f == linear && w != slowLinear(s) {
				t.Fatalf("%d shares: linear weight %d, want %d", s, w, slowLinear(s))
			}
			last = w
		}
		if first := sharesToWeight(minShares, f); first != minWeight || last != maxWeight {
			t.Errorf("%v: weights from %d to %d", f, first, last)
		}
	}
}

// For all requests that make a difference: the inverse ranges contain exactly the requests that
// convert to a number. Requests above the last one convert like the last one.
func TestRequestsOfWeights(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes each request up to 256 CPUs")
	}
	const end = 256000 // the smallest request with the most shares
	weights := map[formula]map[int64][2]int64{}
	for _, f := range formulas {
		weights[f] = map[int64][2]int64{}
	}
	note := func(ranges map[int64][2]int64, n, request int64) {
		r, known := ranges[n]
		if !known {
			r = [2]int64{request}
		} else if r[1] != request-1 {
			t.Fatalf("%d is the answer to %d and %d, but not to what is between", n, r[1], request)
		}
		r[1] = request
		ranges[n] = r
	}
	for m := int64(0); m <= end+1000; m++ {
		s := cgroup.MilliCPUToShares(m)
		if want := slowShares(m); s != want {
			t.Fatalf("%dm: %d shares, want %d", m, s, want)
		}
		for f := range weights {
			w := weightOf(m, f)
			if want := sharesToWeight(s, f); w != want {
				t.Fatalf("%dm: %v weight %d, want %d", m, f, w, want)
			}
			note(weights[f], w, m)
		}
	}
	check := func(what string, ranges map[int64][2]int64, n, last int64, got [2]int64) {
		want, known := ranges[n]
		switch {
		case !known:
			want = [2]int64{1, 0}
		case n == last:
			want[1] = math.MaxInt64
		}
		testkit.Equal(t, got, want, what, n, "milli-CPU")
	}
	for f := range weights {
		for w := int64(-2); w <= maxWeight+2; w++ {
			check(string(f)+" weight", weights[f], w, maxWeight, rangeOf(w, f))
		}
	}
}

// For all limits of a small node, in periods that divide evenly and in periods that do not.
func TestLimitsOfQuotas(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes each limit up to four CPUs")
	}
	for _, period := range []int64{1, 7, 300, 1000, 1001, 5000, 33333, 100000, 1000000, 1001000, 2000000} {
		const limits = 4000
		quota := func(m int64) int64 { return cgroup.MilliCPUToQuota(m, period) }
		inForce := func(m int64) int64 {
			_, q := cgroup.SystemdQuota(quota(m), period)
			return q
		}
		last, lastInForce := int64(-1), int64(-1)
		for m := range int64(limits) {
			if got, want := quota(m), slowQuota(m, period); got != want || got < last {
				t.Fatalf("%dm in %d: quota %d, want %d, after %d", m, period, got, want, last)
			}
			perSecond, want := slowSystemd(quota(m), period)
			if gotPerSecond, got := cgroup.SystemdQuota(quota(m), period); got != want || gotPerSecond != perSecond || got < lastInForce {
				t.Fatalf("%dm in %d: %d per second and %d in force, want %d and %d, after %d", m, period, gotPerSecond, got, perSecond, want, lastInForce)
			}
			last, lastInForce = quota(m), inForce(m)
		}
	}
}

// numbers draws requests, limits and periods: usual ones, and those at the ends of an int64.
func numbers() *rapid.Generator[int64] {
	return rapid.OneOf(rapid.Int64(), rapid.Int64Range(-3, 300000), rapid.Int64Range(math.MaxInt64-3000, math.MaxInt64))
}

// For any numbers, conversions keep the contract and equal their slow twins.
func TestConversionsOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, period := numbers().Draw(t, "n"), numbers().Draw(t, "period")
		f := rapid.SampledFrom(formulas).Draw(t, "formula")
		testkit.Contract(t, func() any {
			perSecond, inForce := cgroup.SystemdQuota(n, period)
			return []any{
				cgroup.MilliCPUToShares(n), sharesToWeight(n, f),
				weightOf(n, f), rangeOf(n, f), cgroup.MilliCPUToQuota(n, period),
				perSecond, inForce,
			}
		})
		if got, want := cgroup.MilliCPUToShares(n), slowShares(n); got != want {
			t.Fatalf("%d shares, want %d", got, want)
		}
		used := period
		if used <= 0 {
			used = 100000
		}
		quota := cgroup.MilliCPUToQuota(n, period)
		testkit.Equal(t, quota, slowQuota(n, used), "quota")
		perSecond, inForce := cgroup.SystemdQuota(n, period)
		if wantPerSecond, want := slowSystemd(n, used); perSecond != wantPerSecond || inForce != want {
			t.Fatalf("%d and %d in force, want %d and %d", perSecond, inForce, wantPerSecond, want)
		}
	})
}

// The kubelet reads shares back from a linear weight as (weight-1)·262142/9999 + 2. Because both
// directions round down, the result is one less than any shares with that weight, except at the
// ends of the range.
func TestKubeletReadsSharesBackTooLow(t *testing.T) {
	least := int64(minShares)
	for w := int64(minWeight); w <= maxWeight; w++ {
		for sharesToWeight(least, linear) < w {
			least++
		}
		theirs := (w-1)*262142/9999 + 2
		want := least - 1
		if w == minWeight || w == maxWeight {
			want++
		}
		testkit.Equal(t, theirs, want, "weight", w)
	}
}

// The largest limit saturates in any period, so no enforced quota exceeds the quotas of all limits.
func TestGreatestLimitSaturates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		period := rapid.OneOf(rapid.Int64Range(-1, 2_000_000), rapid.Int64()).Draw(t, "period")
		if _, inForce := cgroup.SystemdQuota(cgroup.MilliCPUToQuota(math.MaxInt64, period), period); inForce != math.MaxInt64 {
			t.Fatalf("%d in force", inForce)
		}
	})
}
