package allocator

import (
	"slices"

	"github.com/kubemath/kubemath/pool/internal/ledger"
)

// unordered is the queue without order: a claim is bound as soon as it fits.
type unordered struct {
	ledger  *ledger.Ledger
	tracked int // resources that have a column: the first ones
	byWants tree
	byTurns tree // with the first word of each row
	search  search
	row     row // that was made last
}

// mostTracked bounds the columns of a tree. What claims want of other resources counts when they are
// looked at themselves.
const mostTracked = 16

// near is how many claims after one are looked at in turn before the others are searched.
const near = 4096

func newUnordered(l *ledger.Ledger) *unordered {
	q := &unordered{ledger: l, tracked: min(len(l.Resources), mostTracked)}
	q.row, q.search.limits = newRow(q.tracked), newRow(q.tracked)
	q.byWants = tree{words: len(q.row)}
	q.byTurns = tree{words: min(1, len(q.row)), byTurn: true}
	return q
}

func (q *unordered) add(c *claim) {
	r := q.rowOf(c)
	q.byWants.add(c, r)
	q.byTurns.add(c, r[:q.byTurns.words])
}

func (q *unordered) remove(c *claim) {
	r := q.rowOf(c)
	q.byWants.remove(c, r)
	q.byTurns.remove(c, r[:q.byTurns.words])
}

// rowOf returns what a claim wants of each tracked resource, until the next row is asked for.
func (q *unordered) rowOf(c *claim) row {
	clear(q.row)
	for _, w := range c.wants {
		if w.Resource < q.tracked {
			q.row.set(w.Resource, atLeast(w.Amount, q.ledger.Resources[w.Resource].Scale))
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
	return bound, first
}

// sweep binds claims in turn, from the one after a claim on and up to another one: those that fit.
// What is bound leaves less for the others, so that no claim before it can come to fit.
func (q *unordered) sweep(bound []*claim, after, until *claim) []*claim {
	from := len(bound)
	q.setLimits()
	end := after != nil
	if end {
		after = q.byTurns.walk(after, near, q.search.limits, func(c *claim) bool {
			if until != nil && !c.before(until) {
				return false
			}
			bound = q.bindIfFits(bound, c)
			return true
		})
		end = after == nil
	}
	if !end {
		q.search.start(&q.byWants)
		for c := q.search.next(); c != nil && (until == nil || c.before(until)); c = q.search.next() {
			if after == nil || after.before(c) {
				bound = q.bindIfFits(bound, c)
			}
		}
	}
	for _, c := range bound[from:] {
		q.remove(c)
	}
	return bound
}

func (q *unordered) bindIfFits(bound []*claim, c *claim) []*claim {
	if !q.fits(c) {
		return bound
	}
	q.ledger.Take(c.wants)
	q.setLimits()
	return append(bound, c)
}

// setLimits makes what is left of each tracked resource the limits of a search.
func (q *unordered) setLimits() {
	clear(q.search.limits)
	for resource := range q.tracked {
		q.search.limits.set(resource, max(0, atMost(q.ledger.Left[resource], q.ledger.Resources[resource].Scale)))
	}
}

func (q *unordered) fits(c *claim) bool { return !slices.ContainsFunc(c.wants, q.ledger.Short) }

func (q *unordered) ahead(*claim, int) *claim { return nil }

func (q *unordered) exhausted(yield func(*claim)) { q.byTurns.each(yield) }
