package quotatree_test

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/quotatree"
)

func rat(n int64) *big.Rat { return big.NewRat(n, 1) }

func rats(shares map[string]resourcelist.Rational) map[string]*big.Rat {
	all := map[string]*big.Rat{}
	for name, share := range shares {
		all[name] = share.Rat()
	}
	return all
}

func weightOf(n *quotatree.Node) *big.Rat {
	if n.Weight == nil {
		return rat(1)
	}
	w, _ := new(big.Rat).SetString(n.Weight.AsDec().String())
	return w
}

// division is a division of cpu among the nodes, by exact numbers. What it computes of nodes is what the
// documentation says of them.
type division struct {
	*slow
	share map[string]*big.Rat
}

// usage is what a node uses of its quota.
func (d *division) usage(n string) *big.Rat {
	children := d.children(n)
	if len(children) == 0 {
		return d.share[n]
	}
	u := new(big.Rat)
	for _, c := range children {
		if beyond := new(big.Rat).Sub(d.usage(c), rat(d.unlent(c, "cpu"))); beyond.Sign() > 0 {
			u.Add(u, beyond)
		}
	}
	return u
}

// fault returns why a division is not possible, with shares of leaves that determine all others.
func (d *division) fault(demand map[string]int64) string {
	for _, n := range d.names {
		node := d.nodes[n]
		if children := d.children(n); len(children) > 0 {
			total := new(big.Rat)
			for _, c := range children {
				total.Add(total, d.share[c])
			}
			if total.Cmp(d.share[n]) != 0 {
				return n + " is not the sum of its children"
			}
		} else if d.share[n].Cmp(rat(max(0, demand[n]))) > 0 {
			return n + " has more than it demands"
		}
		borrowing, limited := node.BorrowingLimit["cpu"]
		if node.Parent == "" {
			borrowing, limited = 0, true
		}
		if limited && d.usage(n).Cmp(rat(d.quota(n, "cpu")+borrowing)) > 0 {
			return n + " uses too much"
		}
		if most, ok := node.Max["cpu"]; ok && d.share[n].Cmp(rat(most)) > 0 {
			return n + " has more than its maximum"
		}
	}
	return ""
}

// compare compares two divisions of what a node has: the children in proportion to their weights, the worst off
// first; then those without weight; then the same below each child.
func (d *division) compare(other *division, n string) int {
	children := d.children(n)
	for _, weightless := range []bool{false, true} {
		var ours, theirs []*big.Rat
		for _, c := range children {
			w := weightOf(d.nodes[c])
			if (w.Sign() == 0) != weightless {
				continue
			}
			if weightless {
				w = rat(1)
			}
			ours = append(ours, new(big.Rat).Quo(d.share[c], w))
			theirs = append(theirs, new(big.Rat).Quo(other.share[c], w))
		}
		slices.SortFunc(ours, (*big.Rat).Cmp)
		slices.SortFunc(theirs, (*big.Rat).Cmp)
		if order := slices.CompareFunc(ours, theirs, (*big.Rat).Cmp); order != 0 {
			return order
		}
	}
	for _, c := range children {
		if order := d.compare(other, c); order != 0 {
			return order
		}
	}
	return 0
}

// complete sets the shares of nodes with children.
func (d *division) complete(n string) *big.Rat {
	if children := d.children(n); len(children) > 0 {
		total := new(big.Rat)
		for _, c := range children {
			total.Add(total, d.complete(c))
		}
		d.share[n] = total
	}
	return d.share[n]
}

// keeps reports whether all have what they do not lend, and their guarantees, as far as they demand and may have
// them.
func (d *division) keeps(most *division, alone map[string]int64) bool {
	return !slices.ContainsFunc(d.names, func(n string) bool {
		floor := rat(max(alone[n], d.nodes[n].Guarantee["cpu"]))
		if most.share[n].Cmp(floor) < 0 {
			floor = most.share[n]
		}
		return d.share[n].Cmp(floor) < 0
	})
}

// drawDemand draws what the leaves demand.
func drawDemand(t *rapid.T, s *slow, amount *rapid.Generator[int64]) map[string]int64 {
	demand := map[string]int64{}
	for _, n := range s.leaves("") {
		demand[n] = amount.Draw(t, "demand")
	}
	return demand
}

// All divisions on a grid of halves or thirds are possible, or not, by the rules, and none is fairer.
func TestFairSharesAgainstAllDivisions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree, nodes := drawTree(t, rapid.Int64Range(0, 3), 5)
		s := newSlow(nodes)
		demand := drawDemand(t, s, rapid.Int64Range(0, 4))
		fair := &division{s, rats(tree.FairShares("cpu", demand))}
		if fault := fair.fault(demand); fault != "" {
			t.Fatal(fault)
		}
		lends := slices.ContainsFunc(nodes, func(n quotatree.Node) bool { return len(n.LendingLimit) > 0 })
		guaranteed := slices.ContainsFunc(nodes, func(n quotatree.Node) bool { return n.Guarantee["cpu"] > 0 })
		if guaranteed && lends {
			return // whether guarantees are kept depends on who demands what is not lent
		}
		most, alone := mostOf(nodes, demand), map[string]int64{}
		for _, n := range s.names {
			alone[n] = aloneOf(nodes, n, demand)
		}
		if !fair.keeps(most, alone) {
			t.Fatalf("a guarantee is not kept: %v of at most %v", fair.share, most.share)
		}
		step := rapid.Int64Range(1, 3).Draw(t, "grid")
		leaves := s.leaves("")
		if len(leaves) > 3 {
			step = 1
		}
		each(leaves, demand, step, map[string]*big.Rat{}, func(share map[string]*big.Rat) {
			d := &division{s, map[string]*big.Rat{}}
			for n, x := range share {
				d.share[n] = x
			}
			for _, n := range s.names {
				if s.nodes[n].Parent == "" {
					d.complete(n)
				}
			}
			if d.fault(demand) != "" || !d.keeps(most, alone) {
				return
			}
			for _, n := range s.names {
				if s.nodes[n].Parent == "" && (d.share[n].Cmp(fair.share[n]) > 0 || d.compare(fair, n) > 0) {
					t.Fatalf("%v is fairer than %v", d.share, fair.share)
				}
			}
		})
	})
}

// mostOf returns the most that each node can have, if all others have nothing.
func mostOf(nodes []quotatree.Node, demand map[string]int64) *division {
	s := newSlow(nodes)
	most := &division{s, map[string]*big.Rat{}}
	for _, n := range s.names {
		most.share[n] = rat(filled(s, n, demand))
	}
	return most
}

// aloneOf returns the most that a node can have without anything of its parent.
func aloneOf(nodes []quotatree.Node, n string, demand map[string]int64) int64 {
	s := newSlow(nodes)
	alone := *s.nodes[n]
	alone.BorrowingLimit = amounts{"cpu": s.unlent(n, "cpu") - s.quota(n, "cpu")} // below zero
	s.nodes[n] = &alone
	return filled(s, n, demand)
}

// filled returns how much the leaves below a node hold if one after the other takes what it can. No other order
// gives more, because what one leaf takes of an ancestor is as much less for the others.
func filled(s *slow, n string, demand map[string]int64) (total int64) {
	e := s.empty()
	for _, name := range s.names {
		e.own[name] = amounts{}
	}
	for _, leaf := range s.leaves(n) {
		got := min(max(0, demand[leaf]), max(0, e.available(leaf, "cpu")))
		e.own[leaf]["cpu"] = got
		total += got
	}
	return total
}

// each calls do with all shares of leaves up to their demands, in steps of 1/step.
func each(leaves []string, demand map[string]int64, step int64, share map[string]*big.Rat, do func(map[string]*big.Rat)) {
	if len(leaves) == 0 {
		do(share)
		return
	}
	for x := range max(0, demand[leaves[0]])*step + 1 {
		share[leaves[0]] = big.NewRat(x, step)
		each(leaves[1:], demand, step, share, do)
	}
}

// Of two children, the one with more in proportion to its weight has no more than what it has anyway, or the
// other all that it can have: amounts of any size.
func TestFairSharesAreMaxMin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree, nodes := drawTree(t, huge, 7)
		for i := range nodes {
			if len(nodes[i].Guarantee) > 0 {
				return
			}
		}
		s := newSlow(nodes)
		demand := drawDemand(t, s, huge)
		d := &division{s, rats(tree.FairShares("cpu", demand))}
		if fault := d.fault(demand); fault != "" {
			t.Fatal(fault)
		}
		most := mostOf(nodes, demand)
		for _, a := range s.names {
			for _, b := range s.names {
				if a == b || s.nodes[a].Parent != s.nodes[b].Parent || s.nodes[a].Parent == "" {
					continue
				}
				if d.hasMore(b, a) && d.share[a].Cmp(most.share[a]) < 0 && d.share[b].Cmp(rat(aloneOf(nodes, b, demand))) > 0 {
					t.Fatalf("%s has %v and %s has %v, of at most %v", a, d.share[a], b, d.share[b], most.share[a])
				}
			}
		}
	})
}

// hasMore reports whether a node has more than another in proportion to its weight; without weight, anything is
// infinitely much.
func (d *division) hasMore(a, b string) bool {
	wa, wb := weightOf(d.nodes[a]), weightOf(d.nodes[b])
	if wa.Sign() == 0 && wb.Sign() == 0 {
		wa, wb = rat(1), rat(1)
	}
	if wa.Sign() == 0 || wb.Sign() == 0 {
		return wa.Sign() == 0
	}
	return wa.Mul(d.share[b], wa).Cmp(wb.Mul(d.share[a], wb)) < 0
}

func TestFairShares(t *testing.T) {
	cpu := func(n int64) amounts { return amounts{"cpu": n} }
	for _, test := range []struct {
		name   string
		nodes  []quotatree.Node // below a root that has 4
		demand map[string]int64
		want   map[string]string
	}{
		{"guarantees that others do not lend", []quotatree.Node{{Name: "a", Nominal: cpu(10), LendingLimit: cpu(0)}, {Name: "b", Guarantee: cpu(5), Weight: quantityOf("3")}, {Name: "c", Guarantee: cpu(5)}},
			map[string]int64{"a": 0, "b": 9, "c": 9}, map[string]string{"a": "0", "b": "3", "c": "1"}},
		{"guarantees of which one can be met", []quotatree.Node{{Name: "a", Nominal: cpu(10), LendingLimit: cpu(0)}, {Name: "b", Guarantee: cpu(1), Weight: quantityOf("3")}, {Name: "c", Guarantee: cpu(5)}},
			map[string]int64{"a": 0, "b": 9, "c": 9}, map[string]string{"a": "0", "b": "1", "c": "3"}},
		{"a guarantee that is not demanded", []quotatree.Node{{Name: "a", Guarantee: cpu(4)}, {Name: "b"}}, map[string]int64{"a": 1, "b": 9}, map[string]string{"a": "1", "b": "3"}},
		{"without weight", []quotatree.Node{{Name: "a", Weight: quantityOf("0")}, {Name: "b", Weight: quantityOf("0")}, {Name: "c"}}, map[string]int64{"a": 9, "b": 9, "c": 3}, map[string]string{"a": "1/2", "b": "1/2", "c": "3"}},
		{"what is held is not demanded", []quotatree.Node{{Name: "a", Used: cpu(3)}, {Name: "b"}}, map[string]int64{"b": 9}, map[string]string{"a": "0", "b": "4"}},
		{"no demand", []quotatree.Node{{Name: "a"}, {Name: "b"}}, map[string]int64{"a": -5, "root": 9, "c": 9}, map[string]string{"a": "0", "b": "0"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			nodes := []quotatree.Node{{Name: "root", Nominal: cpu(4)}}
			for _, n := range test.nodes {
				n.Parent = "root"
				nodes = append(nodes, n)
			}
			tree, err := quotatree.New(nodes, quotatree.Options{})
			testkit.OK(t, err)
			for n, share := range tree.FairShares("cpu", test.demand) {
				if want := test.want[n]; n != "root" && string(share) != want {
					t.Errorf("%s has %s, want %s", n, share, want)
				}
			}
		})
	}
}

// What the children have of their own, or are guaranteed, is kept although their parent is guaranteed less; demands that
// together exceed an int64 do not wrap around; only nodes without children demand; and a child of weight zero gets
// nothing that others demand.
func TestFairSharesOfFloors(t *testing.T) {
	zero := quantityOf("0")
	for _, test := range []struct {
		name   string
		nodes  []quotatree.Node
		demand map[string]int64
		want   map[string]int64
	}{
		{"what is not lent and a guarantee", []quotatree.Node{
			{Name: "root", Nominal: amounts{"cpu": 10}}, {Name: "team", Parent: "root"}, {Name: "other", Parent: "root"},
			{Name: "own", Parent: "team", Nominal: amounts{"cpu": 5}, LendingLimit: amounts{"cpu": 0}}, {Name: "sure", Parent: "team", Guarantee: amounts{"cpu": 5}},
		}, map[string]int64{"own": 5, "sure": 5, "other": 10}, map[string]int64{"own": 5, "sure": 5, "other": 5}},
		{"a guarantee of a child", []quotatree.Node{{Name: "root", Nominal: amounts{"cpu": 10}}, {Name: "team", Parent: "root"}, {Name: "x", Parent: "team", Guarantee: amounts{"cpu": 2}}, {Name: "other", Parent: "root"}},
			map[string]int64{"x": 9, "other": 10}, map[string]int64{"team": 5, "x": 5, "other": 5}},
		{"weight zero beside what it does not lend", []quotatree.Node{{Name: "root", Nominal: amounts{"cpu": 6}}, {Name: "a", Parent: "root"}, {Name: "idle", Parent: "root", Weight: zero, Nominal: amounts{"cpu": 2}, LendingLimit: amounts{"cpu": 0}}},
			map[string]int64{"a": 7, "idle": 9}, map[string]int64{"a": 6, "idle": 2}},
		{"weight zero gets what is left", []quotatree.Node{{Name: "root", Nominal: amounts{"cpu": 6}}, {Name: "a", Parent: "root"}, {Name: "idle", Parent: "root", Weight: zero, Nominal: amounts{"cpu": 2}, LendingLimit: amounts{"cpu": 0}}},
			map[string]int64{"a": 5, "idle": 9}, map[string]int64{"a": 5, "idle": 3}},
		{"large demands", []quotatree.Node{{Name: "root"}, {Name: "a", Parent: "root", Nominal: amounts{"cpu": 4}}, {Name: "b", Parent: "root", Nominal: amounts{"cpu": 2}}},
			map[string]int64{"a": 1<<63 - 1, "b": 1<<63 - 1}, map[string]int64{"a": 3, "b": 3}},
		{"a demand of a parent", []quotatree.Node{{Name: "root", Nominal: amounts{"cpu": 9}}, {Name: "team", Parent: "root"}, {Name: "a", Parent: "team"}, {Name: "b", Parent: "root"}},
			map[string]int64{"team": 9, "a": 2, "b": 9}, map[string]int64{"team": 2, "a": 2, "b": 7}},
		{"weight zero", []quotatree.Node{{Name: "root", Nominal: amounts{"cpu": 6}}, {Name: "a", Parent: "root"}, {Name: "idle", Parent: "root", Weight: zero}},
			map[string]int64{"a": 9, "idle": 9}, map[string]int64{"a": 6, "idle": 0}},
	} {
		t.Run(test.name, func(t *testing.T) {
			tree, err := quotatree.New(test.nodes, quotatree.Options{})
			testkit.OK(t, err)
			shares := tree.FairShares("cpu", test.demand)
			for name, want := range test.want {
				if string(shares[name]) != rat(want).RatString() {
					t.Errorf("%s has %s, want %d", name, shares[name], want)
				}
			}
		})
	}
}
