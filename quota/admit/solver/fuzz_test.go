package solver_test

import (
	"errors"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

// For any amounts and any objects, a pod with the solution is admitted, and solving again changes
// nothing. The values of a conflict contradict each other without any others.
func FuzzSolve(f *testing.F) {
	f.Add("100m", "1", "", "500m", "50m", "2", "2.007", "600m", "4", "3", "5", "1")
	f.Add("", "1.5Gi", "1Gi", "", "1n", "", "1", "", "", "1.5", "1E", "-1")
	f.Add("2", "1", "", "", "3", "2", "0.5", "9E", "-1", "0", "", "")
	f.Fuzz(func(t *testing.T, requestA, limitA, requestB, limitB, min, max, ratio, podMin, podMax, podRatio, requestsLeft, limitsLeft string) {
		given := func(name corev1.ResourceName, amount string) corev1.ResourceList {
			if q, ok := testkit.Parse(amount); ok {
				return corev1.ResourceList{name: q}
			}
			return nil
		}
		for _, name := range []corev1.ResourceName{"cpu", "memory", "ephemeral-storage", "example.com/gpu"} {
			spec := &corev1.PodSpec{
				Containers:     []corev1.Container{testkit.Container("a", given(name, requestA), given(name, limitA)), testkit.Container("free", nil, nil)},
				InitContainers: []corev1.Container{testkit.Sidecar("b", given(name, requestB), given(name, limitB)), testkit.Container("setup", nil, nil)},
			}
			p := solver.Objects{
				Items: []solver.RangeItem{
					{Source: source("range"), Item: corev1.LimitRangeItem{Type: "Container", Min: given(name, min), Max: given(name, max), MaxLimitRequestRatio: given(name, ratio)}},
					{Source: source("range"), Item: corev1.LimitRangeItem{Type: "Pod", Min: given(name, podMin), Max: given(name, podMax), MaxLimitRequestRatio: given(name, podRatio)}},
				},
				Budgets: []solver.Budget{{Source: source("quota"), Remaining: given("requests."+name, requestsLeft)}},
			}
			if name != "example.com/gpu" { // for which quotas count only requests
				p.Budgets = append(p.Budgets, solver.Budget{Source: source("quota"), Remaining: given("limits."+name, limitsLeft)})
			}
			checkSolved(t, spec, p)
		}
	})
}

func checkSolved(t *testing.T, spec *corev1.PodSpec, p solver.Objects) {
	_, err := solver.ApplyObjects(spec, p)
	var unsolvable *solver.ConflictError
	switch {
	case err == nil:
		if found := objections(spec, p); len(found) > 0 {
			t.Fatalf("%v", found)
		}
		if changes, err := solver.ApplyObjects(spec, p); len(changes) > 0 || err != nil {
			t.Fatalf("again: %v, %v", changes, err)
		}
	case errors.As(err, &unsolvable):
		for _, c := range unsolvable.Conflicts {
			only, onlyP := restated(spec, p, c.Values, -1)
			if _, err := solver.SolveObjects(only, onlyP); err == nil {
				t.Fatalf("%v has a solution", c)
			}
		}
	}
}
