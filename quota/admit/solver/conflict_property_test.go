package solver_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

func TestContradictionEqualsSlow(t *testing.T) {
	t.Run("containers", func(t *testing.T) { checkSmallest(t, false) })
	t.Run("pod level", func(t *testing.T) { checkSmallest(t, true) })
}

func checkSmallest(t *testing.T, whole bool) {
	sizes := map[int]int{}
	check := func(t *rapid.T) {
		c := slowCases(2, whole).Draw(t, "case")
		spec, p := c.given()
		_, err := solver.SolveObjects(spec, p)
		var found *solver.ConflictError
		if !errors.As(err, &found) {
			return
		}
		var got, want []string
		for _, constraint := range found.Conflicts[0].Values {
			got = append(got, constraint.String())
		}
		for _, s := range c.smallest() {
			want = append(want, c.text(s))
		}
		sizes[len(got)]++
		testkit.NoDiff(t, got, want, "kinds", c.kinds)
	}
	rapid.Check(t, func(t *rapid.T) {
		for range 10 { // many small cases
			check(t)
		}
	})
	if !testing.Short() && (sizes[1] == 0 || sizes[2] == 0) {
		t.Errorf("contradictions by size: %v", sizes)
	}
}

// The values of a conflict contradict each other, and without any one of them they do not.
func TestContradictionIsIrreducible(t *testing.T) {
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		// Whole amounts, since the unit follows from all amounts that are set.
		spec, p := problems(t, testkit.Bytes())
		spec.Resources = nil
		_, err := solver.SolveObjects(spec, p)
		var unsolvable *solver.ConflictError
		if !errors.As(err, &unsolvable) {
			return
		}
		for _, c := range unsolvable.Conflicts {
			if strings.HasPrefix(string(c.Resource), corev1.ResourceHugePagesPrefix) {
				continue
			}
			found++
			for without := -1; without < len(c.Values); without++ {
				only, onlyP := restated(spec, p, c.Values, without)
				_, err := solver.SolveObjects(only, onlyP)
				if (err == nil) != (without >= 0) {
					t.Fatalf("%v\nwithout %d: %v", c, without, err)
				}
			}
		}
	})
	if !testing.Short() && found == 0 {
		t.Error("nothing contradicted itself")
	}
}

// restated returns the containers of a spec with nothing but the constraints, all but one. As many pods as before share
// a quota.
func restated(spec *corev1.PodSpec, of solver.Objects, constraints []limitrange.BoundValue, without int) (*corev1.PodSpec, solver.Objects) {
	only, p := spec.DeepCopy(), solver.Objects{}
	only.Overhead = nil
	var parts []computeresources.Ref
	for ref := range computeresources.Containers(only) {
		parts = append(parts, ref)
	}
	all := requirementsOf(only)
	for _, r := range all {
		*r = corev1.ResourceRequirements{Requests: corev1.ResourceList{}, Limits: corev1.ResourceList{}}
	}
	for i, c := range constraints {
		if i == without {
			continue
		}
		list := corev1.ResourceList{c.Resource: c.Amount.DeepCopy()}
		item := corev1.LimitRangeItem{Type: c.Type}
		switch c.Bound {
		case limitrange.Request:
			all[slices.Index(parts, c.Ref)].Requests[c.Resource] = c.Amount.DeepCopy()
			continue
		case limitrange.Limit:
			all[slices.Index(parts, c.Ref)].Limits[c.Resource] = c.Amount.DeepCopy()
			continue
		case limitrange.Overhead:
			only.Overhead = list
			continue
		case limitrange.Remaining:
			p.Budgets = append(p.Budgets, solver.Budget{Source: c.Source, Remaining: list, Replicas: of.Budgets[0].Replicas})
			continue
		case limitrange.Min:
			item.Min = list
		case limitrange.Max:
			item.Max = list
		case limitrange.Ratio:
			item.MaxLimitRequestRatio = list
		case limitrange.DefaultLimit:
			item.Default = list
		case limitrange.DefaultRequest:
			item.DefaultRequest = list
		}
		p.Items = append(p.Items, solver.RangeItem{Source: c.Source, Item: item})
	}
	return only, p
}
