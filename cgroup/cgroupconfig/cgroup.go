package cgroupconfig

import "strconv"

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

// Value is one setting of a cgroup: an amount, or no limit, but not both. The zero Value does not
// change the setting.
type Value struct {
	Set       bool  // to Amount
	Unlimited bool  // set to no limit
	Amount    int64 // if Set
}

// String returns the amount, "max" for no limit, and an empty string for a Value that does not change
// the setting.
func (v Value) String() string {
	switch {
	case v.Set:
		return strconv.FormatInt(v.Amount, 10)
	case v.Unlimited:
		return "max"
	default:
		return ""
	}
}

// changes reports whether v changes the setting.
func (v Value) changes() bool { return v.Set || v.Unlimited }

// exactly returns the Value of an amount.
func exactly(amount int64) Value { return Value{Set: true, Amount: amount} }

// positive returns the Value of an amount above zero. An amount of zero or less is not set.
func positive(amount int64) Value {
	if amount <= 0 {
		return Value{}
	}
	return exactly(amount)
}

// unboundedHugePages is the limit that the kubelet sets on tiers.
const unboundedHugePages = 1 << 62
