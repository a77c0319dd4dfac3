package cgroup

// The range of cpu.weight that the kernel accepts, and the weight of a cgroup on which
// nothing is set.
const (
	MinWeight     = 1
	MaxWeight     = 10000
	DefaultWeight = 100
)

// Formula is a conversion from cpu.shares to cpu.weight. The two formulas in use agree at the ends
// of the range and differ in between. There is no default: the zero Formula is unspecified. For
// undefined values, the weight of any shares is 0, which no kernel accepts, and the range of any
// weight is empty.
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

// SharesToWeight returns the cpu.weight for cpu.shares: from MinWeight, for MinShares and
// below, to MaxWeight, for MaxShares and above. Shares of 0 or less mean that shares are not
// set; their weight is 0.
//
// Cost: a division, or a search in a table of 10,000 entries.
//
// Source: KEP-2254 (linear), ConvertCPUSharesToCgroupV2Value of
// github.com/opencontainers/cgroups (logarithmic). What the first of them computed for 1
// share, and beyond MaxShares, was out of range.
func SharesToWeight(shares int64, formula Formula) int64 {
	if shares <= 0 {
		return 0
	}
	shares = min(max(shares, MinShares), MaxShares)
	switch formula {
	case Linear:
		return MinWeight + (shares-MinShares)*(MaxWeight-MinWeight)/(MaxShares-MinShares)
	case Logarithmic:
		return logarithmicWeight(shares)
	default:
		return 0
	}
}

// WeightToShares returns which cpu.shares, within MinShares and MaxShares, have the
// cpu.weight given. The range is empty exactly if the weight is not between MinWeight and
// MaxWeight, or the formula is undefined.
//
// The kubelet reads shares back as (weight-1)·262142/9999 + 2, rounded down, which is one
// below the range of Linear for all weights but MinWeight and MaxWeight.
func WeightToShares(weight int64, formula Formula) Range {
	if weight < MinWeight || weight > MaxWeight {
		return none()
	}
	switch formula {
	case Linear:
		return Range{greatestLinear(weight-1) + 1, greatestLinear(weight)}
	case Logarithmic:
		return Range{greatestLogarithmic(weight-1) + 1, greatestLogarithmic(weight)}
	default:
		return none()
	}
}

// greatestLinear returns the largest shares whose linear weight is at most the given one.
func greatestLinear(weight int64) int64 {
	if weight == MaxWeight {
		return MaxShares
	}
	const weights = MaxWeight - MinWeight
	return MinShares + (weight*(MaxShares-MinShares)+weights-1)/weights - 1
}

// MilliCPUToWeight returns the cpu.weight for a request in milli-units of CPU, by way of
// its shares. It is 0 only for an undefined formula.
func MilliCPUToWeight(milliCPU int64, formula Formula) int64 {
	return SharesToWeight(MilliCPUToShares(milliCPU), formula)
}

// WeightToMilliCPU returns the requests in milli-CPU, from 0 on, that convert to cpu.weight. The
// range of MaxWeight has no upper bound. It is empty outside [MinWeight, MaxWeight], and for an
// undefined formula.
func WeightToMilliCPU(weight int64, formula Formula) Range {
	shares := WeightToShares(weight, formula)
	if shares.Empty() {
		return none()
	}
	return Range{leastMilliCPU(shares.Min), mostMilliCPU(shares.Max)}
}
