package resourcehelpers

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

func HasLowerResource(a, b corev1.ResourceList) bool {
	within, _ := resourcelist.LessThanOrEqual(a, b)
	return !within
}
