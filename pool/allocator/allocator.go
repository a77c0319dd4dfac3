package allocator

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/internal/ledger"
)

// Allocator is a pool and its claims with an allocation that is always up to date. Create one with
// New.
//
// A method that changes an Allocator must not run at the same time as any other method. Methods that
// only read (Decision, Allocation, Available, Claimed, Counts) may run concurrently.
type Allocator struct {
	spec       *pool.ResourcePool // without a status
	options    pool.Options
	ledger     *ledger.Ledger
	queue      queue
	claims     index
	namespaces map[string]*namespace
	kinds      map[string]*kind
	holding    int
	atOnce     []*claim // granted without a turn, and not reported yet
	visitors   []*claim // that may belong to another pool after the next round
	annotated  []*claim // that are released if they are granted in the next round
	evicted    bool     // by the last edit

	wants, negatives []ledger.Want // to read a claim
	key              []byte
}

// namespace holds the sum of the holding claims of a namespace, their number, and the number of all
// its claims.
type namespace struct {
	name            string
	totals          ledger.Totals
	holding, claims int
}

// New returns a pool with its claims allocated, as [pool.Allocate] does if it is called and applied until
// nothing changes. Statuses may be those of any moment: Allocate documents what holding claims keep, and
// when those that are to be released or were edited have their turns.
//
// If several claims have the same name, only the first one counts. The arguments are not retained or
// modified. A nil pool is treated as the zero pool, which has no name and no resources.
//
// Cost: O(n log n) for n claims.
func New(p *pool.ResourcePool, claims []*pool.ResourcePoolClaim, o pool.Options) *Allocator {
	l := &Allocator{options: o, claims: newIndex(len(claims)), namespaces: map[string]*namespace{}, kinds: map[string]*kind{}}
	l.setSpec(p)
	l.ledger = ledger.New(l.spec.Spec.Quota.Hard)
	l.queue = l.newQueue()
	record := pool.RecordOf(p)
	var waiting, released []*claim
	var edits []edit
	for _, c := range claims {
		if !c.ClaimsFrom(l.spec) || l.claims.find(c.Key()) != nil {
			continue
		}
		switch holds, holding := record.Holds(c); {
		case !holding:
			n := l.insert(c, c.Spec.Claim)
			l.visit(n)
			waiting = append(waiting, n)
			if c.Released() && c.Holding() { // the annotation outlasts the first decision
				l.annotated = append(l.annotated, n)
			}
		case c.Released():
			released = append(released, l.insert(c, c.Spec.Claim))
		default:
			n := l.insertHolding(c, holds)
			switch to, edited := l.editOf(n, c.Spec.Claim); {
			case !edited:
				n.demand = to.to // in its current format
			case o.API != pool.Documented:
				edits = append(edits, to)
			default:
				n.demand = n.demand.with(to.to)
			}
		}
	}
	slices.SortFunc(waiting, (*claim).compare) // trees that are filled in order are filled well
	for _, n := range waiting {
		l.enqueue(n)
	}
	slices.SortFunc(edits, func(a, b edit) int { return a.claim.compare(b.claim) })
	l.settle(edits, released...)
	return l
}

// Set adds or updates a claim, and returns the claims that were granted, in the order in which they
// were granted.
//
// The Allocator, not the claim's status, decides whether a known claim is holding; the status
// counts only when the claim is new. A new claim that is holding by its own status
// (ResourcePoolClaim.Holding) holds what its spec requests, even if less remains: callers must not
// pass stale objects from a cache, nor claims that were edited after they were granted. Only New can
// detect such an edit, by the pool's record. A claim that has asked for another pool and was evicted is not known any more,
// and new if it is set again. A holding claim with the release annotation is released:
// see Release.
//
// If a holding claim requests other amounts, or a negative one, the current API gives it a turn: see Evict.
// In the documented API, any change to the amounts or to the pool of a holding claim is an error with
// the message of Capsule, and nothing changes. The same quantity in another notation (1Gi, 1024Mi) is
// not a change.
//
// A claim that moves to another pool is removed, unless it is holding and the documented API applies.
// A claim on another pool and a nil claim are ignored. A claim with a different UID is a different
// claim: it replaces the old one, which returns what it held.
//
// Cost: see the package comment.
func (l *Allocator) Set(c *pool.ResourcePoolClaim) ([]types.NamespacedName, error) {
	if c == nil {
		return nil, nil
	}
	old := l.claims.find(c.Key())
	if old != nil && old.uid != compactUID(c.UID) {
		l.drop(old)
		freed := l.settle(nil)
		more, err := l.Set(c)
		return append(freed, more...), err
	}
	switch {
	case old != nil && old.holds && c.Released():
		return l.releaseTo(old, c), nil
	case old != nil && old.holds && l.options.API == pool.Documented:
		to, edited := l.editOf(old, c.Spec.Claim)
		if later := old.later(); edited && !later.same(&to.to, l.ledger) || c.Spec.Pool != l.spec.Name {
			return nil, fmt.Errorf("cannot change the requested resources while claim is allocated to a resourcepool %s", l.spec.Name)
		}
		if edited {
			old.demand = old.with(to.to) // in its current format
		} else {
			old.demand = to.to
		}
		return nil, nil
	case old != nil && old.holds && c.ClaimsFrom(l.spec):
		return l.editTo(old, c), nil
	case old != nil:
		l.drop(old)
	}
	switch {
	case !c.ClaimsFrom(l.spec):
	case old == nil && c.Holding() && c.Released():
		l.join(l.insert(c, c.Spec.Claim))
	case old == nil && c.Holding():
		n := l.insertHolding(c, c.Spec.Claim)
		if !n.waits() && l.options.API != pool.Documented {
			return l.settle([]edit{{n, n.demand}}), nil
		}
	default:
		n := l.insert(c, c.Spec.Claim)
		l.visit(n)
		l.enqueue(n)
	}
	return l.settle(nil), nil
}

// editTo gives a holding claim of the current API the requests of its object.
func (l *Allocator) editTo(c *claim, object *pool.ResourcePoolClaim) []types.NamespacedName {
	c.stay = l.stayOf(object)
	to, edited := l.editOf(c, object.Spec.Claim)
	if edited {
		return l.settle([]edit{to})
	}
	c.demand = to.to // in its current format
	return nil
}

// Delete removes a claim, which returns what it held, and returns the claims that were granted, in
// the order in which they were granted. Deleting an unknown claim changes nothing.
func (l *Allocator) Delete(name types.NamespacedName) []types.NamespacedName {
	c := l.claims.find(name)
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
	c := l.claims.find(name)
	if c == nil || !c.holds {
		return nil
	}
	return l.releaseTo(c, nil)
}

// releaseTo takes the resources of a holding claim. The claim then waits for the requests of its object,
// or for what it held if there is no object.
func (l *Allocator) releaseTo(c *claim, object *pool.ResourcePoolClaim) []types.NamespacedName {
	l.takeBack(c)
	c.demand = c.later()
	if object != nil && l.options.API != pool.Documented {
		l.forget(c)
		c = l.insert(object, object.Spec.Claim)
	}
	return l.settle(nil, c)
}

// SetPool replaces the spec of the pool, and returns the claims that were granted, in the order in
// which they were granted. Holding claims keep what they hold, even if that is more than the new
// capacity: pool.ValidatePool answers whether a pool may shrink. The name and the UID of the pool do
// not change. A nil pool changes nothing.
//
// Cost: see the package comment; O(n log n) if spec.config.orderedQueue changes.
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
		var waiting []*claim
		for c := range l.claims.all() {
			if !c.holds && c.waits() {
				waiting = append(waiting, c)
			}
		}
		slices.SortFunc(waiting, (*claim).compare)
		for _, c := range waiting {
			l.queue.add(c)
		}
	}
	return l.settle(nil)
}

// Counts returns the number of holding claims, and the number of all other claims.
func (l *Allocator) Counts() (holding, waiting int) { return l.holding, l.claims.count - l.holding }

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
		return &ordered{ledger: l.ledger, lines: map[string]*line{}}
	}
	return newUnordered(l.ledger)
}

// insert adds a claim that wants some amounts and is neither holding nor in the queue.
func (l *Allocator) insert(c *pool.ResourcePoolClaim, wants corev1.ResourceList) *claim {
	in := l.namespaces[c.Namespace]
	if in == nil {
		in = &namespace{name: strings.Clone(c.Namespace)}
		l.namespaces[in.name] = in
	}
	in.claims++
	n := newClaim(c, in)
	n.stay, n.demand = l.stayOf(c), l.read(wants)
	l.claims.add(n)
	return n
}

// forget removes a claim that is neither holding nor in the queue.
func (l *Allocator) forget(c *claim) {
	l.claims.remove(c)
	if c.namespace.claims--; c.namespace.claims == 0 {
		delete(l.namespaces, c.namespace.name)
	}
}

// insertHolding adds a claim that holds some amounts.
func (l *Allocator) insertHolding(c *pool.ResourcePoolClaim, holds corev1.ResourceList) *claim {
	n := l.insert(c, holds)
	l.ledger.Take(n.wants)
	l.grant(n)
	return n
}

// enqueue adds a claim to the queue. A claim with a negative request never has a turn, and a
// claim that requests nothing needs none.
func (l *Allocator) enqueue(c *claim) {
	switch {
	case !c.waits():
	case len(c.wants) == 0:
		l.grant(c)
		l.atOnce = append(l.atOnce, c)
	default:
		l.queue.add(c)
	}
}

// drop forgets a claim.
func (l *Allocator) drop(c *claim) {
	switch {
	case c.holds:
		l.takeBack(c)
	case c.waits():
		l.queue.remove(c)
	}
	l.forget(c)
}

// settle processes claims in their order, in as many rounds as pool.Allocate would have to be called, and
// returns those that were granted, in their order. Edits of holding claims are decided in the first round.
// Released claims, which hold nothing and are not in the queue, join it after that round. Claims without
// requests have already been granted when they joined the queue; their turn is in the next round.
func (l *Allocator) settle(edits []edit, released ...*claim) (names []types.NamespacedName) {
	apply := l.apply
	for more := true; more; edits = nil {
		var granted []*claim
		granted, more = l.queue.round(edits, apply)
		for _, c := range granted {
			l.grant(c)
		}
		if len(l.atOnce) > 0 {
			granted, l.atOnce = append(l.atOnce, granted...), nil
			slices.SortFunc(granted, (*claim).compare)
		}
		for _, c := range granted {
			names = append(names, c.key())
		}
		more = l.leave() || more || len(released) > 0
		for _, c := range released {
			l.join(c)
		}
		released = l.releaseAnnotated()
		more = more || len(released) > 0
	}
	return names
}

// releaseAnnotated releases the annotated claims that were granted in the first round.
func (l *Allocator) releaseAnnotated() (released []*claim) {
	for _, c := range l.annotated {
		if c.holds {
			l.takeBack(c)
			released = append(released, c)
		}
	}
	l.annotated = nil
	return released
}

// grant marks a claim as holding. Its amounts have already been taken.
func (l *Allocator) grant(c *claim) {
	c.holds = true
	l.holding++
	c.namespace.holding++
	c.namespace.totals = c.namespace.totals.Add(l.ledger, c.wants)
}

// takeBack returns the amounts of a claim to the pool.
func (l *Allocator) takeBack(c *claim) {
	c.holds = false
	l.holding--
	l.ledger.Give(c.wants)
	c.namespace.holding--
	c.namespace.totals.Remove(l.ledger, c.wants)
}

// Available returns how much of each resource of the pool remains. It is negative if the resource is
// overcommitted.
func (l *Allocator) Available() corev1.ResourceList { return l.ledger.Available() }

// Claimed returns the sum of what the holding claims of a namespace hold, as pool.Quota takes it. It is
// nil if the namespace has no holding claims.
func (l *Allocator) Claimed(namespace string) corev1.ResourceList {
	n := l.namespaces[namespace]
	if n == nil || n.holding == 0 {
		return nil
	}
	return l.ledger.NonZero(n.totals)
}
