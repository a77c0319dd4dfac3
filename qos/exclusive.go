package qos

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/resourcename"
)

// ExclusiveCPUs returns the number of exclusive CPUs of a container under the static policy of the
// kubelet's CPU manager: its CPU request, if that is a whole number of CPUs and the pod is
// Guaranteed. It is 0 for any other container, which runs on the shared CPUs. Whether the node has
// enough CPUs is not checked.
//
// The class is PodClass(pod). A pod with pod-level resources has no exclusive CPUs, as in a cluster
// without PodLevelResourceManagers, which is alpha in Kubernetes 1.36. Requests are rounded up to
// milli-units first. A nil container has none. What does not fit is math.MaxInt64. Of the
// gates, IgnorePodLevel counts.
//
// If pod is nil, the container decides alone: the result is what it has as the only container of a pod, and
// so in every Guaranteed pod without pod-level resources where each container requests its limits.
//
// Such a container has no CPU quota: see cgroupconfig.Options.ExclusiveCPUs.
//
// Source: guaranteedCPUs of k8s.io/kubernetes/pkg/kubelet/cm/cpumanager.
func ExclusiveCPUs(pod *corev1.Pod, container *corev1.Container, gates computeresources.Gates) int64 {
	if container == nil {
		return 0
	}
	if pod == nil {
		pod = &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{*container}}}
	}
	if !mayHaveExclusiveCPUs(pod, gates) {
		return 0
	}
	return wholeCPUs(container.Resources.Requests[corev1.ResourceCPU])
}

// PodExclusiveCPUs returns the largest number of exclusive CPUs that the containers of a pod have
// at the same time: the ExclusiveCPUs of its containers, summed up like requests in
// computeresources.PodRequests. A nil pod has none. Of the gates, IgnorePodLevel counts. It allocates
// for each container.
//
// Source: podGuaranteedCPUs of k8s.io/kubernetes/pkg/kubelet/cm/cpumanager.
func PodExclusiveCPUs(pod *corev1.Pod, gates computeresources.Gates) int64 {
	if !mayHaveExclusiveCPUs(pod, gates) {
		return 0
	}
	exclusive := corev1.PodSpec{
		Containers:     withWholeCPUs(pod.Spec.Containers),
		InitContainers: withWholeCPUs(pod.Spec.InitContainers),
	}
	sum := computeresources.SpecRequests(&exclusive, computeresources.Options{})
	return quantity.Integer(sum[corev1.ResourceCPU], 0)
}

// mayHaveExclusiveCPUs reports whether the containers of a pod have CPUs to themselves if they
// request whole ones.
func mayHaveExclusiveCPUs(pod *corev1.Pod, gates computeresources.Gates) bool {
	return pod != nil && (gates.IgnorePodLevel || !resourcename.SetsPodLevel(&pod.Spec)) &&
		PodClass(pod, gates) == corev1.PodQOSGuaranteed
}

// wholeCPUs returns a request above zero for a whole number of CPUs, and 0 for any other.
func wholeCPUs(request resource.Quantity) int64 {
	own := request.DeepCopy()
	own.RoundUp(resource.Milli)
	if own.Sign() <= 0 || !own.RoundUp(0) {
		return 0
	}
	return quantity.Integer(own, 0)
}

// withWholeCPUs returns containers that request nothing but whole CPUs.
func withWholeCPUs(containers []corev1.Container) []corev1.Container {
	own := make([]corev1.Container, len(containers))
	for i := range containers {
		cpus := wholeCPUs(containers[i].Resources.Requests[corev1.ResourceCPU])
		own[i] = corev1.Container{RestartPolicy: containers[i].RestartPolicy, Resources: corev1.ResourceRequirements{
			Requests: corev1.ResourceList{corev1.ResourceCPU: *resource.NewQuantity(cpus, resource.DecimalSI)},
		}}
	}
	return own
}
