package ordering_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

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

// Pods sort by namespace, name and UID.
func TestPods(t *testing.T) {
	var sorted []*corev1.Pod
	for _, meta := range []metav1.ObjectMeta{
		{Namespace: "a", Name: "z", UID: "9"}, {Namespace: "b", Name: "x", UID: "8"},
		{Namespace: "b", Name: "y", UID: "1"}, {Namespace: "b", Name: "y", UID: "2"},
	} {
		sorted = append(sorted, &corev1.Pod{ObjectMeta: meta})
	}
	for i, a := range sorted {
		for j, b := range sorted {
			testkit.Equal(t, ordering.Pods(a, b), max(-1, min(1, i-j)), a.ObjectMeta, "against", b.ObjectMeta)
			of := types.NamespacedName{Namespace: b.Namespace, Name: b.Name}
			if i < 2 || j < 2 { // the others differ in their UIDs
				testkit.Equal(t, ordering.Names(types.NamespacedName{Namespace: a.Namespace, Name: a.Name}, of), max(-1, min(1, i-j)), a.ObjectMeta, "against", of)
			}
		}
	}
}

// Objects without a creation time are the newest.
func TestAges(t *testing.T) {
	var sorted []*corev1.Pod
	for _, second := range []int64{1, 2, 0} {
		p := &corev1.Pod{}
		if second > 0 {
			p.CreationTimestamp = metav1.Unix(second, 0)
		}
		sorted = append(sorted, p)
	}
	for i, a := range sorted {
		for j, b := range sorted {
			testkit.Equal(t, ordering.Ages(a, b), max(-1, min(1, i-j)), i, "against", j)
		}
	}
}

func TestTrueFirst(t *testing.T) {
	testkit.Equal(t, ordering.TrueFirst(true, false), -1)
	testkit.Equal(t, ordering.TrueFirst(false, true), 1)
	testkit.Equal(t, ordering.TrueFirst(true, true), 0)
	testkit.Equal(t, ordering.TrueFirst(false, false), 0)
}
