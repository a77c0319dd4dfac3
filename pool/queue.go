package pool

import (
	"cmp"
	"math/bits"
	"slices"
)

// place is a place in the queue: when the claim there was created, in the upper half,
// and where it was given, in the lower one. So places can be sorted as numbers.
type place uint64

func (p place) given() int      { return int(uint32(p)) }
func (p place) created() uint32 { return uint32(p >> 32) }

// inOrder returns the places of the claims of a pool, in the order of Compare.
func inOrder(p *ResourcePool, claims []*ResourcePoolClaim) []place {
	queue := make([]place, 0, len(claims))
	seconds := make([]uint64, 0, len(claims))
	for i, c := range claims {
		if c.Of(p) {
			queue = append(queue, place(i))
			// From the least int64 on, so that unsigned numbers have the order of signed.
			seconds = append(seconds, uint64(c.CreationTimestamp.Unix())^1<<63)
		}
	}
	if len(queue) == 0 {
		return nil
	}
	// As many of the upper bits of the seconds since the first claim as half a place
	// holds: all of them, unless there is a century between claims.
	first := slices.Min(seconds)
	coarse := max(0, bits.Len64(slices.Max(seconds)-first)-32)
	for i := range queue {
		queue[i] |= place((seconds[i] - first) >> coarse << 32)
	}
	slices.Sort(queue)
	for rest := queue; len(rest) > 0; {
		same := 1
		for same < len(rest) && rest[same].created() == rest[0].created() {
			same++
		}
		if same > 1 {
			slices.SortFunc(rest[:same], func(a, b place) int {
				return cmp.Or(Compare(claims[a.given()], claims[b.given()]), cmp.Compare(a, b))
			})
		}
		rest = rest[same:]
	}
	return queue
}
