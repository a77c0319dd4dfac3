package quotatree_test

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
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
			Priority: rapid.Int32Range(0, 2).Draw(t, "priority"),
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
		WithinTree: rapid.SampledFrom(append(preemptions, quotatree.Any, quotatree.Any)).Draw(t, "within tree"),
		Order:      rapid.SampledFrom(orders).Draw(t, "order"),
	}
	if rapid.Bool().Draw(t, "borrows") {
		most := rapid.SampledFrom([]int32{0, 1, math.MaxInt32}).Draw(t, "at most")
		p.BorrowAtMost = &most
	}
	return p
}

// charged returns the tree with what the holders hold, and the slow one.
func charged(t *rapid.T, tree *quotatree.Tree, nodes []quotatree.Node, holders []quotatree.Holder) *slow {
	s := newSlow(nodes)
	for _, h := range holders {
		testkit.OK(t, tree.Charge(h.Node, h.Amounts))
		s.hold(h.Node, h.Amounts, 1)
	}
	return s
}

func TestReclaimAgainstAllSubsets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, nodes := drawTree(t, rapid.Int64Range(0, 4), 6)
		for i := range nodes {
			nodes[i].Max, nodes[i].Guarantee = nil, nil // a maximum stands in the way of nearly everything
			if nodes[i].Parent == "" && nodes[i].Name != "n0" {
				nodes[i].Parent = "n0"
			}
		}
		tree, err := quotatree.New(nodes, quotatree.Options{})
		testkit.OK(t, err)
		holders, request := drawHolders(t, nodes)
		s := charged(t, tree, nodes, holders)
		for range 5 {
			policy := drawPolicy(t)
			r := &reclaiming{slow: s, request: request, policy: policy, holders: holders}
			want, wantOK := r.answer()
			if wantOK {
				r.still = nil
			}
			got, err := tree.Reclaim(request, holders, policy)
			testkit.OK(t, err)
			testkit.NoDiff(t, got, quotatree.Reclaimed{Indices: want, Shortages: r.still})
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
		_, nodes := drawTree(t, rapid.Int64Range(0, 6), 5)
		for i := range nodes {
			nodes[i].Max = nil
		}
		tree, err := quotatree.New(nodes, quotatree.Options{})
		testkit.OK(t, err)
		holders, request := drawHolders(t, nodes)
		policy := drawPolicy(t)
		s := charged(t, tree, nodes, holders)
		set, ok := reclaim(t, tree, request, holders, policy)
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

func TestReclaim(t *testing.T) {
	cpu := func(n int64) amounts { return amounts{"cpu": n} }
	for _, test := range []struct {
		name    string
		nodes   []quotatree.Node // below a root, or with their parents; "a" requests
		holders string           // their nodes, the one that came last first
		amounts []int64
		n       int64
		order   quotatree.Order
		want    []int
	}{
		{"a node is left alone once it borrows nothing", []quotatree.Node{{Name: "a", Nominal: cpu(4)}, {Name: "b", Nominal: cpu(2)}, {Name: "c", Nominal: cpu(2)}},
			"bbc", []int64{1, 2, 5}, 3, quotatree.ByPriority, []int{2}},
		{"a node whose parent borrows nothing is left alone", []quotatree.Node{{Name: "a", Nominal: cpu(4)}, {Name: "team"}, {Name: "x", Parent: "team"}, {Name: "y", Parent: "team", Nominal: cpu(4)}, {Name: "z", Nominal: cpu(2)}},
			"xz", []int64{3, 5}, 4, quotatree.ByPriority, []int{1}},
		{"the quota of an ancestor is due for what is beyond the own one", []quotatree.Node{{Name: "team", Nominal: cpu(2)}, {Name: "a", Parent: "team", Nominal: cpu(2), LendingLimit: cpu(0)}, {Name: "b"}},
			"b", []int64{2}, 4, quotatree.ByPriority, []int{0}},
		{"what is due in the team is due outside of it", []quotatree.Node{{Name: "team"}, {Name: "a", Parent: "team", Nominal: cpu(2)}, {Name: "s", Parent: "team"}, {Name: "o"}},
			"os", []int64{1, 1}, 2, quotatree.ByPriority, []int{0, 1}},
		{"shares change with what is reclaimed", []quotatree.Node{{Name: "a", Nominal: cpu(11)}, {Name: "b"}, {Name: "c"}},
			"bbcc", []int64{3, 3, 2, 3}, 5, quotatree.ByShare, []int{0, 2}},
		{"the first of two equal shares", []quotatree.Node{{Name: "c"}, {Name: "b"}, {Name: "a", Nominal: cpu(4)}},
			"bc", []int64{2, 2}, 1, quotatree.ByShare, []int{1}},
		{"of two without weight, the larger share comes first", []quotatree.Node{{Name: "a", Nominal: cpu(6)}, {Name: "b", Weight: quantityOf("0")}, {Name: "c", Weight: quantityOf("0")}},
			"bc", []int64{1, 5}, 1, quotatree.ByShare, []int{1}},
		{"without weight, the least share comes first", []quotatree.Node{{Name: "a", Nominal: cpu(6)}, {Name: "b", Weight: quantityOf("0")}, {Name: "c"}},
			"bc", []int64{1, 5}, 1, quotatree.ByShare, []int{0}},
		{"nothing has to be reclaimed", []quotatree.Node{{Name: "a", Nominal: cpu(4)}, {Name: "b"}}, "b", []int64{2}, 2, quotatree.ByTime, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			nodes := []quotatree.Node{{Name: "root"}}
			for _, n := range test.nodes {
				n.Parent = cmp.Or(n.Parent, "root")
				nodes = append(nodes, n)
			}
			tree, err := quotatree.New(nodes, quotatree.Options{})
			testkit.OK(t, err)
			var holders []quotatree.Holder
			for i, node := range test.holders {
				h := quotatree.Holder{Node: string(node), Amounts: cpu(test.amounts[i]), Since: time.Unix(int64(-i), 0)}
				testkit.OK(t, tree.Charge(h.Node, h.Amounts))
				holders = append(holders, h)
			}
			got, ok := reclaim(t, tree, quotatree.Holder{Node: "a", Amounts: cpu(test.n)}, holders, quotatree.Policy{WithinTree: quotatree.Any, Order: test.order})
			if !ok || !slices.Equal(got, test.want) {
				t.Errorf("%v, %v, want %v", got, ok, test.want)
			}
		})
	}
}

// Holders that are not in the tree, or not as much, are no holders.
func TestHoldersOfOthers(t *testing.T) {
	tree, err := quotatree.New([]quotatree.Node{
		{Name: "root", Nominal: amounts{"cpu": 4, "memory": 1}}, {Name: "a", Parent: "root"}, {Name: "b", Parent: "root", Used: amounts{"cpu": 2}},
		{Name: "c", Parent: "root", Used: amounts{"cpu": 2}}, {Name: "other", Used: amounts{"cpu": 9}},
	}, quotatree.Options{})
	testkit.OK(t, err)
	nine := amounts{"cpu": 9, "pods": 1}
	request := quotatree.Holder{Node: "a", Amounts: amounts{"cpu": 3, "memory": 1}, Priority: 1}
	most := int32(0)
	policy := quotatree.Policy{WithinTree: quotatree.LowerPriority, BorrowAtMost: &most}
	for _, test := range []struct {
		name    string
		holders []quotatree.Holder
		want    []int
	}{
		{"none", nil, nil},
		{"of other trees", []quotatree.Holder{{Node: "other", Amounts: nine}, {Node: "unknown", Amounts: nine}, {}}, nil},
		{"of more than their node holds", []quotatree.Holder{{Node: "b", Amounts: nine}}, nil},
		{"of a negative amount", []quotatree.Holder{{Node: "b", Amounts: amounts{"cpu": 2, "memory": -1}}, {Node: "c", Amounts: nine}}, []int{0, 1}},
		{"together", []quotatree.Holder{{Node: "b", Amounts: nine}, {Node: "c", Amounts: nine}}, []int{0, 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got, ok := reclaim(t, tree, request, test.holders, policy); !slices.Equal(got, test.want) || ok != (test.want != nil) {
				t.Errorf("%v, %v, want %v", got, ok, test.want)
			}
		})
	}
}

// A misspelled value of a policy is an error, and so is an unknown node.
func TestReclaimErrors(t *testing.T) {
	tree, err := quotatree.New([]quotatree.Node{{Name: "a", Nominal: amounts{"cpu": 1}}}, quotatree.Options{})
	testkit.OK(t, err)
	request := quotatree.Holder{Node: "a", Amounts: amounts{"cpu": 1}}
	for _, policy := range []quotatree.Policy{{}, {WithinNode: "Never", WithinTree: "Any", Order: "Priority"}, {WithinNode: "LowerPriority", Order: "Time"}} {
		got, err := tree.Reclaim(request, nil, policy)
		testkit.OK(t, err)
		testkit.NoDiff(t, got, quotatree.Reclaimed{})
	}
	for _, test := range []struct {
		policy quotatree.Policy
		want   string
	}{
		{quotatree.Policy{WithinNode: "any"}, `policy.withinNode: Unsupported value: "any": supported values: "Never", "LowerPriority", "LowerOrNewerEqualPriority", "Any"`},
		{quotatree.Policy{WithinTree: "lowerPriority"}, `policy.withinTree: Unsupported value: "lowerPriority": supported values: "Never", "LowerPriority", "LowerOrNewerEqualPriority", "Any"`},
		{quotatree.Policy{Order: "ByShare"}, `policy.order: Unsupported value: "ByShare": supported values: "Priority", "Time", "Share"`},
	} {
		got, err := tree.Reclaim(request, nil, test.policy)
		if err == nil || err.Error() != test.want {
			t.Errorf("%v, want %s", err, test.want)
		}
		testkit.NoDiff(t, got, quotatree.Reclaimed{})
	}
	request.Node = "b"
	request.Name = "request"
	if _, err := tree.Reclaim(request, nil, quotatree.Policy{}); !errors.Is(err, computeresources.ErrNotFound) || err.Error() != `quotatree: node "b" not found` {
		t.Error(err)
	}
}

// reclaim returns the holders to reclaim from, and whether the request fits then.
func reclaim(t testkit.TB, tree *quotatree.Tree, request quotatree.Holder, holders []quotatree.Holder, policy quotatree.Policy) ([]int, bool) {
	t.Helper()
	got, err := tree.Reclaim(request, holders, policy)
	testkit.OK(t, err)
	return got.Indices, len(got.Shortages) == 0
}

// What stops a request is the bound that remains after everything was reclaimed that may be.
func TestReclaimSaysWhatStopsIt(t *testing.T) {
	tree, err := quotatree.New([]quotatree.Node{
		{Name: "all", Nominal: amounts{"cpu": 4}},
		{Name: "a", Parent: "all", BorrowingLimit: amounts{"cpu": 3}}, {Name: "b", Parent: "all", Used: amounts{"cpu": 4}},
	}, quotatree.Options{})
	testkit.OK(t, err)
	holders := []quotatree.Holder{{Node: "b", Amounts: amounts{"cpu": 1}}, {Node: "b", Amounts: amounts{"cpu": 3}, Priority: 9}}
	short := func(resource corev1.ResourceName, requested, available int64, ancestor string, bound quotatree.Bound) *quotatree.Shortage {
		return &quotatree.Shortage{Node: "a", Resource: resource, Requested: requested, Available: available, Ancestor: ancestor, Bound: bound}
	}
	lower, anyNode := quotatree.Policy{WithinTree: quotatree.LowerPriority, BorrowAtMost: new(int32)}, quotatree.Policy{WithinTree: quotatree.Any, BorrowAtMost: new(int32)}
	for _, test := range []struct {
		name    string
		request amounts
		policy  quotatree.Policy
		want    quotatree.Reclaimed
	}{
		{"nothing may be reclaimed", amounts{"cpu": 1}, quotatree.Policy{}, quotatree.Reclaimed{Shortages: []*quotatree.Shortage{short("cpu", 1, 0, "all", quotatree.Nominal)}}},
		{"the other holder is too important", amounts{"cpu": 2}, lower, quotatree.Reclaimed{Shortages: []*quotatree.Shortage{short("cpu", 2, 1, "all", quotatree.Nominal)}}},
		{"its own borrowing limit", amounts{"cpu": 4}, anyNode, quotatree.Reclaimed{Shortages: []*quotatree.Shortage{short("cpu", 4, 1, "a", quotatree.BorrowingLimit)}}},
		{"a resource of no node that comes first", amounts{"bytes": 1, "cpu": 1}, lower, quotatree.Reclaimed{Shortages: []*quotatree.Shortage{short("bytes", 1, 0, "all", quotatree.Nominal)}}},
		{"none of a resource", amounts{"bytes": 0, "cpu": 1}, lower, quotatree.Reclaimed{Indices: []int{0}}},
		{"a resource of no node", amounts{"cpu": 1, "gpu": 1}, lower, quotatree.Reclaimed{Shortages: []*quotatree.Shortage{short("gpu", 1, 0, "all", quotatree.Nominal)}}},
		{"nothing", amounts{"cpu": 1}, lower, quotatree.Reclaimed{Indices: []int{0}}},
	} {
		got, err := tree.Reclaim(quotatree.Holder{Node: "a", Amounts: test.request, Priority: 1}, holders, test.policy)
		testkit.OK(t, err)
		testkit.NoDiff(t, got, test.want, test.name)
	}
}

// What need not be reclaimed decides nothing, and what is not short has to fit within the quota as well.
func TestReclaimLooksAtTheWholeRequest(t *testing.T) {
	any := quotatree.Policy{WithinNode: quotatree.Any, WithinTree: quotatree.Any}
	for _, test := range []struct {
		name    string
		nodes   []quotatree.Node
		request quotatree.Holder
		holders []quotatree.Holder
		policy  quotatree.Policy
		want    []int
		ok      bool
	}{
		{"nothing may be reclaimed", []quotatree.Node{{Name: "a", Nominal: amounts{"cpu": 1}, Used: amounts{"cpu": 1}}},
			quotatree.Holder{Node: "a", Amounts: amounts{"cpu": 1}}, []quotatree.Holder{{Node: "a", Amounts: amounts{"cpu": 1}}}, quotatree.Policy{WithinNode: "Never"}, nil, false},
		{"nothing may be reclaimed, by default", []quotatree.Node{{Name: "a", Nominal: amounts{"cpu": 1}, Used: amounts{"cpu": 1}}},
			quotatree.Holder{Node: "a", Amounts: amounts{"cpu": 1}}, []quotatree.Holder{{Node: "a", Amounts: amounts{"cpu": 1}}}, quotatree.Policy{}, nil, false},
		// The holder of memory alone does not make the request give up what it could borrow.
		{"a holder of another resource", []quotatree.Node{{Name: "root", Nominal: amounts{"cpu": 2, "memory": 1}}, {Name: "a", Parent: "root", Nominal: amounts{"cpu": 3}, Used: amounts{"cpu": 2}}, {Name: "b", Parent: "root", Used: amounts{"cpu": 1, "memory": 1}}},
			quotatree.Holder{Node: "a", Amounts: amounts{"cpu": 3}}, []quotatree.Holder{{Node: "a", Amounts: amounts{"cpu": 1}}, {Node: "a", Amounts: amounts{"cpu": 1}}, {Node: "b", Amounts: amounts{"memory": 1}}}, any, []int{0}, true},
		// The request borrows memory, although that is not short, so that it may not reclaim from what is not due to it.
		{"a resource that is borrowed", []quotatree.Node{{Name: "root", Nominal: amounts{"memory": 4}}, {Name: "a", Parent: "root", Nominal: amounts{"cpu": 2}}, {Name: "b", Parent: "root", Used: amounts{"cpu": 2}}},
			quotatree.Holder{Node: "a", Amounts: amounts{"cpu": 2, "memory": 1}}, []quotatree.Holder{{Node: "b", Amounts: amounts{"cpu": 2}}}, any, nil, false},
		// Borrowing comes first: two of b are enough, and what a holds itself may stay.
		{"a request that may borrow", []quotatree.Node{{Name: "root", Nominal: amounts{"cpu": 2}}, {Name: "a", Parent: "root", Nominal: amounts{"cpu": 2}, Used: amounts{"cpu": 1}}, {Name: "b", Parent: "root", Used: amounts{"cpu": 3}}},
			quotatree.Holder{Node: "a", Amounts: amounts{"cpu": 2}, Priority: 9},
			[]quotatree.Holder{{Node: "a", Amounts: amounts{"cpu": 1}}, {Node: "b", Amounts: amounts{"cpu": 1}}, {Node: "b", Amounts: amounts{"cpu": 1}}, {Node: "b", Amounts: amounts{"cpu": 1}}},
			quotatree.Policy{WithinNode: quotatree.Any, WithinTree: quotatree.Any, BorrowAtMost: new(int32)}, []int{1, 2}, true},
		// The same where b has none of the cpu that is short, and the request is for memory as well.
		{"a holder of nothing that is short", []quotatree.Node{{Name: "root", Nominal: amounts{"cpu": 2, "memory": 1}}, {Name: "a", Parent: "root", Nominal: amounts{"cpu": 3, "memory": 1}, Used: amounts{"cpu": 2}}, {Name: "b", Parent: "root", Used: amounts{"cpu": 1, "memory": 1}}},
			quotatree.Holder{Node: "a", Amounts: amounts{"cpu": 3, "memory": 1}}, []quotatree.Holder{{Node: "a", Amounts: amounts{"cpu": 1}}, {Node: "a", Amounts: amounts{"cpu": 1}}, {Node: "b", Amounts: amounts{"cpu": 0, "memory": 1}}}, any, []int{0}, true},
		// All memory of a is in use, but it is not short. So a is below its quota, which it gets if it borrows nothing.
		{"a node that is below its quota of what is short", []quotatree.Node{{Name: "root", Nominal: amounts{"memory": 1}}, {Name: "a", Parent: "root", Nominal: amounts{"cpu": 2, "memory": 1}, Used: amounts{"cpu": 1, "memory": 1}}, {Name: "b", Parent: "root", Used: amounts{"cpu": 1}}},
			quotatree.Holder{Node: "a", Amounts: amounts{"cpu": 2, "memory": 1}}, []quotatree.Holder{{Node: "a", Amounts: amounts{"cpu": 1, "memory": 1}}, {Node: "b", Amounts: amounts{"cpu": 1}}}, any, []int{1, 0}, true},
		{"a child borrows what is due to the request, as other nodes do", []quotatree.Node{{Name: "root"}, {Name: "a", Parent: "root", Nominal: amounts{"cpu": 4}}, {Name: "child", Parent: "a", Used: amounts{"cpu": 2}}, {Name: "b", Parent: "root", Used: amounts{"cpu": 2}}},
			quotatree.Holder{Node: "a", Amounts: amounts{"cpu": 2}}, []quotatree.Holder{{Node: "b", Amounts: amounts{"cpu": 2}, Priority: 1}, {Node: "child", Amounts: amounts{"cpu": 2}}}, any, []int{1}, true},
		// The quota of the team is due to the request, which so borrows nothing that is not, and keeps its own holder.
		{"what is due is enough", []quotatree.Node{{Name: "root"}, {Name: "team", Parent: "root", Nominal: amounts{"cpu": 2}}, {Name: "a", Parent: "team", Nominal: amounts{"cpu": 2}, Used: amounts{"cpu": 1}}, {Name: "s", Parent: "team", Used: amounts{"cpu": 1}}, {Name: "o", Parent: "root", Used: amounts{"cpu": 2}}},
			quotatree.Holder{Node: "a", Amounts: amounts{"cpu": 2}}, []quotatree.Holder{{Node: "a", Amounts: amounts{"cpu": 1}}, {Node: "s", Amounts: amounts{"cpu": 1}}, {Node: "o", Amounts: amounts{"cpu": 2}}}, any, []int{2}, true},
		// What s uses is its own, of which the team has nothing: the quota of the team is still due.
		{"a sibling uses what it does not lend", []quotatree.Node{{Name: "root"}, {Name: "team", Parent: "root", Nominal: amounts{"cpu": 4}}, {Name: "a", Parent: "team"}, {Name: "s", Parent: "team", Nominal: amounts{"cpu": 5}, LendingLimit: amounts{"cpu": 0}, Used: amounts{"cpu": 5}}, {Name: "o", Parent: "root", Used: amounts{"cpu": 4}}},
			quotatree.Holder{Node: "a", Amounts: amounts{"cpu": 2}}, []quotatree.Holder{{Node: "o", Amounts: amounts{"cpu": 4}}}, any, []int{0}, true},
		{"equal holders, by node", []quotatree.Node{{Name: "root"}, {Name: "a", Parent: "root", Nominal: amounts{"cpu": 2}}, {Name: "c", Parent: "root", Used: amounts{"cpu": 1}}, {Name: "b", Parent: "root", Used: amounts{"cpu": 1}}},
			quotatree.Holder{Node: "a", Amounts: amounts{"cpu": 1}}, []quotatree.Holder{{Node: "c", Amounts: amounts{"cpu": 1}}, {Node: "b", Amounts: amounts{"cpu": 1}}}, any, []int{1}, true},
		{"equal holders of a node, in their order", []quotatree.Node{{Name: "root"}, {Name: "a", Parent: "root", Nominal: amounts{"cpu": 2}}, {Name: "b", Parent: "root", Used: amounts{"cpu": 2}}},
			quotatree.Holder{Node: "a", Amounts: amounts{"cpu": 1}}, []quotatree.Holder{{Node: "b", Amounts: amounts{"cpu": 1}}, {Node: "b", Amounts: amounts{"cpu": 1}}}, any, []int{0}, true},
		{"the lowest and the highest priority", []quotatree.Node{{Name: "root", Nominal: amounts{"cpu": 2}}, {Name: "a", Parent: "root", Nominal: amounts{"cpu": 1}}, {Name: "b", Parent: "root", Used: amounts{"cpu": 3}}},
			quotatree.Holder{Node: "a", Amounts: amounts{"cpu": 1}}, []quotatree.Holder{{Node: "b", Amounts: amounts{"cpu": 1}, Priority: math.MaxInt32}, {Node: "b", Amounts: amounts{"cpu": 1}, Priority: math.MinInt32}}, any, []int{1}, true},
		// Without the memory of the first holder, b has a smaller share than c.
		{"a holder releases also what is not requested", []quotatree.Node{{Name: "root", Nominal: amounts{"memory": 10}}, {Name: "a", Parent: "root", Nominal: amounts{"cpu": 8}}, {Name: "b", Parent: "root", Used: amounts{"cpu": 4, "memory": 8}}, {Name: "c", Parent: "root", Used: amounts{"cpu": 4}}},
			quotatree.Holder{Node: "a", Amounts: amounts{"cpu": 4}}, []quotatree.Holder{{Name: "1", Node: "b", Amounts: amounts{"cpu": 1, "memory": 8}}, {Name: "2", Node: "b", Amounts: amounts{"cpu": 3}}, {Name: "3", Node: "c", Amounts: amounts{"cpu": 4}}},
			quotatree.Policy{WithinTree: quotatree.Any, Order: quotatree.ByShare}, []int{2}, true},
		// Once a1 has released, its parent a has the smaller share, and b is next.
		{"shares of ancestors", []quotatree.Node{
			{Name: "root", Nominal: amounts{"cpu": 10}}, {Name: "a", Parent: "root"}, {Name: "a1", Parent: "a", Used: amounts{"cpu": 3}}, {Name: "a2", Parent: "a", Used: amounts{"cpu": 3}},
			{Name: "b", Parent: "root", Used: amounts{"cpu": 4}}, {Name: "new", Parent: "root", Nominal: amounts{"cpu": 0}},
		}, quotatree.Holder{Node: "new", Amounts: amounts{"cpu": 5}, Priority: 9},
			[]quotatree.Holder{{Name: "1", Node: "a1", Amounts: amounts{"cpu": 3}}, {Name: "2", Node: "a2", Amounts: amounts{"cpu": 3}}, {Name: "3", Node: "b", Amounts: amounts{"cpu": 4}}},
			quotatree.Policy{WithinTree: quotatree.Any, BorrowAtMost: new(int32), Order: quotatree.ByShare}, []int{0, 2}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			tree, err := quotatree.New(test.nodes, quotatree.Options{})
			testkit.OK(t, err)
			got, ok := reclaim(t, tree, test.request, test.holders, test.policy)
			if !slices.Equal(got, test.want) || ok != test.ok {
				t.Errorf("%v %v, want %v %v", got, ok, test.want, test.ok)
			}
		})
	}
}
