// Package book keeps who has what of which pool: a allocator.Allocator for each ResourcePool that is
// open, for several reconcilers at once. It knows no cluster. What it is told, it takes in;
// what follows from that for others, it answers as Changes.
package book

import (
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/allocator"
	"github.com/kubemath/kubemath/pool/lifecycle"
)

// Change is what has to be looked at again after an event: a pool, and those of its claims
// that the event was about or that were bound by it. The quotas of their namespaces
// follow.
type Change struct {
	Pool   string
	Claims []types.NamespacedName
}

// Book is safe for concurrent use. Make one with New.
type Book struct {
	mu       sync.RWMutex
	accounts map[string]*account
	entries  map[types.NamespacedName]entry
	early    map[string]sets.Set[types.NamespacedName] // claims on pools that are not open
}

// account is an open pool, of one version of its spec.
type account struct {
	uid        types.UID
	generation int64
	live       *allocator.Allocator
}

// entry is the version of a claim that its pool knows.
type entry struct {
	pool       string
	uid        types.UID
	generation int64
}

// New returns a book in which no pool is open.
func New() *Book {
	return &Book{
		accounts: map[string]*account{},
		entries:  map[types.NamespacedName]entry{},
		early:    map[string]sets.Set[types.NamespacedName]{},
	}
}

// SetPool opens a pool, or takes in another version of it. The claims are all of the pool,
// as far as they may claim from it. They count only when the pool is opened: only then is
// it safe to believe their statuses, and only all of them together tell who is next.
// Claims that were set before are among the changes, in the list or not: it may be older
// than they are.
func (b *Book) SetPool(p *pool.ResourcePool, claims []*pool.ResourcePoolClaim) []Change {
	b.mu.Lock()
	defer b.mu.Unlock()
	a := b.accounts[p.Name]
	switch {
	case a == nil || a.uid != p.UID:
		return b.open(p, claims)
	case a.generation == p.Generation:
		return nil
	}
	a.generation = p.Generation
	return []Change{{Pool: p.Name, Claims: a.live.SetPool(p)}}
}

func (b *Book) open(p *pool.ResourcePool, claims []*pool.ResourcePoolClaim) []Change {
	b.close(p.Name)
	a := &account{uid: p.UID, generation: p.Generation, live: allocator.New(p, claims, pool.Options{API: pool.Documented})}
	b.accounts[p.Name] = a
	change := Change{Pool: p.Name}
	for _, c := range claims {
		name := NameOf(c)
		if _, known := a.live.Decision(name); known {
			b.entries[name] = entry{p.Name, c.UID, c.Generation}
			change.Claims = append(change.Claims, name)
		}
	}
	for name := range b.early[p.Name] {
		if b.entries[name].pool != p.Name {
			change.Claims = append(change.Claims, name)
		}
	}
	delete(b.early, p.Name)
	return []Change{change}
}

// ClosePool forgets a pool with its claims.
func (b *Book) ClosePool(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.close(name)
}

func (b *Book) close(name string) {
	delete(b.accounts, name)
	for claim, e := range b.entries {
		if e.pool == name {
			delete(b.entries, claim)
		}
	}
}

// SetClaim takes in a claim, as the API server has it, on a pool that it may claim from. One
// that is not known waits for its turn, whatever its status says, which may be an old one.
// If the pool is not open, the claim is not known afterwards, and has to be set again when
// it is. The error is a *allocator.ImmutableError.
func (b *Book) SetClaim(poolName string, c *pool.ResourcePoolClaim) ([]Change, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	name, now := NameOf(c), entry{poolName, c.UID, c.Generation}
	before, known := b.entries[name]
	if known && before == now {
		return nil, nil
	}
	var changes []Change
	// A claim may still be changed as long as its status does not say that it is bound,
	// even if it is so here: nobody has been told.
	if known && (before.pool != poolName || !c.Bound() && b.bound(name)) {
		changes = b.forget(name)
	}
	a := b.accounts[poolName]
	if a == nil {
		if b.early[poolName] == nil {
			b.early[poolName] = sets.New[types.NamespacedName]()
		}
		b.early[poolName].Insert(name)
		return changes, nil
	}
	if _, known := b.entries[name]; !known && c.Bound() {
		c = lifecycle.Release(c, pool.Options{API: pool.Documented})
	}
	bound, err := a.live.Set(c)
	if err != nil {
		return changes, err
	}
	b.entries[name] = now
	return append(changes, Change{Pool: poolName, Claims: with(bound, name)}), nil
}

// DeleteClaim forgets a claim, whose resources are free then. If it is set again, it has
// its turn after all that waited.
func (b *Book) DeleteClaim(name types.NamespacedName) []Change {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.forget(name)
}

func (b *Book) forget(name types.NamespacedName) []Change {
	e, known := b.entries[name]
	if !known {
		return nil
	}
	delete(b.entries, name)
	return []Change{{Pool: e.pool, Claims: with(b.accounts[e.pool].live.Delete(name), name)}}
}

func (b *Book) bound(name types.NamespacedName) bool {
	d, _ := b.accounts[b.entries[name].pool].live.Decision(name)
	return d.State == pool.Bound
}

// Decision returns what is decided on a claim by its pool, and whether it is known.
func (b *Book) Decision(name types.NamespacedName) (pool.Decision, bool) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	a := b.accounts[b.entries[name].pool]
	if a == nil {
		return pool.Decision{}, false
	}
	return a.live.Decision(name)
}

// Claimed returns what the claims of a namespace have of a pool, and whether it is open.
func (b *Book) Claimed(poolName, namespace string) (corev1.ResourceList, bool) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	a := b.accounts[poolName]
	if a == nil {
		return nil, false
	}
	return a.live.Claimed(namespace), true
}

// Allocation returns what becomes of all claims of a pool; nil if it is not open. It is the
// only answer that takes longer the more claims there are.
func (b *Book) Allocation(poolName string) *pool.Allocation {
	b.mu.RLock()
	defer b.mu.RUnlock()
	a := b.accounts[poolName]
	if a == nil {
		return nil
	}
	return a.live.Allocation()
}

// NameOf returns the name by which the book knows a claim.
func NameOf(c *pool.ResourcePoolClaim) types.NamespacedName {
	return types.NamespacedName{Namespace: c.Namespace, Name: c.Name}
}

func with(names []types.NamespacedName, name types.NamespacedName) []types.NamespacedName {
	if slices.Contains(names, name) {
		return names
	}
	return append(names, name)
}
