package cgroupconfig

import "strconv"

// Cgroup has the settings of one cgroup. The zero Cgroup sets nothing.
type Cgroup struct {
	Shares Value `json:"shares,omitzero"` // of CPU, as for cgroup v1; for v2 they become a weight
	Quota  Value `json:"quota,omitzero"`  // of CPU, in microseconds of each period
	Period Value `json:"period,omitzero"` // in microseconds

	Memory     Value `json:"memory,omitzero"`     // the limit, in bytes
	MemoryMin  Value `json:"memoryMin,omitzero"`  // bytes that are never reclaimed
	MemoryLow  Value `json:"memoryLow,omitzero"`  // bytes that are reclaimed last
	MemoryHigh Value `json:"memoryHigh,omitzero"` // bytes from which on the cgroup is slowed down
	Swap       Value `json:"swap,omitzero"`       // bytes of swap, on top of memory
	OOMGroup   Value `json:"oomGroup,omitzero"`   // 1: if one of its processes is killed for lack of memory, all are

	HugePages []HugePages `json:"hugePages,omitempty"` // sorted by size
}

// HugePages is the limit on huge pages of one size.
type HugePages struct {
	Size  int64 `json:"size"`  // of a page, in bytes
	Limit int64 `json:"limit"` // in bytes
}

// Value is one setting of a cgroup: an amount, or no limit, but not both. The zero Value does not
// change the setting.
type Value struct {
	Set       bool  `json:"set,omitempty"`       // to Amount
	Unlimited bool  `json:"unlimited,omitempty"` // set to no limit
	Amount    int64 `json:"amount"`              // if Set
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
