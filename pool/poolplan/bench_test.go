package poolplan_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/poolplan"
)

// manyClaims returns a pool with n claims after pool.Allocate, and the last one that waits.
func manyClaims(n int, ordered bool) (state, types.NamespacedName) {
	var s state
	s.pool, s.claims = testkit.ManyClaims(n,
		func(name string, hard corev1.ResourceList) *pool.ResourcePool {
			p := newPool()
			p.Spec.Quota.Hard, p.Spec.Config.OrderedQueue = hard, ordered
			return p
		},
		func(namespace, name string, second int, amounts corev1.ResourceList) *pool.ResourcePoolClaim {
			c := waiting(name, second)
			c.Namespace, c.Spec.Claim = namespace, amounts
			return c
		})
	byName := map[types.NamespacedName]*pool.ResourcePoolClaim{}
	for _, c := range s.claims {
		byName[types.NamespacedName{Namespace: c.Namespace, Name: c.Name}] = c
	}
	var last types.NamespacedName
	for _, d := range pool.Allocate(s.pool, s.claims, pool.Options{Documented: true}).Decisions {
		c := byName[d.Claim]
		pool.ApplyDecision(c, s.pool, d, c.CreationTimestamp.Time, pool.Options{Documented: true})
		if d.State != pool.Holding {
			last = d.Claim
		}
	}
	return s, last
}

// BenchmarkPlan plans for pools with n claims, most of which wait. Its time is linear in n.
func BenchmarkPlan(b *testing.B) {
	for _, ordered := range []bool{false, true} {
		for _, n := range sizes() {
			s, last := manyClaims(n, ordered)
			for name, ask := range map[string]func(){
				"Growth":         func() { growth, _ := poolplan.Growth(last, s.pool, s.claims); testkit.Keep(growth) },
				"Growth for all": func() { testkit.Keep(forAll(s.pool, s.claims)) },
				"Overtaken":      func() { testkit.Keep(poolplan.Overtaken(s.pool, s.claims, 3, pool.Options{Documented: true})) },
			} {
				b.Run(fmt.Sprintf("%s/ordered=%v/%d", name, ordered, n), func(b *testing.B) {
					for b.Loop() {
						ask()
					}
				})
			}
		}
	}
}

// sizes returns how many claims to measure with; -short leaves out a million.
func sizes() []int {
	if testing.Short() {
		return []int{1_000, 10_000, 100_000}
	}
	return []int{1_000, 10_000, 100_000, 1_000_000}
}
