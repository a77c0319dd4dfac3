package cgroupconfig

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/criticalpod"
	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/qos"
)

// Container has the settings that the kubelet passes to the runtime for a container.
type Container struct {
	Cgroup      Cgroup `json:"cgroup,omitzero"`
	OOMScoreAdj int    `json:"oomScoreAdj"` // of its processes
}

// ForContainer returns what the kubelet sets for a container of a pod:
//
//   - the shares of its CPU request, or of its limit if it has none;
//   - the quota of its CPU limit, unless Options.ExclusiveCPUs, and its memory limit; where it has none, that of
//     the pod-level limit;
//   - the limits on huge pages, of the container, or else of the pod;
//   - the swap that it may use, and whether its processes are killed together;
//   - with MemoryQoS, memory.high, the usage in bytes above which the container is throttled, and
//     the protected part of its request, 0 without TieredReservation; without the gate, no throttling;
//   - its OOM score: qos.OOMScoreAdj.
//
// memory.high is request + factor·(limit - request), rounded down to a page. The node's
// allocatable memory replaces a missing limit, but not where the pod level has one: then the pod is throttled. It is
// not set without a ThrottlingFactor, if request equals limit above zero, or if the result does not exceed the request.
// Up to 1.36, it is also set if the pod level has a limit, but not if neither request nor limit is set.
//
// With LimitedSwap, a container may use its NodeMemory.SwapShare if its pod is Burstable and not critical, and
// its memory request differs from its limit. Other containers may use no swap.
//
// Without PodLevelResources, spec.resources is ignored, also for the class and the OOM score. A nil
// pod or container is an empty one.
//
// Cost: the lookups for these, qos.OOMScoreAdj, and with swap or MemoryQoS qos.PodClass. No
// allocation without those two, without huge pages and with ordinary amounts; a cluster without PodLevelResources
// allocates only for a pod with spec.resources.
//
// Source: generateLinuxContainerResources of k8s.io/kubernetes/pkg/kubelet/kuberuntime, which
// computes swap and slowing down in floating point.
func ForContainer(pod *corev1.Pod, container *corev1.Container, opts Options) Container {
	if pod == nil {
		pod = &corev1.Pod{}
	}
	if container == nil {
		container = &corev1.Container{}
	}
	pod = opts.known(pod)
	own, podLevel := opts.requirements(pod, container)
	limit, memory := milliCPU(own.Limits), bytesOf(own.Limits)
	if limit == 0 {
		limit = milliCPU(podLevel)
	}
	if memory == 0 {
		memory = bytesOf(podLevel)
	}
	c := opts.linux(own.Requests, limit, memory)
	c.HugePages = containerHugePages(podLevel, own.Limits, opts.NodeMemory.HugePageSizes)
	c.Swap = opts.swap(pod, own)
	opts.setMemoryQoS(&c, pod, own, podLevel)
	return Container{c, qos.OOMScoreAdj(pod, container, opts.NodeMemory.Capacity, opts.Kubernetes)}
}

// requirements returns the resources of a container, and the pod-level limits of its pod.
func (o *Options) requirements(
	pod *corev1.Pod, container *corev1.Container,
) (own *corev1.ResourceRequirements, podLevel corev1.ResourceList) {
	own, ofPod := &container.Resources, pod.Spec.Resources
	if names := o.names(); names != (podwalk.Names{}) {
		own, ofPod = names.Requirements(own), names.Requirements(ofPod)
	}
	if ofPod != nil {
		podLevel = ofPod.Limits
	}
	return own, podLevel
}

// swap returns the amount of the node's swap that a container may use.
func (o *Options) swap(pod *corev1.Pod, r *corev1.ResourceRequirements) Value {
	request, limit := bytesOf(r.Requests), bytesOf(r.Limits)
	switch {
	case o.SwapUnavailable:
		return Value{}
	case !o.LimitedSwap, qos.PodClass(pod, o.Kubernetes) != corev1.PodQOSBurstable,
		criticalpod.Is(pod), request == limit:
		return exactly(0)
	}
	return exactly(o.NodeMemory.SwapShare(request))
}

// milliCPU returns the milli-units of CPU in a list, at least 0.
func milliCPU(list corev1.ResourceList) int64 {
	return max(0, quantity.Integer(list[corev1.ResourceCPU], resource.Milli))
}

// bytesOf returns the bytes of memory in a list, at least 0.
func bytesOf(list corev1.ResourceList) int64 {
	return max(0, quantity.Integer(list[corev1.ResourceMemory], 0))
}
