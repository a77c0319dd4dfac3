package quotatree_test

import (
	"cmp"
	"slices"

	"github.com/kubemath/kubemath/quota/quotatree"
)

// reclaiming is a request of a slow tree.
type reclaiming struct {
	*slow
	request quotatree.Holder
	policy  quotatree.Policy
	short   amounts
	holders []quotatree.Holder
	still   []*quotatree.Shortage // if everything is reclaimed
}

func (r *reclaiming) fits(borrow bool) bool {
	for name, v := range r.request.Amounts {
		if v > max(0, r.available(r.request.Node, name)) || v > 0 && !borrow && r.usage(r.request.Node, name)+v > r.quota(r.request.Node, name) {
			return false
		}
	}
	return true
}

func (r *reclaiming) path(n string) (up []string) {
	for ; n != ""; n = r.nodes[n].Parent {
		up = append(up, n)
	}
	return up
}

// lower returns the nodes below the first common one on the way from a holder, and that one.
func (r *reclaiming) lower(h quotatree.Holder) (below []string, common string) {
	mine := r.path(r.request.Node)
	for _, n := range r.path(h.Node) {
		if slices.Contains(mine, n) {
			return below, n
		}
		below = append(below, n)
	}
	return nil, ""
}

func (r *reclaiming) borrows(h quotatree.Holder) bool {
	below, _ := r.lower(h)
	for _, n := range below {
		borrows := false
		for name := range r.short {
			borrows = borrows || r.usage(n, name) > r.quota(n, name)
		}
		if !borrows {
			return false
		}
	}
	return true
}

// due reports whether the request fits into the quota of its node, or of an ancestor below the common one.
func (r *reclaiming) due(h quotatree.Holder) bool {
	_, common := r.lower(h)
	beyond := amounts{}
	for name, v := range r.request.Amounts {
		beyond[name] = v
	}
	for _, n := range r.path(r.request.Node) {
		if n == common && n != r.request.Node {
			return false
		}
		fits := true
		for name, v := range beyond {
			fits = fits && (r.request.Amounts[name] <= 0 || r.usage(n, name)+v <= r.quota(n, name))
			beyond[name] = max(0, v-max(0, r.unlent(n, name)-r.usage(n, name)))
		}
		if fits || n == common {
			return fits
		}
	}
	return false
}

// rank is 0 if h is out of the question, otherwise 1 if it is due, 2 if it is not, and 3 within the node.
func (r *reclaiming) rank(h quotatree.Holder) int {
	uses, policy := false, r.policy.WithinTree
	for name := range r.short {
		uses = uses || h.Amounts[name] > 0
	}
	if h.Node == r.request.Node {
		policy = r.policy.WithinNode
	}
	lower := h.Priority < r.request.Priority
	newer := h.Priority == r.request.Priority && h.Queued.After(r.request.Queued)
	allowed := map[quotatree.Preemption]bool{quotatree.LowerPriority: lower, quotatree.LowerOrNewerEqualPriority: lower || newer, quotatree.Any: true}[policy]
	_, common := r.lower(h)
	switch {
	case !uses || !allowed || common == "":
		return 0
	case h.Node == r.request.Node:
		return 3
	case !r.borrows(h):
		return 0
	case r.due(h):
		return 1
	}
	return 2
}

// set returns the holders to reclaim from: of the shortest row of holders that makes room, in their order, the
// subset that does so and spares the last ones, of all subsets.
func (r *reclaiming) set(borrow bool) ([]int, bool) {
	ranks := make([]int, len(r.holders))
	var order []int
	for i, h := range r.holders {
		if ranks[i] = r.rank(h); ranks[i] > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := r.holders[a], r.holders[b]
		leaving := func(h quotatree.Holder) int {
			if h.Leaving {
				return 0
			}
			return 1
		}
		first, second := cmp.Compare(x.Priority, y.Priority), y.Since.Compare(x.Since)
		if r.policy.Order == quotatree.ByTime {
			first, second = second, first
		}
		return cmp.Or(leaving(x)-leaving(y), ranks[a]-ranks[b], first, second)
	})
	var row []int
	for len(order) > 0 {
		at := r.next(order, ranks)
		i := order[at]
		order = slices.Delete(order, at, at+1)
		h := r.holders[i]
		most := r.policy.BorrowAtMost
		unless := ranks[i] == 2 && (most == nil || h.Priority >= r.request.Priority || h.Priority > *most)
		if ranks[i] < 3 && (borrow && unless || !r.borrows(h)) {
			continue
		}
		row = append(row, i)
		r.hold(h.Node, h.Amounts, -1)
		if r.fits(borrow) {
			break
		}
	}
	if borrow {
		r.still = r.shortages()
	}
	for _, i := range row {
		r.hold(r.holders[i].Node, r.holders[i].Amounts, 1)
	}
	for mask := range 1 << len(row) { // the last holder is the highest bit
		var set []int
		for bit, i := range row {
			if mask>>bit&1 == 1 {
				set = append(set, i)
				r.hold(r.holders[i].Node, r.holders[i].Amounts, -1)
			}
		}
		fits := r.fits(borrow)
		for _, i := range set {
			r.hold(r.holders[i].Node, r.holders[i].Amounts, 1)
		}
		if fits {
			return set, true
		}
	}
	return nil, false
}

// shortages returns what the request cannot take now.
func (r *reclaiming) shortages() (all []*quotatree.Shortage) {
	for _, name := range resources {
		short := &quotatree.Shortage{Node: r.request.Node, Resource: name, Requested: r.request.Amounts[name], Available: r.available(r.request.Node, name)}
		if short.Requested > max(0, short.Available) {
			short.Ancestor, short.Bound = nearest(r.slow, short)
			all = append(all, short)
		}
	}
	return all
}

// next returns the position of the next holder: from the root down, of the child with the largest share.
func (r *reclaiming) next(order, ranks []int) int {
	if r.policy.Order != quotatree.ByShare {
		return 0
	}
	alike := func(i int) bool {
		return r.holders[i].Leaving == r.holders[order[0]].Leaving && ranks[i] == ranks[order[0]]
	}
	path := r.path(r.request.Node)
	n := path[len(path)-1]
	for {
		largest, of := "", slowShare{}
		for _, c := range r.children(n) {
			has := slices.ContainsFunc(order, func(i int) bool { return alike(i) && slices.Contains(r.path(r.holders[i].Node), c) })
			if share := r.share(c, nil); has && (largest == "" || share.compare(of) > 0) {
				largest, of = c, share
			}
		}
		if largest == "" {
			return slices.IndexFunc(order, func(i int) bool { return alike(i) && r.holders[i].Node == n })
		}
		n = largest
	}
}

func (r *reclaiming) answer() ([]int, bool) {
	r.short = amounts{}
	for name, v := range r.request.Amounts {
		if v > 0 && v > r.available(r.request.Node, name) {
			r.short[name] = v
		}
	}
	if len(r.short) == 0 {
		return nil, true
	}
	others, due, below := false, false, true
	for _, h := range r.holders {
		rank := r.rank(h)
		others, due = others || rank == 1 || rank == 2, due || rank == 1
	}
	for name := range r.short {
		below = below && r.usage(r.request.Node, name) < r.quota(r.request.Node, name)
	}
	attempts := []bool{true, false}
	switch never := r.policy.BorrowAtMost == nil; {
	case !others || never && !below:
		attempts = []bool{true}
	case never && !due:
		attempts = []bool{false, true}
	}
	for _, borrow := range attempts {
		if set, ok := r.set(borrow); ok {
			return set, true
		}
	}
	return nil, false
}
