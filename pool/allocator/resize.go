package allocator

import (
	"cmp"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/internal/ledger"
	"github.com/kubemath/kubemath/pool/lifecycle"
)

// ImmutableError says that a bound claim cannot ask for anything else, unless it is
// released, or resized.
type ImmutableError struct {
	Claim types.NamespacedName
	Pool  string
}

// Error returns the message of Capsule.
func (e *ImmutableError) Error() string {
	return fmt.Sprintf("cannot change the requested resources while claim is allocated to a resourcepool %s", e.Pool)
}

// Resize gives a bound claim other amounts, as lifecycle.Resize does, and returns the
// claims that are bound since then, in turn. If the pool cannot give all of them, or the
// claim is not bound, the error is a *lifecycle.RefusedError, and nothing has changed.
//
// Cost: as for the package.
func (l *Allocator) Resize(name types.NamespacedName, to corev1.ResourceList) ([]types.NamespacedName, error) {
	c := l.claims[name]
	if c == nil || !c.bound {
		return nil, &lifecycle.RefusedError{Pool: l.spec.Name, Decision: pool.Decision{Claim: name}}
	}
	as := &pool.ResourcePoolClaim{}
	as.Spec.Claim = to
	n := newClaim(as, l.ledger, 0)
	if d := l.resized(c, n); len(d.Obstacles) > 0 {
		return nil, &lifecycle.RefusedError{Pool: l.spec.Name, Decision: d}
	}
	l.unbind(c)
	c.wants, c.negative, c.formats = n.wants, n.negative, n.formats
	l.ledger.Take(c.wants)
	l.bind(c)
	return l.settle(), nil
}

// resized returns the decision on a bound claim that is to have the amounts of n.
func (l *Allocator) resized(c, n *claim) pool.Decision {
	invalid := pool.Decision{Claim: c.name, State: pool.Invalid}
	behind := pool.Decision{Claim: c.name, State: pool.QueueExhausted}
	short := pool.Decision{Claim: c.name, State: pool.PoolExhausted}
	for _, w := range n.negative {
		invalid.Obstacles = append(invalid.Obstacles, l.obstacle(n, w, resource.Quantity{}))
	}
	for _, w := range n.wants {
		scale, has := l.ledger.Resources[w.Resource].Scale, c.has(w.Resource)
		left := l.ledger.Left[w.Resource].Plus(has, scale)
		if !w.Amount.Exceeds(has, scale) {
			continue
		}
		if queued, is := l.queued(c, w); is {
			behind.Obstacles = append(behind.Obstacles, l.obstacle(n, w, queued))
		} else if w.Amount.Exceeds(left, scale) {
			short.Obstacles = append(short.Obstacles, l.obstacle(n, w, l.ledger.Quantity(w.Resource, left)))
		}
	}
	for _, d := range []pool.Decision{invalid, behind, short} {
		if len(d.Obstacles) > 0 {
			slices.SortFunc(d.Obstacles, func(a, b pool.Obstacle) int { return cmp.Compare(a.Resource, b.Resource) })
			return d
		}
	}
	return pool.Decision{}
}

// has returns what a claim wants of a resource.
func (c *claim) has(number int) quantity.Amount {
	if i := ledger.Find(c.wants, number); i >= 0 {
		return c.wants[i].Amount
	}
	return quantity.Amount{}
}
