package solver_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

// The generators of the property tests reach solutions with and without changes, and conflicts of
// each rule.
func TestDrawsReachEveryRule(t *testing.T) {
	testkit.Reached(t, 600, func(t *rapid.T) (reached []string) {
		note := func(what string, solution solver.Solution, err error) {
			var conflict *solver.ConflictError
			switch {
			case errors.As(err, &conflict):
				for _, c := range conflict.Conflicts {
					if len(c.Values) > 2 {
						reached = append(reached, what+": a conflict of several")
					}
					for _, v := range c.Values {
						reached = append(reached, what+": a conflict with "+v.Bound.String())
					}
				}
			case err != nil:
				reached = append(reached, what+": invalid input")
			default:
				if len(solution.Changes) == 0 {
					reached = append(reached, what+": solved as it is")
				}
				for _, c := range solution.Changes {
					reached = append(reached, what+": sets a "+c.List.String()+" of a "+c.Ref.Kind.String())
				}
			}
		}
		c := slowCases(3, rapid.Bool().Draw(t, "pod level")).Draw(t, "case")
		spec, p := c.given()
		solution, err := solver.SolveObjects(spec, p)
		note("case", solution, err)
		small, in := smallNamespace(t)
		solution, err = solver.Solve(small, in)
		note("namespace", solution, err)
		for _, floor := range in.Floors {
			if err == nil && floor.Requests != nil {
				reached = append(reached, "namespace: a floor is met")
			}
		}
		large, objects := problems(t, testkit.Ordinary())
		solution, err = solver.SolveObjects(large, objects)
		note("problem", solution, err)
		return reached
	},
		"case: a conflict of several", "case: a conflict with min", "case: a conflict with max", "case: a conflict with maxLimitRequestRatio",
		"case: a conflict with remaining", "case: a conflict with request", "case: a conflict with limit",
		"case: sets a request of a container", "case: sets a limit of a container", "case: sets a request of a init container", "case: sets a limit of a init container",
		"case: sets a request of a sidecar", "case: sets a limit of a sidecar", "case: solved as it is",
		"namespace: a conflict with min", "namespace: a conflict with max", "namespace: a conflict with remaining", "namespace: a conflict with request",
		"namespace: sets a request of a container", "namespace: sets a limit of a container", "namespace: sets a request of a init container",
		"namespace: a floor is met", "namespace: solved as it is",
		"problem: a conflict with request", "problem: a conflict with limit", "problem: a conflict with min", "problem: a conflict with max", "problem: a conflict with remaining",
		"problem: sets a request of a pod", "problem: sets a request of a container", "problem: sets a limit of a container", "problem: sets a request of a sidecar",
	)
}
