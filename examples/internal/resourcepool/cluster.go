package resourcepool

import (
	"cmp"
	"embed"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/quota/admit"
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
		return cmp.Or(a.CreationTimestamp.Compare(b.CreationTimestamp.Time), strings.Compare(a.Name, b.Name),
			strings.Compare(a.Namespace, b.Namespace))
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
		before := holding(mine[p.Name])
		a := pool.Allocate(p, mine[p.Name], pool.Options{API: pool.Documented})
		a.Apply(p, mine[p.Name], pool.Namespaces(p, c.namespaces), now, pool.Options{API: pool.Documented})
		changed = changed || before != holding(mine[p.Name])
	}
	return changed
}

// holding returns which of some claims hold resources.
func holding(claims []*pool.ResourcePoolClaim) string {
	var holding []bool
	for _, claim := range claims {
		holding = append(holding, claim.Holding())
	}
	return fmt.Sprint(holding)
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

// Samples are what the program reads without files, in the folder samples.
//
//go:embed samples/*.yaml
var Samples embed.FS

var kinds = objects.Kinds{
	{"v1", "Namespace"}:                    reflect.TypeFor[corev1.Namespace](),
	{"v1", "ResourceQuota"}:                reflect.TypeFor[corev1.ResourceQuota](),
	{pool.APIVersion, "Tenant"}:            reflect.TypeFor[tenant](),
	{pool.APIVersion, "ResourcePool"}:      reflect.TypeFor[pool.ResourcePool](),
	{pool.APIVersion, "ResourcePoolClaim"}: reflect.TypeFor[pool.ResourcePoolClaim](),
}

// tenant has the fields of Capsule's Tenant that a migration needs.
type tenant = inventory.Manifest[tenantSpec]

type tenantSpec struct {
	ResourceQuotas struct {
		Items []corev1.ResourceQuotaSpec `json:"items"`
	} `json:"resourceQuotas"`
}

func clusterOf(all iter.Seq[objects.Object]) *cluster {
	c := &cluster{}
	c.Check = check
	c.Read(all)
	c.pools, c.claims = inventory.Of[*pool.ResourcePool](&c.List), inventory.Of[*pool.ResourcePoolClaim](&c.List)
	c.namespaces, c.quotas = inventory.Of[*corev1.Namespace](&c.List), inventory.Of[*corev1.ResourceQuota](&c.List)
	c.tenants = inventory.Of[*tenant](&c.List)
	return c
}

func check(object admit.APIObject) field.ErrorList {
	switch o := object.(type) {
	case *pool.ResourcePool:
		return pool.ValidatePool(nil, o)
	case *pool.ResourcePoolClaim:
		return pool.ValidateClaim(nil, o, pool.AdmissionOptions{})
	}
	return nil
}
