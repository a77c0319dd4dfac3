package quotatree

import (
	"cmp"
	"slices"
)

// Reclaimed says from which holders is reclaimed so that a request fits, or what stops it.
type Reclaimed struct {
	// Indices are the places of the holders in the list that was passed to Reclaim, in the order of the policy. They
	// are empty if the request fits without, or not at all.
	Indices []int `json:"indices,omitempty"`
	// Shortages are what is still short if everything is reclaimed that the policy allows, sorted by resource. They are
	// empty if the request fits.
	Shortages []*Shortage `json:"shortages,omitempty"`
}

// Reclaim returns the holders to reclaim from so that a request fits. The tree does not change. It is an error if the
// node of the request is unknown, which wraps computeresources.ErrNotFound, or if the policy has an unknown value.
//
// The request does not fit if any of them is spared. From the last one on, each holder is spared if the request
// still fits. Another set may have fewer holders.
//
// A holder of another node is a candidate only while that node, and each of its ancestors below the first one that
// it shares with the node of the request, uses more than its quota of a resource that is short. If the request
// fits in the unused quota of its node or of an ancestor, that quota is reclaimed: holders outside that subtree are
// candidates under WithinTree, and BorrowAtMost does not apply. Otherwise the request borrows, and BorrowAtMost
// decides. A holder that it does not allow is taken only if the request then fits in the quota of its node. So under
// Any, a request within the quota of its node is served if the holders hold everything that is used and no maximum
// prevents it.
//
// The usage of the tree includes the holders, but not the request. Holders of unknown nodes or other roots, and
// holders without an amount of a resource that is short, are ignored. So is what holders have in excess of the usage
// of their node itself.
//
// Cost: O(h log h) for h holders, and O(resources · depth) for each that is tried; with ByShare, O(h² · depth).
// The tree is cloned.
//
// Source: classicalPreemptions of Kueue, and its TargetClusterQueueOrdering for ByShare.
func (t *Tree) Reclaim(request Holder, holders []Holder, policy Policy) (Reclaimed, error) {
	if err := policy.validate(); err != nil {
		return Reclaimed{}, err
	}
	node, ok := t.node(request.Node)
	if !ok {
		return Reclaimed{}, unknown(request.Node)
	}
	r := t.newReclaim(node, &request, holders, policy)
	if len(r.short) == 0 && !r.unnamed {
		return Reclaimed{}, nil
	}
	var still []*Shortage
	for _, borrow := range r.attempts() {
		if taken, ok := r.attempt(borrow); ok {
			return Reclaimed{Indices: taken}, nil
		}
		if borrow { // otherwise its own quota may be what is short
			still = r.now.shortages(node, request.Amounts)
		}
	}
	return Reclaimed{Shortages: still}, nil
}

// rank groups candidates.
type rank int

const (
	due      rank = iota // their node uses what is due to the request
	priority             // their node borrows, as the request does
	same                 // they are of the node of the request
)

// candidate is a holder from which may be reclaimed.
type candidate struct {
	*Holder
	index int
	node  int32
	rank  rank
	// unlessBorrowing means that the request must not borrow.
	unlessBorrowing bool
	// common is the first ancestor that the node has in common with that of the request.
	common int32
}

// reclaim is a request with what it needs.
type reclaim struct {
	tree       *Tree // as it is
	now        *Tree // in an attempt
	request    *Holder
	policy     Policy
	node       int32
	wanted     []amount
	short      []amount
	unnamed    bool // the request is also for a resource that no node names
	candidates []candidate
}

func (t *Tree) newReclaim(node int32, request *Holder, holders []Holder, policy Policy) *reclaim {
	r := &reclaim{tree: t, now: t, request: request, policy: policy, node: node}
	for _, name := range sortedNames(request.Amounts) {
		n := request.Amounts[name]
		if n <= 0 {
			continue
		}
		col, named := t.column[name]
		if !named {
			r.unnamed = true
			continue
		}
		r.wanted = append(r.wanted, amount{col, n})
		if n > t.available(node, col) {
			r.short = append(r.short, amount{col, n})
		}
	}
	ranks := r.ranks()
	for i := range holders {
		if c, ok := r.candidateOf(&holders[i], i, ranks); ok {
			r.candidates = append(r.candidates, c)
		}
	}
	slices.SortFunc(r.candidates, r.compare)
	return r
}

// ranks returns the rank of candidates whose first ancestor in common with the node of the request is each of
// its ancestors, or itself.
func (r *reclaim) ranks() map[int32]rank {
	ranks := map[int32]rank{}
	current := priority
	beyond := slices.Clone(r.wanted)
	for i := r.node; i >= 0; i = r.tree.parent[i] {
		ranks[i] = current
		fits := true
		for j := range beyond {
			c := r.tree.at(i, beyond[j].col)
			fits = fits && beyond[j].amount <= c.quota-c.usage
			beyond[j].amount = max(0, beyond[j].amount-c.unused())
		}
		if fits {
			current = due
		}
		if i == r.node { // what its descendants borrow of it
			ranks[i] = current
		}
	}
	return ranks
}

func (r *reclaim) candidateOf(h *Holder, index int, ranks map[int32]rank) (candidate, bool) {
	node, ok := r.tree.node(h.Node)
	if !ok || !slices.ContainsFunc(r.short, func(a amount) bool { return h.Amounts[r.tree.columns[a.col]] > 0 }) {
		return candidate{}, false
	}
	c := candidate{Holder: h, index: index, node: node, rank: same}
	if node == r.node {
		return c, r.policy.WithinNode.allows(r.request, h)
	}
	for c.common = node; c.common >= 0; c.common = r.tree.parent[c.common] {
		if rank, found := ranks[c.common]; found {
			c.rank = rank
			break
		}
	}
	if c.common < 0 || !r.policy.WithinTree.allows(r.request, h) || !r.borrows(c) {
		return candidate{}, false
	}
	most := r.policy.BorrowAtMost
	c.unlessBorrowing = c.rank == priority && (most == nil || h.Priority >= r.request.Priority || h.Priority > *most)
	return c, true
}

// borrows reports whether the node of a candidate, and all its ancestors below the common one, use more than
// their quota of a resource that is short.
func (r *reclaim) borrows(c candidate) bool {
	for i := c.node; i != c.common; i = r.now.parent[i] {
		if !slices.ContainsFunc(r.short, func(a amount) bool { cell := r.now.at(i, a.col); return cell.usage > cell.quota }) {
			return false
		}
	}
	return true
}

// attempts returns whether the request may borrow in each attempt, in their order.
func (r *reclaim) attempts() []bool {
	others := slices.ContainsFunc(r.candidates, func(c candidate) bool { return c.rank != same })
	anyDue := slices.ContainsFunc(r.candidates, func(c candidate) bool { return c.rank == due })
	belowQuota := true
	for _, a := range r.short {
		c := r.tree.at(r.node, a.col)
		belowQuota = belowQuota && c.usage < c.quota
	}
	mustNotBorrow := r.policy.BorrowAtMost == nil
	switch {
	case !others, mustNotBorrow && !belowQuota:
		return []bool{true}
	case mustNotBorrow && !anyDue:
		return []bool{false, true}
	default:
		return []bool{true, false}
	}
}

// attempt takes candidates in their order until the request fits, and then spares those that it can, the last
// ones first.
func (r *reclaim) attempt(borrow bool) ([]int, bool) {
	r.now = r.tree.clone()
	shares := map[int32]share{}
	var taken []candidate
	var amounts [][]amount
	for rest := slices.Clone(r.candidates); len(rest) > 0; {
		at := 0
		if r.policy.Order == ByShare {
			at = r.firstByShare(rest, shares)
		}
		c := rest[at]
		rest = slices.Delete(rest, at, at+1)
		if c.rank != same && (borrow && c.unlessBorrowing || !r.borrows(c)) {
			continue
		}
		taken, amounts = append(taken, c), append(amounts, r.release(c))
		for i := c.node; i >= 0; i = r.tree.parent[i] {
			delete(shares, i)
		}
		if r.fits(borrow) {
			return r.spare(taken, amounts, borrow), true
		}
	}
	return nil, false
}

// release subtracts what a candidate holds, and returns it.
func (r *reclaim) release(c candidate) (released []amount) {
	for name, n := range c.Amounts {
		col, named := r.now.column[name]
		if !named {
			continue
		}
		n = min(n, r.now.at(c.node, col).own)
		if n > 0 {
			r.now.remove(c.node, col, n)
			released = append(released, amount{col, n})
		}
	}
	return released
}

// spare returns the indices of candidates that are needed, of which the last one is.
func (r *reclaim) spare(taken []candidate, amounts [][]amount, borrow bool) []int {
	needed := []int{taken[len(taken)-1].index}
	for i := len(taken) - 2; i >= 0; i-- {
		for _, a := range amounts[i] {
			r.now.add(taken[i].node, a.col, a.amount)
		}
		if r.fits(borrow) {
			continue
		}
		for _, a := range amounts[i] {
			r.now.remove(taken[i].node, a.col, a.amount)
		}
		needed = append(needed, taken[i].index)
	}
	slices.Reverse(needed)
	return needed
}

func (r *reclaim) fits(borrow bool) bool {
	if r.unnamed {
		return false
	}
	for _, a := range r.wanted {
		c := r.now.at(r.node, a.col)
		if a.amount > r.now.available(r.node, a.col) || !borrow && a.amount > c.quota-c.usage {
			return false
		}
	}
	return true
}

// compare orders candidates, apart from shares.
func (r *reclaim) compare(a, b candidate) int {
	return cmp.Or(r.compareRanks(a, b), r.compareHolders(a, b))
}

func (r *reclaim) compareRanks(a, b candidate) int {
	if a.Leaving != b.Leaving {
		if a.Leaving {
			return -1
		}
		return 1
	}
	return cmp.Compare(a.rank, b.rank)
}

func (r *reclaim) compareHolders(a, b candidate) int {
	byPriority, byTime := cmp.Compare(a.Priority, b.Priority), b.Since.Compare(a.Since)
	if r.policy.Order == ByTime {
		byPriority, byTime = byTime, byPriority
	}
	return cmp.Or(byPriority, byTime, cmp.Compare(a.Name, b.Name), cmp.Compare(a.Node, b.Node),
		cmp.Compare(a.index, b.index))
}

// firstByShare returns the index of the first candidate. Shares has those that are known.
func (r *reclaim) firstByShare(rest []candidate, shares map[int32]share) int {
	first := 0
	for i := range rest {
		order := r.compareRanks(rest[i], rest[first])
		if order == 0 {
			order = r.compareShares(rest[i].node, rest[first].node, shares)
		}
		if order < 0 { // candidates of one node are sorted
			first = i
		}
	}
	return first
}

// compareShares compares the nodes on the way from the first common ancestor to two nodes. A node comes after
// its descendants.
func (r *reclaim) compareShares(a, b int32, shares map[int32]share) int {
	belowA, belowB := int32(-1), int32(-1)
	for a != b {
		if a > b { // parents have smaller numbers
			belowA, a = a, r.tree.parent[a]
		} else {
			belowB, b = b, r.tree.parent[b]
		}
	}
	switch {
	case belowA < 0 && belowB < 0:
		return 0
	case belowA < 0:
		return 1
	case belowB < 0:
		return -1
	}
	return cmp.Or(r.shareOf(belowB, shares).compare(r.shareOf(belowA, shares)), cmp.Compare(belowA, belowB))
}

func (r *reclaim) shareOf(node int32, shares map[int32]share) share {
	s, known := shares[node]
	if !known {
		s = r.now.share(node)
		shares[node] = s
	}
	return s
}
