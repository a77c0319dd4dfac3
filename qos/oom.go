package qos

import (
	"math/bits"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/criticalpod"
	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/release"
)

// The OOM scores of Guaranteed and BestEffort containers, and the range of Burstable ones. The kernel
// kills the highest score first.
const (
	guaranteedScore   = -997
	minBurstableScore = 3
	maxBurstableScore = 999
	bestEffortScore   = 1000
)

// OOMScoreAdj returns the oom_score_adj that the kubelet gives to a container on a
// node with the given bytes of memory. When the node runs out, the kernel adds it to what each
// process uses, in thousandths of the memory, and kills the process with the largest sum. A container above its own
// memory limit is OOMKilled whatever its score.
//
// Containers of a node-critical or Guaranteed pod get -997, those of a BestEffort pod
// 1000. A Burstable one gets 1000 - 1000·request/memoryCapacity in integers, kept
// within 3 and 999: the more of the node it requests, the later it is killed. If the
// pod-level request is greater than the sum of its containers, the difference is divided by
// the number of containers and added to the request of each. A sidecar counts with at least
// the smallest request of the app containers, so that it is not killed before them.
//
// The class is PodClass(pod). Only requests that are set count: to include those that follow from
// limits, call computeresources.ApplyRequestDefaults and ApplyPodLevelDefaults before. A container that is not in
// the pod counts as an app container. If the capacity is zero or less, Burstable containers get
// 999. A nil pod is BestEffort; a nil container has no requests. Of the gates,
// those of Class count.
//
// Cost: PodClass, and for pods with pod-level resources, one pass over the
// containers. No allocation, except where quantities need arbitrary precision.
//
// Source: GetContainerOOMScoreAdjust of k8s.io/kubernetes/pkg/kubelet/qos, KEP-2837.
// Beyond 2^63/1000 bytes, the kubelet's own result leaves the range; up to 1.36, it also does where the containers
// request more than the pod level, which no cluster admits.
func OOMScoreAdj(
	pod *corev1.Pod, container *corev1.Container, memoryCapacity int64, kubernetes computeresources.Kubernetes,
) int {
	if pod == nil {
		return bestEffortScore
	}
	if criticalpod.IsOfNode(pod) {
		return guaranteedScore
	}
	switch PodClass(pod, kubernetes) {
	case corev1.PodQOSGuaranteed:
		return guaranteedScore
	case corev1.PodQOSBestEffort:
		return bestEffortScore
	}
	request := memoryRequest(container)
	if podwalk.Of(&pod.Spec).IsSidecar(container) {
		request = max(request, leastAppRequest(&pod.Spec))
	}
	request = quantity.AddSaturated(request, podRemainder(counted(&pod.Spec, kubernetes), kubernetes))
	return burstableScore(request, memoryCapacity)
}

// burstableScore returns 1000 - 1000·request/capacity, within the range.
func burstableScore(request, capacity int64) int {
	if request <= 0 || capacity <= 0 {
		return maxBurstableScore
	}
	if request >= capacity {
		return minBurstableScore
	}
	// 1000·request needs more than 64 bits from 2^63/1000 on. The quotient is
	// below 1000, since request < capacity.
	hi, lo := bits.Mul64(1000, uint64(request))
	share, _ := bits.Div64(hi, lo, uint64(capacity))
	return min(max(1000-int(share), minBurstableScore), maxBurstableScore)
}

// podRemainder returns the share of each container in the amount by which the pod-level request exceeds
// the requests of the containers.
func podRemainder(spec *corev1.PodSpec, kubernetes computeresources.Kubernetes) int64 {
	if spec.Resources == nil {
		return 0
	}
	request, ok := spec.Resources.Requests[corev1.ResourceMemory]
	containers := podwalk.Of(spec).Len()
	if !ok || request.IsZero() || containers == 0 {
		return 0
	}
	own := computeresources.Options{IgnorePodLevel: true, ExcludeOverhead: true}
	rest := quantity.SubSaturated(quantity.Integer(request, 0),
		computeresources.SpecTotals(spec, computeresources.Requests, own).Memory)
	if release.Rules(kubernetes).IgnoresMemoryDeficit() {
		rest = max(rest, 0)
	}
	return rest / int64(containers)
}

// leastAppRequest returns the smallest memory request of all app containers.
func leastAppRequest(spec *corev1.PodSpec) int64 {
	if len(spec.Containers) == 0 {
		return 0
	}
	least := memoryRequest(&spec.Containers[0])
	for i := range spec.Containers[1:] {
		least = min(least, memoryRequest(&spec.Containers[1+i]))
	}
	return least
}

func memoryRequest(c *corev1.Container) int64 {
	if c == nil {
		return 0
	}
	return quantity.Integer(c.Resources.Requests[corev1.ResourceMemory], 0)
}
