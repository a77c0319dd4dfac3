package allocator

import (
	"slices"

	"github.com/kubemath/kubemath/pool/internal/ledger"
)

// unordered is the queue without order: a claim is bound as soon as it fits.
//
// The claims are in two trees: by what they want, where the first one that fits is found
// among very many that do not, and by their turns, where it is near by if many fit.
type unordered struct {
	ledger  *ledger.Ledger
	byWants tree
	byTurns tree
	tracked int // resources that have a column in the first tree

	row, limits row // made last
}

// mostTracked bounds the columns of a tree. What claims want of other resources counts when they are
// looked at themselves.
const mostTracked = 16

// near is how many claims after one are looked at one by one before the tree is searched.
const near = 32

func newUnordered(l *ledger.Ledger) *unordered {
	q := &unordered{ledger: l, tracked: min(len(l.Resources), mostTracked)}
	q.row, q.limits = newRow(q.tracked), newRow(q.tracked)
	q.byWants.words = len(q.row)
	return q
}

func (q *unordered) add(c *claim) {
	q.byWants.add(c, q.rowOf(c))
	q.byTurns.add(c, nil)
}

func (q *unordered) remove(c *claim) {
	q.byWants.remove(c, q.rowOf(c))
	q.byTurns.remove(c, nil)
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
	for {
		c := q.next(after, until)
		if c == nil {
			return bound
		}
		q.remove(c)
		q.ledger.Take(c.wants)
		bound, after = append(bound, c), c
	}
}

// next returns the first claim that fits, after a claim and before another one.
func (q *unordered) next(after, until *claim) (first *claim) {
	if after != nil {
		left, over := near, false
		q.byTurns.from(after, nil, func(c *claim) bool {
			left--
			switch {
			case until != nil && !c.before(until):
				over = true
			case q.fits(c):
				first = c
			}
			return first == nil && left > 0 && !over
		})
		if first != nil || over || left > 0 {
			return first
		}
	}
	clear(q.limits)
	for resource := range q.tracked {
		q.limits.set(resource, max(0, atMost(q.ledger.Left[resource], q.ledger.Resources[resource].Scale)))
	}
	return q.byWants.search(after, until, q.limits, q.fits)
}

func (q *unordered) fits(c *claim) bool { return !slices.ContainsFunc(c.wants, q.ledger.Short) }

func (q *unordered) ahead(*claim, int) *claim { return nil }

func (q *unordered) exhausted(yield func(*claim)) { q.byTurns.each(yield) }
