package cgroup_test

import (
	"testing"

	"github.com/kubemath/kubemath/cgroup"
)

func TestAllocs(t *testing.T) {
	var most int64
	for name, call := range map[string]func(){
		"MilliCPUToShares":          func() { cgroup.MilliCPUToShares(1500) },
		"SharesToLogarithmicWeight": func() { cgroup.SharesToLogarithmicWeight(1536) },
		"LinearWeightToMilliCPU":    func() { _, most, _ = cgroup.LinearWeightToMilliCPU(137) },
		"MilliCPUToQuota":           func() { cgroup.MilliCPUToQuota(1500, 0) },
		"SystemdQuota":              func() { cgroup.SystemdQuota(150000, 0) },
	} {
		if got := testing.AllocsPerRun(100, call); got > 0 {
			t.Errorf("%s: %v allocations, want none", name, got)
		}
	}
	if most == 0 {
		t.Error("nothing has been computed")
	}
}
