package computeresources

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/podwalk"
)

// This file decides what counts of a status up to Kubernetes 1.36. There is
// one view, the desired one. Its amounts are the maximum of the desired, the actuated and the allocated
// amounts of each container, and of the pod level.

// podLevelMaxima returns the pod-level amounts that count of a pod whose status counts at pod level: the largest amount
// of each resource that own sets, the list of the spec, and zero for those of which none counts.
func (r *reading) podLevelMaxima(own corev1.ResourceList, status *corev1.PodStatus) corev1.ResourceList {
	if r.list == podwalk.Limits && r.infeasible && status.Resources.Limits == nil {
		return own // limits that are refused still count if none are in effect
	}
	maxima := make(corev1.ResourceList, len(own))
	for name := range own {
		var most podwalk.Exact
		for _, list := range r.listsBeside(own, status.Resources, status.AllocatedResources) {
			most = most.Max(podwalk.ExactIn(list, name))
		}
		maxima[name] = most.Amount
	}
	return maxima
}

// containerMaxima returns the lists of a container of which the maximum counts.
func (r *reading) containerMaxima(kind podwalk.Kind, c *corev1.Container) [views]corev1.ResourceList {
	own := r.list.Of(&c.Resources)
	if kind.RunsBesideApps() {
		if status := r.statusOf(c.Name); status != nil && status.Resources != nil {
			return r.listsBeside(own, status.Resources, status.AllocatedResources)
		}
	}
	return [views]corev1.ResourceList{desired: own}
}
