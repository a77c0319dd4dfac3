package solver_test

import (
	"errors"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

func TestContradicted(t *testing.T) {
	noClass := inputOf(left("requests.cpu", "1", "limits.memory", "1"))
	noClass.Quotas[0].Spec.Scopes = []corev1.ResourceQuotaScope{corev1.ResourceQuotaScopeNotBestEffort}
	unknown := solver.Input{Quotas: []*corev1.ResourceQuota{{Spec: corev1.ResourceQuotaSpec{Hard: list("pods", "1")}}}}
	for _, test := range []struct {
		name string
		spec *corev1.PodSpec
		in   solver.Input
		want string
	}{
		{"no spec", nil, solver.Input{}, "[] <nil>"},
		{"a solution", pod("app cpu 1 -"), inputOf(left("requests.cpu", "1")), "[] <nil>"},
		{"one of two resources", pod("app cpu 2 -"), inputOf(left("requests.cpu", "1", "requests.memory", "1")), "[cpu] <nil>"},
		{"by name, not by the number of bounds", pod("app cpu 2 -", "app memory -1 -"), inputOf(left("requests.cpu", "1")), "[cpu memory] <nil>"},
		{"a quota of pods that are not BestEffort", pod("app cpu - -"), noClass, "[] <nil>"},
		{"a pod that is not BestEffort", pod("app cpu 2 -"), noClass, "[cpu] <nil>"},
		{"a quota without a status", pod("app cpu 2 1"), unknown, "[] ResourceQuota: status: does not say how much is used"},
	} {
		t.Run(test.name, func(t *testing.T) {
			names, err := solver.Contradicted(test.spec, test.in)
			testkit.Equal(t, fmt.Sprint(names, " ", err), test.want)
		})
	}
}

// The resources are those of the conflicts of Solve.
func TestContradictedIsThatOfSolve(t *testing.T) {
	contradictions := 0
	rapid.Check(t, func(t *rapid.T) {
		spec, objects := slowCases(2, rapid.Bool().Draw(t, "pod level")).Draw(t, "case").given()
		in := inputOf(objects)
		got, err := solver.Contradicted(spec, in)
		testkit.OK(t, err)
		testkit.Contract(t, func() any {
			names, err := solver.Contradicted(spec, in)
			return []any{names, err}
		}, spec, in)
		_, err = solver.Solve(spec, in)
		var conflicts *solver.ConflictError
		if !errors.As(err, &conflicts) {
			testkit.Equal(t, len(got), 0)
			return
		}
		contradictions++
		want := map[corev1.ResourceName]bool{}
		for _, c := range conflicts.Conflicts {
			want[c.Resource] = true
		}
		testkit.Equal(t, len(got), len(want))
		for _, name := range got {
			testkit.Equal(t, want[name], true)
		}
	})
	if contradictions == 0 {
		t.Error("no contradiction")
	}
}
