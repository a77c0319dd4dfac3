package solver_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/solver"
)

func TestSolveEqualsSlow(t *testing.T) {
	t.Run("containers", func(t *testing.T) { checkSlow(t, 3, false) })
	t.Run("pod as a whole", func(t *testing.T) { checkSlow(t, 3, true) })
}

func checkSlow(t *testing.T, containers int, whole bool) {
	solved, unsolved := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		c := slowCases(containers, whole).Draw(t, "case")
		spec, p := c.given()
		got, err := solver.Solve(spec, p)
		want := c.solve(c.stated)
		if (err == nil) != (want != nil) {
			t.Fatalf("kinds %v\nSolve: %+v, %v\nslow: %+v", c.kinds, got, err, want)
		}
		if want == nil {
			unsolved++
			return
		}
		solved++
		if diff := cmp.Diff(c.parts(want), partsAsText(got)); diff != "" {
			t.Fatalf("kinds %v\n-slow +Solve:\n%s", c.kinds, diff)
		}
	})
	t.Log(solved, unsolved)
	if solved < 10 || unsolved < 10 {
		t.Errorf("%d solved, %d not: too few of one", solved, unsolved)
	}
}

func (c *slowCase) parts(a *slowAssignment) []string {
	var parts []string
	text := func(q, l int) string {
		write := func(v int) string {
			if v == absent {
				return "-"
			}
			amount := c.quantity(v)
			return amount.String()
		}
		return write(q) + " " + write(l)
	}
	for i := range c.kinds {
		parts = append(parts, text(a.requests[i], a.limits[i]))
	}
	if c.statesWhole() {
		parts = append(parts, text(a.wholeRequest, a.wholeLimit))
	}
	return parts
}

func partsAsText(s solver.Solution) []string {
	var parts []string
	text := func(list corev1.ResourceList) string {
		for _, q := range list {
			return q.String()
		}
		return "-"
	}
	for _, part := range s.Parts {
		parts = append(parts, text(part.Requests)+" "+text(part.Limits))
	}
	return parts
}

// text writes a constraint as the solver does.
func (c *slowCase) text(s slowConstraint) string {
	q := c.quantity(s.amount)
	switch {
	case s.rule == solver.Ratio:
		q = resource.MustParse(fmt.Sprint(s.amount, "m"))
		fallthrough
	case s.rule < solver.Quota:
		return fmt.Sprintf("%s: %s %v %s %s", s.source, s.kind, s.rule, c.name, q.String())
	case s.rule == solver.Quota && s.limits:
		return fmt.Sprintf("%s: limits.%s %s left", s.source, c.name, q.String())
	case s.rule == solver.Quota:
		return fmt.Sprintf("%s: requests.%s %s left", s.source, c.name, q.String())
	case s.container < 0:
		return fmt.Sprintf("pod: %v %s %s", s.rule, c.name, q.String())
	}
	return fmt.Sprintf("%v c-%d: %v %s %s", c.kinds[s.container], s.container, s.rule, c.name, q.String())
}

func TestContradictionEqualsSlow(t *testing.T) {
	t.Run("containers", func(t *testing.T) { checkSmallest(t, false) })
	t.Run("pod as a whole", func(t *testing.T) { checkSmallest(t, true) })
}

func checkSmallest(t *testing.T, whole bool) {
	sizes := map[int]int{}
	rapid.Check(t, func(t *rapid.T) {
		c := slowCases(2, whole).Draw(t, "case")
		spec, p := c.given()
		_, err := solver.Solve(spec, p)
		var found solver.Contradictions
		if !errors.As(err, &found) {
			return
		}
		var got, want []string
		for _, constraint := range found[0].Constraints {
			got = append(got, constraint.String())
		}
		for _, s := range c.smallest() {
			want = append(want, c.text(s))
		}
		sizes[len(got)]++
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("kinds %v\n-slow +Solve:\n%s", c.kinds, diff)
		}
	})
	t.Log(sizes)
}
