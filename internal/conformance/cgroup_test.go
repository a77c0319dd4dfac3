package conformance

import (
	"math"
	"testing"

	"github.com/opencontainers/cgroups"
	"k8s.io/kubernetes/pkg/kubelet/cm"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/cgroup"
	"github.com/kubemath/kubemath/internal/testkit"
)

// Over all requests with different results, and some with equal ones.
func TestMilliCPUToShares(t *testing.T) {
	for m := range int64(300000) {
		if got, want := cgroup.MilliCPUToShares(m), int64(cm.MilliCPUToShares(m)); got != want {
			t.Fatalf("%dm: %d shares, the kubelet has %d", m, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.Int64Range(math.MinInt64>>10, math.MaxInt64>>10).Draw(t, "milli-CPU")
		if got, want := cgroup.MilliCPUToShares(m), int64(cm.MilliCPUToShares(m)); got != want {
			t.Fatalf("%dm: %d shares, the kubelet has %d", m, got, want)
		}
	})
}

func TestMilliCPUToQuota(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.OneOf(rapid.Int64Range(0, 2000), rapid.Int64Range(0, 1<<40)).Draw(t, "milli-CPU")
		period := rapid.OneOf(rapid.SampledFrom([]int64{1000, 5000, 100000, 1000000}), rapid.Int64Range(1, 1<<20)).Draw(t, "period")
		got, want := cgroup.MilliCPUToQuota(m, period), cm.MilliCPUToQuota(m, period)
		if got != want {
			t.Fatalf("%dm in %d: quota %d, the kubelet has %d", m, period, got, want)
		}
	})
}

// Over all shares: this platform's floating point agrees with the formula.
func TestLogarithmicWeight(t *testing.T) {
	for s := range int64(262144 + 1000) {
		if got, want := cgroup.SharesToLogarithmicWeight(s), int64(cgroups.ConvertCPUSharesToCgroupV2Value(uint64(s))); got != want {
			t.Errorf("%d shares: weight %d, opencontainers/cgroups has %d", s, got, want)
		}
	}
}

// From 2^53 milli-CPU on, the kubelet's milliCPU·1024 overflows int64, so a huge request gets the minimum
// of shares. With ours, it gets the maximum.
// See docs/decisions/cgroup.md#shares-and-quotas-saturate.
func TestDivergenceSharesBeyond64Bits(t *testing.T) {
	const request = 1 << 53
	if got := cgroup.MilliCPUToShares(request); got != 262144 {
		t.Errorf("%d shares", got)
	}
	if theirs := cm.MilliCPUToShares(request); theirs == 262144 {
		t.Error("the kubelet agrees: it no longer overflows")
	}
}

// The same happens to quotas, from 2^63/100000 milli-CPU on: a huge limit is enforced as a hundredth of a
// CPU.
// See docs/decisions/cgroup.md#shares-and-quotas-saturate.
func TestDivergenceQuotaBeyond64Bits(t *testing.T) {
	const limit = math.MaxInt64/100000 + 1
	testkit.Equal(t, cgroup.MilliCPUToQuota(limit, 100000), 9223372036854800, "quota")
	if theirs := cm.MilliCPUToQuota(limit, 100000); theirs != 1000 {
		t.Errorf("the kubelet has %d: it no longer overflows", theirs)
	}
}

// A negative limit, which no cluster admits, is treated as no limit, as in the sums of limits; the
// kubelet converts it to the minimum quota.
// See docs/decisions/cgroup.md#negative-limits-are-unlimited.
func TestDivergenceQuotaOfLessThanNothing(t *testing.T) {
	testkit.Equal(t, cgroup.MilliCPUToQuota(-1, 100000), 0, "quota")
	testkit.Equal(t, cm.MilliCPUToQuota(-1, 100000), 1000, "the kubelet has")
}
