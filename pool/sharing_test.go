package pool_test

import (
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
)

// applied are objects that functions change, with labels and annotations that objects may share.
type applied struct {
	Pool   pool.ResourcePool
	Claims []pool.ResourcePoolClaim
}

// surroundings are what else these functions read.
type surroundings struct {
	Pool    *pool.ResourcePool
	Claims  []*pool.ResourcePoolClaim
	Options pool.Options
	State   pool.State
	InUse   bool
	Labels  map[string]string
}

func sharedObjects(t *rapid.T) (applied, surroundings) {
	s := recorded(4).Draw(t, "state")
	s.pool.Status.Conditions = []metav1.Condition{{Type: "Ready", Status: "True"}, {Type: "Exhausted", Status: "True"}}
	objects := applied{Pool: *s.pool}
	for _, c := range s.claims {
		c.Labels = map[string]string{"tenant": "solar"}
		objects.Claims = append(objects.Claims, *c)
	}
	return objects, surroundings{
		Pool: s.pool, Claims: s.claims, Options: apis().Draw(t, "options"),
		State:  rapid.SampledFrom(allStates).Draw(t, "decided"),
		InUse:  rapid.Bool().Draw(t, "in use"),
		Labels: map[string]string{pool.ReleaseAnnotation: "true"},
	}
}

// sharedClaims draws one claim, as often as functions change it: each has a copy of its own, which shares the lists.
func sharedClaims(t *rapid.T) ([5]pool.ResourcePoolClaim, surroundings) {
	objects, others := sharedObjects(t)
	c := *newClaim("ns", "claim", 0, nil)
	if len(objects.Claims) > 0 {
		c = objects.Claims[0]
	}
	return [5]pool.ResourcePoolClaim{c, c, c, c, c}, others
}

func TestSharedLists(t *testing.T) {
	t.Run("Allocation", func(t *testing.T) {
		testkit.Applies(t, sharedObjects, func(objects *applied, others surroundings) any {
			objects.Claims = slices.Clone(objects.Claims)
			var claims []*pool.ResourcePoolClaim
			for i := range objects.Claims {
				claims = append(claims, &objects.Claims[i])
			}
			a := pool.Allocate(&objects.Pool, claims, others.Options)
			a.Apply(&objects.Pool, claims, []string{"b", "a"}, midnight(), others.Options)
			return &a
		})
	})
	t.Run("claims", func(t *testing.T) {
		testkit.Applies(t, sharedClaims, func(claims *[5]pool.ResourcePoolClaim, others surroundings) any {
			pool.ApplyDecision(&claims[0], others.Pool, pool.Decision{State: others.State}, midnight(), others.Options)
			pool.ApplyUse(&claims[1], others.InUse, midnight())
			pool.ApplyAssignment(&claims[2], others.Pool, midnight(), others.Options)
			pool.ApplyReleasePolicy(&claims[3], pool.AdmissionOptions{Documented: others.Options.Documented})
			pool.ApplyAssignError(&claims[4], errNotFound("sampler"), midnight(), others.Options)
			return nil
		})
	})
}
