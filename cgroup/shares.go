package cgroup

import "math"

// The range of cpu.shares that the kernel accepts.
const (
	minShares = 2
	maxShares = 262144
)

const (
	milliPerCPU  = 1000
	sharesPerCPU = 1024 // also the default of a cgroup
)

// MilliCPUToShares returns the cpu.shares for a request in milli-units of CPU:
// milliCPU·1024/1000, rounded down and clamped to [2, 262144]. Requests of 0 or less
// give 2; requests from 256 CPUs on give 262144.
//
// Source: the function of this name in k8s.io/kubernetes/pkg/kubelet/cm, whose product
// wraps around beyond 2^53.
func MilliCPUToShares(milliCPU int64) int64 {
	switch {
	case milliCPU <= 0:
		return minShares
	case milliCPU > maxShares: // saturate
		return maxShares
	}
	return min(max(milliCPU*sharesPerCPU/milliPerCPU, minShares), maxShares)
}

// leastMilliCPU returns the smallest request that gives at least the given shares.
func leastMilliCPU(shares int64) int64 {
	if shares == minShares {
		return 0
	}
	return (shares*milliPerCPU + sharesPerCPU - 1) / sharesPerCPU
}

// mostMilliCPU returns the largest request that gives at most the given shares.
func mostMilliCPU(shares int64) int64 {
	if shares == maxShares {
		return math.MaxInt64
	}
	return ((shares+1)*milliPerCPU - 1) / sharesPerCPU
}
