package allocator

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/internal/ledger"
)

// Allocator is a pool and its claims, allocated at any time. Make one with New.
//
// A call that changes an Allocator must be alone; calls that only read (Decision, Allocation,
// Available, Claimed, Counts) may run at the same time as one another.
type Allocator struct {
	spec       *pool.ResourcePool // without a status
	ledger     *ledger.Ledger
	queue      queue
	claims     map[types.NamespacedName]*claim
	namespaces map[string]*namespace
	bound      int
	serial     uint64   // how many claims there have been
	atOnce     []*claim // bound without a turn, and not told yet
}

// namespace is what the bound claims of a namespace add up to, and how many they are.
type namespace struct {
	totals ledger.Totals
	bound  int
}

// New returns a pool with its claims allocated: those that are bound keep what they have,
// and all others have had their turns, those that were to be released after the others.
// Claims that are not the pool's (ResourcePoolClaim.ClaimsFrom) are ignored, and so is all but
// the first of two with one name. Nothing that is given is kept or written to. A nil pool
// is one without a name, or anything else.
//
// Cost: O(n log n) for n claims.
func New(p *pool.ResourcePool, claims []*pool.ResourcePoolClaim) *Allocator {
	l := &Allocator{claims: make(map[types.NamespacedName]*claim, len(claims)), namespaces: map[string]*namespace{}}
	l.setSpec(p)
	l.ledger = ledger.New(l.spec.Spec.Quota.Hard)
	l.queue = l.newQueue()
	var released []*claim
	for _, c := range claims {
		if !c.ClaimsFrom(l.spec) || l.claims[nameOf(c)] != nil {
			continue
		}
		n := l.insert(c)
		switch {
		case !c.Bound():
			l.enqueue(n)
		case c.Released():
			released = append(released, n)
		default:
			l.ledger.Take(n.wants)
			l.bind(n)
		}
	}
	l.settle()
	for _, n := range released {
		l.enqueue(n)
	}
	l.settle()
	return l
}

// Set takes in a claim that was created or changed, and returns the claims that are bound
// since then, in turn.
//
// The Allocator, not the claim's status, decides whether a known claim is bound; the status
// counts only when the claim is new. What a new claim has by its status is taken, even if
// less remains: callers must not pass stale objects from a cache. A bound claim gives back
// what it has if the annotation says so, and then waits like a new one. Whatever else
// changes about what it asks for, and of whom, is an *ImmutableError, and nothing is
// changed; writing the same quantity differently (1Gi, 1024Mi) is not a change. A waiting claim that turns to
// another pool is dropped, and one that is not of this pool is ignored, as is nil. A claim
// with another UID is another claim: what the old one had is free.
//
// Cost: as for the package.
func (l *Allocator) Set(c *pool.ResourcePoolClaim) ([]types.NamespacedName, error) {
	if c == nil {
		return nil, nil
	}
	old := l.claims[nameOf(c)]
	if old != nil && old.uid != c.UID {
		l.drop(old)
		freed := l.settle()
		more, err := l.Set(c)
		return append(freed, more...), err
	}
	switch {
	case old != nil && old.bound && c.Released():
		return l.Release(old.name), nil
	case old != nil && old.bound:
		if c.Spec.Pool != l.spec.Name || !old.sameWants(newClaim(c, l.ledger, 0), l.ledger) {
			return nil, &ImmutableError{Claim: old.name, Pool: l.spec.Name}
		}
		return nil, nil
	case old != nil:
		l.drop(old)
	}
	if c.ClaimsFrom(l.spec) {
		n := l.insert(c)
		if old == nil && c.Bound() && !c.Released() {
			l.ledger.Take(n.wants)
			l.bind(n)
			return l.settle(), nil
		}
		l.enqueue(n)
	}
	return l.settle(), nil
}

// Delete forgets a claim, and returns the claims that are bound since then, in turn. What
// it had is free. A claim that is not known is no change.
func (l *Allocator) Delete(name types.NamespacedName) []types.NamespacedName {
	c := l.claims[name]
	if c == nil {
		return nil
	}
	l.drop(c)
	return l.settle()
}

// Release takes from a bound claim what it has, and returns the claims that are bound
// since then, in turn. Claims that wait come first, whatever their order; then the claim
// itself waits, in its old place, and may be the last in the answer. Of a claim that is
// not bound, or not known, nothing changes.
func (l *Allocator) Release(name types.NamespacedName) []types.NamespacedName {
	c := l.claims[name]
	if c == nil || !c.bound {
		return nil
	}
	l.unbind(c)
	bound := l.settle()
	l.enqueue(c)
	return append(bound, l.settle()...)
}

// SetPool takes in the pool as it is now, and returns the claims that are bound since then,
// in turn. Bound claims keep what they have, be it more than there is: whether a pool may
// shrink is for package lifecycle to say. The name and the UID of the pool stay what they
// were. Nil is no change.
//
// Cost: as for the package; O(n log n) if the queue becomes an ordered one, or ceases to be.
func (l *Allocator) SetPool(p *pool.ResourcePool) []types.NamespacedName {
	if p == nil {
		return nil
	}
	wasOrdered := l.spec.Spec.Config.OrderedQueue
	name, uid := l.spec.Name, l.spec.UID
	l.setSpec(p)
	l.spec.Name, l.spec.UID = name, uid
	l.ledger.SetHard(l.spec.Spec.Quota.Hard)
	if wasOrdered != l.spec.Spec.Config.OrderedQueue {
		l.queue = l.newQueue()
		for _, c := range l.claims {
			if !c.bound && len(c.negative) == 0 {
				l.queue.add(c)
			}
		}
	}
	return l.settle()
}

// Counts returns how many claims are bound, and how many are not.
func (l *Allocator) Counts() (bound, waiting int) { return l.bound, len(l.claims) - l.bound }

func (l *Allocator) setSpec(p *pool.ResourcePool) {
	l.spec = &pool.ResourcePool{}
	if p != nil {
		l.spec.Name, l.spec.UID = p.Name, p.UID
		l.spec.Spec.Config = p.Spec.Config
		l.spec.Spec.Quota.Hard = p.Spec.Quota.Hard.DeepCopy()
	}
}

func (l *Allocator) newQueue() queue {
	if l.spec.Spec.Config.OrderedQueue {
		return &byGroup{ledger: l.ledger, number: map[string]int{}}
	}
	return &byObstacle{ledger: l.ledger}
}

// insert makes a claim known, neither bound nor in the queue.
func (l *Allocator) insert(c *pool.ResourcePoolClaim) *claim {
	l.serial++
	n := newClaim(c, l.ledger, l.serial)
	l.claims[n.name] = n
	return n
}

// enqueue lets a claim wait for its turn. One that asks for less than nothing has none;
// one that asks for nothing needs none.
func (l *Allocator) enqueue(c *claim) {
	switch {
	case len(c.negative) > 0:
	case len(c.wants) == 0:
		l.bind(c)
		l.atOnce = append(l.atOnce, c)
	default:
		l.queue.add(c)
	}
}

// drop forgets a claim.
func (l *Allocator) drop(c *claim) {
	switch {
	case c.bound:
		l.unbind(c)
	case len(c.negative) == 0:
		l.queue.remove(c)
	}
	delete(l.claims, c.name)
}

// settle lets claims have their turns, and returns those that were bound, in turn. Claims
// that want nothing have been bound already; their turn was in the first round.
func (l *Allocator) settle() (names []types.NamespacedName) {
	bound, first := l.queue.settle()
	for _, c := range bound {
		l.bind(c)
	}
	if len(l.atOnce) > 0 {
		turns := append(l.atOnce, bound[:first]...)
		slices.SortFunc(turns, func(a, b *claim) int {
			if a.before(b) {
				return -1
			}
			return 1
		})
		bound, l.atOnce = append(turns, bound[first:]...), nil
	}
	for _, c := range bound {
		names = append(names, c.name)
	}
	return names
}

// bind notes that a claim is bound. What it wants is taken already.
func (l *Allocator) bind(c *claim) {
	c.bound = true
	l.bound++
	n := l.namespaces[c.name.Namespace]
	if n == nil {
		n = &namespace{}
		l.namespaces[c.name.Namespace] = n
	}
	n.bound++
	n.totals = n.totals.Add(l.ledger, c.wants)
}

// unbind gives back what a claim has.
func (l *Allocator) unbind(c *claim) {
	c.bound = false
	l.bound--
	l.ledger.Give(c.wants)
	n := l.namespaces[c.name.Namespace]
	n.bound--
	n.totals.Remove(l.ledger, c.wants)
	if n.bound == 0 {
		delete(l.namespaces, c.name.Namespace)
	}
}

func nameOf(c *pool.ResourcePoolClaim) types.NamespacedName {
	return types.NamespacedName{Namespace: c.Namespace, Name: c.Name}
}

// Available returns what is left of each resource of the pool, which is below zero where
// more is bound than there is.
func (l *Allocator) Available() corev1.ResourceList { return l.ledger.Available() }

// Claimed returns what the bound claims of a namespace add up to, for pool.Quota; nil if
// there are none.
func (l *Allocator) Claimed(namespace string) corev1.ResourceList {
	n := l.namespaces[namespace]
	if n == nil {
		return nil
	}
	return l.ledger.NonZero(n.totals)
}
