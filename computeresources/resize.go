package computeresources

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/resourcename"
)

// This file decides which lists of a pod count. Without a status, those of its spec count. During an
// in-place resize (KEP-1287), a pod has three views: the desired resources of its spec, the actuated
// ones that the runtime has applied, and the allocated ones that the node has reserved. The maximum of
// them counts; limits have no allocated view. The desired resources do not count if the node has
// refused them.

const (
	desired = iota
	actuated
	allocated
	views
)

// reading has the lists of a pod that count for its requests, or for its limits.
type reading struct {
	list       podwalk.List
	maxima     bool // the desired view has the maximum of each container: see maxima.go
	spec       *corev1.PodSpec
	status     *corev1.PodStatus // nil if only the spec counts
	infeasible bool              // the node has refused the desired resources

	byContainer [views]bool                // the view is the sum over the containers
	byPod       [views]bool                // the view is a total that the status of the pod has
	total       [views]corev1.ResourceList // if byPod
	missing     corev1.ResourceList        // replaces requests that a container does not set
	claimed     [views]corev1.ResourceList // is added to the sum of the containers

	// podLevel are the pod-level lists. The maximum of their amounts counts if the pod sets any
	// pod-level resource.
	podLevel    [views]corev1.ResourceList
	setPodLevel bool
	overhead    corev1.ResourceList
}

// read finds the lists that count for one list of a pod. Before, r is the zero value.
func (r *reading) read(spec *corev1.PodSpec, status *corev1.PodStatus, list podwalk.List, opts *Options) {
	switch list {
	case podwalk.Requests:
		r.readRequests(spec, status, opts)
	case podwalk.Limits:
		r.readLimits(spec, status, opts)
	}
}

// readRequests finds the lists that count for the requests of a pod.
func (r *reading) readRequests(spec *corev1.PodSpec, status *corev1.PodStatus, opts *Options) {
	r.list, r.spec, r.status, r.missing = podwalk.Requests, spec, status, opts.MissingRequests
	r.infeasible = status != nil && resizeInfeasible(status)
	if !opts.ExcludeOverhead {
		r.overhead = spec.Overhead
	}
	if opts.MaxPerContainer && status != nil {
		r.readMaxima(opts)
		return
	}
	ofPod := podLevelStatus(status, opts)
	if own := spec.Resources; own != nil && !opts.IgnorePodLevel && resourcename.AnyPodLevel(own.Requests) {
		r.setPodLevel = true
		if ofPod != nil {
			r.podLevel[actuated], r.podLevel[allocated] = ofPod.Resources.Requests, ofPod.AllocatedResources
		}
		if ofPod == nil || !r.infeasible {
			r.podLevel[desired] = own.Requests
		}
	}
	if opts.IgnoreContainers {
		return
	}
	r.byContainer[desired], r.claimed[desired] = !r.infeasible, opts.ClaimedFromNode
	switch {
	case status == nil:
	case ofPod != nil && ofPod.AllocatedResources != nil && ofPod.Resources.Requests != nil:
		// The totals of a pod's status include claims already.
		r.byPod[actuated], r.total[actuated] = true, ofPod.Resources.Requests
		r.byPod[allocated], r.total[allocated] = true, ofPod.AllocatedResources
	default:
		// Requests that are in effect include claims, since they are read back from cgroups.
		r.byContainer[actuated] = true
		r.byContainer[allocated], r.claimed[allocated] = true, opts.ClaimedFromNode
	}
}

// readLimits finds the lists that count for the limits of a pod.
func (r *reading) readLimits(spec *corev1.PodSpec, status *corev1.PodStatus, opts *Options) {
	r.list, r.spec, r.status = podwalk.Limits, spec, status
	r.infeasible = status != nil && resizeInfeasible(status)
	if !opts.ExcludeOverhead {
		r.overhead = spec.Overhead
	}
	if opts.MaxPerContainer && status != nil {
		r.readMaxima(opts)
		return
	}
	ofPod := podLevelStatus(status, opts)
	if own := spec.Resources; own != nil && !opts.IgnorePodLevel && (resourcename.AnyPodLevel(own.Requests) || resourcename.AnyPodLevel(own.Limits)) {
		r.setPodLevel = true
		if ofPod != nil {
			r.podLevel[actuated] = ofPod.Resources.Limits
		}
		if ofPod == nil || !r.infeasible {
			r.podLevel[desired] = own.Limits
		}
	}
	if opts.IgnoreContainers {
		return
	}
	r.byContainer[desired] = !r.infeasible
	if !opts.MaxPerContainer {
		r.claimed[desired] = opts.ClaimedFromNode
	}
	switch {
	case status == nil:
	case ofPod != nil && ofPod.Resources.Limits != nil: // they include claims already
		r.byPod[actuated], r.total[actuated] = true, ofPod.Resources.Limits
	default:
		r.byContainer[actuated] = true
	}
}

// lists returns the list of a container in each view that counts by container.
func (r *reading) lists(c *corev1.Container) (of [views]corev1.ResourceList) {
	of[desired] = r.list.Of(&c.Resources)
	if !r.byContainer[actuated] {
		return of
	}
	if !r.infeasible {
		of[allocated] = of[desired]
	}
	status := statusOf(r.status, c.Name)
	if status != nil && r.list == podwalk.Requests && status.AllocatedResources != nil {
		of[allocated] = status.AllocatedResources
	}
	of[actuated] = of[allocated]
	if status != nil && status.Resources != nil {
		if inEffect := r.list.Of(status.Resources); inEffect != nil {
			of[actuated] = inEffect
		}
	}
	return of
}

// statusOf returns the first status of a container with the given name, app containers before init
// containers, and nil if there is none.
func statusOf(status *corev1.PodStatus, name string) *corev1.ContainerStatus {
	for i := range status.ContainerStatuses {
		if status.ContainerStatuses[i].Name == name {
			return &status.ContainerStatuses[i]
		}
	}
	for i := range status.InitContainerStatuses {
		if status.InitContainerStatuses[i].Name == name {
			return &status.InitContainerStatuses[i]
		}
	}
	return nil
}

// statusOn returns the status of a pod, or nil if it has no resources. (Negative claims count less for a
// status than for a spec, even if the status has no resources.)
func statusOn(pod *corev1.Pod, opts *Options) *corev1.PodStatus {
	status := &pod.Status
	if len(opts.ClaimedFromNode) == 0 && len(status.ContainerStatuses) == 0 && len(status.InitContainerStatuses) == 0 &&
		status.Resources == nil && status.AllocatedResources == nil && !resizeInfeasible(status) {
		return nil
	}
	return status
}

// podLevelStatus returns the status if it counts at pod level and has actuated resources.
func podLevelStatus(status *corev1.PodStatus, opts *Options) *corev1.PodStatus {
	if status == nil || isOff(opts.PodLevelStatus) || status.Resources == nil {
		return nil
	}
	return status
}

// resizeInfeasible reports whether the node has refused the resize to the desired resources.
func resizeInfeasible(status *corev1.PodStatus) bool {
	return pendingResize(status) == ResizeInfeasible
}
