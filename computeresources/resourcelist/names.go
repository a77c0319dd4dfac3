package resourcelist

import (
	"slices"

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

// Difference returns the names that are in a and not in b, sorted, each once.
//
// Source: Difference of k8s.io/apiserver/pkg/quota/v1.
func Difference(a, b []corev1.ResourceName) []corev1.ResourceName {
	names := []corev1.ResourceName{}
	for _, name := range a {
		if !slices.Contains(b, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
