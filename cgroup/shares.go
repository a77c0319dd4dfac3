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

// SharesToMilliCPU returns the requests in milli-CPU, from 0 on, that convert to cpu.shares. The
// range is empty for shares that no request converts to, such as 42, between 41m (41) and 42m (43),
// and outside [2, 262144]. 262144 is the result for all requests of 256 CPUs or more.
//
// The kubelet has a single answer: SharesToReportedMilliCPU.
func SharesToMilliCPU(shares int64) Range {
	if shares < minShares || shares > maxShares {
		return none()
	}
	return between(leastMilliCPU(shares), mostMilliCPU(shares))
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

// SharesToReportedMilliCPU returns the request that the kubelet reads back from cpu.shares, and
// shows in the status of a pod: shares·1000/1024, rounded up. It is in the range of
// SharesToMilliCPU, unless no request has so many shares. Less than 2 give 0.
//
// Source: SharesToMilliCPU of k8s.io/kubernetes/pkg/kubelet/cm.
func SharesToReportedMilliCPU(shares int64) int64 {
	if shares < minShares {
		return 0
	}
	// It fits, since it is at most shares.
	milliCPU, _ := mulDivUp(shares, milliPerCPU, sharesPerCPU)
	return milliCPU
}
