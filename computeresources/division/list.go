package division

import (
	"fmt"
	"iter"

	corev1 "k8s.io/api/core/v1"
)

// ListParts are the equal parts of a list. Like Parts, they are not stored one by one. The zero
// value has no parts.
type ListParts struct {
	n     int
	parts map[corev1.ResourceName]Parts
}

// List returns a list of amounts over n parts: each resource of it as Divide returns it.
// A nil list has parts that are empty. If n is not above zero, the error wraps ErrParts.
//
// Cost: one division for each resource, for any n.
func List(list corev1.ResourceList, n int, opts Options) (ListParts, error) {
	if n <= 0 {
		return ListParts{}, fmt.Errorf("%w: %d", ErrParts, n)
	}
	p := ListParts{n: n, parts: make(map[corev1.ResourceName]Parts, len(list))}
	for name, q := range list {
		p.parts[name], _ = Divide(name, q, n, opts) // n is above zero
	}
	return p, nil
}

// Len returns the number of parts.
func (p ListParts) Len() int { return p.n }

// At returns the part with index i, from 0 to Len()-1, and nil for any other index. The part has
// every resource of the whole, even if its share is zero, except resources that cannot be divided
// and belong to another part. The list is the caller's, and never nil within range.
func (p ListParts) At(i int) corev1.ResourceList {
	if i < 0 || i >= p.n {
		return nil
	}
	list := make(corev1.ResourceList, len(p.parts))
	for name, parts := range p.parts {
		if parts.gets(i) {
			list[name] = parts.At(i)
		}
	}
	return list
}

// All yields the parts in order, as At returns them. slices.Collect makes a slice of
// them.
func (p ListParts) All() iter.Seq[corev1.ResourceList] {
	return func(yield func(corev1.ResourceList) bool) {
		for i := range p.n {
			if !yield(p.At(i)) {
				return
			}
		}
	}
}
