package cgroup_test

import (
	"math"
	"testing"

	"github.com/kubemath/kubemath/cgroup"
)

// For any limit and period, systemd enforces at least the quota, in whole hundredths of a CPU.
func FuzzQuota(f *testing.F) {
	f.Add(int64(51), int64(100000))
	f.Add(int64(1), int64(math.MaxInt64))
	f.Add(int64(math.MaxInt64), int64(1))
	f.Add(int64(1001), int64(33333))
	f.Fuzz(func(t *testing.T, milliCPU, period int64) {
		quota := cgroup.MilliCPUToQuota(milliCPU, period)
		perSecond, inForce := cgroup.SystemdQuota(quota, period)
		if inForce < quota || perSecond%10000 != 0 && perSecond != math.MaxInt64 {
			t.Errorf("quota %d: %d per second, %d in force", quota, perSecond, inForce)
		}
	})
}
