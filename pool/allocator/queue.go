package allocator

import (
	"slices"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/pool/internal/ledger"
)

// queue is the discipline by which claims wait.
type queue interface {
	// add puts in a claim that waits for its turn, and wants something.
	add(*claim)
	// remove takes out a claim, which must be in.
	remove(*claim)
	// settle gives claims their turns until none can be bound, and returns those that
	// were, in turn, and how many of them were bound in the first round.
	settle() (bound []*claim, first int)
	// ahead returns the earlier claim that closes a resource to c, nil if there is none.
	ahead(c *claim, number int) *claim
}

// byObstacle is the queue without order: a claim is bound as soon as it fits.
//
// Each claim waits in the tree of one resource that it is short of, its obstacle; which
// one does not matter. As long as no more of that is left than it was short of, nothing
// else about the claim has to be looked at. Invariants after settle: a claim in the tree
// of a resource wants more of it than is left.
type byObstacle struct {
	ledger *ledger.Ledger
	trees  []tree // by resource
}

func (q *byObstacle) add(c *claim) {
	// If nothing keeps it, settle will find it wherever it is.
	w := c.wants[max(0, slices.IndexFunc(c.wants, q.ledger.Short))]
	for len(q.trees) <= w.Resource {
		q.trees = append(q.trees, tree{scale: q.ledger.Resources[len(q.trees)].Scale})
	}
	c.place = w.Resource
	q.trees[c.place].add(c, w.Amount)
}

func (q *byObstacle) remove(c *claim) { q.trees[c.place].remove(c) }

func (q *byObstacle) settle() (bound []*claim, first int) {
	for c := q.next(); c != nil; c = q.next() {
		q.remove(c)
		if slices.ContainsFunc(c.wants, q.ledger.Short) {
			q.add(c) // by another obstacle
			continue
		}
		q.ledger.Take(c.wants)
		bound = append(bound, c)
	}
	return bound, len(bound)
}

// next returns the first claim whose obstacle is gone. What is bound leaves less for the
// others, so that no claim before it can come to fit.
func (q *byObstacle) next() (next *claim) {
	for number := range q.trees {
		if c := q.trees[number].firstWithin(q.ledger.Left[number]); c != nil && (next == nil || c.before(next)) {
			next = c
		}
	}
	return next
}

func (q *byObstacle) ahead(*claim, int) *claim { return nil }

// byGroup is the ordered queue: a resource that a claim was short of is closed to all
// later ones.
//
// Claims that want the same resources, in whatever amounts, are a group: if any of these
// is closed, it is closed to all of them. So only the first claim of each group can be
// the next that has its turn, and there are never more claims that close a resource than
// there are resources.
type byGroup struct {
	ledger *ledger.Ledger
	groups []group
	number map[string]int // of a group, by its resources
	closed []*claim       // by resource: the claim that was short of it when last settled
}

// group are the claims that want the same resources.
type group struct {
	resources []int
	tree      tree
}

func (q *byGroup) add(c *claim) {
	var key []byte
	for _, w := range c.wants {
		key = append(key, byte(w.Resource>>16), byte(w.Resource>>8), byte(w.Resource))
	}
	number, known := q.number[string(key)]
	if !known {
		number = len(q.groups)
		q.number[string(key)] = number
		g := group{}
		for _, w := range c.wants {
			g.resources = append(g.resources, w.Resource)
		}
		q.groups = append(q.groups, g)
	}
	c.place = number
	q.groups[number].tree.add(c, quantity.Amount{})
}

func (q *byGroup) remove(c *claim) { q.groups[c.place].tree.remove(c) }

// settle allocates again and again, as a controller does after every change: a claim that
// was bound can leave so little that another one, which had its turn before, is now
// behind a third, and what it was short of is open again.
func (q *byGroup) settle() (bound []*claim, first int) {
	bound = q.allocate()
	first = len(bound)
	for more := bound; len(more) > 0; {
		more = q.allocate()
		bound = append(bound, more...)
	}
	return bound, first
}

// allocate gives every claim its turn once.
func (q *byGroup) allocate() (bound []*claim) {
	q.closed = make([]*claim, len(q.ledger.Resources))
	for c := q.next(); c != nil; c = q.next() {
		if !slices.ContainsFunc(c.wants, q.ledger.Short) {
			q.remove(c)
			q.ledger.Take(c.wants)
			bound = append(bound, c)
			continue
		}
		for _, w := range c.wants {
			if q.ledger.Short(w) {
				q.closed[w.Resource] = c
			}
		}
	}
	return bound
}

// next returns the first claim to which nothing is closed. All before it have had their
// turn: each was bound, or closed a resource to its own group.
func (q *byGroup) next() (next *claim) {
	for i := range q.groups {
		g := &q.groups[i]
		if slices.ContainsFunc(g.resources, func(number int) bool { return q.closed[number] != nil }) {
			continue
		}
		if c := g.tree.first(); c != nil && (next == nil || c.before(next)) {
			next = c
		}
	}
	return next
}

func (q *byGroup) ahead(c *claim, number int) *claim {
	if number < len(q.closed) && q.closed[number] != nil && q.closed[number].before(c) {
		return q.closed[number]
	}
	return nil
}
