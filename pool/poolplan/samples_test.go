package poolplan_test

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/poolplan"
)

func newPool(pairs ...string) *pool.ResourcePool {
	p := &pool.ResourcePool{}
	p.Name = "sampler"
	p.Spec.Quota.Hard = testkit.List(pairs...)
	return p
}

func waiting(name string, second int, pairs ...string) *pool.ResourcePoolClaim {
	c := &pool.ResourcePoolClaim{}
	c.Namespace, c.Name = "a", name
	c.CreationTimestamp = metav1.NewTime(time.Date(2026, 1, 1, 0, 0, second, 0, time.UTC))
	c.Spec = pool.ResourcePoolClaimSpec{Pool: "sampler", Claim: testkit.List(pairs...)}
	return c
}

func holder(name string, second int, pairs ...string) *pool.ResourcePoolClaim {
	c := waiting(name, second, pairs...)
	pool.ApplyDecision(c, newPool(), pool.Decision{State: pool.Holding}, c.CreationTimestamp.Time, pool.Options{API: pool.Documented})
	return c
}

// hold records a claim in the pool.
func hold(p *pool.ResourcePool, c *pool.ResourcePoolClaim) {
	c.Status.Pool.Name = p.Name
	if p.Status.Claims == nil {
		p.Status.Claims = map[string][]pool.RecordedClaim{}
	}
	p.Status.Claims[c.Namespace] = append(p.Status.Claims[c.Namespace], pool.RecordedClaim{Name: c.Name, Claims: c.Spec.Claim.DeepCopy()})
}

// recorded returns what the pool records for a claim, or nil if that is nothing.
func recorded(p *pool.ResourcePool, name types.NamespacedName) corev1.ResourceList {
	for _, b := range p.Status.Claims[name.Namespace] {
		if b.Name == name.Name {
			return b.Claims
		}
	}
	return nil
}

func names(sets [][]types.NamespacedName) (all [][]string) {
	for _, set := range sets {
		var names []string
		for _, n := range set {
			names = append(names, n.Name)
		}
		all = append(all, names)
	}
	return all
}

// expectHolding releases each set and checks that the head is holding.
func expectHolding(t testkit.TB, p *pool.ResourcePool, claims []*pool.ResourcePoolClaim, r poolplan.ReleaseSets) {
	t.Helper()
	for _, set := range r.Sets {
		var after []*pool.ResourcePoolClaim
		for _, c := range claims {
			if !slices.Contains(set, types.NamespacedName{Namespace: c.Namespace, Name: c.Name}) {
				after = append(after, c)
			}
		}
		for _, d := range pool.Allocate(p, after, pool.Options{API: pool.Documented}).Decisions {
			if d.Claim == r.Head && d.State != pool.Holding {
				t.Fatalf("without %v, %v is %s: %s", set, r.Head, d.State, d.Message())
			}
		}
	}
}

// forAll returns by how much a pool has to grow for all of its waiting claims.
func forAll(p *pool.ResourcePool, claims []*pool.ResourcePoolClaim) corev1.ResourceList {
	growth, _ := poolplan.Growth(types.NamespacedName{}, p, claims)
	return growth
}
