package solver_test

import (
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/quota/admit/solver"
)

func TestRightSizeEqualsSlow(t *testing.T) {
	t.Run("containers", func(t *testing.T) { checkSlowSizes(t, 2, false, 3) })
	t.Run("three containers", func(t *testing.T) { checkSlowSizes(t, 3, false, 1) })
	t.Run("pod level", func(t *testing.T) { checkSlowSizes(t, 2, true, 3) })
}

func checkSlowSizes(t *testing.T, containers int, whole bool, cases int) {
	kept, gaveUp, unsolved, beyond := 0, 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		for range cases {
			c := slowSizes(containers, whole).Draw(t, "case")
			if len(c.recs) == 0 {
				continue // Solve
			}
			got, err := solver.RightSize(c.spec, c.recs, c.in)
			if err == nil && isBeyond(c.amounts(got.Parts)) {
				beyond++
				continue
			}
			want, without := c.size()
			if c.derivesWholeLimit() && err == nil && want != nil { // what is nearest is compared in 1.36
				requests, limits := c.amounts(got.Parts)
				if a := (&slowAssignment{requests: requests, limits: limits}); !c.allows(c.stated, a) {
					t.Fatalf("%v\nRightSize: %+v is not admitted", c.problem(), got.Parts)
				}
				continue
			}
			var conflict *solver.ConflictError
			if (err == nil) != (want != nil) || err != nil && !errors.As(err, &conflict) {
				t.Fatalf("%v\nRightSize: %+v, %v\nslow: %+v", c.problem(), got.Parts, err, want)
			}
			switch {
			case want == nil:
				unsolved++
				continue
			case without:
				gaveUp++
			default:
				kept++
			}
			c.normal(want.requests, want.limits)
			requests, limits := c.amounts(got.Parts)
			if got, want := fmt.Sprint(requests, limits), fmt.Sprint(want.requests, want.limits); got != want {
				t.Fatalf("%v\nRightSize %s\nslow      %s, ratios given up: %v", c.problem(), got, want, without)
			}
		}
	})
	t.Log(kept, "with ratios,", gaveUp, "without,", unsolved, "conflicts,", beyond, "beyond all that is tried")
	if beyond > 2+(kept+gaveUp)/20 { // of few, one or two are chance
		t.Errorf("%d of %d are beyond all that is tried", beyond, kept+gaveUp)
	}
	if !testing.Short() && (kept < cases || gaveUp < cases || unsolved < cases) {
		t.Errorf("%d with ratios, %d without, %d conflicts: too few of one", kept, gaveUp, unsolved)
	}
}
