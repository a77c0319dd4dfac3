package computeresources

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/resourcename"
)

// This file decides what counts of a status with Gates.MaxPerContainer, as in Kubernetes 1.36. There is
// one view, the desired one. Its lists are the maximum of the desired, the actuated and the allocated
// list of each container, and of the pod level.

// readMaxima finds the lists that count for r.list of a pod with a status.
func (r *reading) readMaxima(opts *Options) {
	own := r.spec.Resources
	if own != nil && !opts.IgnorePodLevel && (resourcename.AnyPodLevel(own.Requests) || r.list == podwalk.Limits && resourcename.AnyPodLevel(own.Limits)) {
		r.setPodLevel = true
		r.podLevel[desired] = r.list.Of(own)
		// Limits that are refused still count if none are in effect.
		if ofPod := podLevelStatus(r.status, opts); ofPod != nil && !(r.list == podwalk.Limits && r.infeasible && ofPod.Resources.Limits == nil) {
			lists := r.stated(r.list.Of(own), ofPod.Resources, ofPod.AllocatedResources)
			r.podLevel[desired] = restricted(maxOf(&lists), r.list.Of(own))
		}
	}
	if opts.IgnoreContainers {
		return
	}
	r.maxima, r.byContainer[desired] = true, true
	if r.list == podwalk.Requests {
		r.claimed[desired] = opts.ClaimedFromNode
	}
}

// maximaOf returns the lists of a container of which the maximum counts.
func (r *reading) maximaOf(kind podwalk.Kind, c *corev1.Container) [views]corev1.ResourceList {
	own := r.list.Of(&c.Resources)
	if kind.RunsBesideApps() {
		if status := lastStatusOf(r.status, c.Name); status != nil && status.Resources != nil {
			return r.stated(own, status.Resources, status.AllocatedResources)
		}
	}
	return [views]corev1.ResourceList{desired: own}
}

// lastStatusOf returns the last status of a container with the given name, init containers after app
// containers, and nil if there is none.
func lastStatusOf(status *corev1.PodStatus, name string) *corev1.ContainerStatus {
	for _, list := range [...][]corev1.ContainerStatus{status.InitContainerStatuses, status.ContainerStatuses} {
		for i := len(list) - 1; i >= 0; i-- {
			if list[i].Name == name {
				return &list[i]
			}
		}
	}
	return nil
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
			copied := make(corev1.ResourceList, len(greatest))
			for name, q := range greatest {
				copied[name] = q
			}
			greatest, isOwn = copied, true
		}
		for name, q := range list {
			if most := quantity.Find(greatest, name); most == nil || q.Cmp(*most) > 0 {
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
