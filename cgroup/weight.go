package cgroup

// The range of cpu.weight that the kernel accepts.
const (
	minWeight = 1
	maxWeight = 10000
)

// Formula is a conversion from cpu.shares to cpu.weight. The two formulas in use agree at the ends
// of the range and differ in between. There is no default: the zero Formula is unspecified. For
// undefined values, the weight of any shares is 0, which no kernel accepts, and no request has any
// weight.
type Formula string

const (
	// Linear is 1 + (shares-2)·9999/262142, rounded down. The kubelet sets the
	// weights of pods and of their QoS class cgroups by it, and runc before 1.3.2 and crun before
	// 1.23 those of containers. 1024 shares, the default of v1, are weight 39.
	Linear Formula = "linear"

	// Logarithmic is 10^((L² + 125·L)/612 - 7/34), rounded up, where L is the binary
	// logarithm of the shares. runc since 1.3.2 and crun since 1.23 set the weights of
	// containers by it. It maps the default of v1 to that of v2: 1024 shares are
	// weight 100.
	Logarithmic Formula = "logarithmic"
)

// SharesToWeight returns the cpu.weight for cpu.shares: from 1, for 2 and below, to
// 10000, for 262144 and above, which is the range that the kernel accepts. Shares of 0 or less mean that shares are not
// set; their weight is 0.
//
// Cost: a division, or a logarithm and a power.
//
// Source: KEP-2254 (linear), ConvertCPUSharesToCgroupV2Value of
// github.com/opencontainers/cgroups (logarithmic). For 1 share
// and for more than 262144, the linear formula itself leaves the range.
func SharesToWeight(shares int64, formula Formula) int64 {
	if shares <= 0 {
		return 0
	}
	shares = min(max(shares, minShares), maxShares)
	switch formula {
	case Linear:
		return minWeight + (shares-minShares)*(maxWeight-minWeight)/(maxShares-minShares)
	case Logarithmic:
		return logarithmicWeight(shares)
	default:
		return 0
	}
}

// WeightToMilliCPU returns the smallest and the largest request in milli-CPU, from 0 on, that converts to
// cpu.weight, and whether there is one. For 10000, the largest is math.MaxInt64. There is none outside
// [1, 10000], and for an undefined formula.
func WeightToMilliCPU(weight int64, formula Formula) (least, most int64, ok bool) {
	if weight < minWeight || weight > maxWeight {
		return 0, 0, false
	}
	greatest := greatestLinear
	switch formula {
	case Linear:
	case Logarithmic:
		greatest = greatestLogarithmic
	default:
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
