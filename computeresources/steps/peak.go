package steps

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/sequential"
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

// oneAtATime returns spec with all steps replaced by one container that has the largest amount of each.
// It has no limit for a resource if one of the steps has none and may then use what the node has. All
// else is shared with spec.
func oneAtATime(spec *corev1.PodSpec, isStep Predicate) *corev1.PodSpec {
	if spec == nil || isStep == nil {
		return spec
	}
	var stepList []*corev1.Container
	own := *spec
	own.Containers = sequential.OneAtATime(spec.Containers, func(i int, c *corev1.Container) bool {
		ref := computeresources.Ref{Kind: computeresources.App, Index: i, Name: c.Name}
		if !isStep(ref, c) {
			return false
		}
		stepList = append(stepList, c)
		return true
	})
	if len(stepList) > 0 {
		removeUnbound(own.Containers[len(own.Containers)-1].Resources.Limits, stepList)
	}
	return &own
}

// removeUnbound removes from the limits of all steps together those of cpu, memory and
// ephemeral-storage that one of them lacks.
func removeUnbound(limits corev1.ResourceList, stepList []*corev1.Container) {
	for _, name := range [...]corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage} {
		if slices.ContainsFunc(stepList, func(c *corev1.Container) bool { return !states(c.Resources.Limits, name) }) {
			delete(limits, name)
		}
	}
}
