package cgroupconfig

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/cgroup"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/qos"
)

// TierCgroups are the settings of the tiers, the parent cgroups of the pods of each class, which
// the kubelet calls QoS class cgroups.
type TierCgroups struct {
	// Guaranteed is set on the root of all pods, the parent of Guaranteed pods, in addition to the
	// result of ForAllocatable.
	Guaranteed Cgroup `json:"guaranteed,omitzero"`

	Burstable  Cgroup `json:"burstable,omitzero"`
	BestEffort Cgroup `json:"bestEffort,omitzero"`
}

// ForTiers returns what the kubelet sets on the tiers of a node that runs the given pods:
//
//   - the shares of the sum of the CPU requests of Burstable pods, and 2 for BestEffort;
//   - with ReservedPercent, and if the allocatable memory of the node is known, memory limits:
//     allocatable memory minus this percentage of the requests of Guaranteed pods and, for
//     BestEffort, also of Burstable pods; at least 0;
//   - with TieredReservation, protected memory: for the root, the requests of Guaranteed and
//     Burstable pods as MemoryMin, and since 1.37 those of Burstable pods as MemoryLow; for Burstable, the requests of
//     its own pods; without it, 0 in their place, up to 1.36 only with MemoryQoS;
//   - no bound on huge pages of any of the node's sizes.
//
// Sums are those of qos.TierTotals: nil pods and pods that have ended (computeresources.HasEnded) are
// ignored, and the order of the pods does not matter. Without PodLevelResources, the spec.resources of each pod is
// ignored, for its class as well.
//
// Source: UpdateCgroups of k8s.io/kubernetes/pkg/kubelet/cm; the kubelet's "Pod level
// resource management". There, limits may go below zero, and without the feature gate
// PodLevelResources, up to 1.36, the sums of CPU ignore spec.resources, but those of memory do
// not.
func ForTiers(pods []*corev1.Pod, opts Options) TierCgroups {
	totals := qos.TierTotals(pods, opts.Kubernetes)
	guaranteed, burstable := max(0, totals.Guaranteed.Memory), max(0, totals.Burstable.Memory)
	var t TierCgroups
	t.Burstable.Shares = exactly(cgroup.MilliCPUToShares(totals.Burstable.MilliCPU))
	t.BestEffort.Shares = exactly(cgroup.MilliCPUToShares(0))
	if opts.ReservedPercent != nil && opts.NodeMemory.Allocatable > 0 {
		percent := min(max(*opts.ReservedPercent, 0), 100)
		limit := max(0, opts.NodeMemory.Allocatable-percentOf(guaranteed, percent))
		t.Burstable.Memory = exactly(limit)
		t.BestEffort.Memory = exactly(max(0, limit-percentOf(burstable, percent)))
	}
	t.setMemoryQoS(guaranteed, burstable, &opts)
	for _, tier := range []*Cgroup{&t.Guaranteed, &t.Burstable, &t.BestEffort} {
		tier.HugePages = sameForAll(opts.NodeMemory.HugePageSizes, unboundedHugePages)
	}
	return t
}

// percentOf returns n·percent/100, rounded down.
func percentOf(n, percent int64) int64 {
	var product quantity.Wide
	product.AddProduct(n, percent)
	return product.Quotient(100)
}
