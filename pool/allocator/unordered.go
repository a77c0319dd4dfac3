package allocator

import (
	"slices"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/pool/internal/ledger"
)

// unordered is the queue without order: a claim is bound as soon as it fits.
//
// Once the queue is settled, no claim in it fits. So as long as there is no more left of anything, only
// claims that have come since can fit. Otherwise, it finds the next claim in turn that fits: if many
// claims fit, one of them is among the next in turn; if few do, a search by what claims want finds them
// fast. So all claims are in both trees, and a sweep examines some claims in turn before it searches the
// other tree.
type unordered struct {
	ledger  *ledger.Ledger
	tracked int // resources that have a column: the first ones
	byWants tree
	byTurns tree
	row     row               // that was made last
	limits  row               // what is left of each tracked resource
	settled []quantity.Amount // what was left of each resource when no claim fitted
	fresh   []*claim          // that have come since
	near    int               // see near; less in tests
}

// mostTracked bounds the columns of a tree. What claims want of other resources counts when they are
// looked at themselves.
const mostTracked = 16

// near is how many claims a sweep rules out in turn by their rows before it searches the tree by what
// claims want: so many take about as long as such a search where as few fit.
const near = 2048

// look is as how many of these a claim counts that its row does not rule out, but that does not fit:
// about as much time as it takes.
const look = 32

func newUnordered(l *ledger.Ledger) *unordered {
	q := &unordered{ledger: l, tracked: min(len(l.Resources), mostTracked), near: near}
	q.row, q.limits = newRow(max(1, q.tracked)), newRow(max(1, q.tracked))
	q.byWants = tree{words: len(q.row)}
	q.byTurns = tree{words: len(q.row), byTurn: true}
	return q
}

func (q *unordered) add(c *claim) {
	r := q.rowOf(c)
	q.byWants.add(c, r)
	q.byTurns.add(c, r)
	if q.settled != nil {
		q.fresh = append(q.fresh, c)
	}
}

func (q *unordered) remove(c *claim) {
	r := q.rowOf(c)
	q.byWants.remove(c, r)
	q.byTurns.remove(c, r)
}

// rowOf returns what a claim wants of each tracked resource, until the next row is asked for. What it
// wants is rounded up, and so is what is left, so that a claim that fits is within the limits.
func (q *unordered) rowOf(c *claim) row {
	clear(q.row)
	for _, w := range c.wants {
		if w.Resource < q.tracked {
			q.row.set(w.Resource, w.Amount.Integer(q.ledger.Resources[w.Resource].Scale))
		}
	}
	return q.row
}

func (q *unordered) settle(edits []edit, apply applyEdit) (bound []*claim, first int) {
	var after *claim
	for i := range edits {
		bound = q.sweep(bound, after, edits[i].claim)
		after = edits[i].claim
		if _, evicted := apply(edits[i], func(ledger.Want) bool { return false }); evicted && after.waits() {
			q.add(after)
		}
	}
	bound = q.sweep(bound, after, nil)
	first = len(bound)
	if len(edits) > 0 {
		bound = q.sweep(bound, nil, nil)
	}
	q.settled, q.fresh = append(q.settled[:0], q.ledger.Left...), nil
	return bound, first
}

// sweep binds claims in turn, from the one after a claim on and up to another one: those that fit.
// What is bound leaves less for the others, so that no claim before it can come to fit.
func (q *unordered) sweep(bound []*claim, after, until *claim) []*claim {
	from := len(bound)
	bindIfFits := func(c *claim) bool {
		fits := !slices.ContainsFunc(c.wants, q.ledger.Short)
		if fits {
			q.ledger.Take(c.wants)
			q.setLimits()
			bound = append(bound, c)
		}
		return fits
	}
	isOver := func(c *claim) bool { return until != nil && !c.before(until) }
	switch q.setLimits(); {
	case !q.grown():
		slices.SortFunc(q.fresh, (*claim).compare)
		for _, c := range q.fresh {
			if (after == nil || after.before(c)) && !isOver(c) {
				bindIfFits(c)
			}
		}
	case q.byWants.any(q.limits):
		last, over := q.walk(after, isOver, bindIfFits)
		if over {
			break
		}
		q.byWants.search(q.limits, func(c *claim) bool {
			if last.before(c) && !isOver(c) {
				bindIfFits(c)
			}
			return !isOver(c)
		})
	}
	for _, c := range bound[from:] { // the trees must not change during a sweep
		q.remove(c)
	}
	q.fresh = slices.DeleteFunc(q.fresh, func(c *claim) bool {
		_, is := slices.BinarySearchFunc(bound[from:], c, (*claim).compare)
		return is
	})
	return bound
}

// walk binds claims in turn that fit, from the one after a claim on, until none of those near does. It
// returns the last one that it has examined, and whether there is none after it.
func (q *unordered) walk(after *claim, isOver, bindIfFits func(*claim) bool) (last *claim, over bool) {
	left, last := q.near, after
	q.byTurns.walk(after, func(leaf *node, at int) bool {
		for ; at < leaf.size() && left > 0; at++ {
			c := leaf.claims[at].claim
			switch {
			case !q.byTurns.rowOf(leaf.rows, at).within(q.limits):
				left--
			case isOver(c):
				return false
			case bindIfFits(c):
				left = q.near
			default:
				left -= look
			}
			last = c
		}
		return left > 0
	})
	return last, left > 0
}

// grown reports whether there is more left of a resource than when the queue was settled.
func (q *unordered) grown() bool {
	for resource, left := range q.settled {
		if q.ledger.Left[resource].Exceeds(left, q.ledger.Resources[resource].Scale) {
			return true
		}
	}
	return q.settled == nil
}

// setLimits makes what is left of each tracked resource the limits of a search.
func (q *unordered) setLimits() {
	clear(q.limits)
	for resource := range q.tracked {
		q.limits.set(resource, max(0, q.ledger.Left[resource].Integer(q.ledger.Resources[resource].Scale)))
	}
}

func (q *unordered) ahead(*claim, int) *claim { return nil }

func (q *unordered) exhausted(yield func(*claim)) { q.byTurns.each(yield) }
