package pooltest

import (
	"time"

	"github.com/kubemath/kubemath/pool"
)

// WithThoseOfOthers returns the claims given, and then one of the same name for each, of
// another pool: holding some of that if it holds some, and asking for that if it waits. It leaves
// out nil.
func WithThoseOfOthers(claims []*pool.ResourcePoolClaim) []*pool.ResourcePoolClaim {
	var all, others []*pool.ResourcePoolClaim
	for _, c := range claims {
		if c == nil {
			continue
		}
		other := c.DeepCopy()
		other.CreationTimestamp.Time = other.CreationTimestamp.Add(-time.Hour)
		if other.Holding() {
			other.Status.Pool.Name = "other"
		} else {
			other.Spec.Pool = "other"
		}
		all, others = append(all, c), append(others, other)
	}
	return append(all, others...)
}
