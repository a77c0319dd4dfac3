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
		State:  rapid.SampledFrom([]pool.State{pool.Holding, pool.Released, pool.PoolExhausted, pool.QueueExhausted}).Draw(t, "decided"),
		InUse:  rapid.Bool().Draw(t, "in use"),
		Labels: map[string]string{pool.ReleaseAnnotation: "true"},
	}
}

func sharedPool(t *rapid.T) (pool.ResourcePool, surroundings) {
	objects, others := sharedObjects(t)
	return objects.Pool, others
}

func sharedClaim(t *rapid.T) (pool.ResourcePoolClaim, surroundings) {
	objects, others := sharedObjects(t)
	if len(objects.Claims) == 0 {
		return *newClaim("ns", "claim", 0, nil), others
	}
	return objects.Claims[0], others
}

func TestSharedLists(t *testing.T) {
	t.Run("Allocation.Apply", func(t *testing.T) {
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
	t.Run("Allocation.Status", func(t *testing.T) {
		testkit.Applies(t, sharedPool, func(p *pool.ResourcePool, others surroundings) any {
			a := pool.Allocate(p, others.Claims, others.Options)
			p.Status = a.Status(p, others.Claims, []string{"b", "a"}, midnight(), others.Options)
			return &a
		})
	})
	for name, apply := range map[string]func(claim *pool.ResourcePoolClaim, others surroundings) any{
		"ApplyDecision": func(claim *pool.ResourcePoolClaim, others surroundings) any {
			pool.ApplyDecision(claim, others.Pool, pool.Decision{State: others.State}, midnight(), others.Options)
			return nil
		},
		"ApplyUse": func(claim *pool.ResourcePoolClaim, others surroundings) any {
			pool.ApplyUse(claim, others.InUse, midnight())
			return nil
		},
		"ApplyAssignment": func(claim *pool.ResourcePoolClaim, others surroundings) any {
			pool.ApplyAssignment(claim, others.Pool, midnight(), others.Options)
			return nil
		},
		"ApplyReleasePolicy": func(claim *pool.ResourcePoolClaim, others surroundings) any {
			pool.ApplyReleasePolicy(claim, pool.AdmissionOptions{API: others.Options.API})
			return nil
		},
		"ApplyAssignError": func(claim *pool.ResourcePoolClaim, others surroundings) any {
			pool.ApplyAssignError(claim, errNotFound("sampler"), midnight(), others.Options)
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) { testkit.Applies(t, sharedClaim, apply) })
	}
}
