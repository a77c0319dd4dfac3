package cgroup

import "math"

const (
	microsPerSecond = 1000000
	// systemdStep is a hundredth of a CPU, which systemd calls a percent, in
	// microseconds of each second.
	systemdStep = 10000
)

// SystemdQuota returns the effect of setting a quota through systemd: the property
// CPUQuotaPerSecUSec, in microseconds per second, rounded up to a whole hundredth of a CPU, and the
// resulting quota, in periods of the given microseconds. A quota of 0 or less means no quota; both
// results are 0, and systemd shows the first as infinity. A period of 0 or less counts as
// 100,000. If the microseconds do not fit, both results are math.MaxInt64.
//
// Microseconds per second are rounded down first, so a quota that is less than one microsecond
// above a hundredth of a CPU is not rounded up.
//
// Source: addCPUQuota of github.com/opencontainers/cgroups/systemd.
func SystemdQuota(quota, period int64) (perSecond, inForce int64) {
	if quota <= 0 {
		return 0, 0
	}
	period = orDefault(period)
	perSecond, _, ok := mulDiv(quota, microsPerSecond, period)
	if !ok || perSecond > math.MaxInt64/systemdStep*systemdStep { // saturate
		return math.MaxInt64, math.MaxInt64
	}
	if perSecond%systemdStep == 0 && perSecond > 0 {
		return perSecond, quota
	}
	perSecond = (perSecond/systemdStep + 1) * systemdStep
	inForce, _, ok = mulDiv(perSecond, period, microsPerSecond)
	if !ok { // saturate
		inForce = math.MaxInt64
	}
	return perSecond, inForce
}

// SystemdQuotaToMilliCPU returns which limits in milli-units of CPU end in the quota
// given, if it is set through systemd: up to ten of them in the default period. It is
// QuotaToMilliCPU otherwise.
//
// Cost: some 120 conversions.
func SystemdQuotaToMilliCPU(inForce, period int64) Range {
	if inForce <= 0 {
		return Range{0, 0}
	}
	least := leastInForce(inForce, period)
	if quotaInForce(least, period) != inForce {
		return none()
	}
	if inForce == math.MaxInt64 {
		return Range{least, math.MaxInt64}
	}
	return Range{least, leastInForce(inForce+1, period) - 1}
}

// leastInForce returns the smallest limit, from 1 on, whose enforced quota is at least quota. There is
// always one, because the largest limit saturates in any period.
func leastInForce(inForce, period int64) int64 {
	least, most := int64(1), int64(math.MaxInt64)
	for least < most {
		middle := least + (most-least)/2
		if quotaInForce(middle, period) < inForce {
			least = middle + 1
		} else {
			most = middle
		}
	}
	return least
}

func quotaInForce(milliCPU, period int64) int64 {
	_, inForce := SystemdQuota(MilliCPUToQuota(milliCPU, period), period)
	return inForce
}
