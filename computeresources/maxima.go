package computeresources

import (
	"maps"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/podwalk"
)

// This file decides what counts of a status with Gates.MaxPerContainer, as in Kubernetes 1.36. There is
// one view, the desired one. Its lists are the maximum of the desired, the actuated and the allocated
// list of each container, and of the pod level.

// readMaxima finds the pod-level amounts that count for r.list of a pod with a status. ofPod is the status
// if it counts at pod level, and otherwise nil.
func (r *reading) readMaxima(ofPod *corev1.PodStatus) {
	if !r.setPodLevel {
		return
	}
	own := r.list.Of(r.spec.Resources)
	r.podLevel[desired] = own
	// Limits that are refused still count if none are in effect.
	if ofPod != nil && !(r.list == podwalk.Limits && r.infeasible && ofPod.Resources.Limits == nil) {
		lists := r.stated(own, ofPod.Resources, ofPod.AllocatedResources)
		r.podLevel[desired] = restricted(maxOf(&lists), own)
	}
}

// maximaOf returns the lists of a container of which the maximum counts.
func (r *reading) maximaOf(kind podwalk.Kind, c *corev1.Container) [views]corev1.ResourceList {
	own := r.list.Of(&c.Resources)
	if kind.RunsBesideApps() {
		if status := r.statusOf(c.Name); status != nil && status.Resources != nil {
			return r.stated(own, status.Resources, status.AllocatedResources)
		}
	}
	return [views]corev1.ResourceList{desired: own}
}

// stated returns the lists that count where a status has resources.
func (r *reading) stated(own corev1.ResourceList, inEffect *corev1.ResourceRequirements, reserved corev1.ResourceList) (of [views]corev1.ResourceList) {
	if !r.infeasible {
		of[desired] = own
	}
	of[actuated] = r.list.Of(inEffect)
	if r.list == podwalk.Requests {
		of[allocated] = reserved
	}
	return of
}

// maxOf returns the largest amount of each resource. The result may be one of the lists.
func maxOf(lists *[views]corev1.ResourceList) corev1.ResourceList {
	var greatest corev1.ResourceList
	isOwn := false
	for _, list := range lists {
		switch {
		case len(list) == 0:
			continue
		case len(greatest) == 0:
			greatest = list
			continue
		case !isOwn:
			greatest, isOwn = maps.Clone(greatest), true
		}
		for name, q := range list {
			if most, set := greatest[name]; !set || q.Cmp(most) > 0 {
				greatest[name] = q
			}
		}
	}
	return greatest
}

// restricted returns the amounts of the resources that own sets, zero for those without one.
func restricted(list, own corev1.ResourceList) corev1.ResourceList {
	amounts := make(corev1.ResourceList, len(own))
	for name := range own {
		amounts[name] = list[name]
	}
	return amounts
}
