package allocator

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/internal/ledger"
	"github.com/kubemath/kubemath/pool/internal/resize"
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
	request := resize.Request{Claim: name, To: to, Has: c.wants, Wants: n.wants, Negative: n.negative}
	d := resize.Decide(request, l.ledger, func(w ledger.Want) (resource.Quantity, bool) { return l.queued(c, w) })
	if len(d.Obstacles) > 0 {
		return nil, &lifecycle.RefusedError{Pool: l.spec.Name, Decision: d}
	}
	l.unbind(c)
	c.wants, c.negative, c.formats = n.wants, n.negative, n.formats
	l.ledger.Take(c.wants)
	l.bind(c)
	return l.settle(), nil
}
