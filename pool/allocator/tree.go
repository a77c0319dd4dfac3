package allocator

import (
	"slices"
	"sort"
)

// most is the maximum number of claims or children of a tree node.
const most = 64

// What a search costs. It examines up to 2,048 claims in queue order after each claim that it grants
// (scanLimit). After that, it examines only those parts of a tree in which the smallest amount of every
// resource fits.
//
// The tree of a million claims has about fourteen levels, and each level halves the claims by one
// resource. With four resources, that is three or four levels for each, and a search examines few
// claims that do not fit. With random subsets of twelve resources, it is one level for each, and a
// search examines most of the claims that request little of every scarce resource: one claim in 2^s
// for s scarce resources. In most searches, that is 1% of the claims. If much of every resource
// remains, but for every claim too little of some resource, it is all of them.
//
// A search also examines all claims if they request nearly the same amount, less than 0.2% of it is
// missing, and the amount has more than 10 significant bits (123456789 has, 1000Mi does not). The
// tree does not include resources from the 17th on, and those that the pool did not offer when it was
// passed to New: they are compared claim by claim.

// tree holds claims with their rows, which encode their requests. It is a B+ tree in which a node is
// merged only with its neighbors.
//
// The order is that of the rows (row.compare), so that the claims of a node request similar amounts;
// claims with equal rows are in the order of turns. A tree by turns has only the order of turns.
//
// For each child, a node has the smallest number of each column below it, and the claim whose turn is
// first. With these, a search skips children.
type tree struct {
	words  int  // of a row
	byTurn bool // see above
	root   *node
	heap   []entry // of the last search, empty: see search
}

// node is a leaf with claims, or has children, which are never empty.
type node struct {
	rows   row    // of the claims; of children, the first row of each: no row below a child comes before
	claims []turn // of a leaf
	*inner        // nil for a leaf
}

// inner is what a node has of its children.
type inner struct {
	children []*node
	firsts   []*claim // the claim of the first row
	least    row      // the smallest number in each column
	earliest []turn   // the claim that has its turn first
}

// turns returns the claims of a leaf, or the earliest claim below each child.
func (n *node) turns() []turn {
	if n.leaf() {
		return n.claims
	}
	return n.earliest
}

// leastRows returns the rows of the claims of a leaf, or the smallest numbers below each child.
func (n *node) leastRows() row {
	if n.leaf() {
		return n.rows
	}
	return n.least
}

func (n *node) leaf() bool { return n.inner == nil }

func (n *node) size() int {
	if n.leaf() {
		return len(n.claims)
	}
	return len(n.children)
}

// rowOf returns the part of some rows that is the one at a place.
func (t *tree) rowOf(rows row, at int) row {
	return rows[at*t.words : (at+1)*t.words]
}

// compare is the order of a claim with a row, and of one at a place of a node.
func (t *tree) compare(c *claim, row row, n *node, at int) int {
	if !t.byTurn {
		if byRow := row.compare(t.rowOf(n.rows, at)); byRow != 0 {
			return byRow
		}
	}
	if n.leaf() {
		return c.compare(n.claims[at].claim)
	}
	return c.compare(n.firsts[at])
}

// placeOf returns the place of a claim in a leaf, or the place where it belongs.
func (t *tree) placeOf(c *claim, row row, n *node) int {
	return sort.Search(n.size(), func(i int) bool { return t.compare(c, row, n, i) <= 0 })
}

// childOf returns the place of the child that a claim is or belongs below.
func (t *tree) childOf(c *claim, row row, n *node) int {
	return max(0, sort.Search(n.size(), func(i int) bool { return t.compare(c, row, n, i) < 0 })-1)
}

// add adds a claim, which must not be in the tree.
func (t *tree) add(c *claim, row row) {
	if t.root == nil {
		t.root = &node{}
	}
	if right := t.insert(t.root, c, row); right != nil {
		root := &node{inner: &inner{}}
		t.insertChild(root, 0, t.root)
		t.insertChild(root, 1, right)
		t.root = root
	}
}

// insert inserts a claim below a node. It returns the new right sibling of the node, if there is
// one.
func (t *tree) insert(n *node, c *claim, row row) *node {
	if n.leaf() {
		at := t.placeOf(c, row, n)
		n.claims = insertAt(n.claims, at, turnOf(c))
		n.rows = insertAt(n.rows, at*t.words, row...)
		return t.split(n, at)
	}
	at := t.childOf(c, row, n)
	right := t.insert(n.children[at], c, row)
	if at == 0 && t.compare(c, row, n, 0) < 0 {
		n.firsts[0] = c
		copy(n.rows, row)
	}
	if right != nil {
		t.describe(n, at)
		t.insertChild(n, at+1, right)
		return t.split(n, at+1)
	}
	t.rowOf(n.least, at).lower(row)
	if !t.byTurn {
		n.earliest[at] = n.earliest[at].orEarlier(turnOf(c))
	}
	return nil
}

func (t *tree) insertChild(n *node, at int, child *node) {
	n.children = insertAt(n.children, at, child)
	n.firsts = insertAt(n.firsts, at, child.first())
	n.earliest = insertAt(n.earliest, at, turn{})
	n.rows = insertAt(n.rows, at*t.words, t.rowOf(child.rows, 0)...)
	n.least = insertAt(n.least, at*t.words, t.rowOf(child.rows, 0)...)
	t.describe(n, at)
}

func (n *node) first() *claim {
	if n.leaf() {
		return n.claims[0].claim
	}
	return n.firsts[0]
}

// describe computes the smallest numbers and the earliest claim of a child. A tree by turns does not need
// them.
func (t *tree) describe(n *node, at int) {
	if t.byTurn {
		return
	}
	child, least := n.children[at], t.rowOf(n.least, at)
	rows, claims := child.leastRows(), child.turns()
	copy(least, rows)
	for i := t.words; i < len(rows); i += t.words {
		least.lower(rows[i:])
	}
	n.earliest[at] = claims[0]
	for _, c := range claims[1:] {
		n.earliest[at] = n.earliest[at].orEarlier(c)
	}
}

// split returns the right part of a node that has too many entries, or nil for a smaller node.
func (t *tree) split(n *node, grew int) *node {
	if n.size() <= most {
		return nil
	}
	at := t.splitAt(n, grew)
	right := &node{rows: slices.Clone(n.rows[at*t.words:])}
	n.rows = slices.Clone(n.rows[:at*t.words])
	if n.leaf() {
		n.claims, right.claims = slices.Clone(n.claims[:at]), slices.Clone(n.claims[at:])
		return right
	}
	right.inner = &inner{}
	n.children, right.children = slices.Clone(n.children[:at]), slices.Clone(n.children[at:])
	n.firsts, right.firsts = slices.Clone(n.firsts[:at]), slices.Clone(n.firsts[at:])
	n.earliest, right.earliest = slices.Clone(n.earliest[:at]), slices.Clone(n.earliest[at:])
	n.least, right.least = slices.Clone(n.least[:at*t.words]), slices.Clone(n.least[at*t.words:])
	return right
}

// splitAt returns the place at which a node is split: where the rows on both sides differ most,
// near the middle. A node that grew at its end keeps all but the last entry, so that claims that
// arrive in order fill the nodes.
func (t *tree) splitAt(n *node, grew int) int {
	size := n.size()
	if grew == size-1 {
		return size - 1
	}
	best, highest := size/2, 0
	for at := size / 3; at <= size-size/3; at++ {
		a, b := t.rowOf(n.rows, at-1), t.rowOf(n.rows, at)
		if differ := a.differ(b); differ > highest {
			best, highest = at, differ
		}
	}
	return best
}

// remove removes a claim, which must be in the tree.
func (t *tree) remove(c *claim, row row) {
	t.delete(t.root, c, row)
	for !t.root.leaf() && len(t.root.children) == 1 {
		t.root = t.root.children[0]
	}
	if t.root.size() == 0 {
		t.root = nil
	}
}

func (t *tree) delete(n *node, c *claim, row row) {
	if n.leaf() {
		at := t.placeOf(c, row, n)
		n.claims = slices.Delete(n.claims, at, at+1)
		n.rows = slices.Delete(n.rows, at*t.words, (at+1)*t.words)
		return
	}
	at := t.childOf(c, row, n)
	child := n.children[at]
	t.delete(child, c, row)
	switch {
	case child.size() == 0:
		t.dropChild(n, at)
		return
	case at+1 < len(n.children) && child.size()+n.children[at+1].size() <= most/2:
		t.merge(child, n.children[at+1])
		t.dropChild(n, at+1)
	case at > 0 && child.size()+n.children[at-1].size() <= most/2:
		t.merge(n.children[at-1], child)
		t.dropChild(n, at)
		at--
	}
	if n.firsts[at] == c { // releases the removed entry
		n.firsts[at] = n.children[at].first()
		copy(t.rowOf(n.rows, at), n.children[at].rows)
	}
	t.describe(n, at)
}

func (t *tree) merge(left, right *node) {
	left.rows = append(left.rows, right.rows...)
	if left.leaf() {
		left.claims = append(left.claims, right.claims...)
		return
	}
	left.children = append(left.children, right.children...)
	left.firsts = append(left.firsts, right.firsts...)
	left.earliest = append(left.earliest, right.earliest...)
	left.least = append(left.least, right.least...)
}

func (t *tree) dropChild(n *node, at int) {
	n.children = slices.Delete(n.children, at, at+1)
	n.firsts = slices.Delete(n.firsts, at, at+1)
	n.earliest = slices.Delete(n.earliest, at, at+1)
	n.rows = slices.Delete(n.rows, at*t.words, (at+1)*t.words)
	n.least = slices.Delete(n.least, at*t.words, (at+1)*t.words)
}

// first returns the first claim in the order of the tree, or nil if there is none.
func (t *tree) first() *claim {
	if t.root == nil {
		return nil
	}
	return t.root.first()
}

// insertAt inserts entries into a list. The list grows by small steps, because there may be very
// many of them.
func insertAt[T any](list []T, at int, entries ...T) []T {
	if n := len(list) + len(entries); n > cap(list) {
		list = append(make([]T, 0, n+n/8), list...)
	}
	return slices.Insert(list, at, entries...)
}

// walk calls yield with the leaves of a tree by turns, in their order, and the place in each leaf where
// the claims after the given one begin, until yield returns false. All claims are after nil.
func (t *tree) walk(after *claim, yield func(leaf *node, at int) bool) {
	if t.root != nil {
		t.walkNode(t.root, after, yield)
	}
}

func (t *tree) walkNode(n *node, after *claim, yield func(leaf *node, at int) bool) bool {
	at := sort.Search(n.size(), func(i int) bool { return after == nil || t.compare(after, nil, n, i) < 0 })
	if n.leaf() {
		return yield(n, at)
	}
	for at = max(0, at-1); at < n.size(); at++ {
		if !t.walkNode(n.children[at], after, yield) {
			return false
		}
	}
	return true
}

// each calls yield with every claim, in the order of the tree.
func (t *tree) each(yield func(*claim)) {
	if t.root != nil {
		t.root.each(yield)
	}
}

func (n *node) each(yield func(*claim)) {
	for _, c := range n.claims {
		yield(c.claim)
	}
	if !n.leaf() {
		for _, child := range n.children {
			child.each(yield)
		}
	}
}
