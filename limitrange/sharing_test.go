package limitrange_test

import (
	"testing"

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
