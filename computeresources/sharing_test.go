package computeresources_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// surroundings are what a pod spec may share lists with.
type surroundings struct {
	Config  []corev1.ResourceList // of a controller
	Changes []computeresources.Change
}

func sharedSpec(t *rapid.T) (corev1.PodSpec, surroundings) {
	q := testkit.Quantity()
	spec := testkit.SpecWith(q).Draw(t, "spec")
	others := surroundings{
		Config: []corev1.ResourceList{testkit.ResourceList(q).Draw(t, "config"), testkit.ResourceList(q).Draw(t, "config")},
	}
	refs := []computeresources.Ref{{Kind: computeresources.Pod}}
	for ref := range computeresources.Containers(spec) {
		refs = append(refs, ref)
	}
	for range rapid.IntRange(0, 6).Draw(t, "changes") {
		c := computeresources.Change{
			Ref:      rapid.SampledFrom(refs).Draw(t, "ref"),
			List:     rapid.SampledFrom([]computeresources.List{computeresources.Requests, computeresources.Limits}).Draw(t, "list"),
			Resource: rapid.SampledFrom(testkit.ResourceNames).Draw(t, "resource"),
		}
		if rapid.IntRange(0, 2).Draw(t, "remove") > 0 {
			to := q.Draw(t, "to")
			c.To = &to
		}
		others.Changes = append(others.Changes, c)
	}
	return *spec, others
}

func TestSharedLists(t *testing.T) {
	t.Run("ApplyChanges", func(t *testing.T) {
		testkit.Applies(t, sharedSpec, func(spec *corev1.PodSpec, others surroundings) any {
			return computeresources.ApplyChanges(spec, others.Changes)
		})
	})
	t.Run("ApplyRequestDefaults", func(t *testing.T) {
		testkit.Applies(t, sharedSpec, func(spec *corev1.PodSpec, _ surroundings) any {
			return computeresources.ApplyRequestDefaults(spec, computeresources.Gates{})
		})
	})
	t.Run("ApplyResize", func(t *testing.T) {
		pods := func(t *rapid.T) (corev1.Pod, *corev1.Pod) {
			return *testkit.Pod().Draw(t, "pod"), testkit.Pod().Draw(t, "updated")
		}
		testkit.Applies(t, pods, func(pod, updated *corev1.Pod) any {
			computeresources.ApplyResize(pod, updated, computeresources.ResizeOptions{})
			return nil
		})
	})
}

// A controller assigns the lists of its configuration to every container. Changes of one container are
// not those of the others, nor of the configuration.
func TestApplyChangesToSharedLists(t *testing.T) {
	three := func(requests, limits corev1.ResourceList) *corev1.PodSpec {
		return &corev1.PodSpec{Containers: []corev1.Container{
			testkit.Container("a", requests, limits), testkit.Container("b", requests, limits), testkit.Container("c", requests, limits),
		}}
	}
	change := func(index int, name string, list computeresources.List, resourceName corev1.ResourceName, to string) computeresources.Change {
		c := computeresources.Change{Ref: computeresources.Ref{Kind: computeresources.App, Index: index, Name: name}, List: list, Resource: resourceName}
		if to != "" {
			q := resource.MustParse(to)
			c.To = &q
		}
		return c
	}
	type lists struct{ requests, limits corev1.ResourceList }
	config := list("cpu", "1")
	both := list("cpu", "1", "example.com/gpu", "1")
	tests := []struct {
		name    string
		spec    *corev1.PodSpec
		changes []computeresources.Change
		want    []lists
	}{
		{"requests of three containers", three(config, nil), []computeresources.Change{
			change(0, "a", computeresources.Requests, "cpu", "334m"),
			change(1, "b", computeresources.Requests, "cpu", "333m"),
			change(2, "c", computeresources.Requests, "cpu", "333m"),
		}, []lists{{list("cpu", "334m"), nil}, {list("cpu", "333m"), nil}, {list("cpu", "333m"), nil}}},
		{"requests that are the limits", three(config, config), []computeresources.Change{
			change(1, "b", computeresources.Limits, "cpu", "2"),
		}, []lists{{config, config}, {config, list("cpu", "2")}, {config, config}}},
		{"a removed limit", three(nil, both), []computeresources.Change{
			change(1, "b", computeresources.Limits, "cpu", ""),
		}, []lists{{nil, both}, {nil, list("example.com/gpu", "1")}, {nil, both}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if err := computeresources.ApplyChanges(test.spec, test.changes); err != nil {
				t.Fatal(err)
			}
			for i, want := range test.want {
				got := test.spec.Containers[i].Resources
				expectList(t, got.Requests, want.requests)
				expectList(t, got.Limits, want.limits)
			}
			expectList(t, config, list("cpu", "1"))
			expectList(t, both, list("cpu", "1", "example.com/gpu", "1"))
		})
	}
}

func expectList(t *testing.T, got, want corev1.ResourceList) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
