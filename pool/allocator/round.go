package allocator

import (
	"math"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/pool/internal/ledger"
)

// edit is a holding claim and its new request.
type edit struct {
	*claim
	to request
}

// editOf returns the edit by which a holding claim requests other amounts, and whether it is one: the amounts
// differ from what the claim holds, or one is negative, which nothing grants.
func (l *Allocator) editOf(c *claim, to corev1.ResourceList) (edit, bool) {
	r := l.read(to)
	return edit{c, r}, !r.valid() || !c.same(&r, l.ledger)
}

// settle processes claims in their order, in as many rounds as pool.Allocate would have to be called, and
// returns those that were granted, in their order. Edits of holding claims are decided in the first round.
// Released claims, which hold nothing and are not in the queue, join it after that round. Claims without
// requests were granted when they were enqueued; they are reported in the order of their turns.
func (l *Allocator) settle(edits []edit, released ...*claim) (names []types.NamespacedName) {
	for more := true; more; edits = nil {
		var granted []*claim
		granted, more = l.round(edits)
		if len(l.unreported) > 0 {
			granted, l.unreported = append(granted, l.unreported...), nil
			slices.SortFunc(granted, (*claim).compare)
		}
		for _, c := range granted {
			names = append(names, c.name)
		}
		more = more || len(released) > 0
		for _, c := range l.leaving {
			if !c.holds {
				l.drop(c)
				more = true
			}
		}
		l.leaving = nil
		for _, c := range released {
			l.requeue(c)
		}
		released = l.releaseAnnotated()
		more = more || len(released) > 0
	}
	if len(l.ledger.Others) > l.mostOthers {
		l.forgetResources()
	}
	return names
}

// forgetResources forgets the resources that no claim names now. It is called so rarely that it costs nothing for
// each event.
func (l *Allocator) forgetResources() {
	used := make([]bool, len(l.ledger.Resources))
	mark := func(r *request) {
		for _, w := range slices.Concat(r.wants, r.negative) {
			used[w.Resource] = true
		}
	}
	for _, c := range l.claims {
		mark(&c.request)
		if c.later != nil {
			mark(c.later)
		}
	}
	l.ledger.Forget(used)
	l.mostOthers = len(l.ledger.Others) + (len(l.ledger.Others)+len(l.claims))/8 + 64
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

// round is a round in progress: each claim has its turn, as in one call of pool.Allocate.
type round struct {
	*Allocator
	limits  []int64  // of a row: a claim above one of them cannot be granted
	granted []*claim // in order
	evicted []*claim // to be enqueued after the round
}

// round gives each claim its turn. It returns the claims that were granted, in their order, and whether more may
// be granted in another round: edits may return amounts after earlier claims had their turns. In an ordered queue,
// a granted claim can leave so little that an earlier one now waits for a third claim, and then no longer closes
// the resource that it was short of.
func (l *Allocator) round(edits []edit) (granted []*claim, more bool) {
	l.closed = make([]*claim, len(l.ledger.Resources))
	r := round{Allocator: l, limits: make([]int64, l.queue.columns)}
	var after *claim
	for _, e := range edits {
		r.grantBetween(after, e.claim)
		r.decideEdit(e)
		after = e.claim
	}
	r.grantBetween(after, nil)
	if len(edits) == 0 {
		l.settled, l.fresh = append(l.settled[:0], l.ledger.Left...), nil
	}
	for _, c := range r.evicted {
		l.enqueue(c)
	}
	return r.granted, len(edits) > 0 || l.isOrdered() && len(r.granted) > 0
}

// grantBetween gives the claims between two others their turns. A nil claim is no bound.
//
// In an unordered queue, no claim fits once the queue is settled. Until more of a resource remains, only fresh
// claims can fit. A round with edits begins without any.
func (r *round) grantBetween(after, before *claim) {
	if r.isOrdered() || r.hasGrown() {
		r.setLimits()
		r.queue.walk(after, before, r.limits, r.grantIfFits)
		return
	}
	slices.SortFunc(r.fresh, (*claim).compare)
	for _, c := range r.fresh {
		if c.queued && r.grantIfFits(c) {
			r.queue.remove(c)
		}
	}
}

// hasGrown reports whether more of a resource remains than when the queue was settled.
func (l *Allocator) hasGrown() bool {
	for number, left := range l.settled {
		if l.ledger.Left[number].Exceeds(left, l.ledger.Resources[number].Scale) {
			return true
		}
	}
	return l.settled == nil
}

// setLimits sets the limits: in an unordered queue the remaining amounts, and in an ordered one zero for a closed
// resource.
func (r *round) setLimits() {
	for number := range min(len(r.limits), len(r.closed)) {
		switch {
		case !r.isOrdered():
			r.limits[number] = max(0, r.ledger.Left[number].Integer(r.ledger.Resources[number].Scale))
		case r.closed[number] == nil:
			r.limits[number] = math.MaxInt64
		default:
			r.limits[number] = 0
		}
	}
}

// rowOf returns the amounts of a claim in the columns of the queue, valid until the next call. They and the limits
// are rounded up, so the row of a claim that fits is within the limits.
func (l *Allocator) rowOf(c *claim) []int64 {
	clear(l.row)
	for _, w := range c.wants {
		if w.Resource < len(l.row) {
			l.row[w.Resource] = w.Amount.Integer(l.ledger.Resources[w.Resource].Scale)
		}
	}
	return l.row
}

// grantIfFits gives a waiting claim its turn, and reports whether it is granted.
func (r *round) grantIfFits(c *claim) bool {
	switch {
	case slices.ContainsFunc(c.wants, r.isClosed):
		return false
	case slices.ContainsFunc(c.wants, r.ledger.Short):
		if r.isOrdered() {
			r.closeFor(c, slices.DeleteFunc(slices.Clone(c.wants), func(w ledger.Want) bool { return !r.ledger.Short(w) }))
		}
		return false
	}
	c.queued = false
	r.grant(c)
	r.granted = append(r.granted, c)
	if !r.isOrdered() {
		r.setLimits()
	}
	return true
}

func (l *Allocator) isOrdered() bool { return l.spec.Spec.Config.OrderedQueue }

// isClosed reports whether an earlier claim was short of a resource, so that it is closed to all later ones.
func (l *Allocator) isClosed(w ledger.Want) bool { return l.closed[w.Resource] != nil }

// closeFor closes the resources that a claim is short of to all claims after it.
func (r *round) closeFor(c *claim, short []ledger.Want) {
	for _, w := range short {
		r.closed[w.Resource] = c
	}
	r.setLimits()
}

// decideEdit resizes or evicts a holding claim.
func (r *round) decideEdit(e edit) {
	behind, short := r.ledger.Resize(e.wants, e.to.wants, r.isClosed, nil, nil)
	r.takeBack(e.claim)
	e.claim.request, e.later = e.to, nil
	if e.valid() && len(behind) == 0 && len(short) == 0 {
		r.grant(e.claim)
		return
	}
	if r.isOrdered() && e.valid() && len(behind) == 0 {
		r.closeFor(e.claim, short)
	}
	if e.moved {
		r.leaving = append(r.leaving, e.claim)
	} else {
		r.evicted = append(r.evicted, e.claim)
	}
}
