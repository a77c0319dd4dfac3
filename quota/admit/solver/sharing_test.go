package solver_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

func TestSharedLists(t *testing.T) {
	draw := func(t *rapid.T) (corev1.PodSpec, solver.Input) {
		spec, in := smallNamespace(t)
		return *spec, in
	}
	testkit.Applies(t, draw, func(spec *corev1.PodSpec, in solver.Input) any {
		changes, err := solver.Apply(spec, in)
		return []any{changes, err}
	})
}
