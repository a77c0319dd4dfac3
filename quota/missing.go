package quota

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/resourcename"
)

// MissingResource is a resource that a quota limits and that some containers of a pod do not set.
type MissingResource struct {
	Resource   corev1.ResourceName `json:"resource"`   // as the quota names it: cpu, requests.cpu, limits.cpu …
	Containers []string            `json:"containers"` // sorted, each name once
}

// MissingRequired returns which resources of a quota a pod is required to set and does not, sorted
// by name. If a quota limits requests or limits of cpu or memory, every container has to set them,
// including init containers and sidecars. An amount of zero is set. A pod with pod-level cpu,
// memory or hugepages does not have to set anything else. No other resource is required. The result
// is nil for other kinds of objects.
//
// Source: podEvaluator.Constraints of k8s.io/kubernetes/pkg/quota/v1/evaluator/core.
func (o Object) MissingRequired(names []corev1.ResourceName) []MissingResource {
	if o.pod == nil || !o.podOptions.IgnorePodLevel && resourcename.SetsPodLevel(&o.pod.Spec) {
		return nil
	}
	names = slices.Clone(names)
	slices.Sort(names)
	var missing []MissingResource
	for _, name := range slices.Compact(names) {
		list, resource, ok := required(name)
		if !ok {
			continue
		}
		if without := containersWithout(&o.pod.Spec, list, resource); len(without) > 0 {
			missing = append(missing, MissingResource{name, without})
		}
	}
	return missing
}

// lacksRequired reports whether MissingRequired of the names of a list is not empty.
func (o *Object) lacksRequired(hard corev1.ResourceList) bool {
	if o.pod == nil || !o.podOptions.IgnorePodLevel && resourcename.SetsPodLevel(&o.pod.Spec) {
		return false
	}
	for name := range hard {
		if list, resource, ok := required(name); ok && anyWithout(&o.pod.Spec, list, resource) {
			return true
		}
	}
	return false
}

// anyWithout reports whether a container does not set a resource.
func anyWithout(spec *corev1.PodSpec, list computeresources.List, resource corev1.ResourceName) bool {
	for _, container := range computeresources.Containers(spec) {
		if _, set := list.Of(&container.Resources)[resource]; !set {
			return true
		}
	}
	return false
}

// required returns the list and the resource that containers have to set if a quota limits name.
func required(name corev1.ResourceName) (list computeresources.List, resource corev1.ResourceName, ok bool) {
	list = computeresources.Requests
	if resource, ok = resourcelist.RequestOfQuota(name); !ok {
		list = computeresources.Limits
		resource, _ = resourcelist.LimitOfQuota(name)
	}
	return list, resource, resource == corev1.ResourceCPU || resource == corev1.ResourceMemory
}

// containersWithout returns the names of the containers that do not set a resource, sorted,
// each once.
func containersWithout(spec *corev1.PodSpec, list computeresources.List, resource corev1.ResourceName) []string {
	var without []string
	for _, container := range computeresources.Containers(spec) {
		if _, set := list.Of(&container.Resources)[resource]; !set {
			without = append(without, container.Name)
		}
	}
	slices.Sort(without)
	return slices.Compact(without)
}
