package ordering_test

import (
	"testing"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/ordering"
	"github.com/kubemath/kubemath/internal/testkit"
)

// Parts sort in the order of the API server, regardless of their order before.
func TestRefs(t *testing.T) {
	sorted := []computeresources.Ref{
		{Kind: computeresources.App, Index: 0, Name: "b"},
		{Kind: computeresources.App, Index: 1, Name: "a"},
		{Kind: computeresources.App, Index: 1, Name: "b"},
		{Kind: computeresources.Sidecar, Index: 0, Name: "b"},
		{Kind: computeresources.Init, Index: 1, Name: "a"},
		{},
		{Kind: computeresources.Pod},
	}
	for i, a := range sorted {
		for j, b := range sorted {
			testkit.Equal(t, ordering.Refs(a, b), max(-1, min(1, i-j)), a, "against", b)
		}
	}
}

// Sources sort by kind, namespace and name, and items of a list by index, not as text.
func TestSources(t *testing.T) {
	sorted := []computeresources.Source{
		{},
		{Kind: "LimitRange", Namespace: "a", Name: "z", Field: "spec.limits[10]"},
		{Kind: "LimitRange", Namespace: "b", Name: "y", Field: "spec.limits[3]"},
		{Kind: "LimitRange", Namespace: "b", Name: "y", Field: "spec.limits[9]"},
		{Kind: "LimitRange", Namespace: "b", Name: "y", Field: "spec.limits[10]"},
		{Kind: "LimitRange", Namespace: "b", Name: "z", Field: "spec.limits[0]"},
		{Kind: "ResourceQuota", Namespace: "a", Name: "a"},
	}
	for i, a := range sorted {
		for j, b := range sorted {
			testkit.Equal(t, ordering.Sources(a, b), max(-1, min(1, i-j)), a, "against", b)
		}
	}
}
