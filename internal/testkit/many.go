package testkit

import corev1 "k8s.io/api/core/v1"

// ManyContainers returns the spec of a pod with so many app containers and sidecars, half of
// them each. Every one requests what list says, and is limited to that.
func ManyContainers(n int, list corev1.ResourceList) *corev1.PodSpec {
	spec := &corev1.PodSpec{}
	for range n / 2 {
		spec.Containers = append(spec.Containers, Container("app", list.DeepCopy(), list.DeepCopy()))
		spec.InitContainers = append(spec.InitContainers, Sidecar("sidecar", list.DeepCopy(), list.DeepCopy()))
	}
	return spec
}
