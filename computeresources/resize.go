package computeresources

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/podwalk"
)

// This file decides which lists of a pod count. Without a status, those of its spec do.
// While a running pod is resized in place (KEP-1287), there are three views of it: the
// desired resources of its spec, the allocated ones that the node has set aside, and the
// actuated ones that the runtime has put into effect. The greatest of them counts; for
// limits, nothing is allocated. The desired ones do not count if the node has refused them.

// readRequests finds what counts for the requests of a pod.
func (a *amounts) readRequests(spec *corev1.PodSpec, opts *Options) {
	a.list = podwalk.Requests
	infeasible := opts.Status != nil && resizeInfeasible(opts.Status)
	if !opts.ExcludeOverhead {
		a.overhead = spec.Overhead
	}
	if own := spec.Resources; own != nil && !opts.IgnorePodLevel && resourcelist.AnyPodLevel(own.Requests) {
		a.byPod = true
		a.podLevel[0] = own.Requests
		if status := opts.podLevelStatus(); status != nil {
			a.podLevel[1], a.podLevel[2] = status.Resources.Requests, status.AllocatedResources
			if infeasible {
				a.podLevel[0] = nil
			}
		}
	}
	if opts.IgnoreContainers {
		return
	}
	if !infeasible {
		a.see(spec, source{}, opts.MissingRequests, opts.ClaimedFromNode)
	}
	if opts.Status == nil {
		return
	}
	// The totals of a pod's status include claims already, and so do requests that
	// are in effect, since they are read back from cgroups.
	if status := opts.podLevelStatus(); status != nil && status.AllocatedResources != nil && status.Resources.Requests != nil {
		a.seeTotal(status.Resources.Requests)
		a.seeTotal(status.AllocatedResources)
		return
	}
	allocated := source{status: opts.Status, infeasible: infeasible}
	actuated := allocated
	actuated.actuated = true
	a.see(spec, actuated, opts.MissingRequests, nil)
	a.see(spec, allocated, opts.MissingRequests, opts.ClaimedFromNode)
}

// readLimits finds what counts for the limits of a pod.
func (a *amounts) readLimits(spec *corev1.PodSpec, opts *Options) {
	a.list = podwalk.Limits
	infeasible := opts.Status != nil && resizeInfeasible(opts.Status)
	if !opts.ExcludeOverhead {
		a.overhead = spec.Overhead
	}
	if own := spec.Resources; own != nil && !opts.IgnorePodLevel && (resourcelist.AnyPodLevel(own.Requests) || resourcelist.AnyPodLevel(own.Limits)) {
		a.byPod = true
		a.podLevel[0] = own.Limits
		if status := opts.podLevelStatus(); status != nil {
			a.podLevel[1] = status.Resources.Limits
			if infeasible {
				a.podLevel[0] = nil
			}
		}
	}
	if opts.IgnoreContainers {
		return
	}
	if !infeasible {
		a.see(spec, source{}, nil, opts.ClaimedFromNode)
	}
	if opts.Status == nil {
		return
	}
	// Limits in effect include claims already.
	if status := opts.podLevelStatus(); status != nil && status.Resources.Limits != nil {
		a.seeTotal(status.Resources.Limits)
		return
	}
	a.see(spec, source{status: opts.Status, actuated: true, infeasible: infeasible}, nil, nil)
}

// see adds a view of the containers of a pod.
func (a *amounts) see(spec *corev1.PodSpec, from source, missing, claimed corev1.ResourceList) {
	v := &a.view[a.views]
	v.missing, v.claimed = missing, claimed
	cs := podwalk.Of(spec)
	for i := range cs.Len() {
		kind, c := cs.At(cs.AppsFirst(i))
		v.lists.Add(kind, from.listOf(c, a.list))
	}
	a.views++
}

// seeTotal adds a view that the status of the pod sums up itself.
func (a *amounts) seeTotal(total corev1.ResourceList) {
	v := &a.view[a.views]
	v.isTotal, v.total = true, total
	a.views++
}

// source says where to look for the list of a container. The zero value is its spec.
type source struct {
	// status, if set, is where to look for a container before its spec.
	status *corev1.PodStatus
	// actuated looks for what is in effect before what is set aside.
	actuated bool
	// infeasible: the spec asks for what the node refused, and does not count.
	infeasible bool
}

// listOf returns the list of a container that counts.
func (s *source) listOf(c *corev1.Container, list podwalk.List) corev1.ResourceList {
	if s.status != nil {
		if status := statusOf(s.status, c.Name); status != nil {
			if s.actuated && status.Resources != nil {
				if actuated := list.Of(status.Resources); actuated != nil {
					return actuated
				}
			}
			if list == podwalk.Requests && status.AllocatedResources != nil {
				return status.AllocatedResources
			}
		}
		if s.infeasible {
			return nil
		}
	}
	return list.Of(&c.Resources)
}

// statusOf returns the first status of a container with the given name, app
// containers before init containers, and nil where there is none.
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
