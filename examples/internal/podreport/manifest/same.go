package manifest

import (
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// samePod reports whether pods are equal in the fields that are kept. It has a fast path for the fields
// of nearly all pods, because reflect.DeepEqual of quantities takes longer than reading them.
func samePod(a, b *corev1.Pod) bool {
	if !slices.EqualFunc(a.Spec.InitContainers, b.Spec.InitContainers, sameContainer) || !slices.EqualFunc(a.Spec.Containers, b.Spec.Containers, sameContainer) {
		return false
	}
	x, y := *a, *b
	x.Spec.InitContainers, x.Spec.Containers = nil, nil
	y.Spec.InitContainers, y.Spec.Containers = nil, nil
	return reflect.DeepEqual(&x, &y)
}

func sameContainer(a, b corev1.Container) bool {
	if a.Name != b.Name || !sameList(a.Resources.Requests, b.Resources.Requests) || !sameList(a.Resources.Limits, b.Resources.Limits) {
		return false
	}
	a.Resources.Requests, a.Resources.Limits = nil, nil
	b.Resources.Requests, b.Resources.Limits = nil, nil
	return reflect.DeepEqual(&a, &b)
}

func sameList(a, b corev1.ResourceList) bool {
	if len(a) != len(b) || (a == nil) != (b == nil) {
		return false
	}
	for name, q := range a {
		other, has := b[name]
		if !has || q.Format != other.Format || q.Cmp(other) != 0 {
			return false
		}
	}
	return true
}
