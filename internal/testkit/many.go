package testkit

import corev1 "k8s.io/api/core/v1"

// ManyContainers returns the specs of pods with a number of containers: only app containers, only
// sidecars, and half of each. The list is the requests and the limits of each container.
func ManyContainers(n int, list corev1.ResourceList) []*corev1.PodSpec {
	specs := []*corev1.PodSpec{{}, {}, {}}
	for i, apps := range []int{n, 0, n / 2} {
		for range apps {
			specs[i].Containers = append(specs[i].Containers, Container("app", list.DeepCopy(), list.DeepCopy()))
		}
		for range n - apps {
			specs[i].InitContainers = append(specs[i].InitContainers, Sidecar("sidecar", list.DeepCopy(), list.DeepCopy()))
		}
	}
	return specs
}
