package allocator

import (
	"cmp"
	"maps"
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
// Cost: by the resources that the claim names.
func (l *Allocator) Decision(name types.NamespacedName) (pool.Decision, bool) {
	c := l.claims[name]
	if c == nil {
		return pool.Decision{}, false
	}
	return l.decision(c), true
}

func (l *Allocator) decision(c *claim) pool.Decision {
	d := pool.Decision{Claim: c.name, State: pool.Bound}
	if c.bound {
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

// negative returns the resources that a claim wants less than zero of.
func (l *Allocator) negative(c *claim) (obstacles []pool.Obstacle) {
	for _, w := range c.negative {
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

// short returns the resources of which less is left than a claim wants.
func (l *Allocator) short(c *claim) (obstacles []pool.Obstacle) {
	for _, w := range c.wants {
		if l.ledger.Short(w) {
			obstacles = append(obstacles, l.obstacle(c, w, l.ledger.Quantity(w.Resource, l.ledger.Left[w.Resource])))
		}
	}
	return obstacles
}

// queued returns what the earlier claim wants that closes a resource to c, if one does.
func (l *Allocator) queued(c *claim, w ledger.Want) (resource.Quantity, bool) {
	head := l.queue.ahead(c, w.Resource)
	if head == nil {
		return resource.Quantity{}, false
	}
	return l.spelled(head, head.wants[ledger.Find(head.wants, w.Resource)]), true
}

// obstacle returns what a claim wants, and what stands against it.
func (l *Allocator) obstacle(c *claim, w ledger.Want, other resource.Quantity) pool.Obstacle {
	return pool.Obstacle{Resource: l.ledger.Resources[w.Resource].Name, Requested: l.spelled(c, w), Other: other}
}

// formatted returns an amount that a claim wants as the claim spells it.
func (l *Allocator) spelled(c *claim, w ledger.Want) resource.Quantity {
	i := ledger.Find(c.wants, w.Resource)
	if i < 0 {
		i = len(c.wants) + ledger.Find(c.negative, w.Resource)
	}
	return w.Amount.Quantity(l.ledger.Resources[w.Resource].Scale, c.formats[i])
}

// Allocation returns what pool.Allocate answers for the pool and its claims as they are
// now.
//
// Cost: O(n log n) for n claims.
func (l *Allocator) Allocation() *pool.Allocation {
	a := &pool.Allocation{
		Decisions:   make([]pool.Decision, 0, len(l.claims)),
		Hard:        l.spec.Spec.Quota.Hard.DeepCopy(),
		Claimed:     l.ledger.All(l.ledger.Claimed),
		Available:   l.ledger.Available(),
		Namespaces:  make(map[string]corev1.ResourceList, len(l.namespaces)),
		Exhaustions: map[corev1.ResourceName]pool.Exhaustion{},
		BoundClaims: l.bound,
	}
	for name := range l.namespaces {
		a.Namespaces[name] = l.Claimed(name)
	}
	requesting := map[corev1.ResourceName]quantity.Amount{}
	for _, c := range l.inOrder() {
		d := l.decision(c)
		a.Decisions = append(a.Decisions, d)
		if d.State != pool.PoolExhausted {
			continue
		}
		for _, o := range d.Obstacles {
			scale := quantity.ScaleOf(o.Resource)
			asked := o.Requested.DeepCopy()
			requesting[o.Resource] = requesting[o.Resource].Plus(quantity.AmountOf(&asked, scale), scale)
			e, known := a.Exhaustions[o.Resource]
			if !known {
				e = pool.Exhaustion{Available: o.Other.DeepCopy(), Requesting: resource.Quantity{Format: o.Requested.Format}}
			}
			e.Requesting = requesting[o.Resource].Quantity(scale, e.Requesting.Format)
			a.Exhaustions[o.Resource] = e
		}
	}
	return a
}

func (l *Allocator) inOrder() []*claim {
	return slices.SortedFunc(maps.Values(l.claims), func(a, b *claim) int {
		if a.before(b) {
			return -1
		}
		return 1
	})
}
