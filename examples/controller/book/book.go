// Package book keeps who has what of which pool: an allocator.Allocator for each ResourcePool that
// is open, for several reconcilers at once. It knows no cluster.
//
// The book is ahead of what is stored. An event (SetClaim, DeleteClaim, SetPool) is decided at once,
// and Draft returns what the status of the pool has to record then. Until Recorded says that this is
// stored, Decision and Claimed do not return what has changed, so that no grant is published that a
// restart could lose. A book that is opened again from what is stored (Open) therefore grants
// everything that was published before.
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

// Open opens a pool with all claims that are assigned to it. What its status records is granted;
// all others have their turns. Decisions are published once the pool is recorded. It returns the
// other pools that have to be recorded, because they knew one of the claims.
func (b *Book) Open(p *pool.ResourcePool, claims []*pool.ResourcePoolClaim) []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.close(p.Name)
	var changed []string
	for _, c := range claims {
		changed = append(changed, b.forget(c.Key())...)
		b.pools[c.Key()] = p.Name
	}
	b.accounts[p.Name] = open(p, claims)
	return changed
}

// IsOpen reports whether a pool is open: the one of this UID.
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

// SetPool takes in another version of a pool that is open. An older one changes nothing.
func (b *Book) SetPool(p *pool.ResourcePool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if a := b.accounts[p.Name]; a != nil && a.pool.UID == p.UID {
		a.setPool(p)
	}
}

// SetClaim takes in a claim that is assigned to a pool, and returns the pools that have to be
// recorded. One that the pool does not know waits for its turn, whatever its status says. An older
// version changes nothing. If the pool is not open, Recorded returns the claim when it is.
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

// DeleteClaim forgets a claim, and returns the pool that has to be recorded. What the claim had is
// free. If it is set again, it has its turn like a new one.
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

// Admits reports whether a claim may be assigned to a pool. It must not while the pool still records
// something for the claim, which it would get back. If not, Recorded returns the claim when the
// pool is recorded next.
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

// Draft is what the status of a pool has to record.
type Draft struct {
	Status    pool.ResourcePoolStatus
	Decisions []pool.Decision

	version int
}

// Draft returns what the status of a pool has to record, and what it records already. The
// namespaces are those that it selects. It is false if the pool is not open.
//
// It is the only answer that takes longer the more claims there are.
func (b *Book) Draft(poolName string, namespaces []string, now time.Time) (draft Draft, recorded pool.ResourcePoolStatus, open bool) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	a := b.accounts[poolName]
	if a == nil {
		return Draft{}, pool.ResourcePoolStatus{}, false
	}
	return a.draft(namespaces, now), a.pool.Status, true
}

// Change is who has to be told after a pool was recorded.
type Change struct {
	Claims     []types.NamespacedName
	Namespaces []string // whose quotas have to be looked at
}

// Recorded says that the status of a pool is that of a draft, and returns what has changed since the
// last time.
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

// SetUsed takes in what a namespace uses of the quota that it has of a pool, and returns the claims
// that are now in use, or no longer.
func (b *Book) SetUsed(poolName, namespace string, used corev1.ResourceList) []types.NamespacedName {
	b.mu.Lock()
	defer b.mu.Unlock()
	a := b.accounts[poolName]
	if a == nil {
		return nil
	}
	return a.setUsed(namespace, used)
}

// Decision returns what is decided on a claim, and whether it is in use (as far as SetUsed has said
// so). It is false if the claim is not known, or the decision is not recorded yet.
func (b *Book) Decision(name types.NamespacedName) (pool.Decision, pool.Use, bool) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	a := b.accounts[b.pools[name]]
	if a == nil {
		return pool.Decision{}, 0, false
	}
	return a.decision(name)
}

// Claimed returns what the claims of a namespace have of a pool. It is false if the pool is not open,
// or something in the namespace is not recorded yet.
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
