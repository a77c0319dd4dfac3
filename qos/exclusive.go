package qos

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/resourcename"
)

// ExclusiveCPUs returns the number of exclusive CPUs of a container under the static policy of the
// kubelet's CPU manager: its CPU request, if that is a whole number of CPUs and the pod is
// Guaranteed. It is 0 for any other container, which runs on the shared CPUs. Whether the node has
// enough CPUs is not checked.
//
// The class is PodClass(pod). A pod with pod-level resources has no exclusive CPUs, as in a cluster
// without PodLevelResourceManagers, which is off by default. Requests are rounded up to
// milli-units first. A nil container has none. What does not fit is math.MaxInt64. Of the
// gates, those of Class count.
//
// If pod is nil, the container decides alone: the result is what it has as the only container of a pod, and
// so in every Guaranteed pod without pod-level resources where each container requests its limits.
//
// Such a container has no CPU quota: see cgroupconfig.Options.ExclusiveCPUs.
//
// Source: guaranteedCPUs of k8s.io/kubernetes/pkg/kubelet/cm/cpumanager.
func ExclusiveCPUs(pod *corev1.Pod, container *corev1.Container, kubernetes computeresources.Kubernetes) int64 {
	if container == nil {
		return 0
	}
	if pod == nil {
		pod = &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{*container}}}
	}
	isSetByPod := release.Rules(kubernetes).CountsPodLevel() && resourcename.SetsPodLevel(&pod.Spec)
	if isSetByPod || PodClass(pod, kubernetes) != corev1.PodQOSGuaranteed {
		return 0
	}
	return wholeCPUs(container.Resources.Requests[corev1.ResourceCPU])
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
