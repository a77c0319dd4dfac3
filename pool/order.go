package pool

import (
	"cmp"
	"strings"
)

// Compare returns a negative number if claim a comes before b in the queue, a positive one if it comes
// after b, and 0 if they are equal: the older claim comes first, then the smaller name, the smaller namespace,
// and the smaller UID. It can be passed to slices.SortFunc. A nil claim comes first.
func Compare(a, b *ResourcePoolClaim) int {
	if a == nil || b == nil {
		return cmp.Compare(present(a), present(b))
	}
	return cmp.Or(
		a.CreationTimestamp.Compare(b.CreationTimestamp.Time),
		strings.Compare(a.Name, b.Name),
		strings.Compare(a.Namespace, b.Namespace),
		strings.Compare(string(a.UID), string(b.UID)),
	)
}

func present(c *ResourcePoolClaim) int {
	if c == nil {
		return 0
	}
	return 1
}
