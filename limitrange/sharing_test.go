package limitrange_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
)

// surroundings are LimitRanges, and the lists of a controller's configuration.
type surroundings struct {
	Ranges []*corev1.LimitRange
	Config []corev1.ResourceList
}

func TestSharedLists(t *testing.T) {
	draw := func(t *rapid.T) (corev1.PodSpec, surroundings) {
		q := quantities(t)
		return *testkit.SpecWith(q).Draw(t, "spec"), surroundings{
			Ranges: testkit.LimitRanges(q).Draw(t, "ranges"),
			Config: []corev1.ResourceList{testkit.ResourceList(q).Draw(t, "config")},
		}
	}
	t.Run("ApplyDefaults", func(t *testing.T) {
		testkit.Applies(t, draw, func(spec *corev1.PodSpec, others surroundings) any {
			return limitrange.Compile(others.Ranges, computeresources.Gates{}).ApplyDefaults(spec)
		})
	})
}

// A controller assigns the lists of its configuration to both containers, and the LimitRange has defaults
// for what they lack.
func TestApplyDefaultsToSharedLists(t *testing.T) {
	config := list("memory", "1Gi")
	spec := &corev1.PodSpec{Containers: []corev1.Container{
		testkit.Container("a", config, nil), testkit.Container("b", config, config),
	}}
	policy := limitrange.Compile([]*corev1.LimitRange{limitRange("defaults", corev1.LimitRangeItem{
		Type: container, Default: list("cpu", "2"), DefaultRequest: list("cpu", "1"),
	})}, computeresources.Gates{})
	set := policy.ApplyDefaults(spec)
	if len(set) != 4 {
		t.Errorf("set %v", set)
	}
	for i, want := range []corev1.ResourceRequirements{
		{Requests: list("cpu", "1", "memory", "1Gi"), Limits: list("cpu", "2")},
		{Requests: list("cpu", "1", "memory", "1Gi"), Limits: list("cpu", "2", "memory", "1Gi")},
	} {
		if diff := cmp.Diff(want, spec.Containers[i].Resources); diff != "" {
			t.Errorf("container %d (-want +got):\n%s", i, diff)
		}
	}
	if len(config) != 1 {
		t.Errorf("the configuration is %v", config)
	}
}
