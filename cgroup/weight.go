package cgroup

// The range of cpu.weight that the kernel accepts.
const (
	minWeight = 1
	maxWeight = 10000
)

// SharesToLinearWeight returns the cpu.weight for cpu.shares by 1 + (shares-2)·9999/262142, rounded down: from
// 1, for 2 and below, to 10000, for 262144 and above, which is the range that the kernel accepts. The kubelet
// sets the weights of pods and of their QoS class cgroups by it, and runc before 1.3.2 and crun before 1.23
// those of containers. 1024 shares, the default of v1, are weight 39. Shares of 0 or less mean that shares are
// not set; their weight is 0.
//
// Cost: a division.
//
// Source: KEP-2254. For 1 share and for more than 262144, the formula itself leaves the range.
func SharesToLinearWeight(shares int64) int64 {
	if shares <= 0 {
		return 0
	}
	shares = min(max(shares, minShares), maxShares)
	return minWeight + (shares-minShares)*(maxWeight-minWeight)/(maxShares-minShares)
}

// SharesToLogarithmicWeight returns the cpu.weight for cpu.shares by 10^((L² + 125·L)/612 - 7/34), rounded up,
// where L is the binary logarithm of the shares. It has the same range as SharesToLinearWeight, and agrees with it
// at its ends only. runc since 1.3.2 and crun since 1.23 set the weights of containers by it. It maps the default
// of v1 to that of v2: 1024 shares are weight 100. Shares of 0 or less mean that shares are not set; their weight
// is 0.
//
// Cost: a logarithm and a power.
//
// Source: ConvertCPUSharesToCgroupV2Value of github.com/opencontainers/cgroups.
func SharesToLogarithmicWeight(shares int64) int64 {
	if shares <= 0 {
		return 0
	}
	return logarithmicWeight(min(max(shares, minShares), maxShares))
}

// LinearWeightToMilliCPU returns the smallest and the largest request in milli-CPU, from 0 on, whose shares
// SharesToLinearWeight converts to cpu.weight, and whether there is one. For 10000, the largest is math.MaxInt64.
// There is none outside [1, 10000].
func LinearWeightToMilliCPU(weight int64) (least, most int64, ok bool) {
	return weightToMilliCPU(weight, greatestLinear)
}

// LogarithmicWeightToMilliCPU returns the smallest and the largest request in milli-CPU, from 0 on, whose shares
// SharesToLogarithmicWeight converts to cpu.weight, and whether there is one. For 10000, the largest is
// math.MaxInt64. There is none outside [1, 10000].
func LogarithmicWeightToMilliCPU(weight int64) (least, most int64, ok bool) {
	return weightToMilliCPU(weight, greatestLogarithmic)
}

// weightToMilliCPU inverts a formula, of which greatest returns the largest shares whose weight is at most the
// given one.
func weightToMilliCPU(weight int64, greatest func(weight int64) int64) (least, most int64, ok bool) {
	if weight < minWeight || weight > maxWeight {
		return 0, 0, false
	}
	return leastMilliCPU(greatest(weight-1) + 1), mostMilliCPU(greatest(weight)), true
}

// greatestLinear returns the largest shares whose linear weight is at most the given one.
func greatestLinear(weight int64) int64 {
	if weight == maxWeight {
		return maxShares
	}
	const weights = maxWeight - minWeight
	return minShares + (weight*(maxShares-minShares)+weights-1)/weights - 1
}
