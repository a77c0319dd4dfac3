package resourcelist

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// Mask returns the resources of a list that are among the names.
//
// Source: Mask of k8s.io/apiserver/pkg/quota/v1.
func Mask(resources corev1.ResourceList, names []corev1.ResourceName) corev1.ResourceList {
	masked := make(corev1.ResourceList, len(resources))
	for name, q := range resources {
		if slices.Contains(names, name) {
			masked[name] = q.DeepCopy()
		}
	}
	return masked
}

// Restrict returns a list of exactly these resources: with the amounts of list, and zero for those that
// it does not have, in the format of Quantity. Mask omits those. A name that occurs twice counts once.
//
// Cost: a lookup for each name.
func Restrict(list corev1.ResourceList, names []corev1.ResourceName) corev1.ResourceList {
	restricted := make(corev1.ResourceList, len(names))
	for _, name := range names {
		if q, set := list[name]; set {
			restricted[name] = q.DeepCopy()
		} else {
			restricted[name] = Quantity(name, 0)
		}
	}
	return restricted
}

// RemoveZeros returns a list without amounts of zero. Negative amounts remain.
//
// Source: RemoveZeros of k8s.io/apiserver/pkg/quota/v1.
func RemoveZeros(a corev1.ResourceList) corev1.ResourceList {
	others := make(corev1.ResourceList, len(a))
	for name, q := range a {
		if !q.IsZero() {
			others[name] = q.DeepCopy()
		}
	}
	return others
}
