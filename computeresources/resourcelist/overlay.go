package resourcelist

import corev1 "k8s.io/api/core/v1"

// Overlay returns a list with defaults for missing resources. A resource of list keeps its amount,
// even if it is zero.
//
// Source: MergeResourceListKeepFirst of Kueue.
func Overlay(list, defaults corev1.ResourceList) corev1.ResourceList {
	all := make(corev1.ResourceList, max(len(list), len(defaults)))
	for name, q := range defaults {
		if _, set := list[name]; !set {
			all[name] = q.DeepCopy()
		}
	}
	for name, q := range list {
		all[name] = q.DeepCopy()
	}
	return all
}
