package qos

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/release"
)

// Tiers are the sums of the requests of the pods of a node, or of any other set, by class. Scalar resources are not
// added up, and what is all set is not known.
type Tiers struct {
	Guaranteed computeresources.Totals `json:"guaranteed,omitzero"`
	Burstable  computeresources.Totals `json:"burstable,omitzero"`
	BestEffort computeresources.Totals `json:"bestEffort,omitzero"`
}

// TierTotals returns the sum of the requests of the pods of each class, by PodClass: of
// computeresources.SpecTotals of the requests with these gates, of which those of Class count. The requests of
// each pod are rounded up to whole units before they are added, as the kubelet does for the cgroups of the tiers.
// Statuses do not count: the kubelet adds up the specs, even of pods that are being resized. Nil pods are ignored,
// and so are pods that have ended (computeresources.HasEnded), since they use nothing of their node. Pods with an
// unknown class count as Burstable. A sum that does not fit is math.MaxInt64, or math.MinInt64; the order of the
// pods does not matter.
//
// Cost: one pass, with four to six lookups per container; allocations only where quantities need
// arbitrary precision.
//
// Source: qosContainerManagerImpl of k8s.io/kubernetes/pkg/kubelet/cm, which is given the
// pods that have not ended.
func TierTotals(pods []*corev1.Pod, kubernetes computeresources.Kubernetes) Tiers {
	var guaranteed, burstable, bestEffort tierSum
	var requests computeresources.Totals
	for _, pod := range pods {
		if pod == nil || computeresources.HasEnded(pod) {
			continue
		}
		switch classAndRequests(&requests, pod, kubernetes) {
		case corev1.PodQOSGuaranteed:
			guaranteed.add(&requests)
		case corev1.PodQOSBestEffort:
			bestEffort.add(&requests)
		default:
			burstable.add(&requests)
		}
	}
	return Tiers{Guaranteed: guaranteed.totals(), Burstable: burstable.totals(), BestEffort: bestEffort.totals()}
}

// tierSum has the sums of a tier before they are cut off at the ends of int64.
type tierSum struct{ cpu, memory, ephemeral quantity.Wide }

func (s *tierSum) add(requests *computeresources.Totals) {
	s.cpu.Add(requests.MilliCPU)
	s.memory.Add(requests.Memory)
	s.ephemeral.Add(requests.EphemeralStorage)
}

func (s *tierSum) totals() computeresources.Totals {
	return computeresources.Totals{
		MilliCPU: s.cpu.Int64(), Memory: s.memory.Int64(), EphemeralStorage: s.ephemeral.Int64(),
	}
}

// classAndRequests returns PodClass, and sets requests to SpecTotals. If both read the same
// containers, one pass is enough. Scalar resources may be missing.
func classAndRequests(
	requests *computeresources.Totals, pod *corev1.Pod, kubernetes computeresources.Kubernetes,
) corev1.PodQOSClass {
	if pod.Status.QOSClass == "" && pod.Spec.Resources == nil && len(pod.Spec.Overhead) == 0 {
		var b podwalk.Both
		if b.Read(&pod.Spec, release.Rules(kubernetes)) {
			r := &b.Requests.Resources
			requests.MilliCPU, requests.Memory = r[podwalk.CPU].Total(), r[podwalk.Memory].Total()
			requests.EphemeralStorage = r[podwalk.EphemeralStorage].Total()
			return b.Class
		}
	}
	opts := computeresources.Options{Kubernetes: kubernetes}
	*requests = computeresources.SpecTotals(&pod.Spec, computeresources.Requests, opts)
	return PodClass(pod, kubernetes)
}
