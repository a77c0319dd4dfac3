package api

import (
	v1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
)

// Volcano sums like the scheduler of Kubernetes 1.36.
var sums = computeresources.Options{Kubernetes: computeresources.Kubernetes{Release: "1.36"}}

func GetPodResourceRequest(pod *v1.Pod) *Resource {
	r := NewResource(computeresources.PodRequests(pod, sums))
	r.AddScalar(v1.ResourcePods, 1)
	return r
}

func GetPodResourceLimit(pod *v1.Pod) *Resource {
	return NewResource(computeresources.PodLimits(pod, sums))
}

func GetPodResourceWithoutInitContainers(pod *v1.Pod) *Resource {
	opts := sums
	opts.IgnoreInitContainers = true
	return NewResource(computeresources.PodRequests(pod, opts))
}
