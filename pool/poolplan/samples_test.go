package poolplan_test

import (
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
	pool.ApplyDecision(c, newPool(), pool.Decision{State: pool.Holding}, c.CreationTimestamp.Time, pool.Options{Documented: true})
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

// forAll returns by how much a pool has to grow for all of its waiting claims.
func forAll(p *pool.ResourcePool, claims []*pool.ResourcePoolClaim) corev1.ResourceList {
	growth, _ := poolplan.Growth(types.NamespacedName{}, p, claims)
	return growth
}
