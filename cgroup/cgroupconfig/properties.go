package cgroupconfig

import "github.com/kubemath/kubemath/cgroup"

// infinity is how systemd writes "no limit".
const infinity = "infinity"

// SystemdV2 returns the properties of the systemd unit of a cgroup v2, sorted by name. The
// function of weights is that of V2. What systemd has no property for has to be written to files: huge
// pages, and killing together.
func (c Cgroup) SystemdV2(weight func(shares int64) int64) []Setting {
	var s settings
	s.addProperty("CPUWeight", c.weight(weight))
	s.addQuota(c)
	s.addProperty("MemoryMax", c.Memory)
	s.addProperty("MemoryMin", c.MemoryMin)
	s.addProperty("MemoryLow", c.MemoryLow)
	s.addProperty("MemoryHigh", c.MemoryHigh)
	s.addProperty("MemorySwapMax", c.Swap)
	return s.sorted()
}

// addQuota adds the quota, in microseconds of each second. It is unlimited if only a period is
// set.
func (s *settings) addQuota(c Cgroup) {
	s.addProperty("CPUQuotaPeriodUSec", c.Period)
	if !c.Quota.changes() && !c.Period.changes() {
		return
	}
	perSecond := infinity
	if c.Quota.Set {
		micros, _ := cgroup.SystemdQuota(c.Quota.Amount, c.Period.Amount)
		perSecond = exactly(micros).String()
	}
	*s = append(*s, Setting{"CPUQuotaPerSecUSec", perSecond})
}

func (s *settings) addProperty(name string, v Value) {
	if v.Unlimited {
		*s = append(*s, Setting{name, infinity})
		return
	}
	s.add(name, v)
}
