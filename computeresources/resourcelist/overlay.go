package resourcelist

import corev1 "k8s.io/api/core/v1"

// Overlay returns a list with defaults for missing resources. A resource of list keeps its amount,
// even if it is zero.
//
// Source: MergeResourceListKeepFirst of Kueue.
func Overlay(list, defaults corev1.ResourceList) corev1.ResourceList {
	return OverlayInto(nil, list, defaults)
}

// OverlayInto clears dst, fills it with Overlay(list, defaults) and returns it. Dst may be
// list or defaults.
func OverlayInto(dst, list, defaults corev1.ResourceList) corev1.ResourceList {
	dst = ready(dst, list, defaults)
	for name, q := range defaults {
		if _, set := list[name]; !set {
			dst[name] = q.DeepCopy()
		}
	}
	for name, q := range list {
		dst[name] = q.DeepCopy()
	}
	return dst
}
