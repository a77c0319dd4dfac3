package peak

import (
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/quantity"
)

// Tasks can run at the same time if they form an antichain: none of them runs after
// another. A minimum cut determines the antichain of maximum weight.
//
// Each task is split in two nodes, done and begun:
//
//	source ──w──▶ begun(a)      begun(a) ──∞──▶ done(b)  if b runs after a
//	done(a) ──w──▶ sink         done(a) ──∞──▶ begun(a)
//
// A cut assigns each node to the source or to the sink. Because of the edges of infinite
// capacity, there are three cases for a task: both nodes belong to the sink, which costs its
// weight; begun belongs to the source and done to the sink, which costs nothing; or both
// belong to the source, which costs its weight. If begun(a) belongs to the source, so do both
// nodes of every task that runs after a. So a cut divides the tasks into those before an
// antichain, the antichain, and those after it. Every antichain has such a cut, and the cost
// is the weight of all tasks outside the antichain. So a minimum cut, whose cost is the
// maximum flow (L. R. Ford, D. R. Fulkerson), determines the heaviest antichain.
//
// Of several minimum cuts we use the one that assigns the most nodes to the source: all that
// cannot reach the sink. Then as few tasks as possible are before the antichain.
// This cut does not depend on how the flow was found.

// heaviest returns the antichain with the largest weight, as ascending numbers of the order. Weights are amounts of
// 10^scale, and not negative; tasks of weight zero are omitted. Of several such antichains, it returns the earliest.
func (o *order) heaviest(weights []quantity.Amount, scale resource.Scale) (found []int) {
	var total quantity.Amount // infinity, since no edge between tasks can carry it
	for _, w := range weights {
		total = total.Plus(w, scale)
	}
	n := len(o.next)
	source, sink := 2*n, 2*n+1
	done, begun := func(task int) int { return 2 * task }, func(task int) int { return 2*task + 1 }
	f := newFlow(2*n+2, source, sink, scale)
	for task, next := range o.next {
		f.connect(source, begun(task), weights[task])
		f.connect(done(task), sink, weights[task])
		f.connect(done(task), begun(task), total)
		for _, later := range next {
			f.connect(begun(task), done(later), total)
		}
	}
	f.carry()
	f.fill(total)
	for task := range o.next {
		if weights[task].Sign() > 0 && !f.reaches(begun(task)) && f.reaches(done(task)) {
			found = append(found, task)
		}
	}
	return found
}
