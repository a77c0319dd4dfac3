package quantity

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Find returns a copy of an entry of a list, and nil if there is none. The copy may share a decimal
// with the list: Clone returns one that does not.
func Find(list corev1.ResourceList, name corev1.ResourceName) *resource.Quantity {
	if q, set := list[name]; set {
		return &q
	}
	return nil
}

// Clone returns a copy of q that shares nothing with it, nil for nil.
func Clone(q *resource.Quantity) *resource.Quantity {
	if q == nil {
		return nil
	}
	own := q.DeepCopy()
	return &own
}

// Text returns the text of q, such as 100m, and "" for nil. Unlike q.String, it does not write to
// q.
func Text(q *resource.Quantity) string {
	if q == nil {
		return ""
	}
	own := *q
	return own.String()
}

// Set sets an entry of a list to a copy of q that shares nothing with it. It makes the list
// if that is nil.
func Set(list *corev1.ResourceList, name corev1.ResourceName, q resource.Quantity) {
	if *list == nil {
		*list = corev1.ResourceList{}
	}
	(*list)[name] = q.DeepCopy()
}

// Names returns the names of the resources in any of the lists, sorted, each once; nil if
// there is none.
func Names(lists ...corev1.ResourceList) []corev1.ResourceName {
	total := 0
	for _, list := range lists {
		total += len(list)
	}
	if total == 0 {
		return nil
	}
	names := make([]corev1.ResourceName, 0, total)
	for _, list := range lists {
		names = slices.AppendSeq(names, maps.Keys(list))
	}
	slices.Sort(names)
	return slices.Compact(names)
}
