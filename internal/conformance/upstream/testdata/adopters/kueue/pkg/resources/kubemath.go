package resources

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

func ResourceValue(name corev1.ResourceName, q resource.Quantity) int64 {
	return resourcelist.Integer(name, q)
}

func NewMapRequests(list corev1.ResourceList) MapRequests { return resourcelist.Integers(list) }

func NewMapRequestsFromPodSpec(spec *corev1.PodSpec) MapRequests {
	return resourcelist.Integers(computeresources.SpecRequests(spec, computeresources.Options{}))
}

func NewRequestsFromPodSpec(spec *corev1.PodSpec) Requests {
	if spec == nil {
		return NewRequests()
	}
	return NewRequestsFromResourceList(computeresources.SpecRequests(spec, computeresources.Options{}))
}

func AmountFromQuantity(name corev1.ResourceName, q resource.Quantity) Amount {
	return Amount{value: resourcelist.Integer(name, q)}
}

func (f *ResourceFormatter) ResourceQuantity(name corev1.ResourceName, n int64) resource.Quantity {
	if f.usesBinaryFormat(name) {
		name = corev1.ResourceMemory
	}
	return resourcelist.Quantity(name, n)
}
