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
	perSecond, ok := mulDiv(quota, microsPerSecond, period)
	if !ok || perSecond > math.MaxInt64/systemdStep*systemdStep { // saturate
		return math.MaxInt64, math.MaxInt64
	}
	if perSecond%systemdStep == 0 && perSecond > 0 {
		return perSecond, quota
	}
	perSecond = (perSecond/systemdStep + 1) * systemdStep
	inForce, ok = mulDiv(perSecond, period, microsPerSecond)
	if !ok { // saturate
		inForce = math.MaxInt64
	}
	return perSecond, inForce
}
