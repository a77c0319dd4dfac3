package pool

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/kubemath/kubemath/pool/internal/ledger"
)

// place is a place in the queue: the creation time of the claim in the upper half, and its index among
// the given claims in the lower half. Places are sorted as plain numbers, without reading the claims,
// since few have the same creation time. In BenchmarkAllocate, sorting structs by a comparison function
// adds a tenth of the time of the whole allocation.
type place uint64

func (p place) given() int      { return int(uint32(p)) }
func (p place) created() uint32 { return uint32(p >> 32) }

// inOrder returns the places of the claims of a pool, in the order of the queue. Claims that are equal
// in it keep their order.
func inOrder(p *ResourcePool, claims []*ResourcePoolClaim) []place {
	queue := make([]place, 0, len(claims))
	seconds := make([]uint64, 0, len(claims))
	for i, c := range claims {
		if c.ClaimsFrom(p) {
			queue = append(queue, place(i))
			// Counted from the smallest int64, so that unsigned numbers have the order of signed ones.
			seconds = append(seconds, uint64(c.CreationTimestamp.Unix())^1<<63)
		}
	}
	if len(queue) == 0 {
		return nil
	}
	// The seconds since the first claim fit 32 bits, unless claims are a century apart. If they
	// do not fit, lower bits are dropped, and more claims count as created at the same time.
	first := slices.Min(seconds)
	dropped := max(0, bits.Len64(slices.Max(seconds)-first)-32)
	for i := range queue {
		queue[i] |= place((seconds[i] - first) >> dropped << 32)
	}
	slices.Sort(queue)
	for rest := queue; len(rest) > 0; {
		same := 1
		for same < len(rest) && rest[same].created() == rest[0].created() {
			same++
		}
		if same > 1 { // the names decide
			slices.SortFunc(rest[:same], func(a, b place) int {
				return cmp.Or(ledger.CompareTurns(&claims[a.given()].ObjectMeta, &claims[b.given()].ObjectMeta), cmp.Compare(a, b))
			})
		}
		rest = rest[same:]
	}
	return queue
}
