package cgroupconfig

import (
	"slices"
	"strconv"

	"github.com/kubemath/kubemath/cgroup"
)

// Cgroup has the settings of one cgroup. The zero Cgroup sets nothing.
type Cgroup struct {
	Shares Value // of CPU, as for cgroup v1; for v2 they become a weight
	Quota  Value // of CPU, in microseconds of each period
	Period Value // in microseconds

	Memory     Value // the limit, in bytes
	MemoryMin  Value // bytes that are never reclaimed
	MemoryLow  Value // bytes that are reclaimed last
	MemoryHigh Value // bytes from which on the cgroup is slowed down
	Swap       Value // bytes of swap, on top of memory
	OOMGroup   Value // 1: if one of its processes is killed for lack of memory, all are

	HugePages []HugePages // sorted by size
}

// HugePages is the limit on huge pages of one size.
type HugePages struct {
	Size  int64 // of a page, in bytes
	Limit int64 // in bytes
}

// Value is one setting of a cgroup. The zero Value does not change the setting.
type Value struct {
	State  ValueState
	Amount int64 // if State is Set
}

// ValueState says whether a knob is set. The zero value is Unset; no function returns a value that is not
// a constant.
type ValueState string

const (
	Unset     ValueState = ""
	Set       ValueState = "set"       // to an amount
	Unlimited ValueState = "unlimited" // to no limit
)

// String returns the amount, "max" for no limit, and an empty string for a Value that is not
// set.
func (v Value) String() string {
	switch v.State {
	case Set:
		return strconv.FormatInt(v.Amount, 10)
	case Unlimited:
		return "max"
	case Unset:
		return ""
	}
	return ""
}

// exactly returns the Value of an amount.
func exactly(amount int64) Value { return Value{Set, amount} }

// positive returns the Value of an amount above zero. An amount of zero or less is not set.
func positive(amount int64) Value {
	if amount <= 0 {
		return Value{}
	}
	return exactly(amount)
}

// UnderSystemd returns the effect of setting c through systemd, which rounds the quota up to whole
// hundredths of a CPU (cgroup.SystemdQuota).
func (c Cgroup) UnderSystemd() Cgroup {
	if c.Quota.State == Set {
		_, c.Quota.Amount = cgroup.SystemdQuota(c.Quota.Amount, c.Period.Amount)
	}
	c.HugePages = slices.Clone(c.HugePages)
	return c
}

// unboundedHugePages is the limit that the kubelet sets on tiers.
const unboundedHugePages = 1 << 62
