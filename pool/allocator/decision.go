package allocator

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
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
	c := l.claims.find(name)
	if c == nil {
		return pool.Decision{}, false
	}
	return l.decision(c), true
}

func (l *Allocator) decision(c *claim) pool.Decision {
	d := pool.Decision{Claim: c.key(), State: pool.Holding}
	if c.holds {
		return d
	}
	if d.Obstacles = l.negative(c); len(d.Obstacles) > 0 {
		d.State = pool.Invalid
	} else if d.Obstacles = l.behind(c); len(d.Obstacles) > 0 {
		d.State = pool.QueueExhausted
	} else if d.Obstacles = l.short(c); len(d.Obstacles) > 0 {
		d.State = pool.PoolExhausted
	}
	slices.SortFunc(d.Obstacles, func(a, b pool.Obstacle) int { return cmp.Compare(a.Resource, b.Resource) })
	return d
}

// negative returns the resources with a negative request of a claim.
func (l *Allocator) negative(c *claim) (obstacles []pool.Obstacle) {
	for _, w := range c.negative() {
		obstacles = append(obstacles, l.obstacle(c, w, resource.Quantity{}))
	}
	return obstacles
}

// behind returns the resources that an earlier claim closes to c.
func (l *Allocator) behind(c *claim) (obstacles []pool.Obstacle) {
	for _, w := range c.wants {
		if queued, is := l.queued(c, w); is {
			obstacles = append(obstacles, l.obstacle(c, w, queued))
		}
	}
	return obstacles
}

// short returns the resources for which the remaining amount is below the request of a claim.
func (l *Allocator) short(c *claim) (obstacles []pool.Obstacle) {
	for _, w := range c.wants {
		if l.ledger.Short(w) {
			obstacles = append(obstacles, l.obstacle(c, w, l.ledger.Quantity(w.Resource, l.ledger.Left[w.Resource])))
		}
	}
	return obstacles
}

// queued returns the amount that the earlier claim wants of a resource that it closes to c, if
// there is such a claim.
func (l *Allocator) queued(c *claim, w ledger.Want) (resource.Quantity, bool) {
	head := l.queue.blockerOf(c, w.Resource)
	if head == nil {
		return resource.Quantity{}, false
	}
	return l.written(&head.demand, head.wants[ledger.Find(head.wants, w.Resource)]), true
}

// obstacle returns the amount that a claim wants, and the amount that prevents it.
func (l *Allocator) obstacle(c *claim, w ledger.Want, other resource.Quantity) pool.Obstacle {
	return pool.Obstacle{Resource: l.ledger.Resources[w.Resource].Name, Requested: l.written(&c.demand, w), Other: other}
}

// Allocation returns the result of pool.Allocate for the pool and its claims as they are now.
//
// Cost: O(n log n) for n claims.
func (l *Allocator) Allocation() *pool.Allocation {
	a := &pool.Allocation{
		Decisions:   make([]pool.Decision, 0, l.claims.count),
		Hard:        l.spec.Spec.Quota.Hard.DeepCopy(),
		Claimed:     l.ledger.All(l.ledger.Claimed),
		Available:   l.ledger.Available(),
		Namespaces:  make(map[string]corev1.ResourceList, len(l.namespaces)),
		Exhaustions: l.Exhaustions(),
		Holding:     l.holding,
	}
	for name, n := range l.namespaces {
		if n.holding > 0 {
			a.Namespaces[name] = l.Claimed(name)
		}
	}
	for _, c := range slices.SortedFunc(l.claims.all(), (*claim).compare) {
		a.Decisions = append(a.Decisions, l.decision(c))
	}
	return a
}

// Exhaustions returns the resources that claims in state PoolExhausted are short of, as
// pool.Allocation has them.
//
// Cost: linear in the number of resources of the pool in an ordered queue, and otherwise linear in the
// number of waiting claims.
func (l *Allocator) Exhaustions() map[corev1.ResourceName]pool.Exhaustion {
	sums := make([]exhaustion, len(l.ledger.Resources))
	l.queue.exhausted(func(c *claim) {
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
		e := pool.Exhaustion{Available: l.ledger.Quantity(number, l.ledger.Left[number])}
		e.Requesting = l.written(&s.first.demand, s.first.wants[ledger.Find(s.first.wants, number)])
		if s.claims > 1 {
			e.Requesting = s.requesting.Quantity(r.Scale, e.Requesting.Format)
		}
		exhaustions[r.Name] = e
	}
	return exhaustions
}

// exhaustion holds what the claims that are short of a resource request.
type exhaustion struct {
	first      *claim
	claims     int
	requesting quantity.Amount
}
