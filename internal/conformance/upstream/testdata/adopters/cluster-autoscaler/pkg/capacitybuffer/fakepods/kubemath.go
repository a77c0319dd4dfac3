package fakepods

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
)

func defaultPodResources(pod *corev1.Pod) {
	computeresources.ApplyRequestDefaults(&pod.Spec, computeresources.Kubernetes{})
}
