package resourcelist

import corev1 "k8s.io/api/core/v1"

// Max returns the greater of both for every resource that either names. Of a resource
// that only one names it has that amount, even if it is below zero.
//
// Source: Max of k8s.io/apiserver/pkg/quota/v1.
func Max(a, b corev1.ResourceList) corev1.ResourceList { return MaxInto(nil, a, b) }

// MaxInto clears dst, fills it with Max(a, b) and returns it. Dst may be a or b.
func MaxInto(dst, a, b corev1.ResourceList) corev1.ResourceList {
	dst = ready(dst, a, b)
	for name, x := range a {
		if y, both := b[name]; both && x.Cmp(y) <= 0 {
			x = y
		}
		dst[name] = x.DeepCopy()
	}
	for name, y := range b {
		if _, both := a[name]; !both {
			dst[name] = y.DeepCopy()
		}
	}
	return dst
}
