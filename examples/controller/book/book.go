// Package book keeps the allocations of pools: one allocator.Allocator for each open ResourcePool,
// shared by several reconcilers. It does not talk to a cluster.
//
// The book is ahead of the stored objects. It decides on an event (SetClaim, DeleteClaim, SetPool)
// immediately, and Draft returns the status that the pool then has to record. Decision and Claimed
// do not return the changes until Recorded confirms that the status is stored, so a restart cannot
// lose a published grant. A book that is reopened from the stored objects (Open) grants everything
// that was published before.
package book

import (
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/kubemath/kubemath/pool"
)

// Book is safe for concurrent use. Make one with New.
type Book struct {
	mu       sync.RWMutex
	accounts map[string]*account
	pools    map[types.NamespacedName]string           // the pool that knows a claim
	early    map[string]sets.Set[types.NamespacedName] // claims that wait until a pool is recorded
}

// New returns a book in which no pool is open.
func New() *Book {
	return &Book{
		accounts: map[string]*account{},
		pools:    map[types.NamespacedName]string{},
		early:    map[string]sets.Set[types.NamespacedName]{},
	}
}

// Open opens a pool with all claims that are assigned to it. Claims that its status records are
// granted; all others are processed in order. Decisions are published once the pool is recorded. It
// returns the other pools that have to be recorded, because they knew one of the claims.
//
// Claims that another pool knows in a newer version are left to it: they were assigned to it after the given ones were read.
func (b *Book) Open(p *pool.ResourcePool, claims []*pool.ResourcePoolClaim) []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.close(p.Name)
	claims = slices.DeleteFunc(slices.Clone(claims), func(c *pool.ResourcePoolClaim) bool {
		a := b.accounts[b.pools[c.Key()]]
		return a != nil && a.knowsNewer(c)
	})
	var changed []string
	for _, c := range claims {
		changed = append(changed, b.forget(c.Key())...)
		b.pools[c.Key()] = p.Name
	}
	b.accounts[p.Name] = open(p, claims)
	return changed
}

// IsOpen reports whether the pool with this UID is open.
func (b *Book) IsOpen(p *pool.ResourcePool) bool {
	b.mu.RLock()
	defer b.mu.RUnlock()
	a := b.accounts[p.Name]
	return a != nil && a.pool.UID == p.UID
}

// Close forgets a pool with its claims.
func (b *Book) Close(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.close(name)
}

func (b *Book) close(name string) {
	a := b.accounts[name]
	if a == nil {
		return
	}
	delete(b.accounts, name)
	for claim := range a.all() {
		delete(b.pools, claim)
	}
}

// SetPool updates an open pool to another version, and reports whether the pool with this UID is open afterwards. An older version
// changes nothing. A newer one closes the pool if some decisions are not recorded, because they were made for another size: it has
// to be opened again, by what is recorded.
func (b *Book) SetPool(p *pool.ResourcePool) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	a := b.accounts[p.Name]
	switch {
	case a == nil || a.pool.UID != p.UID:
		return false
	case p.Generation <= a.pool.Generation:
		return true
	case len(a.changed) > 0:
		b.close(p.Name)
		return false
	}
	a.setPool(p)
	return true
}

// SetClaim adds or updates a claim that is assigned to a pool, and returns the pools that have to
// be recorded. A claim that the pool does not know waits for its turn, regardless of its status. An
// older version changes nothing. If the pool is not open, Recorded returns the claim when it is.
func (b *Book) SetClaim(poolName string, c *pool.ResourcePoolClaim) ([]string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var changed []string
	if b.pools[c.Key()] != poolName {
		changed = b.forget(c.Key())
	}
	a := b.accounts[poolName]
	if a == nil {
		b.waitFor(poolName, c.Key())
		return changed, nil
	}
	is, err := a.setClaim(c)
	if err != nil {
		return changed, err
	}
	b.pools[c.Key()] = poolName
	if is {
		changed = append(changed, poolName)
	}
	return changed, nil
}

// DeleteClaim forgets a claim, and returns the pool that has to be recorded. The resources of the
// claim are released. If the claim is set again, it is treated like a new one.
func (b *Book) DeleteClaim(name types.NamespacedName) []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.forget(name)
}

func (b *Book) forget(name types.NamespacedName) []string {
	poolName := b.pools[name]
	a := b.accounts[poolName]
	if a == nil {
		return nil
	}
	delete(b.pools, name)
	a.deleteClaim(name)
	return []string{poolName}
}

// Admits reports whether a claim may be assigned to a pool. A claim must not be assigned while the
// pool still has a record for it, because the claim would get that back. In that case, Recorded
// returns the claim the next time the pool is recorded.
func (b *Book) Admits(poolName string, c *pool.ResourcePoolClaim) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	a := b.accounts[poolName]
	if a != nil && !a.records(c) {
		return true
	}
	b.waitFor(poolName, c.Key())
	return false
}

func (b *Book) waitFor(poolName string, claim types.NamespacedName) {
	if b.early[poolName] == nil {
		b.early[poolName] = sets.New[types.NamespacedName]()
	}
	b.early[poolName].Insert(claim)
}

// Draft is the status that a pool has to record.
type Draft struct {
	Status    pool.ResourcePoolStatus
	Decisions []pool.Decision

	version int
}

// Draft returns the status that a pool has to record, and the status that is recorded already. The
// namespaces are those that the pool selects. It returns false if the pool is not open.
//
// It is the only method whose cost grows with the number of claims.
func (b *Book) Draft(poolName string, namespaces []string, now time.Time) (draft Draft, recorded pool.ResourcePoolStatus, open bool) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	a := b.accounts[poolName]
	if a == nil {
		return Draft{}, pool.ResourcePoolStatus{}, false
	}
	return a.draft(namespaces, now), a.pool.Status, true
}

// Change lists the objects to reconcile after a pool was recorded.
type Change struct {
	Claims     []types.NamespacedName
	Namespaces []string // whose quotas have to be looked at
}

// Recorded tells the book that the status of a draft is stored, and returns what has changed since
// the last call.
func (b *Book) Recorded(poolName string, draft Draft) Change {
	b.mu.Lock()
	defer b.mu.Unlock()
	a := b.accounts[poolName]
	if a == nil {
		return Change{}
	}
	change := a.recorded(draft)
	change.Claims = append(change.Claims, b.early[poolName].UnsortedList()...)
	delete(b.early, poolName)
	slices.SortFunc(change.Claims, byName)
	change.Claims = slices.Compact(change.Claims)
	return change
}

// SetUsed sets the usage of a pool's quota in a namespace, and returns the claims that became used
// or unused.
func (b *Book) SetUsed(poolName, namespace string, used corev1.ResourceList) []types.NamespacedName {
	b.mu.Lock()
	defer b.mu.Unlock()
	a := b.accounts[poolName]
	if a == nil {
		return nil
	}
	return a.setUsed(namespace, used)
}

// Decision returns the decision on a claim, and whether the claim is in use according to SetUsed:
// nil if it was not called. A claim that has asked for another pool and holds nothing any more is Released.
// It returns false if the claim is not known, or the decision is not recorded yet.
func (b *Book) Decision(name types.NamespacedName) (decision pool.Decision, inUse *bool, known bool) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	a := b.accounts[b.pools[name]]
	if a == nil {
		return pool.Decision{}, nil, false
	}
	return a.decision(name)
}

// Claimed returns the resources that the claims of a namespace have been granted from a pool. It
// returns false if the pool is not open, or a change in the namespace is not recorded yet.
func (b *Book) Claimed(poolName, namespace string) (corev1.ResourceList, bool) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	a := b.accounts[poolName]
	if a == nil || a.unrecorded(namespace) {
		return nil, false
	}
	return a.allocator.Claimed(namespace), true
}

// Pending returns how many claims have changed since their pool was recorded.
func (b *Book) Pending() int {
	b.mu.RLock()
	defer b.mu.RUnlock()
	pending := 0
	for _, a := range b.accounts {
		pending += len(a.changed)
	}
	return pending
}
