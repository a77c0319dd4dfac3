// Package eviction has what the scheduler and the kubelet compare of pods, when they preempt or evict some for others.
package eviction

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/resourcename"
)

// Priority returns the priority of a pod, 0 if none is set.
func Priority(pod *corev1.Pod) int32 {
	if pod.Spec.Priority == nil {
		return 0
	}
	return *pod.Spec.Priority
}

// Class returns the QoS class of a pod: that of its status, or else that of its spec.
//
// Source: GetPodQOS of k8s.io/kubernetes/pkg/apis/core/v1/helper/qos.
func Class(pod *corev1.Pod, rules release.Rules) corev1.PodQOSClass {
	if pod.Status.QOSClass != "" {
		return pod.Status.QOSClass
	}
	return podwalk.Class(&pod.Spec, rules)
}

// Requests clears dst, fills it with what a pod requests as the kubelet counts it for evictions, and returns it, or a
// new list if dst is nil: of a pod with pod-level resources, only these; and with overhead for what is requested
// otherwise. The amounts share no memory with the spec.
//
// Source: GetResourceRequestQuantity of k8s.io/kubernetes/pkg/api/v1/resource.
func Requests(
	dst corev1.ResourceList, spec *corev1.PodSpec, kubernetes computeresources.Kubernetes,
) corev1.ResourceList {
	dst = computeresources.SpecRequestsInto(dst, spec, computeresources.Options{
		Kubernetes:       kubernetes,
		IgnoreContainers: release.Rules(kubernetes).CountsPodLevel() && resourcename.SetsPodLevel(spec),
		ExcludeOverhead:  true,
	})
	for name, overhead := range spec.Overhead {
		if q, ok := dst[name]; ok && q.Sign() != 0 {
			quantity.Add(&q, overhead)
			dst[name] = q
		}
	}
	return dst
}
