package allocator

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/internal/ledger"
	"github.com/kubemath/kubemath/pool/internal/resize"
)

// Resize changes the amounts of a holding claim, as pool.Resize does, and returns the claims that
// were granted, in the order in which they were granted. If the pool cannot provide all of the new
// amounts, or the claim holds nothing, the error is that of pool.Resize, and nothing changes.
//
// Cost: see the package comment.
func (l *Allocator) Resize(name types.NamespacedName, to corev1.ResourceList) ([]types.NamespacedName, error) {
	c := l.claims.find(name)
	if c == nil || !c.holds {
		return nil, resize.Refused(name, l.spec.Name, "")
	}
	n := l.read(to)
	request := resize.Request{To: to, Has: c.wants, Wants: n.wants, Negative: n.negative()}
	state, obstacles := resize.Decide[pool.Obstacle](request, l.ledger, func(w ledger.Want) (resource.Quantity, bool) { return l.queued(c, w) })
	if len(obstacles) > 0 {
		d := pool.Decision{Claim: name, State: pool.State(state), Obstacles: obstacles}
		return nil, resize.Refused(name, l.spec.Name, d.Message())
	}
	l.regrant(c, n)
	return l.settle(nil), nil
}

// Evict changes the amounts of a holding claim if Resize would succeed. Otherwise the claim loses what
// it holds, and waits for the new amounts in its old place in the queue. Evict returns the claims
// that were granted, in the order in which they were granted, and whether the claim was evicted. The
// evicted claim may be granted again immediately, and is then in the list. If the claim is not holding or
// not known, nothing changes.
//
// What the claim returns is available to other claims as after an edit in [pool.Allocate]. In the current API, Set does the same for a holding claim that
// requests other amounts.
//
// Cost: see the package comment.
func (l *Allocator) Evict(name types.NamespacedName, to corev1.ResourceList) (granted []types.NamespacedName, evicted bool) {
	c := l.claims.find(name)
	if c == nil || !c.holds {
		return nil, false
	}
	e, is := l.editOf(c, to)
	if !is {
		return nil, false
	}
	l.evicted = false
	return l.settle([]edit{e}), l.evicted
}

// editOf returns the edit by which a holding claim requests other amounts, and whether it is one: the amounts
// differ from what the claim holds, or one is negative, which nothing grants.
func (l *Allocator) editOf(c *claim, to corev1.ResourceList) (edit, bool) {
	n := l.read(to)
	return edit{c, n}, !n.waits() || !c.same(&n, l.ledger)
}

// apply decides on an edit: see applyEdit.
func (l *Allocator) apply(e edit, closed func(ledger.Want) bool) (short []ledger.Want, evicted bool) {
	behind, short := l.ledger.Resize(e.wants, e.to.wants, closed)
	if e.to.waits() && len(behind)+len(short) == 0 {
		l.regrant(e.claim, e.to)
		return nil, false
	}
	l.takeBack(e.claim)
	e.claim.demand = e.to
	l.evicted = true
	if e.stay != always {
		e.stay = gone
		l.visitors = append(l.visitors, e.claim)
	}
	if len(behind) > 0 || !e.to.waits() {
		short = nil
	}
	return short, true
}

// regrant gives a holding claim other amounts.
func (l *Allocator) regrant(c *claim, to demand) {
	l.takeBack(c)
	c.demand = to
	l.ledger.Take(c.wants)
	l.grant(c)
}
