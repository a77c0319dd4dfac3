package noderesources

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kubemath/kubemath/computeresources"
)

// bestFit places pods by score. Scores are kept for pods with equal requests, so that only those of nodes that
// changed have to be computed again.
type bestFit struct {
	*rows
	profile  Profile
	opts     *FitOptions
	requests []Request
	first    []int // by pod: the first one with an equal request

	rankings map[int]*ranking // by first pod
	changed  []int            // the rows on which pods have been placed
}

// ranking is how good a place each node is for pods with equal requests.
type ranking struct {
	// scores are one more than the scores, or 0 where there is no room. Those that fall leave the largest of their
	// block as it is, until it is looked for.
	scores room
	seen   int // how many of the changed rows have been counted
}

// mostRankings is how many rankings are kept, eight bytes for each node.
const mostRankings = 1 << 10

// next returns the row for a pod, or -1.
func (b *bestFit) next(pod int) int {
	row := b.rankingOf(pod).best()
	if row >= 0 {
		b.changed = append(b.changed, row)
	}
	return row
}

// best returns the first row with the highest score, or -1.
func (r *ranking) best() int {
	for len(r.scores.largest) > 0 {
		best := slices.Max(r.scores.largest)
		if best == 0 {
			break
		}
		i := slices.Index(r.scores.largest, best)
		scores := r.scores.block(i)[:]
		if j := slices.Index(scores, best); j >= 0 {
			return i*block + j
		}
		r.scores.largest[i] = slices.Max(scores)
	}
	return -1
}

// rankingOf returns the ranking of the nodes in their current state.
func (b *bestFit) rankingOf(pod int) *ranking {
	r, ok := b.rankings[b.first[pod]]
	if !ok {
		if len(b.rankings) == mostRankings {
			clear(b.rankings)
		}
		r = &ranking{}
		b.rankings[b.first[pod]] = r
	}
	k := b.scorers(&b.requests[pod], b.profile)
	if !ok || len(b.changed)-r.seen > len(b.names) {
		r.scores = newRoom(len(b.names))
		b.eachFit(&b.requests[pod], b.opts, func(row int) bool {
			r.scores.amounts[row] = k.score(row) + 1
			return true
		})
		r.scores.compareFrom(0)
	} else {
		for _, row := range b.changed[r.seen:] {
			score := int64(0)
			if b.ledgers[row].fits(&b.requests[pod], b.opts) {
				score = k.score(row) + 1
			}
			r.scores.amounts[row] = score
			r.scores.largest[row/block] = max(r.scores.largest[row/block], score)
		}
	}
	r.seen = len(b.changed)
	return r
}

// firstEqual returns, for each request, the index of the first one that is equal.
func firstEqual(requests []Request) []int {
	order := make([]int, len(requests))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(requests[a].compare(&requests[b]), a-b) })
	first := make([]int, len(requests))
	for i, pod := range order {
		first[pod] = pod
		if i > 0 && requests[order[i-1]].compare(&requests[pod]) == 0 {
			first[pod] = first[order[i-1]]
		}
	}
	return first
}

// Equal reports whether two requests are the same in all questions about nodes.
func (r Request) Equal(other Request) bool { return r.compare(&other) == 0 }

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
