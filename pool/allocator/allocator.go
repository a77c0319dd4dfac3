package allocator

import (
	"errors"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/internal/ledger"
)

// Allocator is a pool and its claims with an allocation that is always up to date. Create one with
// New. The zero value is that of a nil pool.
type Allocator struct {
	spec       *pool.ResourcePool // without a status
	options    pool.Options
	ledger     *ledger.Ledger
	claims     map[types.NamespacedName]*claim
	namespaces map[string]*namespace
	holding    int
	mostOthers int // of resources that the pool did not offer at first, until those of no claim are forgotten

	queue   queue             // of the waiting claims that may be granted
	row     []int64           // of the queue, for one claim
	closed  []*claim          // by resource, in an ordered queue: the claim that was short of it in the last round
	settled []quantity.Amount // by resource: what remained when no claim fitted; nil if that is not known
	fresh   []*claim          // that were queued since

	unreported []*claim // that were granted without a turn
	leaving    []*claim // that leave the pool unless they are granted in the next round
	annotated  []*claim // that are released if they are granted in the next round
}

// New returns a pool with its claims allocated, as [pool.Allocate] does if it is called and applied until
// nothing changes. Statuses may be those of any moment: Allocate documents what holding claims keep, and
// when those that are to be released or were edited have their turns.
//
// If several claims have the same name, only the first one counts. The arguments are not retained or
// modified. A nil pool is treated as the zero pool, which has no name and no resources.
//
// Cost: O(n log n) for n claims.
func New(p *pool.ResourcePool, claims []*pool.ResourcePoolClaim, opts pool.Options) *Allocator {
	l := &Allocator{
		options:    opts,
		claims:     make(map[types.NamespacedName]*claim, len(claims)),
		namespaces: map[string]*namespace{},
	}
	l.setSpec(p)
	l.ledger = ledger.New(l.spec.Spec.Quota.Hard)
	l.queue.columns = max(1, min(len(l.ledger.Resources), mostColumns))
	l.row = make([]int64, l.queue.columns)
	record := pool.RecordOf(p)
	var waiting, released []*claim
	var edits []edit
	for _, c := range claims {
		if !c.ClaimsFrom(l.spec) || l.claims[c.Key()] != nil {
			continue
		}
		holds, holding := record.Holds(c)
		switch {
		case !holding:
			n := l.insertWaiting(c)
			waiting = append(waiting, n)
			if c.Released() && c.Holding() { // the annotation outlasts the first decision
				l.annotated = append(l.annotated, n)
			}
		case c.Released():
			released = append(released, l.insert(c, c.Spec.Claim))
		default:
			n := l.insertHolding(c, holds)
			to, edited := l.editOf(n, c.Spec.Claim)
			switch {
			case !edited:
				n.request = to.to // in its current notation
			case !opts.Documented:
				edits = append(edits, to)
			default:
				n.later = &to.to
			}
		}
	}
	slices.SortFunc(waiting, (*claim).compare) // blocks that are filled in order are filled well
	for _, n := range waiting {
		l.enqueue(n)
	}
	slices.SortFunc(edits, func(a, b edit) int { return a.claim.compare(b.claim) })
	l.settle(edits, released...)
	return l
}

// orEmpty returns the allocator that answers for a nil or zero one: that of a nil pool.
func (l *Allocator) orEmpty() *Allocator {
	if l == nil || l.spec == nil {
		return New(nil, nil, pool.Options{})
	}
	return l
}

// Set adds or updates a claim, and returns the claims that were granted, in the order in which they
// were granted.
//
// The Allocator, not the claim's status, decides whether a known claim is holding; the status
// counts only when the claim is new. A new claim that is holding by its own status
// (ResourcePoolClaim.Holding) holds what its spec requests, even if less remains: callers must not
// pass stale objects from a cache, nor claims that were edited after they were granted. Only New can
// detect such an edit, by the pool's record. After eviction to another pool the claim is forgotten; a later
// Set treats it as new. A holding claim with the release annotation is released: see Release.
//
// If a holding claim requests other amounts, or a negative one, the current API gives it a turn: the claim is
// resized if the pool can provide all of the new amounts. Otherwise it is evicted: it loses what it holds, and
// waits for the new amounts in its old place in the queue. It may be granted again by the same event, and is then
// in the list. In the documented API, any change to the amounts or to the pool of a holding claim is an error
// with the message of Capsule, and nothing changes. The same quantity in another notation (1Gi, 1024Mi) is not a
// change.
//
// A claim that moves to another pool is removed, unless it is holding and the documented API applies.
// A claim on another pool and a nil claim are ignored. A claim with a different UID is a different
// claim: it replaces the old one, which returns what it held.
//
// Cost: see the package comment.
func (l *Allocator) Set(c *pool.ResourcePoolClaim) ([]types.NamespacedName, error) {
	switch {
	case l == nil:
		return nil, errors.New("allocator: a nil Allocator")
	case c == nil:
		return nil, nil
	case l.spec == nil:
		*l = *l.orEmpty()
	}
	old := l.claims[c.Key()]
	switch {
	case old == nil:
		return l.setNew(c), nil
	case old.uid != c.UID:
		freed := l.Delete(old.name)
		return append(freed, l.setNew(c)...), nil
	case !old.holds:
		l.drop(old)
		if c.ClaimsFrom(l.spec) {
			l.enqueue(l.insertWaiting(c))
		}
		return l.settle(nil), nil
	}
	return l.setHolding(old, c)
}

// setNew adds a claim that is not known.
func (l *Allocator) setNew(c *pool.ResourcePoolClaim) []types.NamespacedName {
	switch {
	case !c.ClaimsFrom(l.spec):
	case !c.Holding():
		l.enqueue(l.insertWaiting(c))
	case c.Released():
		l.requeue(l.insert(c, c.Spec.Claim))
	default:
		n := l.insertHolding(c, c.Spec.Claim)
		if !n.valid() && !l.options.Documented {
			return l.settle([]edit{{n, n.request}})
		}
	}
	return l.settle(nil)
}

// setHolding updates a holding claim.
func (l *Allocator) setHolding(old *claim, c *pool.ResourcePoolClaim) ([]types.NamespacedName, error) {
	if c.Released() {
		return l.releaseTo(old, c), nil
	}
	to, edited := l.editOf(old, c.Spec.Claim)
	if l.options.Documented {
		later := old.afterRelease()
		if edited && !later.same(&to.to, l.ledger) || c.Spec.Pool != l.spec.Name {
			const message = "cannot change the requested resources while claim is allocated to a resourcepool %s"
			return nil, fmt.Errorf(message, l.spec.Name)
		}
		old.later = nil
		if edited {
			old.later = &to.to // in its current notation
		} else {
			old.request = to.to
		}
		return nil, nil
	}
	if !c.ClaimsFrom(l.spec) {
		return l.Delete(old.name), nil
	}
	old.moved = c.Spec.Pool != l.spec.Name
	if edited {
		return l.settle([]edit{to}), nil
	}
	old.request = to.to // in its current notation
	return nil, nil
}

// Delete removes a claim, which returns what it held, and returns the claims that were granted, in
// the order in which they were granted. Deleting an unknown claim changes nothing.
func (l *Allocator) Delete(name types.NamespacedName) []types.NamespacedName {
	if l == nil {
		return nil
	}
	c := l.claims[name]
	if c == nil {
		return nil
	}
	l.drop(c)
	return l.settle(nil)
}

// Release takes everything that a holding claim holds, as [pool.Allocate] does if the claim has the release
// annotation, and returns the claims that were granted, in the order in which they were granted. The
// released claim may be one of them. If the claim holds nothing or is not known, nothing changes.
func (l *Allocator) Release(name types.NamespacedName) []types.NamespacedName {
	if l == nil {
		return nil
	}
	c := l.claims[name]
	if c == nil || !c.holds {
		return nil
	}
	return l.releaseTo(c, nil)
}

// releaseTo takes the resources of a holding claim. The claim then waits for the requests of its object,
// or for what it held if there is no object.
func (l *Allocator) releaseTo(c *claim, object *pool.ResourcePoolClaim) []types.NamespacedName {
	l.takeBack(c)
	c.request, c.later = c.afterRelease(), nil
	if object != nil && !l.options.Documented {
		l.forget(c)
		c = l.insert(object, object.Spec.Claim)
	}
	return l.settle(nil, c)
}

// SetPool replaces the spec of the pool, and returns the claims that were granted, in the order in
// which they were granted. Holding claims keep what they hold, even if that is more than the new
// capacity: pool.ValidatePool answers whether a pool may shrink. The name and the UID of the pool do
// not change. SetPool(nil) is a no-op.
//
// Cost: see the package comment.
func (l *Allocator) SetPool(p *pool.ResourcePool) []types.NamespacedName {
	switch {
	case l == nil || p == nil:
		return nil
	case l.spec == nil:
		*l = *l.orEmpty()
	}
	wasOrdered, name, uid := l.isOrdered(), l.spec.Name, l.spec.UID
	l.setSpec(p)
	l.spec.Name, l.spec.UID = name, uid
	l.ledger.SetHard(l.spec.Spec.Quota.Hard)
	if wasOrdered != l.isOrdered() {
		l.settled = nil
	}
	return l.settle(nil)
}

func (l *Allocator) setSpec(p *pool.ResourcePool) {
	l.spec = &pool.ResourcePool{}
	if p != nil {
		l.spec.Name, l.spec.UID = p.Name, p.UID
		l.spec.Spec.Config = p.Spec.Config
		l.spec.Spec.Quota.Hard = p.Spec.Quota.Hard.DeepCopy()
	}
}

// Available returns how much of each resource of the pool remains. It is negative if the resource is
// overcommitted.
func (l *Allocator) Available() corev1.ResourceList { return l.orEmpty().ledger.Available() }

// Claimed returns the sum of what the holding claims of a namespace hold, as pool.Quota takes it. It is
// nil if the namespace has no holding claims.
func (l *Allocator) Claimed(namespace string) corev1.ResourceList {
	l = l.orEmpty()
	n := l.namespaces[namespace]
	if n == nil || n.holding == 0 {
		return nil
	}
	return l.ledger.NonZero(n.totals)
}
