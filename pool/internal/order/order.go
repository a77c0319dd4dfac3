// Package order is the order of claims in the queue of a pool.
package order

import (
	"cmp"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Compare returns a negative number if claim a comes before b in the queue, a positive one if it
// comes after b, and 0 if they are equal: the older claim comes first, then the smaller name, the
// smaller namespace, and the smaller UID.
func Compare(a, b *metav1.ObjectMeta) int {
	return cmp.Or(
		a.CreationTimestamp.Compare(b.CreationTimestamp.Time),
		strings.Compare(a.Name, b.Name),
		strings.Compare(a.Namespace, b.Namespace),
		strings.Compare(string(a.UID), string(b.UID)),
	)
}
