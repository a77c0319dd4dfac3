package book

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/allocator"
)

// account is an open pool.
type account struct {
	pool      *pool.ResourcePool // the version that is known, with the status that is recorded
	allocator *allocator.Allocator
	claims    map[string]map[string]*pool.ResourcePoolClaim // by namespace and name: the versions that are known
	inUse     map[types.NamespacedName]bool

	version   int
	changed   map[types.NamespacedName]int // the version in which a claim changed that is not recorded yet
	inChanged map[string]int               // how many of them are of a namespace
	allQuotas bool                         // the quotas of all namespaces have to be looked at
}

func open(p *pool.ResourcePool, claims []*pool.ResourcePoolClaim) *account {
	a := &account{
		pool: p.DeepCopy(), allocator: allocator.New(p, claims, pool.Options{}),
		claims: map[string]map[string]*pool.ResourcePoolClaim{}, inUse: map[types.NamespacedName]bool{},
		changed: map[types.NamespacedName]int{}, inChanged: map[string]int{}, allQuotas: true,
	}
	for _, c := range claims {
		a.keep(c)
		a.change(c.Key())
	}
	// Records of other claims are dropped.
	for namespace, recorded := range p.Status.Claims {
		for _, r := range recorded {
			a.change(types.NamespacedName{Namespace: namespace, Name: r.Name})
		}
	}
	return a
}

// setPool updates the pool to a newer version.
func (a *account) setPool(p *pool.ResourcePool) {
	status := a.pool.Status
	a.pool = p.DeepCopy()
	a.pool.Status = status
	a.allQuotas = true
	a.change(a.allocator.SetPool(p)...)
}

// setClaim reports whether the version of the claim is a new one.
func (a *account) setClaim(c *pool.ResourcePoolClaim) (bool, error) {
	known := a.claims[c.Namespace][c.Name]
	isSame := known != nil && known.UID == c.UID
	if isSame && known.Generation >= c.Generation {
		return false, nil
	}
	given := c
	// The allocator has forgotten a claim that has asked for another pool and was evicted.
	if _, is := a.allocator.Decision(c.Key()); !isSame || !is {
		given = asWaiting(c)
	}
	granted, err := a.allocator.Set(given)
	if err != nil {
		return false, err
	}
	a.keep(c)
	a.change(append(granted, c.Key())...)
	return true, nil
}

// knowsNewer reports whether a newer version of the claim is known.
func (a *account) knowsNewer(c *pool.ResourcePoolClaim) bool {
	known := a.claims[c.Namespace][c.Name]
	return known != nil && known.UID == c.UID && known.Generation > c.Generation
}

// asWaiting returns the claim with a status that is not holding: only the record of the pool decides
// whether a claim is holding.
func asWaiting(c *pool.ResourcePoolClaim) *pool.ResourcePoolClaim {
	if !c.Holding() && !c.InUse() {
		return c
	}
	return pool.Release(c, pool.Options{})
}

func (a *account) deleteClaim(name types.NamespacedName) {
	delete(a.claims[name.Namespace], name.Name)
	delete(a.inUse, name)
	a.change(append(a.allocator.Delete(name), name)...)
}

func (a *account) keep(c *pool.ResourcePoolClaim) {
	if a.claims[c.Namespace] == nil {
		a.claims[c.Namespace] = map[string]*pool.ResourcePoolClaim{}
	}
	a.claims[c.Namespace][c.Name] = c
}

// all returns the claims that are known, by name.
func (a *account) all() iter.Seq2[types.NamespacedName, *pool.ResourcePoolClaim] {
	return func(yield func(types.NamespacedName, *pool.ResourcePoolClaim) bool) {
		for _, claims := range a.claims {
			for _, c := range claims {
				if !yield(c.Key(), c) {
					return
				}
			}
		}
	}
}

// change notes that decisions on claims have to be recorded.
func (a *account) change(claims ...types.NamespacedName) {
	a.version++
	for _, name := range claims {
		if _, is := a.changed[name]; !is {
			a.inChanged[name.Namespace]++
		}
		a.changed[name] = a.version
	}
}

func (a *account) unrecorded(namespace string) bool { return a.inChanged[namespace] > 0 }

// records reports whether the status of the pool holds a record for a claim.
func (a *account) records(c *pool.ResourcePoolClaim) bool {
	return slices.ContainsFunc(a.pool.Status.Claims[c.Namespace], func(r pool.RecordedClaim) bool {
		return r.Name == c.Name && (r.UID == "" || c.UID == "" || r.UID == c.UID)
	})
}

func (a *account) draft(namespaces []string, now time.Time) Draft {
	claims := make([]*pool.ResourcePoolClaim, 0, len(a.changed))
	for _, c := range a.all() {
		claims = append(claims, c)
	}
	allocation := a.allocator.Allocation()
	p := *a.pool
	p.Status = allocation.Status(&p, claims, namespaces, now, pool.Options{})
	return Draft{Status: p.Status, Decisions: allocation.Decisions, version: a.version}
}

func (a *account) recorded(draft Draft) (change Change) {
	before := a.pool.Status.Namespaces
	a.pool.Status = draft.Status
	for name, version := range a.changed {
		if version > draft.version {
			continue
		}
		change.Claims = append(change.Claims, name)
		change.Namespaces = append(change.Namespaces, name.Namespace)
		delete(a.changed, name)
		a.inChanged[name.Namespace]--
		if a.inChanged[name.Namespace] == 0 {
			delete(a.inChanged, name.Namespace)
		}
	}
	if a.allQuotas || !slices.Equal(before, draft.Status.Namespaces) {
		change.Namespaces = slices.Concat(change.Namespaces, before, draft.Status.Namespaces)
		a.allQuotas = false
	}
	slices.Sort(change.Namespaces)
	change.Namespaces = slices.Compact(change.Namespaces)
	return change
}

func (a *account) setUsed(namespace string, used corev1.ResourceList) []types.NamespacedName {
	p := *a.pool
	p.Status = pool.ResourcePoolStatus{Claims: map[string][]pool.RecordedClaim{namespace: a.pool.Status.Claims[namespace]}}
	var claims []*pool.ResourcePoolClaim
	for _, c := range a.claims[namespace] {
		claims = append(claims, c)
	}
	needed := pool.Needed(namespace, used, &p, claims)
	var changed []types.NamespacedName
	for _, c := range claims {
		name := c.Key()
		inUse := slices.Contains(needed, name)
		if before, known := a.inUse[name]; !known || before != inUse {
			a.inUse[name] = inUse
			changed = append(changed, name)
		}
	}
	slices.SortFunc(changed, byName)
	return changed
}

func (a *account) decision(name types.NamespacedName) (d pool.Decision, inUse *bool, known bool) {
	if _, is := a.changed[name]; is {
		return pool.Decision{}, nil, false
	}
	if is, known := a.inUse[name]; known {
		inUse = &is
	}
	d, known = a.allocator.Decision(name)
	if !known {
		_, known = a.claims[name.Namespace][name.Name]
		return pool.Decision{Claim: name, State: pool.Released}, nil, known
	}
	return d, inUse, true
}

func byName(x, y types.NamespacedName) int {
	return cmp.Or(strings.Compare(x.Namespace, y.Namespace), strings.Compare(x.Name, y.Name))
}
