package poolplan_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/poolplan"
)

// The generators of the property tests draw claims that need growth and claims that do not, and
// releases of one and of several claims.
func TestDrawsReachEveryRule(t *testing.T) {
	testkit.Reached(t, 400, func(t *rapid.T) (reached []string) {
		s, o := states(testkit.PoolAmounts(6)).Draw(t, "state"), pool.Options{API: pool.Documented}
		for _, c := range s.claims {
			queue := "in a queue: "
			if s.pool.Spec.Config.OrderedQueue {
				queue = "in order: "
			}
			if more, needs := poolplan.Growth(c.Key(), s.pool, s.claims); needs {
				reached = append(reached, fmt.Sprint(queue, min(len(more), 2), " resources have to grow"))
			} else {
				reached = append(reached, queue+"nothing has to grow")
			}
		}
		for _, overtaken := range poolplan.Overtaken(s.pool, s.claims, 9, o) {
			reached = append(reached, fmt.Sprint("overtaken: ", len(overtaken.By) > 0))
		}
		full := fullStates().Draw(t, "full")
		switch sets, waits := poolplan.Releases(full.pool, full.claims, o); {
		case !waits:
			reached = append(reached, "releases: no claim waits")
		case len(sets.Sets) == 0:
			reached = append(reached, "releases: none are enough")
		default:
			reached = append(reached, fmt.Sprint("releases: sets of ", min(len(sets.Sets[0]), 3)))
			if len(sets.Sets) > 1 {
				reached = append(reached, "releases: several sets")
			}
		}
		return reached
	},
		"in a queue: nothing has to grow", "in a queue: 1 resources have to grow", "in a queue: 2 resources have to grow",
		"in order: nothing has to grow", "in order: 1 resources have to grow", "in order: 2 resources have to grow",
		"overtaken: true", "overtaken: false",
		"releases: no claim waits", "releases: none are enough", "releases: sets of 1", "releases: sets of 2", "releases: several sets",
	)
}
