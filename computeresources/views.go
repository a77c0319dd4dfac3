package computeresources

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/resourcename"
)

// This file decides which views of a pod count. Without a status there is one, its spec.
// While a running pod is resized in place, the greatest of three counts: what the spec
// asks for (unless the node has refused it), what is in effect, and, for requests, what
// the node has set aside.

// readRequests finds what counts for the requests of a pod.
func (a *amounts) readRequests(spec *corev1.PodSpec, opts *Options) {
	infeasible := opts.Status != nil && resizeInfeasible(opts.Status)
	if !opts.ExcludeOverhead {
		a.overhead = spec.Overhead
	}
	if own := spec.Resources; own != nil && !opts.IgnorePodLevel && resourcename.AnyPodLevel(own.Requests) {
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
	a.limits = true
	infeasible := opts.Status != nil && resizeInfeasible(opts.Status)
	if !opts.ExcludeOverhead {
		a.overhead = spec.Overhead
	}
	if own := spec.Resources; own != nil && !opts.IgnorePodLevel && (resourcename.AnyPodLevel(own.Requests) || resourcename.AnyPodLevel(own.Limits)) {
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
		a.see(spec, source{limits: true}, nil, opts.ClaimedFromNode)
	}
	if opts.Status == nil {
		return
	}
	// Limits in effect include claims already.
	if status := opts.podLevelStatus(); status != nil && status.Resources.Limits != nil {
		a.seeTotal(status.Resources.Limits)
		return
	}
	a.see(spec, source{limits: true, status: opts.Status, actuated: true, infeasible: infeasible}, nil, nil)
}

// see adds a view of the containers of a pod.
func (a *amounts) see(spec *corev1.PodSpec, from source, missing, claimed corev1.ResourceList) {
	v := &a.view[a.views]
	v.spec, v.source, v.missing, v.claimed = spec, from, missing, claimed
	v.count()
	a.views++
}

// seeTotal adds a view that the status of the pod sums up itself.
func (a *amounts) seeTotal(total corev1.ResourceList) {
	v := &a.view[a.views]
	v.isTotal, v.total = true, total
	a.views++
}
