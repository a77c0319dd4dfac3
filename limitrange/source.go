package limitrange

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
)

// sourceOf returns where a value came from: an item of spec.limits in a LimitRange.
func sourceOf(lr *corev1.LimitRange, item int) computeresources.Source {
	return computeresources.Source{
		Kind: "LimitRange", Namespace: lr.Namespace, Name: lr.Name,
		Field: "spec.limits[" + strconv.Itoa(item) + "]",
	}
}

// ofOneObject reports whether both are items of one LimitRange.
func ofOneObject(a, b computeresources.Source) bool {
	return a.Namespace == b.Namespace && a.Name == b.Name
}
