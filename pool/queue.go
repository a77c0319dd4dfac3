package pool

import (
	"cmp"
	"slices"

	"github.com/kubemath/kubemath/pool/internal/ledger"
)

// turn is a claim in the queue. The second in which it was created decides most comparisons without reading the claim.
type turn struct {
	created int64
	index   int // among the given claims
}

// inOrder returns the claims of a pool, in the order of the queue. Claims that are equal in it keep their order.
func inOrder(p *ResourcePool, claims []*ResourcePoolClaim) []turn {
	queue := make([]turn, 0, len(claims))
	for i, c := range claims {
		if c.ClaimsFrom(p) {
			queue = append(queue, turn{c.CreationTimestamp.Unix(), i})
		}
	}
	slices.SortFunc(queue, func(a, b turn) int {
		if a.created != b.created {
			return cmp.Compare(a.created, b.created)
		}
		return cmp.Or(compareTurns(claims[a.index], claims[b.index]), cmp.Compare(a.index, b.index))
	})
	return queue
}

func compareTurns(a, b *ResourcePoolClaim) int {
	return ledger.CompareTurns(&a.ObjectMeta, &b.ObjectMeta)
}
