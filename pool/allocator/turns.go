package allocator

import "sort"

// most is how many claims or nodes a node of a tree has at most.
const most = 64

// tree holds claims in the order of their turns, and the numbers by which a claim is looked for: a
// row for each claim, and in every node above it a row with the least number of each column below
// that. It is a B+ tree of which nodes are merged only with their neighbours.
type tree struct {
	width int // of the rows
	root  *node
	least []int64 // the row of the root; of an empty tree, as it was
}

// node is a leaf with claims, or has children, which are never empty.
type node struct {
	claims   []*claim
	children []*node
	rows     []int64  // of the claims or children
	firsts   []*claim // with children: no claim below a child comes before its first
}

func (n *node) leaf() bool { return n.children == nil }

func (n *node) size() int {
	if n.leaf() {
		return len(n.claims)
	}
	return len(n.children)
}

func (t *tree) empty() bool { return t.root == nil }

// row returns the row of an entry of a node.
func (t *tree) row(n *node, i int) []int64 { return n.rows[i*t.width : (i+1)*t.width] }

// add puts in a claim, which must not be in.
func (t *tree) add(c *claim, row []int64) {
	if t.root == nil {
		t.root = &node{}
	}
	if right := t.insert(t.root, c, row); right != nil {
		left := t.root
		t.root = &node{children: []*node{left, right}, firsts: []*claim{left.first(), right.first()}, rows: make([]int64, 2*t.width)}
		t.sum(t.row(t.root, 0), left)
		t.sum(t.row(t.root, 1), right)
	}
	t.noteLeast()
}

// insert puts a claim below a node, and returns what has to be to the right of the node then, or
// nil.
func (t *tree) insert(n *node, c *claim, row []int64) *node {
	if n.leaf() {
		at := sort.Search(len(n.claims), func(i int) bool { return c.before(n.claims[i]) })
		n.claims = insertAt(n.claims, at, c)
		n.rows = insertRow(n.rows, at*t.width, row)
		return t.split(n, at)
	}
	at := n.childOf(c)
	right := t.insert(n.children[at], c, row)
	if at == 0 && c.before(n.firsts[0]) {
		n.firsts[0] = c
	}
	if right == nil {
		for i, least := range t.row(n, at) {
			t.row(n, at)[i] = min(least, row[i])
		}
		return nil
	}
	t.sum(t.row(n, at), n.children[at])
	n.children = insertAt(n.children, at+1, right)
	n.firsts = insertAt(n.firsts, at+1, right.first())
	n.rows = insertRow(n.rows, (at+1)*t.width, row)
	t.sum(t.row(n, at+1), right)
	return t.split(n, at+1)
}

// split returns the right part of a node that has too many entries, and nil of one that has not.
// A node that grew at its end keeps all but the last entry, so that claims that come in order fill
// the nodes.
func (t *tree) split(n *node, grew int) *node {
	size := n.size()
	if size <= most {
		return nil
	}
	at := size / 2
	if grew == size-1 {
		at = size - 1
	}
	right := &node{rows: append([]int64(nil), n.rows[at*t.width:]...)}
	n.rows = n.rows[:at*t.width]
	if n.leaf() {
		right.claims = append([]*claim(nil), n.claims[at:]...)
		clear(n.claims[at:])
		n.claims = n.claims[:at]
		return right
	}
	right.children = append([]*node(nil), n.children[at:]...)
	right.firsts = append([]*claim(nil), n.firsts[at:]...)
	clear(n.children[at:])
	clear(n.firsts[at:])
	n.children, n.firsts = n.children[:at], n.firsts[:at]
	return right
}

// remove takes out a claim, which must be in.
func (t *tree) remove(c *claim) {
	t.delete(t.root, c)
	for t.root != nil && !t.root.leaf() && len(t.root.children) == 1 {
		t.root = t.root.children[0]
	}
	if t.root != nil && t.root.size() == 0 {
		t.root = nil
	}
	t.noteLeast()
}

func (t *tree) delete(n *node, c *claim) {
	if n.leaf() {
		at := sort.Search(len(n.claims), func(i int) bool { return !n.claims[i].before(c) })
		n.claims = removeAt(n.claims, at)
		n.rows = append(n.rows[:at*t.width], n.rows[(at+1)*t.width:]...)
		return
	}
	at := n.childOf(c)
	child := n.children[at]
	t.delete(child, c)
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
	if n.firsts[at] == c { // not to keep what is gone
		n.firsts[at] = n.children[at].first()
	}
	t.sum(t.row(n, at), n.children[at])
}

func (t *tree) merge(left, right *node) {
	left.claims = append(left.claims, right.claims...)
	left.children = append(left.children, right.children...)
	left.firsts = append(left.firsts, right.firsts...)
	left.rows = append(left.rows, right.rows...)
}

func (t *tree) dropChild(n *node, at int) {
	n.children = removeAt(n.children, at)
	n.firsts = removeAt(n.firsts, at)
	n.rows = append(n.rows[:at*t.width], n.rows[(at+1)*t.width:]...)
}

// childOf returns the place of the child that a claim is or belongs below.
func (n *node) childOf(c *claim) int {
	return max(0, sort.Search(len(n.firsts), func(i int) bool { return c.before(n.firsts[i]) })-1)
}

// first returns the first claim of a node.
func (n *node) first() *claim {
	for !n.leaf() {
		n = n.children[0]
	}
	return n.claims[0]
}

// sum fills a row with the least number of each column of a node.
func (t *tree) sum(row []int64, n *node) {
	copy(row, n.rows[:t.width])
	for at := t.width; at < len(n.rows); at += t.width {
		for i := range row {
			row[i] = min(row[i], n.rows[at+i])
		}
	}
}

func (t *tree) noteLeast() {
	if t.root == nil {
		return
	}
	if t.least == nil {
		t.least = make([]int64, t.width)
	}
	t.sum(t.least, t.root)
}

// first returns the claim that has its turn before all others, nil if there is none.
func (t *tree) first() *claim {
	if t.root == nil {
		return nil
	}
	return t.root.first()
}

// visitor is told of what a search looks at.
type visitor interface {
	looked()                      // at a leaf
	passed(c *claim, row []int64) // a claim of which a column is above its limit
	found(c *claim) bool          // a claim of which none is; true ends the search
}

// search looks through the claims after one, or through all if that is nil, in turn. It passes over
// every node of which a column is above the limit, and returns the claim with which the visitor ends the
// search, nil if there is none.
func (t *tree) search(after *claim, limits []int64, v visitor) *claim {
	if t.root == nil || exceeds(t.least, limits) {
		return nil
	}
	return t.searchNode(t.root, after, limits, v)
}

func (t *tree) searchNode(n *node, after *claim, limits []int64, v visitor) *claim {
	at := 0
	if n.leaf() {
		if after != nil {
			at = sort.Search(len(n.claims), func(i int) bool { return after.before(n.claims[i]) })
		}
		v.looked()
		for ; at < len(n.claims); at++ {
			if row := t.row(n, at); exceeds(row, limits) {
				v.passed(n.claims[at], row)
			} else if v.found(n.claims[at]) {
				return n.claims[at]
			}
		}
		return nil
	}
	if after != nil {
		at = n.childOf(after)
	}
	for ; at < len(n.children); at++ {
		if !exceeds(t.row(n, at), limits) {
			if c := t.searchNode(n.children[at], after, limits, v); c != nil {
				return c
			}
		}
		after = nil
	}
	return nil
}

// exceeds reports whether a number of a row is above its limit.
func exceeds(row, limits []int64) bool {
	for i, n := range row {
		if n > limits[i] {
			return true
		}
	}
	return false
}

func insertAt[T any](list []T, at int, entry T) []T {
	list = append(room(list, 1, 1), entry)
	copy(list[at+1:], list[at:])
	list[at] = entry
	return list
}

func insertRow(rows []int64, at int, row []int64) []int64 {
	rows = append(room(rows, len(row), len(row)), row...)
	copy(rows[at+len(row):], rows[at:])
	copy(rows[at:], row)
	return rows
}

// room returns a list with room for n more, of entries of a width: it doubles, but has never room for
// more entries than a node can have before it is split.
func room[T any](list []T, n, width int) []T {
	if len(list)+n <= cap(list) {
		return list
	}
	return append(make([]T, 0, max(len(list)+n, min(2*len(list), (most+1)*width))), list...)
}

func removeAt[T any](list []T, at int) []T {
	copy(list[at:], list[at+1:])
	clear(list[len(list)-1:])
	return list[:len(list)-1]
}

// each calls yield with every claim, in turn.
func (t *tree) each(yield func(*claim)) {
	if t.root != nil {
		t.root.each(yield)
	}
}

func (n *node) each(yield func(*claim)) {
	for _, c := range n.claims {
		yield(c)
	}
	for _, child := range n.children {
		child.each(yield)
	}
}
