package pool_test

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
)

func pools() *rapid.Generator[*pool.ResourcePool] {
	return rapid.Custom(func(t *rapid.T) *pool.ResourcePool {
		p := samplerOf()
		p.Spec.Quota.Hard = testkit.PoolAmounts(12).Draw(t, "hard")
		p.Spec.Defaults = testkit.PoolAmounts(2).Draw(t, "defaults")
		p.Spec.Config.OrderedQueue = rapid.Bool().Draw(t, "ordered")
		p.Spec.Config.DeleteBoundResources = rapid.Bool().Draw(t, "delete")
		return p
	})
}

func claims() *rapid.Generator[[]*pool.ResourcePoolClaim] {
	return rapid.Custom(func(t *rapid.T) (list []*pool.ResourcePoolClaim) {
		for i := range rapid.IntRange(0, 12).Draw(t, "claims") {
			make := waiting
			if rapid.Bool().Draw(t, "holding") {
				make = holding
			}
			c := make("a", fmt.Sprint("c", i), rapid.IntRange(0, 3).Draw(t, "created"))
			c.Spec.Claim = testkit.PoolAmounts(4).Draw(t, "amounts")
			if rapid.IntRange(0, 5).Draw(t, "release") == 0 {
				released(c)
			}
			list = append(list, c)
		}
		return append(list, nil)
	})
}

// exact returns an amount of a list as a fraction, and zero for a missing or negative one.
func exact(list corev1.ResourceList, name corev1.ResourceName) *big.Rat {
	value := testkit.Exact(list[name].DeepCopy())
	if value.Sign() < 0 {
		value.SetInt64(0)
	}
	return value
}

// The needed claims cover what all claims cover of the usage, and would not without any one of
// them. Defaults count unchanged, even negative ones.
func TestNeededCoversUsage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, list, used := pools().Draw(t, "pool"), claims().Draw(t, "claims"), testkit.PoolAmounts(6).Draw(t, "used")
		needed := pool.Needed("a", used, p, list)
		var others []*pool.ResourcePoolClaim
		for _, c := range list {
			c = c.DeepCopy()
			if c != nil {
				c.Namespace = "b"
				others = append(others, c)
			}
		}
		testkit.NoDiff(t, pool.Needed("a", used, p, append(others, list...)), needed, "needed")
		// missing reports whether usage exceeds what the claims but one cover; of what all
		// of them do not cover, whether the one has any.
		missing := func(without string) bool {
			for name := range p.Spec.Quota.Hard {
				kept, lost := testkit.Exact(p.Spec.Defaults[name].DeepCopy()), new(big.Rat)
				for _, c := range list {
					if !c.Holding() {
						continue
					}
					is := slices.ContainsFunc(needed, func(n types.NamespacedName) bool { return n.Name == c.Name })
					switch {
					case c.Name == without || without == "" && !is:
						lost.Add(lost, exact(c.Spec.Claim, name))
					case is:
						kept.Add(kept, exact(c.Spec.Claim, name))
					}
				}
				usage := exact(used, name)
				if usage.Sign() > 0 && usage.Cmp(kept) > 0 && lost.Sign() > 0 {
					return true
				}
			}
			return false
		}
		if missing("") {
			t.Fatalf("%v do not cover what is used", needed)
		}
		for _, n := range needed {
			if !missing(n.Name) {
				t.Fatalf("of %v, %s is not needed", needed, n.Name)
			}
		}
	})
}
