package resource

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

func MergeResourceListKeepFirst(dst, src corev1.ResourceList) corev1.ResourceList {
	return resourcelist.Overlay(dst, src)
}

func MergeResourceListKeepMax(a, b corev1.ResourceList) corev1.ResourceList {
	return resourcelist.Max(a, b)
}

func MergeResourceListKeepMin(a, b corev1.ResourceList) corev1.ResourceList {
	return resourcelist.Overlay(resourcelist.Overlay(resourcelist.Min(a, b), a), b)
}

func MergeResourceListKeepSum(a, b corev1.ResourceList) corev1.ResourceList {
	return resourcelist.Add(a, b)
}

func IsExtendedResourceName(name corev1.ResourceName) bool { return resourcelist.IsExtended(name) }
