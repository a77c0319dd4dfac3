package noderesources

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kubemath/kubemath/computeresources"
)

// bestFit places pods by score, with one Ranking for all pods with equal requests.
type bestFit struct {
	*rows
	profile  Profile
	opts     FitOptions
	requests []Request
	first    []int            // by pod: the first one with an equal request
	rankings map[int]*Ranking // by first pod
}

// mostRankings is how many rankings are kept, eight bytes for each node.
const mostRankings = 1 << 10

// next returns the row for a pod, or -1.
func (b *bestFit) next(pod int) int {
	k := b.rankings[b.first[pod]]
	if k == nil {
		if len(b.rankings) == mostRankings {
			clear(b.rankings)
		}
		k = b.rank(b.requests[pod], b.profile, b.opts)
		b.rankings[b.first[pod]] = k
	}
	return k.best()
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
