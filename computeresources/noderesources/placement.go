package noderesources

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kubemath/kubemath/computeresources"
)

// Placements say where the pods of a list have been placed, one after the other.
type Placements struct {
	// Nodes are the names of the nodes, one for each pod of the list: "" for those in
	// Remaining.
	Nodes []string
	// Remaining are the pods that did not fit on any node when it was their turn, in the order
	// of the list.
	Remaining []RemainingPod
}

// RemainingPod is a pod that does not fit on any node, and why.
type RemainingPod struct {
	Pod int // index in the list
	Err *FitError
}

// FirstFit returns where pods with these requests are placed if each goes to the first node, by
// name, on which it fits beside the pods there and those that have been placed before. The
// cluster does not change. Of a list in decreasing order, fewer nodes are used as a rule; see
// EstimateNodes.
//
// Cost: linear in the number of nodes, n·log(n) for n pods as a rule, and linear in the
// number of nodes for each pod that remains.
func (c *Cluster) FirstFit(requests []Request, opts FitOptions) Placements {
	x := c.rows.copy()
	return x.place(requests, &opts, func(pod int) int { return x.firstFit(&requests[pod], &opts) })
}

// BestFit returns where pods with these requests are placed if each goes to the node that Best
// returns when it is its turn: that of the greatest score, beside the pods there and those that
// have been placed before, and of several the first by name. The cluster does not change.
//
// Cost: for each pod, that of scores for the nodes that changed since the last pod with an equal
// request, of all nodes at most; and linear in the number of nodes for each pod that remains.
func (c *Cluster) BestFit(requests []Request, s Scorer, opts FitOptions) Placements {
	x := c.rows.copy()
	b := bestFit{rows: x, scorer: &s, opts: &opts, requests: requests, kinds: kindsOf(requests), rankings: map[int]*ranking{}}
	return x.place(requests, &opts, b.next)
}

// place places pods on the rows that next returns, until it returns -1.
func (x *rows) place(requests []Request, opts *FitOptions, next func(pod int) int) Placements {
	p := Placements{Nodes: make([]string, len(requests))}
	for pod := range requests {
		row := next(pod)
		if row < 0 {
			p.Remaining = append(p.Remaining, RemainingPod{pod, x.fitError(&requests[pod], opts)})
			continue
		}
		x.count(row, &requests[pod])
		p.Nodes[pod] = x.names[row]
	}
	return p
}

// bestFit places pods by score. Pods with equal requests are of one kind, for which scores are
// kept, so that only those of nodes that changed have to be computed again.
type bestFit struct {
	*rows
	scorer   *Scorer
	opts     *FitOptions
	requests []Request
	kinds    []kind // by pod

	rankings map[int]*ranking // by kind
	changed  []int            // the rows on which pods have been placed
	scratch  scratch
}

// kind is the kind of a pod: the first with an equal request, and how many there are.
type kind struct{ first, pods int }

// ranking is how good a place each node is for a kind of pods.
type ranking struct {
	scores []int8 // by row, padded to whole blocks; -1 where there is no room
	best   []int8 // of each block, or more
	seen   int    // how many of the changed rows have been counted
}

// mostRankings is how many rankings are kept, one byte for each node.
const mostRankings = 1 << 12

// next returns the row for a pod, or -1.
func (b *bestFit) next(pod int) int {
	k := b.ranker(&b.scratch, &b.requests[pod], b.scorer)
	ranking := b.rankingOf(pod, &k)
	row := ranking.first()
	if row >= 0 {
		b.changed = append(b.changed, row)
	}
	return row
}

// rankingOf returns the ranking of the nodes as they are.
func (b *bestFit) rankingOf(pod int, k *ranker) *ranking {
	r, known := b.rankings[b.kinds[pod].first]
	if !known {
		if len(b.rankings) == mostRankings {
			clear(b.rankings)
		}
		blocks := (len(b.names) + block - 1) / block
		r = &ranking{scores: make([]int8, blocks*block), best: make([]int8, blocks)}
		if b.kinds[pod].pods > 1 {
			b.rankings[b.kinds[pod].first] = r
		}
	}
	if !known || len(b.changed)-r.seen > len(b.names) {
		b.rankAll(r, pod, k)
	} else {
		for _, row := range b.changed[r.seen:] {
			r.set(row, b.scoreOf(row, pod, k))
		}
	}
	r.seen = len(b.changed)
	return r
}

func (b *bestFit) rankAll(r *ranking, pod int, k *ranker) {
	for row := range r.scores {
		r.scores[row] = -1
	}
	b.eachRow(&b.requests[pod], b.opts, func(row int) { r.scores[row] = int8(k.score(row)) })
	for i := range r.best {
		r.best[i] = slices.Max(r.scores[i*block : i*block+block])
	}
}

func (b *bestFit) scoreOf(row, pod int, k *ranker) int8 {
	if !b.ledgers[row].fits(&b.requests[pod], b.opts) {
		return -1
	}
	return int8(k.score(row))
}

func (r *ranking) set(row int, score int8) {
	r.scores[row] = score
	r.best[row/block] = max(r.best[row/block], score)
}

// first returns the first row with the greatest score, or -1. Where no row of a block has the
// score that was its best once, it computes the best again.
func (r *ranking) first() int {
	for len(r.best) > 0 {
		best := slices.Max(r.best)
		if best < 0 {
			break
		}
		i := slices.Index(r.best, best)
		scores := r.scores[i*block : i*block+block]
		if j := slices.Index(scores, best); j >= 0 {
			return i*block + j
		}
		r.best[i] = slices.Max(scores)
	}
	return -1
}

// kindsOf returns the kind of each pod.
func kindsOf(requests []Request) []kind {
	order := make([]int, len(requests))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(requests[a].compare(&requests[b]), a-b) })
	kinds := make([]kind, len(requests))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && requests[order[from]].compare(&requests[order[to]]) == 0 {
			to++
		}
		for _, pod := range order[from:to] {
			kinds[pod] = kind{order[from], to - from}
		}
		from = to
	}
	return kinds
}

// compare returns -1, 0 or +1 by a total order in which requests are equal that are the same in
// all questions about nodes.
func (r *Request) compare(other *Request) int {
	if d := r.compareLists(other, computeresources.Requests); d != 0 {
		return d
	}
	if d := slices.Compare(r.nonZero[:], other.nonZero[:]); d != 0 {
		return d
	}
	return r.compareLists(other, computeresources.Limits)
}

// compareLists compares native resources first, and then scalar ones by name and amount.
func (r *Request) compareLists(other *Request, list computeresources.List) int {
	for i := range r.native {
		if d := cmp.Compare(r.native[i].of(list), other.native[i].of(list)); d != 0 {
			return d
		}
	}
	return slices.CompareFunc(r.scalars, other.scalars, func(a, b scalar) int {
		if a.name != b.name {
			return strings.Compare(string(a.name), string(b.name))
		}
		return cmp.Compare(a.of(list), b.of(list))
	})
}
