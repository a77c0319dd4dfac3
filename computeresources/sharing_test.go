package computeresources_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
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
	spec := few(testkit.SpecWith(q).Draw(t, "spec"))
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
			spec := testkit.SpecWith(testkit.Quantity()) // the status of neither counts
			return corev1.Pod{Spec: *few(spec.Draw(t, "pod"))}, &corev1.Pod{Spec: *few(spec.Draw(t, "updated"))}
		}
		testkit.Applies(t, pods, func(pod, updated *corev1.Pod) any {
			computeresources.ApplyResize(pod, updated, computeresources.ResizeOptions{})
			return nil
		})
	})
}
