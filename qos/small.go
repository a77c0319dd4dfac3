package qos

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/resourcelist"
)

// smallClassAndRequests returns Class and PodRequestTotals of a pod spec from one look at
// its containers, if nothing else counts and all amounts are small.
func smallClassAndRequests(spec *corev1.PodSpec) (class corev1.PodQOSClass, t computeresources.Totals, ok bool) {
	if spec.Resources != nil || len(spec.Overhead) > 0 || len(spec.Containers)+len(spec.InitContainers) > resourcelist.MaxSmallSum {
		return class, t, false
	}
	c := classifier{allLimited: true}
	var cpu, memory, storage resourcelist.Effective
	for i := range spec.Containers {
		requests, ok := c.countSmall(&spec.Containers[i].Resources)
		if !ok {
			return class, t, false
		}
		cpu.App(requests.cpu)
		memory.App(requests.memory)
		storage.App(requests.storage)
	}
	for i := range spec.InitContainers {
		container := &spec.InitContainers[i]
		requests, ok := c.countSmall(&container.Resources)
		if !ok {
			return class, t, false
		}
		if container.RestartPolicy != nil && *container.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			cpu.Sidecar(requests.cpu)
			memory.Sidecar(requests.memory)
			storage.Sidecar(requests.storage)
		} else {
			cpu.Init(requests.cpu)
			memory.Init(requests.memory)
			storage.Init(requests.storage)
		}
	}
	t.MilliCPU, t.Memory, t.EphemeralStorage = cpu.Total(), memory.Total(), storage.Total()
	return c.class(spec), t, true
}

// small are requests in whole units.
type small struct{ cpu, memory, storage int64 }

// countSmall counts a container for the class, and returns what it requests.
func (c *classifier) countSmall(r *corev1.ResourceRequirements) (s small, ok bool) {
	request := r.Requests[corev1.ResourceCPU]
	limit := r.Limits[corev1.ResourceCPU]
	c.cpu.weigh(c, &request, &limit)
	if s.cpu, ok = resourcelist.SmallMilli(&request); !ok {
		return s, false
	}
	request = r.Requests[corev1.ResourceMemory]
	limit = r.Limits[corev1.ResourceMemory]
	c.memory.weigh(c, &request, &limit)
	if s.memory, ok = resourcelist.SmallWhole(&request); !ok {
		return s, false
	}
	if s.cpu > 0 && s.memory > 0 && len(r.Requests) == 2 {
		return s, true
	}
	request = r.Requests[corev1.ResourceEphemeralStorage]
	s.storage, ok = resourcelist.SmallWhole(&request)
	return s, ok
}
