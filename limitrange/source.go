package limitrange

import (
	"cmp"
	"fmt"

	corev1 "k8s.io/api/core/v1"
)

// Source is the place that a value came from: an item of spec.limits in a LimitRange. The
// zero value stands for no source.
type Source struct {
	Namespace, Name string
	Item            int // index in spec.limits
}

// String returns the source as a user knows it, "LimitRange team/defaults", or
// "LimitRange defaults" if the object has no namespace. The item is left out: the API
// allows one for each type.
func (s Source) String() string {
	if s.Namespace == "" {
		return "LimitRange " + s.Name
	}
	return fmt.Sprintf("LimitRange %s/%s", s.Namespace, s.Name)
}

// sameObject reports whether both are items of one LimitRange.
func (s Source) sameObject(other Source) bool {
	return s.Namespace == other.Namespace && s.Name == other.Name
}

// compare orders sources by namespace, name and item.
func (s Source) compare(other Source) int {
	return cmp.Or(
		cmp.Compare(s.Namespace, other.Namespace),
		cmp.Compare(s.Name, other.Name),
		cmp.Compare(s.Item, other.Item),
	)
}

func sourceOf(lr *corev1.LimitRange, item int) Source {
	return Source{lr.Namespace, lr.Name, item}
}
