package quotatree_test

import (
	"cmp"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/quota/quotatree"
)

var (
	preemptions = []quotatree.Preemption{quotatree.Never, quotatree.LowerPriority, quotatree.LowerOrNewerEqualPriority, quotatree.Any}
	orders      = []quotatree.Order{quotatree.ByPriority, quotatree.ByTime, quotatree.ByShare}
)

// drawHolders draws holders that hold all that the nodes use, and a request.
func drawHolders(t *rapid.T, nodes []quotatree.Node) (holders []quotatree.Holder, request quotatree.Holder) {
	holder := func(name string) quotatree.Holder {
		h := quotatree.Holder{
			Name:     name,
			Node:     rapid.SampledFrom(nodes).Draw(t, "node").Name,
			Amounts:  amounts{"cpu": rapid.Int64Range(1, 4).Draw(t, "cpu")},
			Priority: rapid.Int64Range(0, 2).Draw(t, "priority"),
			Queued:   time.Unix(rapid.Int64Range(0, 2).Draw(t, "queued"), 0),
			Since:    time.Unix(rapid.Int64Range(0, 2).Draw(t, "since"), 0),
			Leaving:  rapid.IntRange(0, 5).Draw(t, "leaving") == 0,
		}
		if rapid.IntRange(0, 2).Draw(t, "more") == 0 {
			h.Amounts["memory"] = rapid.Int64Range(0, 3).Draw(t, "memory")
		}
		return h
	}
	for i := range rapid.IntRange(0, 8).Draw(t, "holders") {
		holders = append(holders, holder(string(rune('a'+i))))
	}
	return holders, holder("request")
}

func drawPolicy(t *rapid.T) quotatree.Policy {
	p := quotatree.Policy{
		WithinNode: rapid.SampledFrom(preemptions).Draw(t, "within node"),
		WithinTree: rapid.SampledFrom(preemptions).Draw(t, "within tree"),
		Order:      rapid.SampledFrom(orders).Draw(t, "order"),
	}
	if rapid.Bool().Draw(t, "borrows") {
		most := rapid.SampledFrom([]int64{0, 1, math.MaxInt64}).Draw(t, "at most")
		p.BorrowAtMost = &most
	}
	return p
}

// charged returns the tree with what the holders hold, and the slow one.
func charged(t *rapid.T, tree *quotatree.Tree, nodes []quotatree.Node, holders []quotatree.Holder) *slow {
	s := newSlow(nodes)
	for _, h := range holders {
		if err := tree.Charge(h.Node, h.Amounts); err != nil {
			t.Fatal(err)
		}
		s.hold(h.Node, h.Amounts, 1)
	}
	return s
}

// reclaiming is a request of a slow tree.
type reclaiming struct {
	*slow
	request quotatree.Holder
	policy  quotatree.Policy
	short   amounts
	holders []quotatree.Holder
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

func TestReclaimAgainstAllSubsets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree, nodes := drawTree(t, rapid.Int64Range(0, 6), 5)
		holders, request := drawHolders(t, nodes)
		s := charged(t, tree, nodes, holders)
		for range 5 {
			policy := drawPolicy(t)
			r := &reclaiming{slow: s, request: request, policy: policy, holders: holders}
			want, wantOK := r.answer()
			got, ok := tree.Reclaim(request, holders, policy)
			if ok != wantOK || !slices.Equal(got, want) {
				t.Fatalf("%v, %v, want %v, %v", got, ok, want, wantOK)
			}
			_, request = drawHolders(t, nodes)
			for name := range request.Amounts { // what is short
				request.Amounts[name] += max(0, s.available(request.Node, name))
			}
		}
		compareStates(t, tree, s)
	})
}

// The set makes room, and none of its holders can be spared. A request that stays within the quota of its node is
// served under Any.
func TestReclaimed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree, nodes := drawTree(t, rapid.Int64Range(0, 6), 5)
		for i := range nodes {
			nodes[i].Max = nil
		}
		tree, err := quotatree.New(nodes, quotatree.Options{})
		if err != nil {
			t.Skip(err)
		}
		holders, request := drawHolders(t, nodes)
		policy := drawPolicy(t)
		s := charged(t, tree, nodes, holders)
		set, ok := tree.Reclaim(request, holders, policy)
		within := true
		for name, v := range request.Amounts {
			within = within && (v == 0 || s.usage(request.Node, name)+v <= s.quota(request.Node, name))
		}
		if within && !ok && policy.WithinTree == quotatree.Any {
			t.Fatal("a request within the quota is not served")
		}
		if !ok {
			return
		}
		r := &reclaiming{slow: s, request: request}
		for _, i := range set {
			s.hold(holders[i].Node, holders[i].Amounts, -1)
		}
		if !r.fits(true) {
			t.Fatalf("%v do not make room", set)
		}
		for _, i := range set {
			s.hold(holders[i].Node, holders[i].Amounts, 1)
			if r.fits(false) {
				t.Fatalf("%d of %v can be spared", i, set)
			}
			s.hold(holders[i].Node, holders[i].Amounts, -1)
		}
	})
}

// Holders that are not in the tree, or not as much, are no holders.
func TestHoldersOfOthers(t *testing.T) {
	tree, err := quotatree.New([]quotatree.Node{
		{Name: "root", Nominal: amounts{"cpu": 4}}, {Name: "a", Parent: "root"}, {Name: "b", Parent: "root", Used: amounts{"cpu": 2}},
		{Name: "c", Parent: "root", Used: amounts{"cpu": 2}}, {Name: "other", Used: amounts{"cpu": 9}},
	}, quotatree.Options{})
	if err != nil {
		t.Fatal(err)
	}
	nine := amounts{"cpu": 9, "pods": 1}
	request := quotatree.Holder{Node: "a", Amounts: amounts{"cpu": 3}, Priority: 1}
	most := int64(0)
	policy := quotatree.Policy{WithinTree: quotatree.LowerPriority, BorrowAtMost: &most}
	for _, test := range []struct {
		name    string
		holders []quotatree.Holder
		want    []int
	}{
		{"none", nil, nil},
		{"of other trees", []quotatree.Holder{{Node: "other", Amounts: nine}, {Node: "unknown", Amounts: nine}, {}}, nil},
		{"of more than their node holds", []quotatree.Holder{{Node: "b", Amounts: nine}}, nil},
		{"together", []quotatree.Holder{{Node: "b", Amounts: nine}, {Node: "c", Amounts: nine}}, []int{0, 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got, ok := tree.Reclaim(request, test.holders, policy); !slices.Equal(got, test.want) || ok != (test.want != nil) {
				t.Errorf("%v, %v, want %v", got, ok, test.want)
			}
		})
	}
	if got, ok := tree.Reclaim(request, []quotatree.Holder{{Node: "b", Amounts: nine}}, quotatree.Policy{WithinTree: "Unknown"}); got != nil || ok {
		t.Errorf("an unknown policy reclaims %v", got)
	}
}
