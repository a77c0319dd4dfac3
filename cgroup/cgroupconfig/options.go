package cgroupconfig

import "github.com/kubemath/kubemath/cgroup"

// Options is how a kubelet is configured, and what it knows of its node. The zero value is
// that of a default Kubernetes 1.37 cluster, with a node of which nothing is known.
type Options struct {
	// Period is cpuCFSQuotaPeriod, in microseconds; 0 or less is cgroup.DefaultPeriod.
	Period int64

	// IgnoreCPULimits: CPU limits are not enforced (cpuCFSQuota: false). What the kubelet
	// sets for a pod to which its CPU manager gives CPUs of its own is the same.
	IgnoreCPULimits bool

	// MemoryQoS is the feature gate of that name, with memoryReservationPolicy. It needs
	// cgroup v2.
	MemoryQoS MemoryQoS

	// ThrottlingFactor is memoryThrottlingFactor: where between request and limit a
	// container is slowed down. It counts as the decimal that it is written as. What is
	// not above 0, and at most 1, is 0.9.
	ThrottlingFactor float64

	// Swap is memorySwap.swapBehavior.
	Swap Swap

	// ReservedPercent is the percentage of memory in qosReserved, which the tiers below
	// have to leave alone: 0 to 100, and the nearer of the two beyond. nil: tiers have no
	// limits.
	ReservedPercent *int64

	// SingleProcessOOMKill is the field of that name: only the process that the kernel
	// has chosen is killed, not its container as a whole. It needs cgroup v2.
	SingleProcessOOMKill bool

	Node NodeMemory
}

// NodeMemory is what a kubelet knows of its node. What is not known is zero.
type NodeMemory struct {
	Memory            int64   // its capacity, in bytes
	AllocatableMemory int64   // what is left for pods, in bytes
	Swap              int64   // its capacity, in bytes
	PageSize          int64   // in bytes; 0 or less is 4096
	HugePageSizes     []int64 // in bytes
}

// MemoryQoS says what becomes of memory requests in cgroup v2 (KEP-2570).
type MemoryQoS uint8

const (
	// MemoryQoSOff: nothing.
	MemoryQoSOff MemoryQoS = iota

	// MemoryQoSThrottling: containers are slowed down before they reach their limit.
	MemoryQoSThrottling

	// MemoryQoSReservation: besides, requests are protected from being reclaimed (policy
	// TieredReservation): those of Guaranteed pods by memory.min, others by memory.low.
	MemoryQoSReservation
)

// Swap says which containers may use swap (KEP-2400).
type Swap uint8

const (
	// NoSwap: none.
	NoSwap Swap = iota

	// LimitedSwap: those of Burstable pods, as much of the node's swap as they request of
	// its memory. It needs cgroup v2.
	LimitedSwap

	// SwapUnavailable: the node has no controller for it, and nothing is set.
	SwapUnavailable
)

func (o *Options) period() int64 {
	if o.Period <= 0 {
		return cgroup.DefaultPeriod
	}
	return o.Period
}

// quota returns the Value for a limit in thousandths of a CPU.
func (o *Options) quota(limit int64) Value {
	if o.IgnoreCPULimits {
		return Value{State: Unlimited}
	}
	return positive(cgroup.MilliCPUToQuota(limit, o.period()))
}
