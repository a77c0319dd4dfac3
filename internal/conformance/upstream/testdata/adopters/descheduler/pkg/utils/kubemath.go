package utils

import (
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/qos"
)

func GetPodQOS(pod *v1.Pod) v1.PodQOSClass { return qos.PodClass(pod, computeresources.Kubernetes{}) }

func GetResourceRequestQuantity(pod *v1.Pod, name v1.ResourceName) resource.Quantity {
	return computeresources.SpecRequests(&pod.Spec, computeresources.Options{})[name]
}

func PodRequestsAndLimits(pod *v1.Pod) (requests, limits v1.ResourceList) {
	return computeresources.SpecRequests(&pod.Spec, computeresources.Options{}), computeresources.SpecLimits(&pod.Spec, computeresources.Options{})
}
