package quotatree

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/quantity"
)

// Share is the dominant share of what a node borrows: the largest part, over all resources, of what its
// parent could have that the node uses in excess of its quota.
type Share struct {
	// Resource is the one with the largest part, the first by name of equal ones, after CountsAs of the
	// Options. It is "" if Ratio is zero.
	Resource corev1.ResourceName `json:"resource,omitempty"`
	// Borrowing reports whether the usage of the node exceeds its quota in any resource. It does not
	// follow that Ratio is above zero: the parent may have nothing of that resource.
	Borrowing bool `json:"borrowing,omitempty"`
	// Ratio is what the node borrows, divided by what the parent could have if all nodes held nothing.
	Ratio resourcelist.Rational `json:"ratio,omitempty"`
	// Weighted is Ratio divided by the weight of the node. It is empty if it is Infinite: the weight is zero, and Ratio
	// is not.
	Weighted resourcelist.Rational `json:"weighted,omitempty"`
	Infinite bool                  `json:"infinite,omitempty"`
}

// Compare returns -1 if s is the smaller share, 1 if it is the larger one, and 0 if they are equal: by
// Weighted, of which an infinite one is larger than any other; of two infinite ones, by Ratio.
//
// Source: CompareDRS of Kueue.
func (s Share) Compare(other Share) int {
	switch {
	case s.Infinite && other.Infinite:
		return s.Ratio.Rat().Cmp(other.Ratio.Rat())
	case s.Infinite:
		return 1
	case other.Infinite:
		return -1
	}
	return s.Weighted.Rat().Cmp(other.Weighted.Rat())
}

// Share returns the dominant share of a node. A root borrows nothing, nor does an unknown node.
//
// Cost: O(resources), and O(depth) for each that is borrowed.
//
// Source: dominantResourceShare of Kueue, whose value is 1000 times Weighted, rounded up.
func (t *Tree) Share(node string) Share {
	i, ok := t.node(node)
	if !ok {
		return Share{Ratio: "0", Weighted: "0"}
	}
	s := t.share(i)
	share := Share{Resource: s.resource, Borrowing: s.borrowing, Ratio: rational(s.ratio), Infinite: s.infinite}
	if !s.infinite {
		share.Weighted = rational(s.weighted)
	}
	return share
}

// rational returns a ratio as text.
func rational(r quantity.Ratio) resourcelist.Rational {
	return resourcelist.Rational(r.String())
}

// share is a Share in a form that is quickly compared.
type share struct {
	resource        corev1.ResourceName
	borrowing       bool
	infinite        bool
	ratio, weighted quantity.Ratio // weighted is ratio if infinite
}

func (s share) compare(other share) int {
	switch {
	case s.infinite && !other.infinite:
		return 1
	case !s.infinite && other.infinite:
		return -1
	}
	return s.weighted.Cmp(other.weighted)
}

func (t *Tree) share(node int32) share {
	var s share
	if t.parent[node] < 0 {
		return s
	}
	for _, g := range t.groups {
		var borrowed, lendable quantity.Ratio
		for _, col := range g.columns {
			c := t.at(node, col)
			borrowed = borrowed.Plus(quantity.Whole(max(0, c.usage-c.quota)))
		}
		if borrowed.Sign() == 0 {
			continue
		}
		s.borrowing = true
		for _, col := range g.columns {
			lendable = lendable.Plus(quantity.Whole(t.potential(t.parent[node], col)))
		}
		if lendable.Sign() == 0 {
			continue
		}
		if ratio := borrowed.Over(lendable); ratio.Cmp(s.ratio) > 0 {
			s.resource, s.ratio = g.resource, ratio
		}
	}
	weight := t.weight[node]
	switch {
	case weight > 0:
		s.weighted = s.ratio.Reduced().Over(quantity.Whole(weight)).Over(t.weightUnit)
	case s.resource != "":
		s.infinite, s.weighted = true, s.ratio
	}
	return s
}
