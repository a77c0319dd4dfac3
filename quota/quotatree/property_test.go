package quotatree_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/quotatree"
)

// After any takes, charges and gives, a tree has what the recursions say, and a take succeeds if and only
// if everything is available.
func TestStates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, nodes := drawTree(t, huge, 6)
		for i := range nodes {
			nodes[i].Used = drawAmounts(t, huge, 3)
		}
		tree, err := quotatree.New(nodes, quotatree.Options{})
		testkit.OK(t, err)
		s := newSlow(nodes)
		compareStates(t, tree, s)
		for range rapid.IntRange(0, 8).Draw(t, "steps") {
			n := rapid.SampledFrom(s.names).Draw(t, "node")
			a := drawAmounts(t, rapid.OneOf(small, huge), 2)
			for r := range a { // close to the bound
				if rapid.Bool().Draw(t, "close") {
					a[r] = max(0, s.available(n, r)+rapid.Int64Range(-1, 1).Draw(t, "off"))
				}
			}
			switch rapid.SampledFrom([]string{"take", "take", "charge", "give"}).Draw(t, "step") {
			case "charge":
				for r := range a {
					a[r] = min(a[r], 1<<57)
				}
				if err = tree.Charge(n, a); err != nil {
					t.Fatal(err)
				}
				s.hold(n, a, 1)
			case "give":
				fits := true
				for r, v := range a {
					fits = fits && v <= s.own[n][r]
				}
				if err = tree.Give(n, a); (err == nil) != fits {
					t.Fatalf("%s gives %v of %v: %v", n, a, s.own[n], err)
				}
				if fits {
					s.hold(n, a, -1)
				}
			default:
				if takes(t, tree, s, n, a) {
					s.hold(n, a, 1)
				}
			}
			compareStates(t, tree, s)
		}
	})
}

// takes takes, and compares success and shortages with those of the slow tree.
func takes(t *rapid.T, tree *quotatree.Tree, s *slow, n string, a amounts) bool {
	var short []string
	shortages := tree.Shortages(n, a)
	for _, r := range resources {
		if v := a[r]; v > max(0, s.available(n, r)) {
			short = append(short, string(r))
		}
	}
	var got []string
	for _, shortage := range shortages {
		got = append(got, string(shortage.Resource))
		ancestor, bound := nearest(s, shortage)
		if shortage.Ancestor != ancestor || shortage.Bound != bound || shortage.Available != s.available(n, shortage.Resource) {
			t.Fatalf("%+v, want %v of %v", *shortage, bound, ancestor)
		}
	}
	err := tree.Take(n, a)
	if !slices.Equal(got, short) || (err == nil) != (len(short) == 0) {
		t.Fatalf("%s takes %v: %v, short of %v, want %v", n, a, err, got, short)
	}
	if first := (*quotatree.Shortage)(nil); err != nil && (!errors.As(err, &first) || *first != *shortages[0]) {
		t.Fatalf("%v is no shortage, or another than %v", err, shortages[0])
	}
	return err == nil
}

// nearest returns the nearest node that lets the amount through only if its bound is removed, among those above
// which nothing is in the way, and the bound.
func nearest(s *slow, shortage *quotatree.Shortage) (string, quotatree.Bound) {
	r, beyond := shortage.Resource, shortage.Requested
	for n := shortage.Node; n != ""; n = s.nodes[n].Parent {
		node := s.nodes[n]
		borrowing, limited := node.BorrowingLimit[r]
		most, bounded := node.Max[r]
		switch {
		case node.Parent == "" && s.usage(n, r)+beyond > s.quota(n, r):
			return n, quotatree.Nominal
		case node.Parent != "" && limited && s.usage(n, r)+beyond > s.quota(n, r)+borrowing:
			return n, quotatree.BorrowingLimit
		case bounded && s.held(n, r)+shortage.Requested > most:
			return n, quotatree.Max
		}
		beyond -= max(0, s.unlent(n, r)-s.usage(n, r))
	}
	return "", ""
}

// No take brings a root above its quota. Takes that all succeed lead to the same tree in each order in which all
// succeed, and giving back in any order leads to the tree of before.
func TestOrderOfTakes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree, nodes := drawTree(t, small, 6)
		before, other := tree.Clone(), tree.Clone()
		s := newSlow(nodes)
		type step struct {
			node string
			a    amounts
		}
		var steps []step
		for range rapid.IntRange(1, 6).Draw(t, "takes") {
			n, a := rapid.SampledFrom(s.names).Draw(t, "node"), drawAmounts(t, small, 2)
			if tree.Take(n, a) == nil {
				steps = append(steps, step{n, a})
				s.hold(n, a, 1)
			}
		}
		compareStates(t, tree, s)
		for _, n := range s.names {
			for _, r := range resources {
				if s.nodes[n].Parent == "" && s.usage(n, r) > s.quota(n, r) {
					t.Fatalf("root %s uses %d %s of %d", n, s.usage(n, r), r, s.quota(n, r))
				}
			}
		}
		for _, step := range rapid.Permutation(steps).Draw(t, "order") {
			if err := other.Take(step.node, step.a); err != nil {
				return // it does not fit in this order
			}
		}
		compareStates(t, other, s)
		for _, step := range rapid.Permutation(steps).Draw(t, "back") {
			testkit.OK(t, other.Give(step.node, step.a))
		}
		compareStates(t, other, newSlow(nodes))
		compareStates(t, before, newSlow(nodes))
	})
}

func TestLimits(t *testing.T) {
	cpu := func(n int64) amounts { return amounts{"cpu": n} }
	for _, test := range []struct {
		name  string
		nodes []quotatree.Node // of which "a" requests
		n     int64
		want  quotatree.Shortage
	}{
		{"limits of the largest int64 limit nothing", []quotatree.Node{{Name: "root", Nominal: cpu(5)}, {Name: "a", Parent: "root", Nominal: cpu(1), BorrowingLimit: cpu(math.MaxInt64), LendingLimit: cpu(math.MaxInt64), Max: cpu(math.MaxInt64)}},
			7, quotatree.Shortage{Ancestor: "root", Bound: quotatree.Nominal, Available: 6}},
		{"an ancestor sees what is beyond that which is not lent", []quotatree.Node{{Name: "root", Nominal: cpu(1)}, {Name: "middle", Parent: "root", BorrowingLimit: cpu(2)}, {Name: "a", Parent: "middle", Nominal: cpu(5), LendingLimit: cpu(0)}},
			7, quotatree.Shortage{Ancestor: "root", Bound: quotatree.Nominal, Available: 6}},
		{"the nearest bound", []quotatree.Node{{Name: "root"}, {Name: "middle", Parent: "root", BorrowingLimit: cpu(2)}, {Name: "a", Parent: "middle", Nominal: cpu(5), LendingLimit: cpu(0)}},
			8, quotatree.Shortage{Ancestor: "middle", Bound: quotatree.BorrowingLimit, Available: 5}},
		{"a maximum counts what is not lent", []quotatree.Node{{Name: "root", Nominal: cpu(9), Max: cpu(6)}, {Name: "a", Parent: "root", Nominal: cpu(5), LendingLimit: cpu(0)}},
			7, quotatree.Shortage{Ancestor: "root", Bound: quotatree.Max, Available: 6}},
		{"a maximum counts what is held of that", []quotatree.Node{{Name: "root", Nominal: cpu(9), Max: cpu(6)}, {Name: "a", Parent: "root", Nominal: cpu(5), LendingLimit: cpu(0), Used: cpu(4)}},
			3, quotatree.Shortage{Ancestor: "root", Bound: quotatree.Max, Available: 2}},
		{"bounds that are just kept are not in the way", []quotatree.Node{{Name: "root", Nominal: cpu(1)}, {Name: "middle", Parent: "root", BorrowingLimit: cpu(1)}, {Name: "a", Parent: "middle", Max: cpu(2), BorrowingLimit: cpu(2)}, {Name: "b", Parent: "middle", Nominal: cpu(1)}, {Name: "c", Parent: "root", Used: cpu(1)}},
			2, quotatree.Shortage{Ancestor: "root", Bound: quotatree.Nominal, Available: 1}},
		{"a resource that no node names", []quotatree.Node{{Name: "root"}, {Name: "middle", Parent: "root"}, {Name: "a", Parent: "middle"}},
			1, quotatree.Shortage{Ancestor: "root", Bound: quotatree.Nominal}},
		{"debt of the root", []quotatree.Node{{Name: "root", Used: cpu(2)}, {Name: "a", Parent: "root", Nominal: cpu(5), LendingLimit: cpu(0)}},
			4, quotatree.Shortage{Ancestor: "root", Bound: quotatree.Nominal, Available: 3}},
	} {
		t.Run(test.name, func(t *testing.T) {
			tree, err := quotatree.New(test.nodes, quotatree.Options{})
			testkit.OK(t, err)
			test.want.Node, test.want.Resource, test.want.Requested = "a", "cpu", test.n
			got := tree.Shortages("a", cpu(test.n))
			if len(got) != 1 || *got[0] != test.want {
				t.Errorf("%v, want %v", got, &test.want)
			}
		})
	}
}

var bounds = []quotatree.Bound{quotatree.Nominal, quotatree.BorrowingLimit, quotatree.Max}

// The message has the bound as the field of a node is called.
func TestShortageInWords(t *testing.T) {
	for i, want := range []string{"nominal", "borrowingLimit", "max"} {
		short := &quotatree.Shortage{Node: "a", Resource: "cpu", Requested: 2, Available: -1, Ancestor: "b", Bound: bounds[i]}
		if got := short.Error(); got != "quotatree: a requests cpu=2, available: -1: "+want+" of b" {
			t.Error(got)
		}
	}
}
