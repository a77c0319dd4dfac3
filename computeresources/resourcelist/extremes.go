package resourcelist

import corev1 "k8s.io/api/core/v1"

// Max returns the larger amount of every resource that is in either list. A resource that is in
// only one list keeps its amount, even if it is negative. Of two equal amounts, the result has that
// of a, with its format.
//
// Source: Max of k8s.io/apiserver/pkg/quota/v1, which has the format of b.
func Max(a, b corev1.ResourceList) corev1.ResourceList { return MaxInto(nil, a, b) }

// MaxInto clears dst, fills it with Max(a, b) and returns it. Dst may be a or b.
func MaxInto(dst, a, b corev1.ResourceList) corev1.ResourceList {
	dst = ready(dst, a, b)
	for name, x := range a {
		if y, both := b[name]; both && x.Cmp(y) < 0 {
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

// Min returns the smaller amount of every resource that is in both lists. Resources that are in
// only one list are not in the result. Of two equal amounts, the result has that of a, with its
// format.
//
// To keep what only one of them names, use Overlay(Overlay(Min(a, b), a), b).
//
// Source: MinResources of Karpenter and MinResourceList of Koordinator, which agree.
func Min(a, b corev1.ResourceList) corev1.ResourceList {
	least := make(corev1.ResourceList, min(len(a), len(b)))
	for name, x := range a {
		y, both := b[name]
		if !both {
			continue
		}
		if y.Cmp(x) < 0 {
			x = y
		}
		least[name] = x.DeepCopy()
	}
	return least
}
