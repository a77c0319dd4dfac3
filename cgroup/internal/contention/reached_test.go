package contention_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/cgroup/internal/contention"
	"github.com/kubemath/kubemath/internal/testkit"
)

// The generator of the property tests draws groups that get all that they can use, groups that get
// less, and capacity that nobody can use.
func TestDrawsReachEveryRule(t *testing.T) {
	testkit.Reached(t, 300, func(t *rapid.T) (reached []string) {
		root, capacity := tree(3).Draw(t, "tree"), amount(60).Draw(t, "capacity")
		share := contention.Divide(capacity, root)
		if share.CPU.Cmp(capacity) < 0 {
			reached = append(reached, "capacity is left unused")
		}
		var visit func(g group, s contention.Share, depth int)
		visit = func(g group, s contention.Share, depth int) {
			if depth == 3 {
				reached = append(reached, "three levels")
			}
			saturated, hungry := 0, 0
			for i, c := range g.Children {
				switch {
				case c.Most == nil:
					reached = append(reached, "an unbounded group")
					hungry++
				case s.Children[i].CPU.Cmp(c.Most) == 0:
					reached = append(reached, "a group gets all that it can use")
					saturated++
				default:
					reached = append(reached, "a group gets less than it can use")
					hungry++
				}
				visit(c, s.Children[i], depth+1)
			}
			if saturated > 0 && hungry > 1 {
				reached = append(reached, "several groups divide what others leave")
			}
		}
		visit(root, share, 0)
		return reached
	},
		"a group gets all that it can use", "a group gets less than it can use", "an unbounded group", "capacity is left unused",
		"several groups divide what others leave", "three levels",
	)
}
