package quota

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/resourcename"
)

// MissingResource is a resource that a quota limits and that some containers of a pod do not set.
type MissingResource struct {
	Resource   corev1.ResourceName `json:"resource"`   // as the quota names it: cpu, requests.cpu, limits.cpu …
	Containers []string            `json:"containers"` // sorted, each name once; see Failure for another order
}

// MissingRequired returns which resources of a quota a pod is required to set and does not, sorted
// by name. If a quota limits requests or limits of cpu or memory, every container has to set them,
// including init containers and sidecars. An amount of zero is set. A pod with pod-level cpu,
// memory or hugepages does not have to set anything else. No other resource is required. The result
// is nil for other kinds of objects, and WithUsage.
//
// Source: podEvaluator.Constraints of k8s.io/kubernetes/pkg/quota/v1/evaluator/core.
func (o Object) MissingRequired(names []corev1.ResourceName) (missing []MissingResource) {
	names = slices.Clone(names)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		missing = o.appendMissing(missing, name)
	}
	return missing
}

// appendMissing appends a resource of a quota if containers are required to set it, and do not.
func (o *Object) appendMissing(missing []MissingResource, name corev1.ResourceName) []MissingResource {
	list, resource, ok := required(name)
	if !ok || o.pod == nil || o.usage != nil ||
		resourcename.SetsPodLevel(&o.pod.Spec) && release.Rules(o.podOptions.Kubernetes).CountsPodLevel() {
		return missing
	}
	var without []string
	for _, container := range computeresources.Containers(&o.pod.Spec) {
		if _, set := list.Of(&container.Resources)[resource]; !set {
			without = append(without, container.Name)
		}
	}
	if len(without) == 0 {
		return missing
	}
	slices.Sort(without)
	return append(missing, MissingResource{name, slices.Compact(without)})
}

// inOrderOfSpec sorts the containers of a pod as Capsule names them: app containers before init containers.
func (o *Object) inOrderOfSpec(missing []MissingResource) {
	var names []string
	for _, containers := range [][]corev1.Container{o.pod.Spec.Containers, o.pod.Spec.InitContainers} {
		for i := range containers {
			names = append(names, containers[i].Name)
		}
	}
	for _, m := range missing {
		slices.SortFunc(m.Containers, func(a, b string) int { return slices.Index(names, a) - slices.Index(names, b) })
	}
}

// required returns the list and the resource that containers have to set if a quota limits name.
func required(name corev1.ResourceName) (list computeresources.List, resource corev1.ResourceName, ok bool) {
	list = computeresources.Requests
	resource, ok = resourcename.RequestOfQuota(name)
	if !ok {
		list = computeresources.Limits
		resource, _ = resourcename.LimitOfQuota(name)
	}
	return list, resource, resource == corev1.ResourceCPU || resource == corev1.ResourceMemory
}
