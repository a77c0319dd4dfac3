package poolplan

import (
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/internal/ledger"
)

// queue is a waiting claim, and those that have their turns before it.
type queue struct {
	*ledger.Ledger                 // what holding claims leave
	earlier        [][]ledger.Want // in turn
	claim          []ledger.Want
}

// maxRounds bounds the rounds of growth.
const maxRounds = 100

// queueBefore returns the queue up to a claim; nil if the claim does not wait, or is Invalid.
func queueBefore(name types.NamespacedName, p *pool.ResourcePool, claims []*pool.ResourcePoolClaim) *queue {
	q := &queue{Ledger: ledger.New(p.Spec.Quota.Hard)}
	waiting := q.takeHeld(p, claims)
	for _, c := range waiting {
		wants, negative := q.Read(c.Spec.Claim, nil, nil)
		switch {
		case c.Key() == name:
			if len(negative) > 0 {
				return nil
			}
			q.claim = wants
			return q
		case len(negative) == 0:
			q.earlier = append(q.earlier, wants)
		}
	}
	return nil
}

// takeHeld takes what holding claims hold, and returns the waiting claims, in their order.
func (q *queue) takeHeld(p *pool.ResourcePool, claims []*pool.ResourcePoolClaim) (waiting []*pool.ResourcePoolClaim) {
	record := pool.RecordOf(p)
	for _, c := range claims {
		holds, holding := record.Holds(c)
		switch {
		case !holding && c.ClaimsFrom(p):
			waiting = append(waiting, c)
		case holding && !c.Released():
			wants, _ := q.Read(holds, nil, nil)
			q.Take(wants)
		}
	}
	slices.SortStableFunc(waiting, func(a, b *pool.ResourcePoolClaim) int {
		return ledger.CompareTurns(&a.ObjectMeta, &b.ObjectMeta)
	})
	return waiting
}

// growthInOrder returns by how much each resource of the claim has to grow in an ordered queue. If an
// earlier claim lacks any of these, it is closed to the claim. So whether an earlier claim is granted
// depends only on other resources, which do not grow.
func (q *queue) growthInOrder() []ledger.Want {
	more := q.noGrowth()
	closed := map[int]bool{}
	for _, wants := range append(q.earlier, q.claim) {
		if slices.ContainsFunc(wants, func(w ledger.Want) bool { return closed[w.Resource] }) {
			continue
		}
		waits := false
		for _, w := range wants {
			if i := ledger.Find(more, w.Resource); i >= 0 {
				more[i].Amount = q.larger(more[i], w.Amount.Minus(q.Left[w.Resource], q.Resources[w.Resource].Scale))
			} else if q.Short(w) {
				closed[w.Resource], waits = true, true
			}
		}
		if !waits {
			q.Take(wants) // the remaining amounts of the claim's resources may be negative, since they grow
		}
	}
	return more
}

// growth returns by how much each resource of the claim has to grow in a queue without order.
//
// Whatever the growth, some earlier claims are granted if the claim is: see surelyGranted. Each round gives all claims
// their turns, and grows the pool to the largest amount that any place of the queue requires: those granted up to it,
// those surely granted after it, and the claim have to fit. A round that changes a decision grants more, so with one
// resource the growth is never too much.
func (q *queue) growth() []ledger.Want {
	q.dropUngrantable()
	surely := q.surelyGranted()
	more := q.noGrowth()
	for range maxRounds {
		holding, fits := q.turns(more)
		if fits {
			return more
		}
		q.grow(more, surely, holding)
	}
	for i := range surely { // all of them are granted, and the remaining amount is for the claim
		surely[i] = true
	}
	q.grow(more, surely, surely)
	return more
}

// dropUngrantable drops earlier claims that are short of what does not grow.
func (q *queue) dropUngrantable() {
	isUngrantable := func(w ledger.Want) bool { return q.Short(w) && ledger.Find(q.claim, w.Resource) < 0 }
	q.earlier = slices.DeleteFunc(q.earlier, func(wants []ledger.Want) bool {
		return slices.ContainsFunc(wants, isUngrantable)
	})
}

// surelyGranted returns which of the earlier claims are granted in any pool that grants the claim. At the turn of an
// earlier claim, at least this remains: what all before it leave if they are granted, plus what the claim and the
// surely granted ones in between take afterwards.
func (q *queue) surelyGranted() []bool {
	before, after := q.copy(), q.copy()
	doubtful := make([][]ledger.Want, len(q.earlier))
	for i, wants := range q.earlier {
		for _, w := range wants {
			if before.Short(w) {
				doubtful[i] = append(doubtful[i], w)
			}
		}
		before.Take(wants)
	}
	clear(after.Left)
	after.Give(q.claim)
	surely := make([]bool, len(q.earlier))
	for i := len(q.earlier) - 1; i >= 0; i-- {
		surely[i] = !slices.ContainsFunc(doubtful[i], after.Short)
		if surely[i] {
			after.Give(q.earlier[i])
		}
	}
	return surely
}

// turns gives every claim its turn in a pool that has more, and returns which of the earlier
// claims are granted, and whether the claim itself is.
func (q *queue) turns(more []ledger.Want) (holding []bool, fits bool) {
	l := q.copy()
	l.Give(more)
	holding = make([]bool, len(q.earlier))
	for i, wants := range q.earlier {
		holding[i] = !slices.ContainsFunc(wants, l.Short)
		if holding[i] {
			l.Take(wants)
		}
	}
	return holding, !slices.ContainsFunc(q.claim, l.Short)
}

// copy returns what holding claims leave, to be changed.
func (q *queue) copy() *ledger.Ledger {
	l := *q.Ledger
	l.Left, l.Claimed = slices.Clone(q.Left), slices.Clone(q.Claimed)
	return &l
}

// grow raises more to what any place in the queue requires.
func (q *queue) grow(more []ledger.Want, surely, holding []bool) {
	needs := make(ledger.Totals, len(q.Resources)).Add(q.Ledger, q.claim)
	for i, wants := range q.earlier {
		if surely[i] {
			needs = needs.Add(q.Ledger, wants)
		}
	}
	q.raise(more, needs)
	for i, wants := range q.earlier {
		switch {
		case holding[i] && !surely[i]:
			needs = needs.Add(q.Ledger, wants)
			q.raise(more, needs)
		case surely[i] && !holding[i]:
			needs.Remove(q.Ledger, wants)
		}
	}
}

// raise raises more to the amount by which the needs exceed the remaining amounts.
func (q *queue) raise(more []ledger.Want, needs ledger.Totals) {
	for i, w := range more {
		more[i].Amount = q.larger(w, needs[w.Resource].Minus(q.Left[w.Resource], q.Resources[w.Resource].Scale))
	}
}

// noGrowth returns the resources of the claim with amounts of zero.
func (q *queue) noGrowth() []ledger.Want {
	none := make([]ledger.Want, len(q.claim))
	for i, w := range q.claim {
		none[i].Resource = w.Resource
	}
	return none
}

// larger returns the larger one of two amounts of a resource.
func (q *queue) larger(w ledger.Want, than quantity.Amount) quantity.Amount {
	if than.Exceeds(w.Amount, q.Resources[w.Resource].Scale) {
		return than
	}
	return w.Amount
}
