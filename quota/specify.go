package quota

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// MissingRequired is a resource that a quota limits, and that some containers of a pod state
// no amount of.
type MissingResource struct {
	Resource   corev1.ResourceName // as the quota names it: cpu, requests.cpu, limits.cpu …
	Containers []string            // sorted, each name once
}

// String returns it in the form `limits.cpu for: app,proxy`.
func (u MissingResource) String() string {
	return fmt.Sprintf("%s for: %s", u.Resource, strings.Join(u.Containers, ","))
}

// MissingRequired returns which of the resources that a quota names a pod has to state and
// does not, by name: if a quota limits cpu or memory, every container has to state the
// request, or the limit, init containers and sidecars included. Zero is an amount. A pod
// that states cpu, memory or hugepages as a whole has nothing else to state. Other
// resources, and other kinds of objects, do not have to state anything: nil.
//
// Source: podEvaluator.Constraints of k8s.io/kubernetes/pkg/quota/v1/evaluator/core.
func (o Object) MissingRequired(names []corev1.ResourceName) []MissingResource {
	if o.pod == nil || !o.podOptions.IgnorePodLevel && statesAsWhole(o.pod.Spec.Resources) {
		return nil
	}
	names = slices.Clone(names)
	slices.Sort(names)
	var unspecified []MissingResource
	for _, name := range slices.Compact(names) {
		stated, limits, ok := hasToBeStated(name)
		if !ok {
			continue
		}
		if without := containersWithout(&o.pod.Spec, stated, limits); len(without) > 0 {
			unspecified = append(unspecified, MissingResource{name, without})
		}
	}
	return unspecified
}

// hasToBeStated returns what containers have to state for a quota that limits a resource,
// and whether as a limit.
func hasToBeStated(name corev1.ResourceName) (stated corev1.ResourceName, limits, ok bool) {
	if stated, ok = resourcelist.RequestOfQuota(name); !ok {
		stated, limits = resourcelist.LimitOfQuota(name)
	}
	return stated, limits, stated == corev1.ResourceCPU || stated == corev1.ResourceMemory
}

func containersWithout(spec *corev1.PodSpec, name corev1.ResourceName, limits bool) []string {
	var without []string
	for _, container := range computeresources.Containers(spec) {
		list := container.Resources.Requests
		if limits {
			list = container.Resources.Limits
		}
		if _, stated := list[name]; !stated {
			without = append(without, container.Name)
		}
	}
	slices.Sort(without)
	return slices.Compact(without)
}

func statesAsWhole(r *corev1.ResourceRequirements) bool {
	return r != nil && (resourcelist.AnyPodLevel(r.Requests) || resourcelist.AnyPodLevel(r.Limits))
}
