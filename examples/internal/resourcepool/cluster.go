package resourcepool

import (
	"cmp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/pool"
)

// cluster is the input from files, and the result.
type cluster struct {
	inventory.List
	pools      []*pool.ResourcePool
	claims     []*pool.ResourcePoolClaim
	namespaces []*corev1.Namespace
	quotas     []*corev1.ResourceQuota
	tenants    []*tenant
}

// reconcile assigns claims to pools and allocates the pools, repeatedly until nothing changes, as
// controllers do, and writes the result to the statuses. It terminates, because every round but the last
// releases, grants or assigns a claim that does not change again.
func (c *cluster) reconcile(now time.Time) {
	slices.SortFunc(c.claims, func(a, b *pool.ResourcePoolClaim) int {
		return cmp.Or(a.CreationTimestamp.Compare(b.CreationTimestamp.Time), strings.Compare(a.Name, b.Name), strings.Compare(a.Namespace, b.Namespace))
	})
	for c.allocate(now) {
	}
}

// allocate is one round, and reports whether it changed which claims hold resources or have a pool.
func (c *cluster) allocate(now time.Time) (changed bool) {
	mine := map[string][]*pool.ResourcePoolClaim{}
	for _, claim := range c.claims {
		name, err := pool.Assign(claim, c.namespace(claim.Namespace), c.pools)
		if err != nil {
			pool.ApplyAssignError(claim, err, now, pool.Options{API: pool.Documented})
			continue
		}
		if claim.Spec.Pool == "" {
			claim.Spec.Pool, changed = name, true
		}
		mine[name] = append(mine[name], claim)
	}
	for _, p := range c.pools {
		a := pool.Allocate(p, mine[p.Name], pool.Options{API: pool.Documented})
		byName := map[types.NamespacedName]*pool.ResourcePoolClaim{}
		for _, claim := range mine[p.Name] {
			byName[types.NamespacedName{Namespace: claim.Namespace, Name: claim.Name}] = claim
		}
		for _, d := range a.Decisions {
			claim := byName[d.Claim]
			changed = changed || claim.Holding() != (d.State == pool.Holding)
			pool.ApplyDecision(claim, p, d, now, pool.Options{API: pool.Documented})
		}
		p.Status = a.Status(p, mine[p.Name], pool.Namespaces(p, c.namespaces), now, pool.Options{API: pool.Documented})
	}
	return changed
}

// claimsOf returns the claims that are assigned to a pool.
func (c *cluster) claimsOf(p *pool.ResourcePool) (claims []*pool.ResourcePoolClaim) {
	for _, claim := range c.claims {
		if claim.Status.Pool.Name == p.Name {
			claims = append(claims, claim)
		}
	}
	return claims
}

func (c *cluster) namespace(name string) *corev1.Namespace {
	i := slices.IndexFunc(c.namespaces, func(ns *corev1.Namespace) bool { return ns.Name == name })
	if i < 0 {
		return &corev1.Namespace{}
	}
	return c.namespaces[i]
}
