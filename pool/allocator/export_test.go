package allocator

import (
	"fmt"
	"slices"
)

// Internals that the tests of package allocator_test use.
var (
	Check        = check
	Depth        = depthOf
	SetScanLimit = setScanLimit
	RemovesOne   = removesOne
)

// removesOne reports whether an index in which two claims have the same number keeps the second one when the
// first one is removed.
func removesOne() bool {
	x, in := newIndex(2), &namespace{}
	first, second := &claim{namespace: in, name: "first"}, &claim{namespace: in, name: "second"}
	x.add(first)
	first.next, x.count = second, 2
	x.remove(first)
	return x.claims[x.hash(first.key())] == second && x.count == 1
}

// setScanLimit makes rounds switch to the search by amounts after the given number of claims, so that
// tests with few claims cover it.
func setScanLimit(l *Allocator, claims int) {
	if q, unordered := l.queue.(*unordered); unordered {
		q.scanLimit = claims
	}
}

// check returns what is wrong with the trees of an unordered queue, or nil.
func check(l *Allocator) error {
	q, unordered := l.queue.(*unordered)
	if !unordered {
		return nil
	}
	claims := 0
	for _, t := range []*tree{&q.byWants, &q.byTurns} {
		c := checker{tree: t, row: q.rowOf, depth: -1}
		if t.root != nil {
			c.node(t.root, 0)
		}
		waiting := 0
		for c := range l.claims.all() {
			if !c.holds && c.waits() {
				waiting++
			}
		}
		if c.claims != waiting {
			c.fail("%d claims in a tree, %d wait", c.claims, waiting)
		}
		if c.err != nil {
			return fmt.Errorf("by turns %v: %w", t.byTurn, c.err)
		}
		claims += c.claims
	}
	return nil
}

// depthOf returns the number of levels of the tree by amounts.
func depthOf(l *Allocator) (depth int) {
	for n := l.queue.(*unordered).byWants.root; n != nil; depth++ {
		if n.leaf() {
			return depth + 1
		}
		n = n.children[0]
	}
	return depth
}

// checker visits a tree in its order.
type checker struct {
	tree   *tree
	row    func(*claim) row
	depth  int // of the leaves
	claims int
	last   *claim
	rows   row // of the last claim
	err    error
}

func (k *checker) fail(format string, args ...any) {
	if k.err == nil {
		k.err = fmt.Errorf(format, args...)
	}
}

// node checks a node, and returns the smallest number of each column and the earliest claim below it.
func (k *checker) node(n *node, depth int) (least []uint64, earliest *claim) {
	if n.size() == 0 || n.size() > most {
		k.fail("a node of %d", n.size())
		return nil, nil
	}
	numbers := func(r row) (all []uint64) {
		for _, word := range r {
			for range perWord {
				all, word = append(all, word&(1<<field-1)), word>>field
			}
		}
		return all
	}
	include := func(r []uint64, c *claim) {
		if least == nil {
			least, earliest = append([]uint64(nil), r...), c
		}
		for i := range r {
			least[i] = min(least[i], r[i])
		}
		if c.before(earliest) {
			earliest = c
		}
	}
	if n.leaf() {
		if k.depth < 0 {
			k.depth = depth
		}
		if k.depth != depth {
			k.fail("leaves at depths %d and %d", k.depth, depth)
		}
		for at, c := range n.claims {
			r := append(row(nil), k.row(c.claim)[:k.tree.words]...)
			if !slices.Equal(r, k.tree.rowOf(n.rows, at)) || c.seconds != c.claim.seconds {
				k.fail("the row of %s is %x, want %x", c.claim.name, k.tree.rowOf(n.rows, at), r)
			}
			if k.last != nil && k.tree.compare(c.claim, r, &node{claims: []turn{turnOf(k.last)}, rows: k.rows}, 0) <= 0 {
				k.fail("%s is behind %s", c.claim.name, k.last.name)
			}
			k.last, k.rows = c.claim, r
			k.claims++
			include(numbers(r), c.claim)
		}
		return least, earliest
	}
	for at, child := range n.children {
		if first := n.firsts[at]; !k.tree.byTurn && at > 0 {
			if k.tree.compare(k.last, k.rows, n, at) >= 0 {
				k.fail("%s is before the first claim %s of its child", k.last.name, first.name)
			}
		}
		rows, claim := k.node(child, depth+1)
		if k.err != nil {
			return nil, nil
		}
		if !k.tree.byTurn {
			if got := numbers(k.tree.rowOf(n.least, at)); !slices.Equal(got, rows) {
				k.fail("least numbers %v, want %v", got, rows)
			}
			if n.earliest[at].claim != claim || n.earliest[at].seconds != claim.seconds {
				k.fail("the earliest claim is %v, want %s", n.earliest[at].claim.name, claim.name)
			}
		}
		include(rows, claim)
		if at+1 < len(n.children) && child.size()+n.children[at+1].size() == 0 {
			k.fail("empty children")
		}
	}
	return least, earliest
}
