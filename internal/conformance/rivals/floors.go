package main

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// The results of the floors are stored here.
var (
	floorSink    int64
	usedSink     corev1.ResourceList
	podFloorSink *corev1.Pod
)

// lookUps is the least that any implementation has to do that asks for the requests and limits of
// a pod's containers: four look-ups for each, added up as integers.
func lookUps(spec *corev1.PodSpec) (sum int64) {
	for _, containers := range [][]corev1.Container{spec.Containers, spec.InitContainers} {
		for i := range containers {
			r := &containers[i].Resources
			sum += lookUp(r.Requests) + lookUp(r.Limits)
		}
	}
	return sum
}

func lookUp(list corev1.ResourceList) int64 {
	cpu, memory := list[corev1.ResourceCPU], list[corev1.ResourceMemory]
	return cpu.MilliValue() + memory.Value()
}

// present is the floor of functions that only need to know which amounts are set.
func present(spec *corev1.PodSpec) (set int64) {
	for _, containers := range [][]corev1.Container{spec.Containers, spec.InitContainers} {
		for i := range containers {
			r := &containers[i].Resources
			for _, list := range [...]corev1.ResourceList{r.Requests, r.Limits} {
				for _, name := range [...]corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
					if _, found := list[name]; found {
						set++
					}
				}
			}
		}
	}
	return set
}

// usageNames are the quota resources that a pod with cpu and memory uses.
var usageNames = []corev1.ResourceName{"count/pods", "pods", "cpu", "requests.cpu", "limits.cpu", "memory", "requests.memory", "limits.memory"}

// insertUsage sets an amount for each name.
func insertUsage(dst corev1.ResourceList) corev1.ResourceList {
	for _, name := range usageNames {
		dst[name] = resource.Quantity{Format: resource.DecimalSI}
	}
	return dst
}

// compareAmounts is the floor of checks whether requests fit: for each resource, two look-ups, a sum and
// a comparison.
func compareAmounts(requested, used, hard corev1.ResourceList) (fits int64) {
	for name, q := range requested {
		in, limit := used[name], hard[name]
		if in.MilliValue()+q.MilliValue() <= limit.MilliValue() {
			fits++
		}
	}
	return fits
}

// bytesOf is the floor of parsing a path: each byte is read, and the name and the UID that are returned
// are copied.
func bytesOf(path string, parts ...[]byte) (sum int64) {
	for i := range len(path) {
		sum += int64(path[i])
	}
	for _, part := range parts {
		sum += int64(len(slices.Clone(part)))
	}
	return sum
}
