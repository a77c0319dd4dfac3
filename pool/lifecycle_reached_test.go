package pool_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
)

// The generators of the property tests reach each answer to a resize, a deletion and an update.
func TestDrawsReachEveryChange(t *testing.T) {
	testkit.Reached(t, 300, func(t *rapid.T) (reached []string) {
		p, q, list := pools().Draw(t, "pool"), pools().Draw(t, "other"), claims().Draw(t, "claims")
		q.Status.Allocation.Claimed = testkit.PoolAmounts(3).Draw(t, "claimed")
		used := testkit.PoolAmounts(6).Draw(t, "used")
		o := pool.Options{API: pool.Documented}
		holding := 0
		for _, c := range list {
			if !c.Holding() {
				continue
			}
			holding++
			_, _, err := pool.Resize(c.Key(), used, p, list, o)
			if err == nil {
				reached = append(reached, "resized")
			}
			for _, why := range []string{"available:", "queued:", "must not be negative"} {
				if err != nil && strings.Contains(err.Error(), why) {
					reached = append(reached, "not resized: "+why)
				}
			}
			if pool.Evict(c.Key(), used, p, list, o) != nil {
				reached = append(reached, "evicted")
			}
		}
		switch needed := len(pool.Needed("a", used, p, list)); {
		case holding == 0:
		case needed == 0:
			reached = append(reached, "no claim is needed")
		case needed < holding:
			reached = append(reached, "some claims are needed")
		default:
			reached = append(reached, "all claims are needed")
		}
		deleted, kept := pool.DeletePool(p, list, o)
		if len(deleted) > 0 {
			reached = append(reached, "claims are deleted")
		}
		if len(kept) > 0 {
			reached = append(reached, "claims are kept")
		}
		if len(pool.ValidatePool(q, p)) > 0 {
			reached = append(reached, "an update of a pool is invalid")
		} else {
			reached = append(reached, "an update of a pool is valid")
		}
		for _, c := range list {
			if len(pool.ValidateClaim(c, list[0], pool.AdmissionOptions{API: pool.Documented})) > 0 {
				reached = append(reached, "an update of a claim is invalid")
			}
		}
		return reached
	},
		"resized", "not resized: available:", "not resized: queued:", "not resized: must not be negative", "evicted",
		"no claim is needed", "some claims are needed", "all claims are needed", "claims are deleted", "claims are kept",
		"an update of a pool is invalid", "an update of a pool is valid", "an update of a claim is invalid",
	)
}
