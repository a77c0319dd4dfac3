package allocator

import (
	"cmp"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/internal/ledger"
)

// Decision returns what pool.Allocate would decide on a claim now, and whether the claim
// is known.
//
// Cost: linear in the number of resources that the claim names.
func (l *Allocator) Decision(name types.NamespacedName) (pool.Decision, bool) {
	l = l.orEmpty()
	c := l.claims[name]
	if c == nil {
		return pool.Decision{}, false
	}
	return l.decision(c), true
}

func (l *Allocator) decision(c *claim) pool.Decision {
	d := pool.Decision{Claim: c.name, State: pool.Holding}
	if c.holds {
		return d
	}
	refuse := func(state pool.State, w ledger.Want, s pool.Shortage) {
		d.State = state
		s.Resource, s.Requested = l.ledger.Resources[w.Resource].Name, c.quantity(w.Resource)
		d.Shortages = append(d.Shortages, s)
	}
	for _, w := range c.negative {
		refuse(pool.Invalid, w, pool.Shortage{})
	}
	if d.State == pool.Holding {
		for _, w := range c.wants {
			if closing := l.closing(w.Resource); closing != nil && closing.before(c) {
				refuse(pool.QueueExhausted, w, pool.Shortage{Queued: closing.quantity(w.Resource)})
			}
		}
	}
	if d.State == pool.Holding {
		for _, w := range c.wants {
			if l.ledger.Short(w) {
				available := l.ledger.Quantity(w.Resource, l.ledger.Left[w.Resource])
				refuse(pool.PoolExhausted, w, pool.Shortage{Available: available})
			}
		}
	}
	slices.SortFunc(d.Shortages, func(a, b pool.Shortage) int { return cmp.Compare(a.Resource, b.Resource) })
	return d
}

// closing returns the claim that closes a resource to later claims, or nil if there is none.
func (l *Allocator) closing(number int) *claim {
	if number >= len(l.closed) { // named for the first time since the last round
		return nil
	}
	return l.closed[number]
}

// Allocation returns the result of pool.Allocate for the pool and its claims as they are now.
//
// Cost: O(n log n) for n claims.
func (l *Allocator) Allocation() *pool.Allocation {
	l = l.orEmpty()
	a := &pool.Allocation{
		Decisions:   make([]pool.Decision, 0, len(l.claims)),
		Hard:        l.spec.Spec.Quota.Hard.DeepCopy(),
		Claimed:     l.ledger.All(l.ledger.Claimed),
		Available:   l.ledger.Available(),
		Namespaces:  make(map[string]corev1.ResourceList, len(l.namespaces)),
		Exhaustions: l.exhaustions(),
		Holding:     l.holding,
	}
	for name, n := range l.namespaces {
		if n.holding > 0 {
			a.Namespaces[name] = l.Claimed(name)
		}
	}
	for _, c := range slices.SortedFunc(maps.Values(l.claims), (*claim).compare) {
		a.Decisions = append(a.Decisions, l.decision(c))
	}
	return a
}

// exhaustions returns the resources that claims in state PoolExhausted are short of.
func (l *Allocator) exhaustions() map[corev1.ResourceName]pool.Exhaustion {
	sums := make([]exhaustion, len(l.ledger.Resources))
	l.eachExhausted(func(c *claim) {
		for _, w := range c.wants {
			if !l.ledger.Short(w) {
				continue
			}
			s := &sums[w.Resource]
			s.claims++
			s.requesting = s.requesting.Plus(w.Amount, l.ledger.Resources[w.Resource].Scale)
			if s.first == nil || c.before(s.first) {
				s.first = c
			}
		}
	})
	exhaustions := map[corev1.ResourceName]pool.Exhaustion{}
	for number, s := range sums {
		if s.first == nil {
			continue
		}
		r := l.ledger.Resources[number]
		e := pool.Exhaustion{
			Available:  l.ledger.Quantity(number, l.ledger.Left[number]),
			Requesting: s.first.quantity(number),
		}
		if s.claims > 1 {
			e.Requesting = s.requesting.Quantity(r.Scale, e.Requesting.Format)
		}
		exhaustions[r.Name] = e
	}
	return exhaustions
}

// eachExhausted calls yield with the claims in state PoolExhausted, in no order.
func (l *Allocator) eachExhausted(yield func(*claim)) {
	if !l.isOrdered() {
		l.queue.each(yield)
		return
	}
	for i, c := range l.closed {
		if c != nil && !slices.Contains(l.closed[:i], c) {
			yield(c)
		}
	}
}

// exhaustion is the sum of what the claims that are short of a resource request.
type exhaustion struct {
	first      *claim
	claims     int
	requesting quantity.Amount
}
