package noderesources

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kubemath/kubemath/computeresources"
)

// kind is the kind of a pod: the first with an equal request, and how many there are.
type kind struct{ first, pods int }

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
	return slices.CompareFunc(r.scalars(), other.scalars(), func(a, b scalar) int {
		if a.name != b.name {
			return strings.Compare(string(a.name), string(b.name))
		}
		return cmp.Compare(a.of(list), b.of(list))
	})
}
