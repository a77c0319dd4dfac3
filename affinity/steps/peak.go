package steps

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/quantity"
)

// PeakRequests returns what the containers of a pod that run at the same time request, if its steps
// run one after another: for each resource, the largest request of a step, plus the requests of all
// sidecars and of the app containers that are not steps; or, if it is larger, what an init container
// needs together with the sidecars started before it (KEP-753). Quotas and the scheduler count
// computeresources.SpecRequests instead, as if all app containers ran at the same time. Overhead is
// included, unless opts exclude it. Pod-level requests are reserved all the time, and are the same
// in both.
//
// Only app containers can be steps here: init containers always run one after another, and sidecars
// never do. Without steps, the result is that of computeresources.SpecRequests. The list is never
// nil. A nil spec has no requests.
func PeakRequests(spec *corev1.PodSpec, isStep Predicate, opts computeresources.Options) corev1.ResourceList {
	return computeresources.SpecRequests(oneAtATime(spec, isStep), opts)
}

// PeakLimits returns the most that a pod can use at the same time, if its steps run one after
// another: the limits by the formula of PeakRequests, and at most the pod-level limit. (Containers
// without a limit of hugepages may use the pod-level limit, so only that limit counts for
// hugepages.) A ResourceQuota on limits counts computeresources.SpecLimits before the pod runs.
//
// If a container has no limit of cpu, memory or ephemeral-storage, whether it is a step or not, and
// there is no pod-level limit either, the peak is unbounded, and the result does not contain the
// resource. Without steps, it is the result of computeresources.BindingLimits. The list is never
// nil. A nil spec has no limits.
func PeakLimits(spec *corev1.PodSpec, isStep Predicate, opts computeresources.Options) corev1.ResourceList {
	sequential := oneAtATime(spec, isStep)
	used := computeresources.BindingLimits(sequential, opts)
	ofContainers := opts
	ofContainers.IgnorePodLevel = true
	byContainers := computeresources.BindingLimits(sequential, ofContainers)
	for _, name := range [...]corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		q, asWhole := quantity.Find(byContainers, name), quantity.Find(used, name)
		if q != nil && (asWhole == nil || above(asWhole, q)) {
			used[name] = *q
		}
	}
	return used
}

// oneAtATime returns spec with all steps replaced by one container, the last one: it has the largest request
// and the largest limit of each resource that a step sets; of equal amounts, that of the first step. It has no
// limit for a resource if one of the steps has none and may then use what the node has. All else is shared
// with spec.
//
// Source: Tekton's "Compute Resources in Tekton", ResourceQuota Support.
func oneAtATime(spec *corev1.PodSpec, isStep Predicate) *corev1.PodSpec {
	if spec == nil || isStep == nil {
		return spec
	}
	var stepList []*corev1.Container
	var largest corev1.ResourceRequirements
	own := *spec
	own.Containers = nil
	for i := range spec.Containers {
		c := &spec.Containers[i]
		if !isStep(computeresources.Ref{Kind: computeresources.App, Index: i, Name: c.Name}, c) {
			own.Containers = append(own.Containers, *c)
			continue
		}
		stepList = append(stepList, c)
		largest.Requests = resourcelist.MaxInto(largest.Requests, largest.Requests, c.Resources.Requests)
		largest.Limits = resourcelist.MaxInto(largest.Limits, largest.Limits, c.Resources.Limits)
	}
	if len(stepList) == 0 {
		return spec
	}
	removeUnbound(largest.Limits, stepList)
	own.Containers = append(own.Containers, corev1.Container{Resources: largest})
	return &own
}

// removeUnbound removes from the limits of all steps together those of cpu, memory and
// ephemeral-storage that one of them lacks.
func removeUnbound(limits corev1.ResourceList, stepList []*corev1.Container) {
	for _, name := range [...]corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory,
		corev1.ResourceEphemeralStorage} {
		if slices.ContainsFunc(stepList, func(c *corev1.Container) bool { return !states(c.Resources.Limits, name) }) {
			delete(limits, name)
		}
	}
}
