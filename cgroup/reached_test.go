package cgroup_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/cgroup"
	"github.com/kubemath/kubemath/internal/testkit"
)

// The generators of the property tests reach both ends of each conversion, and what is between.
func TestDrawsReachEveryRule(t *testing.T) {
	var weights []string
	for _, f := range formulas {
		weights = append(weights, string(f)+" weight: least", string(f)+" weight: between", string(f)+" weight: most")
	}
	testkit.Reached(t, 1000, func(t *rapid.T) (reached []string) {
		n, period := numbers().Draw(t, "n"), numbers().Draw(t, "period")
		note := func(what string, number, least, most int64) {
			switch number {
			case least:
				reached = append(reached, what+": least")
			case most:
				reached = append(reached, what+": most")
			default:
				reached = append(reached, what+": between")
			}
		}
		note("shares", cgroup.MilliCPUToShares(n), minShares, maxShares)
		for _, f := range formulas {
			note(string(f)+" weight", weightOf(n, f), minWeight, maxWeight)
		}
		quota := cgroup.MilliCPUToQuota(n, period)
		if quota == 0 {
			reached = append(reached, "quota: none")
		} else {
			note("quota", quota, minQuota, math.MaxInt64)
		}
		perSecond, inForce := cgroup.SystemdQuota(n, period)
		switch {
		case inForce == 0:
			reached = append(reached, "systemd: none")
		case inForce == math.MaxInt64:
			reached = append(reached, "systemd: beyond an int64")
		case inForce == n:
			reached = append(reached, "systemd: as given")
		case perSecond > 0:
			reached = append(reached, "systemd: rounded up")
		}
		if _, _, ok := cgroup.LogarithmicWeightToMilliCPU(n); ok {
			reached = append(reached, "requests of a weight: some")
		} else {
			reached = append(reached, "requests of a weight: none")
		}
		return reached
	}, append(weights,
		"shares: least", "shares: between", "shares: most",
		"quota: none", "quota: least", "quota: between", "quota: most",
		"systemd: none", "systemd: as given", "systemd: rounded up", "systemd: beyond an int64",
		"requests of a weight: none", "requests of a weight: some",
	)...)
}
