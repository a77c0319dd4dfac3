package pool_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
)

func TestContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := states(10).Draw(t, "state")
		s.pool.Spec.Defaults = testkit.PoolAmounts(3).Draw(t, "defaults")
		s.pool.Spec.Selectors = append(s.pool.Spec.Selectors, metav1Selector("tenant", "solar"))
		s.pool.Spec.Quota.Scopes = []corev1.ResourceQuotaScope{"PriorityClass"}
		s.pool.Spec.Quota.ScopeSelector = &corev1.ScopeSelector{MatchExpressions: []corev1.ScopedResourceSelectorRequirement{{Operator: "Exists", ScopeName: "PriorityClass", Values: []string{"x"}}}}
		ns := namespace("ns", map[string]string{"tenant": "solar"})
		a := pool.Allocate(s.pool, s.claims, pool.Options{API: pool.Documented})
		s.pool.Status = a.Status(s.pool, s.claims, []string{"b", "a"}, midnight(), pool.Options{API: pool.Documented})
		testkit.Contract(t, func() any { return pool.Allocate(s.pool, s.claims, pool.Options{API: pool.Documented}) }, s)
		testkit.Contract(t, func() any {
			st := a.Status(s.pool, s.claims, []string{"b", "a"}, midnight(), pool.Options{API: pool.Documented})
			return &st
		}, s, a)
		record := pool.RecordOf(s.pool)
		testkit.Contract(t, func() any { holds, _ := pool.RecordOf(s.pool).Holds(s.claims0()); return holds }, s)
		for _, c := range append(s.claims, nil) {
			testkit.Contract(t, func() any {
				holds, holding := record.Holds(c)
				return []any{holds, holding, c.Key(), c.InUse()}
			}, s, c)
		}
		for _, o := range []pool.Options{{}, {API: pool.Documented}} {
			testkit.Contract(t, func() any {
				p, claims := s.pool.DeepCopy(), []*pool.ResourcePoolClaim{nil}
				for _, c := range s.claims {
					claims = append(claims, c.DeepCopy())
					pool.ApplyUse(claims[len(claims)-1], true, midnight())
				}
				pool.Allocate(p, claims, o).Apply(p, claims, []string{"b", "a"}, midnight(), o)
				return []any{p, claims}
			}, s, a)
			testkit.Contract(t, func() any {
				p := s.pool.DeepCopy()
				p.Status = a.Status(p, s.claims, []string{"b", "a"}, midnight(), o)
				return p
			}, s, a)
		}
		testkit.Contract(t, func() any { return pool.Quota(s.pool, "ns", s.pool.Spec.Quota.Hard) }, s)
		testkit.Contract(t, func() any { return pool.ValidatePool(nil, s.pool).ToAggregate() }, s)
		testkit.Contract(t, func() any { return pool.Namespaces(s.pool, []*corev1.Namespace{ns, nil}) }, s, ns)
		testkit.Contract(t, func() any { return s.pool.DeepCopyObject() }, s)
		for _, c := range append(s.claims, nil) {
			testkit.Contract(t, func() any { return pool.ValidateClaim(nil, c, pool.AdmissionOptions{}).ToAggregate() }, c)
			testkit.Contract(t, func() any { return c.DeepCopyObject() }, c)
			testkit.Contract(t, func() any { return []bool{c.Holding(), c.Released(), c.ClaimsFrom(s.pool)} }, c, s)
			testkit.Contract(t, func() any {
				name, err := pool.Assign(c, ns, []*pool.ResourcePool{nil, s.pool})
				return []any{name, fmt.Sprint(err)}
			}, c, ns, s)
		}
		testkit.Contract(t, func() any { return s.pool.DeepCopy() }, s)
		refused := errNotFound("sampler")
		for i, c := range s.claims {
			testkit.Contract(t, func() any { return c.DeepCopy() }, c)
			decided := pool.Decision{State: []pool.State{pool.Holding, pool.Released, pool.PoolExhausted}[i%3]}
			testkit.Contract(t, func() any {
				changed, failed := c.DeepCopy(), c.DeepCopy()
				pool.ApplyDecision(changed, s.pool, decided, midnight(), pool.Options{API: pool.Documented})
				pool.ApplyAssignError(failed, refused, midnight(), pool.Options{API: pool.Documented})
				return []any{changed, failed}
			}, c, s, refused)
			testkit.Contract(t, func() any {
				current, documented := c.DeepCopy(), c.DeepCopy()
				pool.ApplyAssignment(current, s.pool, midnight(), pool.Options{})
				pool.ApplyAssignment(documented, s.pool, midnight(), pool.Options{API: pool.Documented})
				return []any{current, documented}
			}, c, s)
		}
		for _, d := range a.Decisions {
			testkit.Contract(t, func() any { return d.Message() }, &d)
			testkit.Contract(t, func() any { c := d.Condition(pool.Options{API: pool.Documented}); return &c }, &d)
		}
	})
}

func (s state) claims0() *pool.ResourcePoolClaim {
	if len(s.claims) == 0 {
		return nil
	}
	return s.claims[0]
}
