package cgroupconfig

import (
	"math/big"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/cgroup"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/qos"
)

// TierCgroups is what the kubelet sets on the tiers: the cgroups that are the parents of the
// pods of each class, which it calls QoS class cgroups.
type TierCgroups struct {
	// Guaranteed is set on the root of all pods, the parent of Guaranteed ones, beside
	// what ForAllocatable gives.
	Guaranteed Cgroup

	Burstable, BestEffort Cgroup
}

// ForTiers returns what the kubelet sets on the tiers of a node that runs the given pods:
//
//   - the shares of what the Burstable pods request in all, and the least for BestEffort;
//   - with ReservedPercent, and where the node's allocatable memory is known, limits that
//     leave so much of what the tiers above request: allocatable memory less that part of
//     the requests of Guaranteed pods, and for BestEffort less that of Burstable pods, too;
//     never less than 0;
//   - with MemoryQoS, what is protected of memory: for the root, what Guaranteed and
//     Burstable pods request; for Burstable, what its own pods request; only with
//     MemoryQoSReservation;
//   - no bound on huge pages of any of the node's sizes.
//
// Sums are those of qos.TierTotals: nil pods and pods that have ended are ignored, and the
// order of the pods does not matter. With IgnorePodLevel, the spec.resources of each pod is
// ignored, for its class as well.
//
// Source: UpdateCgroups of k8s.io/kubernetes/pkg/kubelet/cm; the kubelet's "Pod level
// resource management". There, limits may go below zero, and without the feature gate
// PodLevelResources, up to 1.36, the sums of CPU ignore spec.resources, but those of memory do
// not.
func ForTiers(pods []*corev1.Pod, opts Options) TierCgroups {
	totals := qos.TierTotals(pods, qos.Options{IgnorePodLevel: opts.IgnorePodLevel})
	guaranteed, burstable := max(0, totals.Guaranteed.Memory), max(0, totals.Burstable.Memory)
	var t TierCgroups
	t.Burstable.Shares = exactly(cgroup.MilliCPUToShares(totals.Burstable.MilliCPU))
	t.BestEffort.Shares = exactly(cgroup.MinShares)
	if opts.ReservedPercent != nil && opts.NodeMemory.Allocatable > 0 {
		percent := min(max(*opts.ReservedPercent, 0), 100)
		limit := max(0, opts.NodeMemory.Allocatable-percentOf(guaranteed, percent))
		t.Burstable.Memory = exactly(limit)
		t.BestEffort.Memory = exactly(max(0, limit-percentOf(burstable, percent)))
	}
	switch opts.MemoryQoS {
	case MemoryQoSOff:
		// No protection.
	case MemoryQoSThrottling:
		t.Guaranteed.MemoryMin, t.Burstable.MemoryLow = exactly(0), exactly(0)
	case MemoryQoSReservation:
		t.Guaranteed.MemoryMin = exactly(quantity.AddSaturated(guaranteed, burstable))
		t.Burstable.MemoryLow = exactly(burstable)
	}
	for _, tier := range []*Cgroup{&t.Guaranteed, &t.Burstable, &t.BestEffort} {
		tier.HugePages = sameForAll(opts.NodeMemory.HugePageSizes, unboundedHugePages)
	}
	return t
}

// AtUsage returns what the kubelet sets on the tiers if it cannot set t, since they use more
// memory than t allows, in bytes: the usage itself in place of a limit below it, so that it
// cannot grow.
func (t TierCgroups) AtUsage(burstable, bestEffort int64) TierCgroups {
	for _, tier := range []struct {
		cgroup *Cgroup
		usage  int64
	}{{&t.Guaranteed, 0}, {&t.Burstable, burstable}, {&t.BestEffort, bestEffort}} {
		c := tier.cgroup
		if c.Memory.State == Set && tier.usage > c.Memory.Amount {
			c.Memory.Amount = tier.usage
		}
		c.HugePages = slices.Clone(c.HugePages)
	}
	return t
}

// percentOf returns n·percent/100, rounded down.
func percentOf(n, percent int64) int64 {
	p := new(big.Int).Mul(big.NewInt(n), big.NewInt(percent))
	return p.Quo(p, big.NewInt(100)).Int64()
}

// AllocatableOptions says what of a node's resources is enforced. The zero value is all of them.
type AllocatableOptions struct {
	// CompressibleOnly: only what can be taken back at any time, CPU (enforceNodeAllocatable
	// with kube-reserved-compressible or system-reserved-compressible).
	CompressibleOnly bool
}

// ForAllocatable returns what the kubelet sets on the root of all pods, from what is
// allocatable on the node, or from its capacity if that is not enforced; and on the cgroups of
// reserved resources, from what is reserved: shares, a memory limit, and limits on huge pages. A
// resource that is not in the list is not set, and neither is a memory limit of 0 or less. With
// CompressibleOnly, only the shares are set.
//
// Source: getCgroupConfigInternal of k8s.io/kubernetes/pkg/kubelet/cm, which also limits process
// IDs.
func ForAllocatable(allocatable corev1.ResourceList, opts AllocatableOptions) Cgroup {
	var c Cgroup
	if !opts.CompressibleOnly {
		c = Cgroup{Memory: positive(bytesOf(allocatable)), HugePages: hugePagesIn(allocatable)}
	}
	if q, set := allocatable[corev1.ResourceCPU]; set {
		c.Shares = exactly(cgroup.MilliCPUToShares(quantity.Integer(q, resource.Milli)))
	}
	return c
}
