package pool_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/internal/testkit/pooltest"
	"github.com/kubemath/kubemath/pool"
)

// state is a pool and claims in any state.
type state struct {
	pool   *pool.ResourcePool
	claims []*pool.ResourcePoolClaim
}

func states(most int) *rapid.Generator[state] {
	return rapid.Custom(func(t *rapid.T) state {
		s := state{pool: newPool("sampler", testkit.PoolAmounts(12).Draw(t, "hard"))}
		s.pool.Spec.Config.OrderedQueue = rapid.Bool().Draw(t, "ordered")
		for i := range rapid.IntRange(0, most).Draw(t, "claims") {
			name := fmt.Sprintf("claim-%d", rapid.IntRange(0, 5).Draw(t, "name"))
			namespace := fmt.Sprintf("ns-%d-%d", rapid.IntRange(0, 3).Draw(t, "namespace"), i)
			c := newClaim(namespace, name, rapid.IntRange(0, 5).Draw(t, "created"), testkit.PoolAmounts(4).Draw(t, "amounts"))
			switch rapid.IntRange(0, 9).Draw(t, "status") {
			case 0, 1:
				c = asHolding(c)
			case 2:
				c = asHolding(c)
				c.Annotations = map[string]string{pool.ReleaseAnnotation: rapid.SampledFrom([]string{"true", "TRUE", "false", ""}).Draw(t, "release")}
			case 3:
				c.Spec.Pool = "other"
			case 4:
				c = asHolding(c)
				c.Status.Pool.Name = "other"
			}
			s.claims = append(s.claims, c)
		}
		return s
	})
}

// recorded also returns a state of the current API: the status of the pool records some of the claims.
// Some of these have been edited since, and some are in use.
func recorded(most int) *rapid.Generator[state] {
	return rapid.Custom(func(t *rapid.T) state {
		s := states(most).Draw(t, "state")
		s.pool.Status.Claims = map[string][]pool.RecordedClaim{}
		for _, c := range s.claims {
			b := pool.RecordedClaim{Name: c.Name, UID: c.UID, Claims: c.Spec.Claim}
			switch rapid.IntRange(0, 7).Draw(t, "record") {
			case 0, 1:
				continue
			case 2:
				b.UID = rapid.SampledFrom([]types.UID{"", "another"}).Draw(t, "uid")
			case 3, 4, 5:
				b.Claims = testkit.PoolAmounts(4).Draw(t, "holds")
			}
			s.pool.Status.Claims[c.Namespace] = append(s.pool.Status.Claims[c.Namespace], b)
			c.Status.Pool = corev1.ObjectReference{Name: rapid.SampledFrom([]string{"sampler", "sampler", "sampler", "other", ""}).Draw(t, "pool")}
			if rapid.IntRange(0, 3).Draw(t, "current") > 0 {
				c.Status.Condition = metav1.Condition{}
				c.Status.Conditions = []metav1.Condition{{Type: "Exhausted", Status: "False"}, {Type: "Bound", Status: rapid.SampledFrom([]metav1.ConditionStatus{"True", "False"}).Draw(t, "in use")}}
			}
		}
		return s
	})
}

func apis() *rapid.Generator[pool.Options] {
	return rapid.Custom(func(t *rapid.T) pool.Options {
		return pool.Options{Documented: rapid.Bool().Draw(t, "documented")}
	})
}

func TestAllocateEqualsSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, o := recorded(40).Draw(t, "state"), apis().Draw(t, "options")
		testkit.Equal(t, pooltest.Allocate(s.pool, s.claims, o).Diff(pool.Allocate(s.pool, s.claims, o)), "")
	})
}

// apply allocates, and writes the decisions to the claims.
func apply(s state) *pool.Allocation {
	a := pool.Allocate(s.pool, s.claims, pool.Options{Documented: true})
	byName := map[types.NamespacedName]*pool.ResourcePoolClaim{}
	for _, c := range s.claims {
		byName[types.NamespacedName{Namespace: c.Namespace, Name: c.Name}] = c
	}
	for _, d := range a.Decisions {
		pool.ApplyDecision(byName[d.Claim], s.pool, d, midnight(), pool.Options{Documented: true})
	}
	return a
}
