package cgroup_test

import (
	"testing"

	"github.com/kubemath/kubemath/cgroup"
)

func TestAllocs(t *testing.T) {
	var ranges cgroup.Range
	for name, call := range map[string]func(){
		"MilliCPUToShares": func() { cgroup.MilliCPUToShares(1500) },
		"SharesToMilliCPU": func() { ranges = cgroup.SharesToMilliCPU(1536) },
		"SharesToWeight":   func() { cgroup.SharesToWeight(1536, logarithmic) },
		"WeightToShares":   func() { ranges = cgroup.WeightToShares(137, logarithmic) },
		"WeightToMilliCPU": func() { ranges = cgroup.WeightToMilliCPU(137, linear) },
		"MilliCPUToQuota":  func() { cgroup.MilliCPUToQuota(1500, 0) },
		"SystemdQuota":     func() { cgroup.SystemdQuota(150000, 0) },
	} {
		if got := testing.AllocsPerRun(100, call); got > 0 {
			t.Errorf("%s: %v allocations, want none", name, got)
		}
	}
	if ranges.Max < ranges.Min {
		t.Error("nothing has been computed")
	}
}
