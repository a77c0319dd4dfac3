package ledger

import (
	"cmp"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// CompareTurns is the order of the queue: the older claim has its turn first, then the one with the smaller name,
// the smaller namespace, and the smaller UID.
func CompareTurns(a, b *metav1.ObjectMeta) int {
	return cmp.Or(
		a.CreationTimestamp.Compare(b.CreationTimestamp.Time),
		strings.Compare(a.Name, b.Name),
		strings.Compare(a.Namespace, b.Namespace),
		strings.Compare(string(a.UID), string(b.UID)),
	)
}
