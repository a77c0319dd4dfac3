package pool_test

import (
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/api/equality"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
)

// The generators of the property tests reach each state of a claim, in both APIs and both kinds of
// queues.
func TestDrawsReachEveryRule(t *testing.T) {
	testkit.Reached(t, 300, func(t *rapid.T) (reached []string) {
		s, o := recorded(20).Draw(t, "state"), apis().Draw(t, "options")
		record := pool.RecordOf(s.pool)
		a := pool.Allocate(s.pool, s.claims, o)
		queue := "in a queue: "
		if s.pool.Spec.Config.OrderedQueue {
			queue = "in order: "
		}
		for _, c := range s.claims {
			i := slices.IndexFunc(a.Decisions, func(d pool.Decision) bool { return d.Claim == c.Key() })
			holds, holding := record.Holds(c)
			switch {
			case i < 0:
				reached = append(reached, "a claim of another pool")
				continue
			case holding && equality.Semantic.DeepEqual(holds, c.Spec.Claim):
				reached = append(reached, "holding before: "+string(a.Decisions[i].State))
			case holding:
				reached = append(reached, versionOf(o)+", edited: "+string(a.Decisions[i].State))
			}
			reached = append(reached, queue+string(a.Decisions[i].State))
			if len(a.Decisions[i].Shortages) > 1 {
				reached = append(reached, "several shortages")
			}
		}
		for name, left := range a.Available {
			if left.Sign() < 0 {
				reached = append(reached, "overcommitted")
			}
			if _, short := a.Exhaustions[name]; short {
				reached = append(reached, "exhausted")
			}
		}
		return reached
	},
		"a claim of another pool", "holding before: Bound", "holding before: Released", "several shortages", "overcommitted", "exhausted",
		"current, edited: Bound", "current, edited: PoolExhausted", "current, edited: QueueExhausted", "current, edited: Invalid", "current, edited: Released",
		"documented, edited: Bound", "documented, edited: Released",
		"in a queue: Bound", "in a queue: PoolExhausted", "in a queue: Invalid", "in a queue: Released",
		"in order: Bound", "in order: PoolExhausted", "in order: QueueExhausted", "in order: Invalid", "in order: Released",
	)
}
