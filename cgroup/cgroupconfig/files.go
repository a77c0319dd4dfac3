package cgroupconfig

import (
	"slices"
	"strconv"
	"strings"
)

// Setting is a file of a cgroup and its content, or a property of a systemd unit.
type Setting struct {
	Name  string `json:"name,omitempty"`
	Value string `json:"value,omitempty"`
}

// settings collects the values to write.
type settings []Setting

func (s *settings) add(name string, v Value) {
	if v.changes() {
		*s = append(*s, Setting{name, v.String()})
	}
}

func (s settings) sorted() []Setting {
	slices.SortFunc(s, func(a, b Setting) int { return strings.Compare(a.Name, b.Name) })
	return s
}

// V1 returns the files of cgroup v1, sorted by name, in which they can be written. They
// are those of several controllers. The kubelet allows no swap with v1: if c sets it, the
// limit on memory and swap together is that on memory. Settings that v1 does not have are omitted:
// the protection and throttling of memory, and killing all processes of a cgroup together.
func (c Cgroup) V1() []Setting {
	var s settings
	s.add("cpu.shares", c.Shares)
	s.add("cpu.cfs_period_us", c.Period)
	if c.Quota.Unlimited {
		s.add("cpu.cfs_quota_us", exactly(-1))
	} else {
		s.add("cpu.cfs_quota_us", c.Quota)
	}
	s.add("memory.limit_in_bytes", c.Memory)
	if c.Swap.Set {
		s.add("memory.memsw.limit_in_bytes", c.Memory)
	}
	s.addHugePages(c.HugePages, ".limit_in_bytes")
	return s.sorted()
}

// V2 returns the files of cgroup v2, sorted by name. Shares become a weight by the given function: what is set on
// pods and tiers is set by the kubelet, which uses cgroup.SharesToLinearWeight, and what is set on containers by
// their runtime, for which see cgroup.SharesToLogarithmicWeight. With nil, there is no weight.
func (c Cgroup) V2(weight func(shares int64) int64) []Setting {
	var s settings
	s.add("cpu.weight", c.weight(weight))
	if c.Quota.changes() || c.Period.changes() {
		s = append(s, Setting{"cpu.max", c.quota().String() + " " + c.period().String()})
	}
	s.add("memory.max", c.Memory)
	s.add("memory.min", c.MemoryMin)
	s.add("memory.low", c.MemoryLow)
	s.add("memory.high", c.MemoryHigh)
	s.add("memory.swap.max", c.Swap)
	s.add("memory.oom.group", c.OOMGroup)
	s.addHugePages(c.HugePages, ".max")
	return s.sorted()
}

func (c Cgroup) weight(of func(shares int64) int64) Value {
	if !c.Shares.Set || of == nil {
		return Value{}
	}
	return positive(of(c.Shares.Amount))
}

// quota returns the quota, which is unlimited if only a period is set.
func (c Cgroup) quota() Value {
	if !c.Quota.changes() {
		return Value{Unlimited: true}
	}
	return c.Quota
}

func (c Cgroup) period() Value {
	if !c.Period.changes() {
		return exactly(defaultPeriod)
	}
	return c.Period
}

// addHugePages adds the limits on used pages and on reserved pages. Sizes that cannot be written
// with a unit are ignored, because no kernel has them.
func (s *settings) addHugePages(limits []HugePages, suffix string) {
	for _, h := range limits {
		if size, ok := sizeWithUnit(h.Size); ok {
			s.add("hugetlb."+size+suffix, exactly(h.Limit))
			s.add("hugetlb."+size+".rsvd"+suffix, exactly(h.Limit))
		}
	}
}

// sizeWithUnit returns a page size as the kernel writes it: 2MB, 1GB.
func sizeWithUnit(size int64) (text string, ok bool) {
	units := [...]string{"B", "KB", "MB", "GB", "TB", "PB"}
	unit := 0
	for size%1024 == 0 && unit < len(units)-1 {
		size /= 1024
		unit++
	}
	return strconv.FormatInt(size, 10) + units[unit], size > 0 && (size < 1024 || unit == len(units)-1)
}
