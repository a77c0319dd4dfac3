package allocator

import (
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/quantity"
)

// tree holds waiting claims in the order of their turns, and finds the first of them that
// asks for no more than is left: a treap, each node of which knows the least amount below
// it. A claim is in at most one tree.
//
// Invariants, for every node n:
//
//   - all of n.left come before n, and n before all of n.right;
//   - n.priority is at least that of its children, so that the depth is logarithmic
//     whatever the order of insertion;
//   - n.least is the least amount of n and all below it.
type tree struct {
	root  *claim
	scale resource.Scale // of the amounts
}

// add puts a claim in, by the amount that is to be compared.
func (t *tree) add(c *claim, amount quantity.Amount) {
	c.left, c.right, c.amount = nil, nil, amount
	before, after := t.split(t.root, c)
	t.root = t.join(t.join(before, t.update(c)), after)
}

// remove takes a claim out, which must be in.
func (t *tree) remove(c *claim) { t.root = t.without(t.root, c) }

func (t *tree) without(n, c *claim) *claim {
	switch {
	case n == c:
		return t.join(n.left, n.right)
	case c.before(n):
		n.left = t.without(n.left, c)
	default:
		n.right = t.without(n.right, c)
	}
	return t.update(n)
}

// first returns the claim that has its turn before all others, nil if there is none.
func (t *tree) first() *claim {
	n := t.root
	for n != nil && n.left != nil {
		n = n.left
	}
	return n
}

// firstWithin returns the first claim that asks for no more than is left.
func (t *tree) firstWithin(left quantity.Amount) *claim {
	n := t.root
	for n != nil && !n.least.Exceeds(left, t.scale) {
		switch {
		case n.left != nil && !n.left.least.Exceeds(left, t.scale):
			n = n.left
		case !n.amount.Exceeds(left, t.scale):
			return n
		default:
			n = n.right
		}
	}
	return nil
}

// split divides the nodes below n into those before c and those after.
func (t *tree) split(n, c *claim) (before, after *claim) {
	if n == nil {
		return nil, nil
	}
	if n.before(c) {
		n.right, after = t.split(n.right, c)
		return t.update(n), after
	}
	before, n.left = t.split(n.left, c)
	return before, t.update(n)
}

// join is the inverse of split: all of a come before all of b.
func (t *tree) join(a, b *claim) *claim {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case a.priority >= b.priority:
		a.right = t.join(a.right, b)
		return t.update(a)
	default:
		b.left = t.join(a, b.left)
		return t.update(b)
	}
}

// update renews the least amount of n from those of its children.
func (t *tree) update(n *claim) *claim {
	n.least = n.amount
	for _, child := range [...]*claim{n.left, n.right} {
		if child != nil && n.least.Exceeds(child.least, t.scale) {
			n.least = child.least
		}
	}
	return n
}
