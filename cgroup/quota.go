package cgroup

import (
	"math"
	"math/bits"
)

// defaultPeriod is the period of CPU quotas, in microseconds, unless a kubelet is
// configured otherwise; minQuota the least quota that the kernel accepts.
const (
	defaultPeriod = 100000
	minQuota      = 1000
)

// MilliCPUToQuota returns the quota for a limit in milli-units of CPU: the microseconds that a cgroup may run in
// each period of the given microseconds, milliCPU·period/1000 rounded down, but at least 1000, the least that the
// kernel accepts. A limit of 0 or less means no limit; the result is 0, which means no quota. A period of 0 or less
// counts as 100,000. A result that does not fit is math.MaxInt64.
//
// A cgroup that has used its quota is throttled until the next period, even if it uses little on average.
// Because of that minimum, a limit of 1m is enforced as 10m in the default period.
//
// Source: the function of this name in k8s.io/kubernetes/pkg/kubelet/cm, whose product
// wraps around, and which gives 1000 to a limit below zero.
func MilliCPUToQuota(milliCPU, period int64) int64 {
	if milliCPU <= 0 {
		return 0
	}
	quota, ok := mulDiv(milliCPU, orDefault(period), milliPerCPU)
	if !ok { // saturate
		return math.MaxInt64
	}
	return max(quota, minQuota)
}

func orDefault(period int64) int64 {
	if period <= 0 {
		return defaultPeriod
	}
	return period
}

// mulDiv returns a·b / c rounded down, and whether the result fits.
// a and b must be at least 0, and c at least 1.
func mulDiv(a, b, c int64) (quotient int64, ok bool) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if hi >= uint64(c) {
		return 0, false
	}
	q, _ := bits.Div64(hi, lo, uint64(c))
	return int64(q), q < 1<<63
}
