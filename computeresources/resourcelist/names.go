package resourcelist

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/quantity"
)

// ResourceNames returns the names of the resources of a list, sorted.
//
// Source: ResourceNames of k8s.io/apiserver/pkg/quota/v1.
func ResourceNames(resources corev1.ResourceList) []corev1.ResourceName {
	if len(resources) == 0 {
		return []corev1.ResourceName{}
	}
	return quantity.Names(resources)
}
