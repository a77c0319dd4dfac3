package cgroupconfig

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/cgroup"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/release"
)

// Options are the configuration of a kubelet, and what it knows about its node. The zero value
// means a default cluster and an unknown node.
type Options struct {
	// Period is cpuCFSQuotaPeriod, in microseconds; 0 or less is 100,000.
	Period int64

	// IgnoreCPULimits: CPU limits are not enforced (cpuCFSQuota: false). Containers then have
	// neither quota nor period; pods that would have a quota have an unlimited one, with a
	// period.
	IgnoreCPULimits bool

	// ExclusiveCPUs: the CPU manager of the kubelet has given the container, or one of the pod's
	// for ForPod and ForSandbox, CPUs of its own (qos.ExclusiveCPUs). The quota is then unlimited,
	// with a period. Without the feature gate DisableCPUQuotaWithExclusiveCPUs, which is on by
	// default, leave it false. ForTiers ignores it.
	ExclusiveCPUs bool

	// CPUName and MemoryName are the names under which the pod sets its cpu and memory, if they are others, such as
	// kubernetes.io/batch-cpu: see computeresources.Options. The kubelet does not know these names: the results are
	// what the component that introduced them sets in its place. The QoS class follows from the renamed amounts,
	// except for the OOM score, swap and memory QoS of containers. ForTiers ignores it.
	CPUName, MemoryName corev1.ResourceName

	// Kubernetes selects whether the pod level counts, and its MemoryQoS whether containers are throttled before they
	// reach their memory limit (KEP-2570).
	Kubernetes computeresources.Kubernetes

	// TieredReservation is the memoryReservationPolicy of that name: requested memory is protected from reclaim, that
	// of Guaranteed pods by memory.min, of others by memory.low. It counts only with MemoryQoS.
	TieredReservation bool

	// ThrottlingFactor is memoryThrottlingFactor: where between request and limit a container or pod is throttled. It
	// counts as the decimal that it is written as, and only with MemoryQoS. If it is nil or outside of (0, 1], nothing
	// is throttled; up to 1.36, it is then 0.9. It is only read.
	ThrottlingFactor *float64

	// LimitedSwap is the memorySwap.swapBehavior of that name (KEP-2400): containers of Burstable pods may use the
	// same part of the node's swap as they request of its memory. It needs cgroup v2. Without it, as with NoSwap,
	// the default of a kubelet, no container may use swap.
	LimitedSwap bool

	// SwapUnavailable: the node has no swap controller, and no setting of swap is made.
	SwapUnavailable bool

	// ReservedPercent is the percentage of memory in qosReserved, which lower tiers must not use.
	// It is clamped to [0, 100]. If nil, tiers have no limits.
	ReservedPercent *int64

	// SingleProcessOOMKill is the field of that name: only the process that the kernel
	// has chosen is killed, not all of its container. It needs cgroup v2.
	SingleProcessOOMKill bool

	// NodeMemory is the memory of the node. The zero value means that it is not known.
	NodeMemory NodeMemory
}

// NodeMemory is the memory of a node, in bytes. Unknown fields are zero: without the Capacity, the OOM score of a
// Burstable container is 999, whatever it requests.
type NodeMemory struct {
	Capacity      int64   // in bytes
	Allocatable   int64   // to pods, in bytes
	Swap          int64   // the capacity, in bytes
	PageSize      int64   // in bytes; 0 or less is 4096
	HugePageSizes []int64 // in bytes
}

// counted returns the pod that the calculation uses: without spec.resources if those do not count,
// and with cpu and memory under their standard names. The result is only read.
func (o *Options) counted(pod *corev1.Pod) *corev1.Pod {
	pod = o.known(pod)
	if names := o.names(); names != (podwalk.Names{}) {
		pod = names.Pod(pod)
		pod.Status.QOSClass = "" // that of other amounts
	}
	return pod
}

// names are the names under which the pod sets its cpu and memory.
func (o *Options) names() podwalk.Names { return podwalk.Names{CPU: o.CPUName, Memory: o.MemoryName} }

// known returns the pod that the kubelet knows: without spec.resources if those do not count. The
// result is only read.
func (o *Options) known(pod *corev1.Pod) *corev1.Pod {
	if release.Rules(o.Kubernetes).CountsPodLevel() {
		return pod
	}
	return podwalk.WithoutPodLevel(pod)
}

func (o *Options) period() int64 {
	if o.Period <= 0 {
		return defaultPeriod
	}
	return o.Period
}

// quota returns the Value for a limit in milli-units of CPU.
func (o *Options) quota(limit int64) Value {
	if o.IgnoreCPULimits || o.ExclusiveCPUs {
		return Value{Unlimited: true}
	}
	return positive(cgroup.MilliCPUToQuota(limit, o.period()))
}
