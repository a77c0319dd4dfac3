package allocator

import "math/bits"

// search is a best-first search in a tree. The entries that it has reached but not examined are in a
// heap, with the earliest turn at the top.
type search struct {
	tree   *tree
	limits row
	heap   []entry
}

// entry is a claim of a leaf, or a child.
type entry struct {
	turn turn // of the claim, or of the earliest below the child
	node *node
	at   int
}

// any reports whether the tree may hold a claim with no number above its limit. It only examines
// the root.
func (t *tree) any(limits row) bool {
	return t.root != nil && t.root.leastRows().allWithin(limits) != 0
}

// mostKept is the largest capacity of a heap that is kept for the next search.
const mostKept = 4096

// search calls yield with the claims whose numbers do not exceed the limits, in their order, until yield
// returns false. Yield may lower the limits, but must not change the tree. No node is examined twice.
func (t *tree) search(limits row, yield func(*claim) bool) {
	if t.root == nil {
		return
	}
	s := search{tree: t, limits: limits, heap: t.heap}
	s.open(t.root)
	for more := true; len(s.heap) > 0 && more; {
		e := s.pop()
		switch {
		case !s.within(e.node, e.at):
		case !e.node.leaf():
			s.open(e.node.children[e.at])
		default:
			more = yield(e.turn.claim)
		}
	}
	clear(s.heap) // releases its claims
	if t.heap = s.heap[:0]; cap(t.heap) > mostKept {
		t.heap = nil
	}
}

// open adds the entries of a node to the heap.
func (s *search) open(n *node) {
	turns := n.turns()
	for set := n.leastRows().allWithin(s.limits); set != 0; set &= set - 1 {
		at := bits.TrailingZeros64(set)
		s.push(entry{turns[at], n, at})
	}
}

// within reports whether no number of an entry is above its limit.
func (s *search) within(n *node, at int) bool {
	return s.tree.rowOf(n.leastRows(), at).within(s.limits)
}

func (s *search) push(e entry) {
	s.heap = append(s.heap, e)
	at := len(s.heap) - 1
	for at > 0 && e.turn.before(s.heap[(at-1)/2].turn) {
		s.heap[at] = s.heap[(at-1)/2]
		at = (at - 1) / 2
	}
	s.heap[at] = e
}

func (s *search) pop() entry {
	end := len(s.heap) - 1
	top, last := s.heap[0], s.heap[end]
	s.heap[end] = entry{}
	s.heap = s.heap[:end]
	if end == 0 {
		return top
	}
	at := 0
	for {
		below := 2*at + 1
		if below+1 < end && s.heap[below+1].turn.before(s.heap[below].turn) {
			below++
		}
		if below >= end || !s.heap[below].turn.before(last.turn) {
			break
		}
		s.heap[at] = s.heap[below]
		at = below
	}
	s.heap[at] = last
	return top
}
