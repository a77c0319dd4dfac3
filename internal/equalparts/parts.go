// Package equalparts divides an amount into equal parts. Package division, whose comment says how the
// parts are rounded, returns them as a slice; the steps of a task are given theirs one by one.
package equalparts

import "k8s.io/apimachinery/pkg/api/resource"

// Parts are the equal parts of an amount. They are not stored one by one, so a division into a
// billion parts needs no more memory than one into two. The zero value has no parts.
type Parts struct {
	n      int
	larger int // how many of the first parts are large
	large  resource.Quantity
	next   resource.Quantity // the part after those, with the remainder of less than a unit
	base   resource.Quantity // all others
	whole  bool              // not divisible: parts that are not large get none
}

// At returns the part of index i, from 0 to n-1; for any other, zero. The quantity
// is the caller's.
func (p Parts) At(i int) resource.Quantity {
	switch {
	case i < 0 || i >= p.n:
		return resource.Quantity{}
	case i < p.larger:
		return p.large.DeepCopy()
	case i == p.larger:
		return p.next.DeepCopy()
	default:
		return p.base.DeepCopy()
	}
}

// Has reports whether a part has the resource: one that is not divisible may be in another
// part.
func (p Parts) Has(i int) bool { return !p.whole || i < p.larger }
