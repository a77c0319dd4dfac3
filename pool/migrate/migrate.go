package migrate

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/ordering"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/pool"
)

// PoolSource is a quota that is to become a pool.
type PoolSource struct {
	// Pool and Claim are the names to give, the one in the cluster and the other in each
	// namespace.
	Pool  string `json:"pool,omitempty"`
	Claim string `json:"claim,omitempty"`
	// Capacity is the capacity of the pool: that of an item of a Tenant's resourceQuotas. If it has
	// no resources, it is the sum of the quotas, with the scopes of the first one.
	Capacity corev1.ResourceQuotaSpec `json:"capacity,omitzero"`
	// Quotas are the ResourceQuotas that the pool replaces, at most one in a namespace.
	Quotas []*corev1.ResourceQuota `json:"quotas,omitempty"`
	// Selectors choose the namespaces of the pool. Without any, those of the Options do.
	Selectors []metav1.LabelSelector `json:"selectors,omitempty"`
}

// Options select how pools and claims are created. With the zero value, each pool selects the
// namespaces of its quotas, claims are for what is in use, and a namespace gets nothing without a
// claim.
type Options struct {
	// Selectors choose the namespaces of all pools whose sources have none. Without any, a pool
	// selects the namespaces of its quotas by name.
	Selectors []metav1.LabelSelector
	// Config is that of all pools. DefaultsZero is always set in them, as in the document: without
	// it, what a namespace does not claim would be unlimited once its old quota is deleted.
	Config pool.ResourcePoolConfig
	// ClaimHard makes namespaces claim what their quotas allow now. Otherwise they claim what they use,
	// by the status of their quotas; a rollout may need more.
	ClaimHard bool
}

// Migration is what replaces quotas.
type Migration struct {
	Pools    []*pool.ResourcePool      `json:"pools,omitempty"`    // as the sources were given
	Claims   []*pool.ResourcePoolClaim `json:"claims,omitempty"`   // sorted by namespace, then as the sources
	Replaced []types.NamespacedName    `json:"replaced,omitempty"` // the old quotas, sorted
}

// FromQuotas returns the pools and claims that replace quotas. A namespace claims the amounts above
// zero of the pool's resources: what it uses, or what its quota allows (Options.ClaimHard). If there are
// none, it has no claim. What it does not claim is limited to zero. Nil quotas are ignored.
//
// It is an error if a source has no name, or the name of another source, if it has no
// capacity, if two of its quotas are in the same namespace, or if one of them limits a resource that
// the pool does not have, and that nothing would limit afterwards.
func FromQuotas(sources []PoolSource, opts Options) (*Migration, error) {
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
		p := s.pool(opts)
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
			if err := limits(p, q); err != nil {
				return nil, err
			}
			claimed[q.Namespace] = true
			m.Replaced = append(m.Replaced, types.NamespacedName{Namespace: q.Namespace, Name: q.Name})
			if c := s.claim(p, q, opts); len(c.Spec.Claim) > 0 {
				m.Claims = append(m.Claims, c)
			}
		}
		m.Pools = append(m.Pools, p)
	}
	slices.SortStableFunc(m.Claims, func(a, b *pool.ResourcePoolClaim) int {
		return strings.Compare(a.Namespace, b.Namespace)
	})
	slices.SortFunc(m.Replaced, ordering.Names)
	return m, nil
}

func (s *PoolSource) pool(opts Options) *pool.ResourcePool {
	p := &pool.ResourcePool{
		TypeMeta:   metav1.TypeMeta{APIVersion: pool.APIVersion, Kind: "ResourcePool"},
		ObjectMeta: metav1.ObjectMeta{Name: s.Pool},
		Spec:       pool.ResourcePoolSpec{Selectors: opts.Selectors, Config: opts.Config, Quota: s.Capacity},
	}
	switch {
	case len(s.Selectors) > 0:
		p.Spec.Selectors = s.Selectors
	case len(opts.Selectors) == 0:
		p.Spec.Selectors = byNamespace(s.Quotas)
	}
	p.Spec.Config.DefaultsZero = true
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

// limits returns an error if a quota limits a resource that the pool does not have.
func limits(p *pool.ResourcePool, q *corev1.ResourceQuota) error {
	for _, name := range quantity.Names(q.Spec.Hard) {
		if _, ok := p.Spec.Quota.Hard[name]; !ok {
			return fmt.Errorf("migrate: pool %q has no %s, which quota %q limits", p.Name, name, nameOf(q).String())
		}
	}
	return nil
}

// byNamespace returns the selectors of the namespaces of quotas: none if there are no quotas.
func byNamespace(quotas []*corev1.ResourceQuota) []metav1.LabelSelector {
	var namespaces []string
	for _, q := range quotas {
		if q != nil {
			namespaces = append(namespaces, q.Namespace)
		}
	}
	if len(namespaces) == 0 {
		return nil
	}
	slices.Sort(namespaces)
	return []metav1.LabelSelector{{MatchExpressions: []metav1.LabelSelectorRequirement{
		{Key: corev1.LabelMetadataName, Operator: metav1.LabelSelectorOpIn, Values: namespaces},
	}}}
}

func (s *PoolSource) claim(p *pool.ResourcePool, q *corev1.ResourceQuota, opts Options) *pool.ResourcePoolClaim {
	c := &pool.ResourcePoolClaim{
		TypeMeta:   metav1.TypeMeta{APIVersion: pool.APIVersion, Kind: "ResourcePoolClaim"},
		ObjectMeta: metav1.ObjectMeta{Namespace: q.Namespace, Name: s.Claim},
		Spec:       pool.ResourcePoolClaimSpec{Pool: s.Pool, Claim: corev1.ResourceList{}},
	}
	from := q.Status.Used
	if opts.ClaimHard {
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
// created, written as Capsule writes them, sorted by namespace, then as the pools; and the decisions on
// claims that will not be granted, for want of capacity. A pool is expected to select the namespaces of
// all quotas that are replaced, or only those that it names if it selects namespaces by name, as the
// pools of Sources do.
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
			if d.State != pool.Holding {
				waiting = append(waiting, d)
			}
		}
		for namespace := range namespaces {
			if maySelect(p, namespace) {
				q := pool.Quota(p, namespace, a.Namespaces[namespace])
				m.writeAsClaimed(q, p.Name)
				quotas = append(quotas, q)
			}
		}
	}
	slices.SortStableFunc(quotas, func(a, b *corev1.ResourceQuota) int {
		return strings.Compare(a.Namespace, b.Namespace)
	})
	return quotas, waiting
}

// writeAsClaimed gives the amounts of a quota the format of the first claim that has some, as Capsule's
// sum does. What waits for a quota may compare its text.
func (m *Migration) writeAsClaimed(q *corev1.ResourceQuota, pool string) {
	for name, hard := range q.Spec.Hard {
		for _, c := range m.Claims {
			if c == nil || c.Namespace != q.Namespace || c.Spec.Pool != pool {
				continue
			}
			if claimed := c.Spec.Claim[name]; !claimed.IsZero() {
				hard.Format = claimed.Format
				q.Spec.Hard[name] = hard
				break
			}
		}
	}
}

// maySelect reports whether a pool selects a namespace by its name, or possibly by other labels.
func maySelect(p *pool.ResourcePool, namespace string) bool {
	return slices.ContainsFunc(p.Spec.Selectors, func(s metav1.LabelSelector) bool {
		for _, e := range s.MatchExpressions {
			if e.Key == corev1.LabelMetadataName && e.Operator == metav1.LabelSelectorOpIn {
				return slices.Contains(e.Values, namespace)
			}
		}
		return true
	})
}
