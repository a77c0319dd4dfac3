package computeresources

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/release"
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

	views   [views]view
	missing corev1.ResourceList // replaces requests that a container does not set

	omitsPartial  bool // limits of cpu and memory that a container lacks: see lacksLimit
	claimsEachOne bool // claims are added to limits that no container sets

	// podLevel are the pod-level lists. The maximum of their amounts counts if the pod sets any
	// pod-level resource.
	podLevel    [views]corev1.ResourceList
	setPodLevel bool
	overhead    corev1.ResourceList
}

// view has what counts of the containers in one view. A view without a total that is not by container does not count.
type view struct {
	byContainer bool                // it is the sum over the containers
	total       corev1.ResourceList // it is this total, which the status of the pod has, if that is not nil
	claimed     corev1.ResourceList // is added to the sum of the containers
}

// readPod finds the lists that count for one list of a pod. Before, r is the zero value. It reads no status without
// resources. (Negative claims count less for a status than for a spec, even for such a status.)
func (r *reading) readPod(pod *corev1.Pod, list podwalk.List, opts *Options) {
	if pod == nil {
		return
	}
	status := &pod.Status
	if len(opts.ClaimedFromNode) == 0 && len(status.ContainerStatuses) == 0 && len(status.InitContainerStatuses) == 0 &&
		status.Resources == nil && pendingResize(status) != corev1.PodReasonInfeasible {
		status = nil
	}
	r.read(&pod.Spec, status, list, opts)
}

// read is readPod for a spec, and a status that may be nil.
func (r *reading) read(spec *corev1.PodSpec, status *corev1.PodStatus, list podwalk.List, opts *Options) {
	if opts.IgnoreInitContainers {
		spec = podwalk.SpecWithoutInit(spec)
	}
	if opts.CPUName != "" || opts.MemoryName != "" {
		names := podwalk.Names{CPU: opts.CPUName, Memory: opts.MemoryName}
		spec, status = names.Spec(spec), names.Status(status)
	}
	r.list, r.spec, r.status = list, spec, status
	if spec == nil {
		return
	}
	if list == podwalk.Limits {
		r.omitsPartial = release.Rules(opts.Kubernetes).OmitsPartialLimits()
		r.claimsEachOne = release.Rules(opts.Kubernetes).AddsClaimsToEveryLimit()
	}
	r.infeasible = status != nil && pendingResize(status) == corev1.PodReasonInfeasible
	if !opts.ExcludeOverhead {
		r.overhead = spec.Overhead
	}
	var ofPod *corev1.PodStatus // the status if it counts at pod level and has actuated resources
	if status != nil && status.Resources != nil && release.Rules(opts.Kubernetes).ResizesPodLevel() {
		ofPod = status
	}
	if own := spec.Resources; own != nil && !opts.IgnorePodLevel && release.Rules(opts.Kubernetes).CountsPodLevel() {
		r.setPodLevel = resourcename.AnyPodLevel(own.Requests) ||
			list == podwalk.Limits && resourcename.AnyPodLevel(own.Limits)
	}
	if r.setPodLevel {
		r.readPodLevel(ofPod, ofPod != nil && !release.Rules(opts.Kubernetes).ComparesSumsOfResize())
	}
	if !opts.IgnoreContainers {
		r.readContainers(ofPod, opts)
	}
}

// readPodLevel finds the pod-level lists that count. ofPod is the status if it counts at pod level, and otherwise nil.
func (r *reading) readPodLevel(ofPod *corev1.PodStatus, maxima bool) {
	own := r.list.Of(r.spec.Resources)
	switch {
	case ofPod == nil:
		r.podLevel[desired] = own
	case maxima:
		r.podLevel[desired] = r.podLevelMaxima(own, ofPod)
	default:
		r.podLevel = r.listsBeside(own, ofPod.Resources, ofPod.AllocatedResources)
	}
}

// listsBeside returns the lists that count where a status has resources.
func (r *reading) listsBeside(
	own corev1.ResourceList, inEffect *corev1.ResourceRequirements, reserved corev1.ResourceList,
) (of [views]corev1.ResourceList) {
	if !r.infeasible {
		of[desired] = own
	}
	of[actuated] = r.list.Of(inEffect)
	if r.list == podwalk.Requests {
		of[allocated] = reserved
	}
	return of
}

// readContainers finds what counts of the containers, or the totals that the status of the pod has of
// them.
func (r *reading) readContainers(ofPod *corev1.PodStatus, opts *Options) {
	requests := r.list == podwalk.Requests
	if requests {
		r.missing = opts.MissingRequests
	}
	if len(opts.ClaimedFromNode) > 0 && (requests || release.Rules(opts.Kubernetes).ComparesSumsOfResize()) {
		r.views[desired].claimed = opts.ClaimedFromNode
	}
	r.maxima = r.status != nil && !release.Rules(opts.Kubernetes).ComparesSumsOfResize()
	r.views[desired].byContainer = r.maxima || !r.infeasible
	if r.status == nil || r.maxima {
		return
	}
	if ofPod != nil && !opts.IgnoreInitContainers && r.list.Of(ofPod.Resources) != nil &&
		(!requests || ofPod.AllocatedResources != nil) {
		// The totals of a pod's status include claims already.
		r.views[actuated].total = r.list.Of(ofPod.Resources)
		if requests {
			r.views[allocated].total = ofPod.AllocatedResources
		}
		return
	}
	// What is in effect includes claims, since it is read back from cgroups.
	r.views[actuated].byContainer = true
	if requests {
		r.views[allocated] = view{byContainer: true, claimed: opts.ClaimedFromNode}
	}
}

// lists returns the list of a container in each view that counts by container, or with r.maxima those of which the
// maximum counts.
func (r *reading) lists(kind podwalk.Kind, c *corev1.Container) (of [views]corev1.ResourceList) {
	if r.maxima {
		return r.containerMaxima(kind, c)
	}
	of[desired] = r.list.Of(&c.Resources)
	if !r.views[actuated].byContainer {
		return of
	}
	if !r.infeasible {
		of[allocated] = of[desired]
	}
	status := r.statusOf(c.Name)
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

// statusOf returns the status of the container with the given name, and nil if there is none. Of several,
// it is the first one, app containers before init containers, or with r.maxima the last one.
func (r *reading) statusOf(name string) (of *corev1.ContainerStatus) {
	for _, list := range [...][]corev1.ContainerStatus{r.status.ContainerStatuses, r.status.InitContainerStatuses} {
		for i := range list {
			if list[i].Name == name {
				of = &list[i]
				if !r.maxima {
					return of
				}
			}
		}
	}
	return of
}
