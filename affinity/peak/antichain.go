package peak

import "math/big"

// The tasks that can run at once are those of an antichain: none of them runs after
// another. Of all antichains, the one of the greatest weight is left over by a cut.
//
// Each task is split in two nodes, done and begun:
//
//	source ──w──▶ begun(a)      begun(a) ──∞──▶ done(b)  if b runs after a
//	done(a) ──w──▶ sink         done(a) ──∞──▶ begun(a)
//
// A cut puts each node on the side of the source or on that of the sink. The edges
// without bound leave a task three places: both nodes with the sink, which costs its
// weight; begun with the source and done with the sink, which costs nothing; both with
// the source, which costs its weight. And if begun(a) is with the source, so are both
// nodes of everything that runs after a. So a cut divides the tasks into those that come
// before, an antichain, and those that come after; every antichain makes such a cut; and
// the cut costs what is not in the antichain. The cheapest cut, which is as much as can
// flow (L. R. Ford, D. R. Fulkerson), leaves the heaviest antichain.
//
// Of several cheapest cuts we take the one whose side of the source is largest: all that
// cannot reach the sink any more. It puts as few tasks as possible before the antichain.
// It does not depend on the way in which the flow was found.

// heaviest returns the antichain with the largest weight, as ascending numbers of the order. Weights
// are not negative; tasks of weight zero are omitted. Of several such antichains, it returns the
// earliest.
func (o *order) heaviest(weights []*big.Int) []int {
	total := new(big.Int)
	for _, w := range weights {
		total.Add(total, w)
	}
	if total.IsInt64() {
		return antichain(o, weights, integer(total.Int64()), func(w *big.Int) integer { return integer(w.Int64()) })
	}
	return antichain(o, weights, unbounded{total}, func(w *big.Int) unbounded { return unbounded{w} })
}

// antichain is heaviest for amounts that can hold the total of all weights. No edge between tasks
// can carry the total, so it serves as infinity.
func antichain[A amount[A]](o *order, weights []*big.Int, total A, amountOf func(*big.Int) A) (found []int) {
	n := len(o.next)
	source, sink := 2*n, 2*n+1
	done, begun := func(task int) int { return 2 * task }, func(task int) int { return 2*task + 1 }
	f := newFlow[A](2*n+2, source, sink)
	for task, next := range o.next {
		w := amountOf(weights[task])
		f.connect(source, begun(task), w)
		f.connect(done(task), sink, w)
		f.connect(done(task), begun(task), total)
		for _, later := range next {
			f.connect(begun(task), done(later), total)
		}
	}
	f.carry()
	f.fill(total)
	for task := range o.next {
		if amountOf(weights[task]).positive() && !f.reaches(begun(task)) && f.reaches(done(task)) {
			found = append(found, task)
		}
	}
	return found
}
