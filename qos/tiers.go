package qos

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/quantity"
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
// of the tiers. Nil pods are ignored, and so are pods that have ended (phase Succeeded or
// Failed), since they hold nothing of their node. Pods of a class that does not exist count
// as Burstable. A sum that does not fit is math.MaxInt64, or math.MinInt64; the order of the
// pods does not matter.
//
// Cost: one pass, with four to six look-ups per container; allocations only where
// quantities need arbitrary precision.
//
// Source: qosContainerManagerImpl of k8s.io/kubernetes/pkg/kubelet/cm, which is given the
// pods that have not ended.
func TierTotals(pods []*corev1.Pod, opts Options) Tiers {
	var guaranteed, burstable, bestEffort tierSum
	for _, pod := range pods {
		if pod == nil || podwalk.HasEnded(pod) {
			continue
		}
		class, requests := classAndRequests(pod, opts)
		switch class {
		case corev1.PodQOSGuaranteed:
			guaranteed.add(&requests)
		case corev1.PodQOSBestEffort:
			bestEffort.add(&requests)
		default:
			burstable.add(&requests)
		}
	}
	return Tiers{Guaranteed: guaranteed.tier(), Burstable: burstable.tier(), BestEffort: bestEffort.tier()}
}

// tierSum is a Tier before its sums are cut off at the ends of int64.
type tierSum struct {
	pods                   int
	cpu, memory, ephemeral quantity.Wide
}

func (s *tierSum) add(requests *computeresources.Totals) {
	s.pods++
	s.cpu.Add(requests.MilliCPU)
	s.memory.Add(requests.Memory)
	s.ephemeral.Add(requests.EphemeralStorage)
}

func (s *tierSum) tier() Tier {
	return Tier{Pods: s.pods, MilliCPU: s.cpu.Int64(), Memory: s.memory.Int64(), EphemeralStorage: s.ephemeral.Int64()}
}

// classAndRequests returns what PodClass and PodRequestTotals do. Where both have to
// look at the same containers, one look at each is enough.
func classAndRequests(pod *corev1.Pod, opts Options) (corev1.PodQOSClass, computeresources.Totals) {
	if pod.Status.QOSClass == "" && pod.Spec.Resources == nil && len(pod.Spec.Overhead) == 0 {
		var b podwalk.Both
		if b.Read(&pod.Spec) {
			r := &b.Requests
			return b.Class, computeresources.Totals{MilliCPU: r.CPU.Total(), Memory: r.Memory.Total(), EphemeralStorage: r.EphemeralStorage.Total()}
		}
	}
	return PodClass(pod, opts), computeresources.PodRequestTotals(&pod.Spec, computeresources.Options{IgnorePodLevel: opts.IgnorePodLevel})
}
