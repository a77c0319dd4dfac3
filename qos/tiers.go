package qos

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/resourcelist"
)

// Tiers are the pods of a node, or of any other set, by class.
type Tiers struct {
	Guaranteed, Burstable, BestEffort Tier
}

// Tier counts the pods of a class, and what they request in all.
type Tier struct {
	Pods             int
	MilliCPU         int64 // thousandths of a CPU
	Memory           int64 // bytes
	EphemeralStorage int64 // bytes
}

// TierTotals returns how many of the pods are of each class, by PodClass, and what
// they request: the sums of computeresources.PodRequestTotals with the zero Options,
// each pod rounded up to whole units by itself, as the kubelet does for the cgroups
// of the tiers. Sums that do not fit are math.MaxInt64. Pods that are nil are passed
// over; those of a class that does not exist count as Burstable.
//
// Cost: one pass, with four to six look-ups per container; allocations only where
// quantities need arbitrary precision.
//
// Source: qosContainerManagerImpl of k8s.io/kubernetes/pkg/kubelet/cm.
func TierTotals(pods []*corev1.Pod) (t Tiers) {
	for _, pod := range pods {
		if pod == nil {
			continue
		}
		class, requests := classAndRequests(pod)
		tier := &t.Burstable
		switch class {
		case corev1.PodQOSGuaranteed:
			tier = &t.Guaranteed
		case corev1.PodQOSBestEffort:
			tier = &t.BestEffort
		}
		tier.Pods++
		tier.MilliCPU = resourcelist.AddSaturated(tier.MilliCPU, requests.MilliCPU)
		tier.Memory = resourcelist.AddSaturated(tier.Memory, requests.Memory)
		tier.EphemeralStorage = resourcelist.AddSaturated(tier.EphemeralStorage, requests.EphemeralStorage)
	}
	return t
}

// classAndRequests returns what PodClass and PodRequestTotals do. Where both have to
// look at the same containers, one look at each is enough.
func classAndRequests(pod *corev1.Pod) (corev1.PodQOSClass, computeresources.Totals) {
	if pod.Status.QOSClass == "" && pod.Spec.Resources == nil && len(pod.Spec.Overhead) == 0 {
		var b podwalk.Both
		if b.Read(&pod.Spec) {
			r := &b.Requests
			return b.Class, computeresources.Totals{MilliCPU: r.CPU.Total(), Memory: r.Memory.Total(), EphemeralStorage: r.EphemeralStorage.Total()}
		}
	}
	return PodClass(pod), computeresources.PodRequestTotals(&pod.Spec, computeresources.Options{})
}
