package config

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/resourcelist"
)

// This file is podSums.read in whole numbers: the fast path of most pods, which looks at
// each container once, for its class as well as for its sums.

// readSmall reports whether nothing counts but what the containers of the pod state, of no
// other resources than cpu, memory and ephemeral storage, and all amounts are small. If
// not, p is of no use.
func (p *podSums) readSmall(pod *corev1.Pod) bool {
	spec := &pod.Spec
	if spec.Resources != nil || len(spec.Overhead) > 0 || len(spec.Containers)+len(spec.InitContainers) > resourcelist.MaxSmallSum {
		return false
	}
	s := smallPod{allLimited: [2]bool{true, true}}
	for i := range spec.Containers {
		r, ok := s.count(&spec.Containers[i].Resources)
		if !ok {
			return false
		}
		for j := range r.requests {
			s.requests[j].App(r.requests[j])
			s.limits[j].App(r.limits[j])
		}
	}
	for i := range spec.InitContainers {
		c := &spec.InitContainers[i]
		r, ok := s.count(&c.Resources)
		if !ok {
			return false
		}
		sidecar := c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways
		for j := range r.requests {
			if sidecar {
				s.requests[j].Sidecar(r.requests[j])
				s.limits[j].Sidecar(r.limits[j])
			} else {
				s.requests[j].Init(r.requests[j])
				s.limits[j].Init(r.limits[j])
			}
		}
	}
	p.class = pod.Status.QOSClass
	if p.class == "" {
		p.class = s.class()
	}
	p.requests = amounts{s.requests[cpu].Total(), s.requests[memory].Total()}
	p.limits = amounts{s.limits[cpu].Total(), s.limits[memory].Total()}
	p.complete.CPU, p.complete.Memory = s.allLimited[cpu], s.allLimited[memory]
	return true
}

// Resources are told apart by index.
const (
	cpu    = 0
	memory = 1
)

// smallPod is what is known of a pod after some containers.
type smallPod struct {
	requests, limits       [2]resourcelist.Effective
	allRequests, allLimits [2]int64 // plain sums, which decide on the class
	allLimited             [2]bool
}

// smallContainer is what a container requests and is limited to.
type smallContainer struct{ requests, limits [2]int64 }

// count counts a container for the class, and returns its amounts. It reports whether they
// are small, and whether it requests nothing else that could count.
func (s *smallPod) count(r *corev1.ResourceRequirements) (c smallContainer, ok bool) {
	known := 0
	q := r.Requests[corev1.ResourceCPU]
	if c.requests[cpu], ok = resourcelist.SmallMilli(&q); !ok {
		return c, false
	}
	q = r.Requests[corev1.ResourceMemory]
	if c.requests[memory], ok = resourcelist.SmallWhole(&q); !ok {
		return c, false
	}
	q = r.Limits[corev1.ResourceCPU]
	if c.limits[cpu], ok = resourcelist.SmallMilli(&q); !ok {
		return c, false
	}
	q = r.Limits[corev1.ResourceMemory]
	if c.limits[memory], ok = resourcelist.SmallWhole(&q); !ok {
		return c, false
	}
	for j := range c.requests {
		s.allRequests[j] += c.requests[j]
		s.allLimits[j] += c.limits[j]
		if c.requests[j] > 0 {
			known++
		}
		if c.limits[j] == 0 {
			s.allLimited[j] = false
		}
	}
	return c, known == len(r.Requests) || onlyCompute(r.Requests)
}

// onlyCompute reports whether a list has no more than cpu, memory and ephemeral storage.
func onlyCompute(list corev1.ResourceList) bool {
	for name := range list {
		if name != corev1.ResourceCPU && name != corev1.ResourceMemory && name != corev1.ResourceEphemeralStorage {
			return false
		}
	}
	return true
}

// class is qos.Class.
func (s *smallPod) class() corev1.PodQOSClass {
	switch {
	case s.allRequests == [2]int64{} && s.allLimits == [2]int64{}:
		return corev1.PodQOSBestEffort
	case s.allLimited == [2]bool{true, true} && s.allRequests == s.allLimits:
		return corev1.PodQOSGuaranteed
	default:
		return corev1.PodQOSBurstable
	}
}
