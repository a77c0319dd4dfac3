package resourcepool

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/migrate"
)

// tenant is Capsule's Tenant.
type tenant = inventory.Manifest[tenantSpec, tenantStatus]

// tenantSpec and tenantStatus have the fields that a migration needs.
type tenantSpec struct {
	ResourceQuotas struct {
		Scope string                     `json:"scope"`
		Items []corev1.ResourceQuotaSpec `json:"items"`
	} `json:"resourceQuotas"`
}

type tenantStatus struct {
	State      string   `json:"state"` // "" if there is no status
	Namespaces []string `json:"namespaces"`
	Spaces     []struct {
		Name string `json:"name"`
	} `json:"spaces"`
}

// tenantLabel is the label of the namespaces of a Tenant.
const tenantLabel = "capsule.clastix.io/tenant"

// shares reports whether the namespaces of a Tenant share quotas, so that what each of them uses has to be known.
func shares(t *tenant) bool {
	return len(t.Spec.ResourceQuotas.Items) > 0 && t.Spec.ResourceQuotas.Scope != "Namespace"
}

// selecting returns the options by which pools select the namespaces of a Tenant, those of later as well.
func selecting(tenant string) migrate.Options {
	return migrate.Options{Selectors: []metav1.LabelSelector{{MatchLabels: map[string]string{tenantLabel: tenant}}}}
}

// replacement is what replaces quotas, and from which sources it was made.
type replacement struct {
	*migrate.Migration
	sources []migrate.PoolSource
	unknown []string                      // what namespaces use is not in the input
	each    bool                          // each namespace has the whole amounts
	keep    map[types.NamespacedName]bool // old quotas of which something stays
}

// replacementOf returns what replaces the quotas of a Tenant, or why its quotas have to stay.
//
// In the scope Namespace, each namespace has the whole amount of each item, so that it has pools of its own, and claims all
// of them: no other namespace may claim it.
func (c *cluster) replacementOf(t *tenant) (r replacement, reason string, err error) {
	sources, namespaces := sourcesOf(t, c.quotas), c.namespacesOf(t)
	scope := t.Spec.ResourceQuotas.Scope
	switch {
	case scope == "" || scope == "Tenant":
		r.sources, r.unknown = sources, unknownUse(sources, namespaces)
		if len(namespaces) == 0 && t.Status.State == "" {
			r.unknown = []string{"what its namespaces use is unknown"}
		}
		r.Migration, err = migrate.FromQuotas(sources, selecting(t.Name))
	case scope != "Namespace":
		return r, "spec.resourceQuotas.scope is " + scope, nil
	case len(namespaces) == 0:
		return r, "its namespaces are not in the input", nil
	default:
		r.each, r.Migration = true, &migrate.Migration{}
		for _, namespace := range namespaces {
			own := sourcesIn(namespace, t, sources)
			m, err := migrate.FromQuotas(own, migrate.Options{ClaimHard: true})
			if err != nil {
				return r, "", err
			}
			r.sources = append(r.sources, own...)
			r.Pools = append(r.Pools, m.Pools...)
			r.Claims, r.Replaced = append(r.Claims, m.Claims...), append(r.Replaced, m.Replaced...)
		}
	}
	if err != nil {
		return r, "", err
	}
	for _, p := range r.Pools {
		if errs := pool.ValidatePool(nil, p); len(errs) > 0 {
			return r, fmt.Sprintf("pool %s: %v", p.Name, errs[0]), nil
		}
	}
	return r, "", nil
}

// sourcesIn returns the sources of a namespace that has the whole amount of each item of its Tenant.
func sourcesIn(namespace string, t *tenant, sources []migrate.PoolSource) (own []migrate.PoolSource) {
	for i, s := range sources {
		q := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: quotaName(t, i)}}
		for _, stored := range s.Quotas {
			if stored.Namespace == namespace {
				q = stored.DeepCopy()
			}
		}
		q.Spec = *s.Capacity.DeepCopy()
		s.Pool, s.Quotas = s.Pool+"-"+namespace, []*corev1.ResourceQuota{q}
		own = append(own, s)
	}
	return own
}

// namespacesOf returns the names of the namespaces of a Tenant, sorted: those of its status, those with its label, and those
// with a quota for one of its items.
func (c *cluster) namespacesOf(t *tenant) []string {
	names := map[string]bool{}
	for _, name := range t.Status.Namespaces {
		names[name] = true
	}
	for _, space := range t.Status.Spaces {
		names[space.Name] = true
	}
	for _, ns := range c.namespaces {
		if ns.Labels[tenantLabel] == t.Name {
			names[ns.Name] = true
		}
	}
	for _, s := range sourcesOf(t, c.quotas) {
		for _, q := range s.Quotas {
			names[q.Namespace] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// quotaName returns the name of the quotas that Capsule keeps for an item of a Tenant.
func quotaName(t *tenant, item int) string { return fmt.Sprintf("capsule-%s-%d", t.Name, item) }

// sourcesOf returns the items of a Tenant's resourceQuotas, each with the quotas that Capsule
// keeps for it in the namespaces, whose names end with the number of the item.
func sourcesOf(t *tenant, quotas []*corev1.ResourceQuota) (sources []migrate.PoolSource) {
	names, claims := map[string]bool{}, map[string]bool{}
	for i, item := range t.Spec.ResourceQuotas.Items {
		name := migrate.Purpose(item.Hard)
		if names[name] {
			name = fmt.Sprintf("%s-%d", name, i)
		}
		names[name] = true
		s := migrate.PoolSource{Pool: t.Name + "-" + name, Claim: name, Capacity: item}
		if len(item.Hard) == 1 {
			for only := range item.Hard {
				s.Claim = strings.NewReplacer("/", "-", "_", "-").Replace(string(only))
			}
		}
		if claims[s.Claim] { // of the same resource, in another scope
			s.Claim = fmt.Sprintf("%s-%d", s.Claim, i)
		}
		claims[s.Claim] = true
		for _, q := range quotas {
			if q.Name == quotaName(t, i) {
				s.Quotas = append(s.Quotas, q)
			}
		}
		sources = append(sources, s)
	}
	return sources
}
