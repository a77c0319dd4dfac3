package limitrange_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
)

const (
	container = corev1.LimitTypeContainer
	pod       = corev1.LimitTypePod
	claim     = corev1.LimitTypePersistentVolumeClaim
)

// list is a ResourceList of names and amounts in turn.
func list(pairs ...string) corev1.ResourceList { return testkit.List(pairs...) }

func quantity(s string) resource.Quantity { return resource.MustParse(s) }

// limitRange is a LimitRange of namespace team.
func limitRange(name string, items ...corev1.LimitRangeItem) *corev1.LimitRange {
	lr := &corev1.LimitRange{Spec: corev1.LimitRangeSpec{Limits: items}}
	lr.Namespace, lr.Name = "team", name
	return lr
}

// tektonRanges are the two of the document "Compute Resources in Tekton".
func tektonRanges() []*corev1.LimitRange {
	return []*corev1.LimitRange{
		limitRange("limitrange-1", corev1.LimitRangeItem{
			Type: container, Default: list("cpu", "2"), DefaultRequest: list("cpu", "750m"), Max: list("cpu", "3"), Min: list("cpu", "500m"),
		}),
		limitRange("limitrange-2", corev1.LimitRangeItem{
			Type: container, Default: list("cpu", "1.5"), DefaultRequest: list("cpu", "1"), Max: list("cpu", "2.5"), Min: list("cpu", "300m"),
		}),
	}
}

func app(index int, name string) computeresources.Ref {
	return computeresources.Ref{Kind: computeresources.App, Index: index, Name: name}
}

func withContainers(containers ...corev1.Container) *corev1.PodSpec {
	return &corev1.PodSpec{Containers: containers}
}

// permutations returns values in all orders.
func permutations[T any](values []T) [][]T {
	if len(values) == 0 {
		return [][]T{nil}
	}
	var all [][]T
	for i, first := range values {
		rest := append(append([]T{}, values[:i]...), values[i+1:]...)
		for _, others := range permutations(rest) {
			all = append(all, append([]T{first}, others...))
		}
	}
	return all
}

// sourceIn returns an item of a LimitRange of limitRange.
func sourceIn(name string, item int) computeresources.Source {
	return computeresources.Source{Kind: "LimitRange", Namespace: "team", Name: name, Field: fmt.Sprintf("spec.limits[%d]", item)}
}

// admission is what the API server and a policy set in a new pod, and what is wrong with it then.
type admission struct {
	Spec                *corev1.PodSpec
	Defaulted, Defaults []computeresources.Change
	Invalid             computeresources.Problems[*computeresources.InvalidResource]
	Violations          computeresources.Problems[*limitrange.Violation]
}

func admit(policy *limitrange.Policy, spec *corev1.PodSpec) admission {
	own := spec.DeepCopy()
	return admission{
		Spec:       own,
		Defaulted:  computeresources.ApplyRequestDefaults(own, computeresources.Kubernetes{}),
		Defaults:   policy.ApplyDefaults(own),
		Invalid:    computeresources.Validate(nil, own, computeresources.Kubernetes{}),
		Violations: policy.Validate(nil, own),
	}
}
