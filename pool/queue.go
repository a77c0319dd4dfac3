package pool

import (
	"cmp"
	"slices"
)

// place is the place of a claim in the queue. It holds what most comparisons need, so that
// sorting does not look at the claims themselves (BenchmarkAllocate).
type place struct {
	created int64 // of the claim, in seconds
	given   int   // index of the claim
}

// inOrder returns the places of the claims of a pool, in the order of Compare. Claims that
// Compare cannot tell apart stay in the order in which they were given.
func inOrder(p *ResourcePool, claims []*ResourcePoolClaim) []place {
	queue := make([]place, 0, len(claims))
	for i, c := range claims {
		if c.Of(p) {
			queue = append(queue, place{c.CreationTimestamp.Unix(), i})
		}
	}
	slices.SortFunc(queue, func(a, b place) int {
		if a.created != b.created {
			return cmp.Compare(a.created, b.created)
		}
		return cmp.Or(Compare(claims[a.given], claims[b.given]), cmp.Compare(a.given, b.given))
	})
	return queue
}
