// Package ordering has the orders in which lists of answers are sorted.
package ordering

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
)

// Sources orders sources by kind, namespace, name and field. A shorter field comes first, so that
// items of a list are in order.
func Sources(a, b computeresources.Source) int {
	return cmp.Or(
		cmp.Compare(a.Kind, b.Kind),
		cmp.Compare(a.Namespace, b.Namespace),
		cmp.Compare(a.Name, b.Name),
		cmp.Compare(len(a.Field), len(b.Field)),
		cmp.Compare(a.Field, b.Field),
	)
}

// Refs orders the parts of a pod as the API server and the LimitRanger check them: entries of
// spec.containers, entries of spec.initContainers, each by index, then the zero value, and the pod
// itself.
func Refs(a, b computeresources.Ref) int {
	return cmp.Or(
		cmp.Compare(rank(a.Kind), rank(b.Kind)), cmp.Compare(a.Index, b.Index),
		cmp.Compare(a.Name, b.Name), cmp.Compare(a.Kind, b.Kind),
	)
}

// Place returns the place of a name in an order that names those that come first: its index, or their
// number if it is not one of them.
func Place(first []string, name string) int {
	if i := slices.Index(first, name); i >= 0 {
		return i
	}
	return len(first)
}

// Pods orders pods by namespace, name and UID.
func Pods(a, b *corev1.Pod) int {
	return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name), cmp.Compare(a.UID, b.UID))
}

// Names orders namespaced names by namespace and name.
func Names(a, b types.NamespacedName) int {
	return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
}

// Ages orders objects by creation time, the oldest first. Those without one are the newest.
func Ages(a, b metav1.Object) int {
	at, bt := a.GetCreationTimestamp(), b.GetCreationTimestamp()
	if at.IsZero() != bt.IsZero() {
		return bt.Compare(at.Time) // a zero time is before all others
	}
	return at.Compare(bt.Time)
}

// TrueFirst orders what is true before what is not.
func TrueFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// rank orders the lists of a pod spec, and the pod after them.
func rank(kind computeresources.Kind) int {
	switch kind {
	case computeresources.App:
		return 0
	case computeresources.Init, computeresources.Sidecar:
		return 1
	case computeresources.Pod:
	}
	return 2
}
