package migrate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/ordering"
	"github.com/kubemath/kubemath/pool"
)

// Loss is a quota, or a resource of a quota, that cannot be migrated to a pool.
type Loss struct {
	Quota types.NamespacedName `json:"quota,omitzero"`
	// Resource is the resource that is lost. If it is empty, the whole quota is lost, and is in no
	// source.
	Resource corev1.ResourceName `json:"resource,omitempty"`
	// Problem is why, with a path in the ResourceQuota.
	Problem *computeresources.FieldError `json:"problem,omitempty"`
}

// Sources groups the ResourceQuotas of any namespaces into sources of pools: one source for all
// quotas that limit the same resources with the same scopes. If a namespace has several such
// quotas, the first one by name belongs to the first source, the next one to a second source, and
// so on, because each is a separate limit. A pool has the sum of its quotas, and selects their
// namespaces by name. If all of its quotas have the same name, and no other source uses that name,
// the pool and its claims get it. Otherwise they get the result of Purpose, with a number if another
// source uses it. Sources are sorted by this name.
//
// The quotas that Capsule keeps for an item of a Tenant (TenantOf) are one source. Its capacity is the
// Tenant's amount, which their annotations have in the scope Tenant: their sum is no capacity. All of
// them are lost if the annotations do not have it, if the quotas that are given use another sum
// than the annotations have, or if a part of them is lost. Then only the Tenant says what they stand for.
//
// Losses are what cannot be migrated, sorted by quota and path. A resource that pools do not support,
// or a negative amount, is omitted from the source. A whole quota is lost if it has a scope that pools
// do not support, if none of its resources can be migrated, or if a pool already maintains it. Nil
// quotas are ignored.
func Sources(quotas []*corev1.ResourceQuota) ([]PoolSource, []Loss) {
	var losses []Loss
	groups, ofTenants := map[string][]*corev1.ResourceQuota{}, map[string][]*corev1.ResourceQuota{}
	rank := map[[2]string]int{} // how many quotas of a namespace share what the pool is for
	for _, q := range sorted(quotas) {
		if tenant := TenantOf(q); tenant != "" {
			item := tenant + " " + q.Name
			ofTenants[item] = append(ofTenants[item], q)
			continue
		}
		kept, lost := carried(q)
		losses = append(losses, lost...)
		if kept == nil {
			continue
		}
		shares := fmt.Sprint(slices.Sorted(maps.Keys(kept.Spec.Hard)), scopesOf(&kept.Spec))
		place := [2]string{q.Namespace, shares}
		rank[place]++
		group := fmt.Sprintf("%s %09d", shares, rank[place])
		groups[group] = append(groups[group], kept)
	}
	names := map[string]bool{}
	var sources []PoolSource
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		sources = append(sources, sourceOf(groups[group], names))
	}
	for _, item := range slices.Sorted(maps.Keys(ofTenants)) {
		s, lost := tenantSource(ofTenants[item], names)
		losses = append(losses, lost...)
		if len(lost) == 0 {
			sources = append(sources, s)
		}
	}
	slices.SortFunc(sources, func(a, b PoolSource) int { return strings.Compare(a.Pool, b.Pool) })
	slices.SortStableFunc(losses, func(a, b Loss) int {
		return cmp.Or(ordering.Names(a.Quota, b.Quota), strings.Compare(a.Problem.Path, b.Problem.Path))
	})
	return sources, losses
}

// Purpose returns a name for what a quota limits: "storage" if a resource is of storage, otherwise
// "compute" if one is CPU or memory, and otherwise "size".
func Purpose(hard corev1.ResourceList) string {
	purpose := "size"
	for name := range hard {
		switch {
		case strings.Contains(string(name), "storage"):
			return "storage"
		case strings.HasSuffix(string(name), "cpu") || strings.HasSuffix(string(name), "memory"):
			purpose = "compute"
		}
	}
	return purpose
}

// sorted returns the quotas that are not nil, by namespace and name.
func sorted(quotas []*corev1.ResourceQuota) []*corev1.ResourceQuota {
	list := slices.DeleteFunc(slices.Clone(quotas), func(q *corev1.ResourceQuota) bool { return q == nil })
	slices.SortStableFunc(list, func(a, b *corev1.ResourceQuota) int { return ordering.Names(nameOf(a), nameOf(b)) })
	return list
}

func nameOf(q *corev1.ResourceQuota) types.NamespacedName {
	return types.NamespacedName{Namespace: q.Namespace, Name: q.Name}
}

// carried returns the part of a quota that a pool can have, as a copy, nil if there is none; and the
// part that no pool can have.
func carried(q *corev1.ResourceQuota) (*corev1.ResourceQuota, []Loss) {
	whole := func(problem *field.Error) []Loss {
		return []Loss{{Quota: nameOf(q), Problem: computeresources.FieldErrorOf(problem)}}
	}
	if owner := metav1.GetControllerOf(q); owner != nil && owner.Kind == "ResourcePool" {
		path := field.NewPath("metadata", "ownerReferences")
		return nil, whole(field.Forbidden(path, "the quota is that of ResourcePool "+owner.Name))
	}
	scoped := *q.Spec.DeepCopy()
	scoped.Hard = corev1.ResourceList{corev1.ResourcePods: {}}
	if problems := problemsOf(scoped); len(problems) > 0 {
		return nil, whole(problems[0])
	}
	kept := q.DeepCopy()
	var losses []Loss
	for name, amount := range q.Spec.Hard {
		for _, problem := range problemsOf(corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{name: amount}}) {
			delete(kept.Spec.Hard, name)
			losses = append(losses, Loss{Quota: nameOf(q), Resource: name, Problem: computeresources.FieldErrorOf(problem)})
		}
	}
	if len(kept.Spec.Hard) == 0 {
		return nil, append(losses, whole(field.Required(field.NewPath("spec", "hard"), "a pool needs resources"))...)
	}
	return kept, losses
}

// problemsOf returns why a pool cannot have a quota, with paths in a ResourceQuota.
func problemsOf(spec corev1.ResourceQuotaSpec) field.ErrorList {
	p := &pool.ResourcePool{ObjectMeta: metav1.ObjectMeta{Name: "any"}, Spec: pool.ResourcePoolSpec{Quota: spec}}
	problems := pool.ValidatePool(nil, p)
	for _, problem := range problems {
		problem.Field = strings.Replace(problem.Field, "spec.quota.", "spec.", 1)
	}
	return problems
}

// scopesOf returns the scopes of a quota as text that does not depend on their order.
func scopesOf(spec *corev1.ResourceQuotaSpec) []string {
	var scopes []string
	for _, scope := range spec.Scopes {
		scopes = append(scopes, string(scope))
	}
	if spec.ScopeSelector != nil {
		for _, e := range spec.ScopeSelector.MatchExpressions {
			scopes = append(scopes, fmt.Sprintf("%s %s %q", e.ScopeName, e.Operator, slices.Sorted(slices.Values(e.Values))))
		}
	}
	slices.Sort(scopes)
	return slices.Compact(scopes)
}

// sourceOf returns the source of quotas that share resources and scopes, and notes its name.
func sourceOf(quotas []*corev1.ResourceQuota, names map[string]bool) PoolSource {
	first := quotas[0]
	s := PoolSource{Pool: first.Name, Capacity: *first.Spec.DeepCopy(), Quotas: quotas, Selectors: byNamespace(quotas)}
	s.Capacity.Hard = nil
	for _, q := range quotas {
		s.Capacity.Hard = resourcelist.Add(s.Capacity.Hard, q.Spec.Hard)
		if q.Name != first.Name {
			s.Pool = ""
		}
	}
	if s.Pool == "" || names[s.Pool] {
		s.Pool = free(Purpose(first.Spec.Hard), names)
	}
	names[s.Pool] = true
	s.Claim = s.Pool
	return s
}

// free returns a name that is not used yet: with the first number from 2 on if it is.
func free(name string, used map[string]bool) string {
	candidate := name
	for n := 2; used[candidate]; n++ {
		candidate = fmt.Sprintf("%s-%d", name, n)
	}
	return candidate
}
