package migrate

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/pool"
)

// PoolSource is a quota that is to become a pool.
type PoolSource struct {
	// Pool and Claim are the names to give, the one in the cluster and the other in each
	// namespace.
	Pool, Claim string
	// Capacity is the capacity of the pool: that of an item of a Tenant's resourceQuotas. If it has
	// no resources, it is the sum of the quotas, with the scopes of the first one.
	Capacity corev1.ResourceQuotaSpec
	// Quotas are the ResourceQuotas that the pool replaces, at most one in a namespace.
	Quotas []*corev1.ResourceQuota
	// Selectors choose the namespaces of the pool. Without any, those of the Options do.
	Selectors []metav1.LabelSelector
}

// Options select how pools and claims are created. With the zero value, pools select no namespaces,
// and claims are for what is in use.
type Options struct {
	Selectors []metav1.LabelSelector
	Config    pool.ResourcePoolConfig
	Amounts   Amounts
}

// Amounts is what a namespace claims. The zero value is Used, and so is any value that is not a constant.
type Amounts string

const (
	// Used is what the namespace uses now, by the status of its quota. A rollout may need
	// more.
	Used Amounts = ""
	// Hard is what the quota allows the namespace now.
	Hard Amounts = "hard"
)

// Migration is what replaces quotas.
type Migration struct {
	Pools    []*pool.ResourcePool      // as the sources were given
	Claims   []*pool.ResourcePoolClaim // sorted by namespace, then as the sources
	Replaced []types.NamespacedName    // the old quotas, sorted
}

// FromQuotas returns the pools and claims that replace quotas. A namespace claims only resources
// that it uses and that the pool has. If there are none, it has no claim. Nil quotas are ignored.
//
// It is an error if a source has no name, or the name of another source, if it has no
// capacity, or if two of its quotas are in the same namespace.
func FromQuotas(sources []PoolSource, o Options) (*Migration, error) {
	m := &Migration{}
	pools, names := map[string]bool{}, map[string]bool{}
	for _, s := range sources {
		switch {
		case s.Pool == "" || s.Claim == "":
			return nil, fmt.Errorf("migrate: a source needs the names of a pool and a claim: %q, %q", s.Pool, s.Claim)
		case pools[s.Pool]:
			return nil, fmt.Errorf("migrate: two sources for pool %q", s.Pool)
		case names[s.Claim]:
			return nil, fmt.Errorf("migrate: two sources for claims %q", s.Claim)
		}
		pools[s.Pool], names[s.Claim] = true, true
		p := s.pool(o)
		if len(p.Spec.Quota.Hard) == 0 {
			return nil, fmt.Errorf("migrate: pool %q has no resources", s.Pool)
		}
		claimed := map[string]bool{}
		for _, q := range s.Quotas {
			if q == nil {
				continue
			}
			if claimed[q.Namespace] {
				return nil, fmt.Errorf("migrate: pool %q replaces two quotas of namespace %q", s.Pool, q.Namespace)
			}
			claimed[q.Namespace] = true
			m.Replaced = append(m.Replaced, types.NamespacedName{Namespace: q.Namespace, Name: q.Name})
			if c := s.claim(p, q, o.Amounts); len(c.Spec.Claim) > 0 {
				m.Claims = append(m.Claims, c)
			}
		}
		m.Pools = append(m.Pools, p)
	}
	slices.SortStableFunc(m.Claims, func(a, b *pool.ResourcePoolClaim) int { return strings.Compare(a.Namespace, b.Namespace) })
	slices.SortFunc(m.Replaced, byName)
	return m, nil
}

func (s *PoolSource) pool(o Options) *pool.ResourcePool {
	p := &pool.ResourcePool{
		TypeMeta:   metav1.TypeMeta{APIVersion: pool.APIVersion, Kind: "ResourcePool"},
		ObjectMeta: metav1.ObjectMeta{Name: s.Pool},
		Spec:       pool.ResourcePoolSpec{Selectors: o.Selectors, Config: o.Config, Quota: s.Capacity},
	}
	if len(s.Selectors) > 0 {
		p.Spec.Selectors = s.Selectors
	}
	p = p.DeepCopy()
	if len(p.Spec.Quota.Hard) > 0 {
		return p
	}
	p.Spec.Quota.Hard = corev1.ResourceList{}
	scoped := len(p.Spec.Quota.Scopes) > 0 || p.Spec.Quota.ScopeSelector != nil
	for _, q := range s.Quotas {
		if q == nil {
			continue
		}
		if !scoped {
			p.Spec.Quota.Scopes, p.Spec.Quota.ScopeSelector = slices.Clone(q.Spec.Scopes), q.Spec.ScopeSelector.DeepCopy()
			scoped = true
		}
		p.Spec.Quota.Hard = resourcelist.AddInto(p.Spec.Quota.Hard, p.Spec.Quota.Hard, q.Spec.Hard)
	}
	return p
}

func (s *PoolSource) claim(p *pool.ResourcePool, q *corev1.ResourceQuota, amounts Amounts) *pool.ResourcePoolClaim {
	c := &pool.ResourcePoolClaim{
		TypeMeta:   metav1.TypeMeta{APIVersion: pool.APIVersion, Kind: "ResourcePoolClaim"},
		ObjectMeta: metav1.ObjectMeta{Namespace: q.Namespace, Name: s.Claim},
		Spec:       pool.ResourcePoolClaimSpec{Pool: s.Pool, Claim: corev1.ResourceList{}},
	}
	from := q.Status.Used
	if amounts == Hard {
		from = q.Spec.Hard
	}
	for name := range p.Spec.Quota.Hard {
		if amount := from[name].DeepCopy(); amount.Sign() > 0 {
			c.Spec.Claim[name] = amount
		}
	}
	return c
}

// Check returns the ResourceQuotas that there will be once the claims and then the pools are
// created, sorted by namespace, then as the pools: of each pool in the namespaces of all quotas that
// are replaced or, if it selects namespaces by name, as those of Sources do, in these; and the decisions on claims that will not
// be bound, for want of capacity.
func (m *Migration) Check() (quotas []*corev1.ResourceQuota, waiting []pool.Decision) {
	if m == nil {
		return nil, nil
	}
	namespaces := map[string]bool{}
	for _, r := range m.Replaced {
		namespaces[r.Namespace] = true
	}
	for _, p := range m.Pools {
		if p == nil {
			continue
		}
		a := pool.Allocate(p, m.Claims, pool.Options{})
		for _, d := range a.Decisions {
			if d.State != pool.Bound {
				waiting = append(waiting, d)
			}
		}
		for namespace := range namespaces {
			if selectsByName(p, namespace) {
				quotas = append(quotas, pool.Quota(p, namespace, a.Namespaces[namespace]))
			}
		}
	}
	slices.SortStableFunc(quotas, func(a, b *corev1.ResourceQuota) int { return strings.Compare(a.Namespace, b.Namespace) })
	return quotas, waiting
}

// selectsByName reports whether a pool selects a namespace by its name, or selects by anything else.
func selectsByName(p *pool.ResourcePool, namespace string) bool {
	for _, s := range p.Spec.Selectors {
		for _, e := range s.MatchExpressions {
			if e.Key == corev1.LabelMetadataName && e.Operator == metav1.LabelSelectorOpIn {
				return slices.Contains(e.Values, namespace)
			}
		}
	}
	return true
}
