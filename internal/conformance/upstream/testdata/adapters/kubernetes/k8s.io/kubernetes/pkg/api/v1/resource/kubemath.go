package resource

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"kubemath.example/upstream/beside"
	"kubemath.example/upstream/cluster"
)

func requestOptions() computeresources.Options {
	return computeresources.Options{Kubernetes: cluster.Kubernetes()}
}

func GetResourceRequestQuantity(pod *corev1.Pod, name corev1.ResourceName) resource.Quantity {
	in := beside.Keep("GetResourceRequestQuantity", pod)
	theirs := upstreamGetResourceRequestQuantity(pod.DeepCopy(), name)
	ours := computeresources.SpecRequests(&pod.Spec, requestOptions())[name]
	in.Unchanged()
	beside.Compare("GetResourceRequestQuantity", ours, theirs)
	return ours
}

func GetResourceRequest(pod *corev1.Pod, name corev1.ResourceName) int64 {
	if name == corev1.ResourcePods {
		beside.Forward("GetResourceRequest", "the number of pods in a pod")
		return upstreamGetResourceRequest(pod, name)
	}
	in := beside.Keep("GetResourceRequest", pod)
	theirs := upstreamGetResourceRequest(pod.DeepCopy(), name)
	totals := computeresources.SpecTotals(&pod.Spec, computeresources.Requests, requestOptions())
	var ours int64
	switch name {
	case corev1.ResourceCPU:
		ours = totals.MilliCPU
	case corev1.ResourceMemory:
		ours = totals.Memory
	case corev1.ResourceEphemeralStorage:
		ours = totals.EphemeralStorage
	default:
		ours = totals.ScalarResources[name]
	}
	in.Unchanged()
	beside.Compare("GetResourceRequest", ours, theirs)
	return ours
}
