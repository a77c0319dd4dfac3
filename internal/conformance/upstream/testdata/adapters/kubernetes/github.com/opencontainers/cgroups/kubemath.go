package cgroups

import (
	"math"

	"github.com/kubemath/kubemath/cgroup"
	"kubemath.example/upstream/beside"
)

func ConvertCPUSharesToCgroupV2Value(cpuShares uint64) uint64 {
	theirs := upstreamConvertCPUSharesToCgroupV2Value(cpuShares)
	ours := uint64(cgroup.SharesToLogarithmicWeight(int64(min(cpuShares, math.MaxInt64))))
	beside.Compare("ConvertCPUSharesToCgroupV2Value", ours, theirs)
	return ours
}
