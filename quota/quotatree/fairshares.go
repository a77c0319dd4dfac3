package quotatree

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/quantity"
)

// FairShares returns how much of a resource each node and its descendants would hold if it was divided
// fairly now, by their demands: what they hold and would like to hold in addition. Demand is by nodes
// without children; others, unknown names and amounts below zero are ignored. The result has all nodes,
// also those that get nothing, and belongs to the caller. Shares are exact, and often fractions of a unit.
//
// Each root has its quota to divide, or less if its descendants demand less. Every node divides what it has
// among its children by their weights, as max-min fairness has it: no child could have more without taking
// it from one that has no more in proportion to its weight. In doing so,
//
//   - a child gets at most what it and its descendants demand, its maximum, and its quota with its
//     borrowing limit;
//   - a child gets at least min(demand, quota it does not lend). The part of that quota it does not use stays
//     idle;
//   - a child gets at least min(demand, guarantee). If not all guarantees can be met, because others do not lend
//     their quota, everything available goes to the guarantees, by weight;
//   - children of weight zero get what the others do not demand, in equal parts.
//
// A nil tree has no nodes, and a nil result; of a resource that no node names, all have zero.
//
// Cost: O(n log n) for n nodes. Large amounts with weights that have few common divisors take big integers.
//
// Source: Volcano's plugin proportion, which has rounds of floats, and its weights, capability and guarantee.
func (t *Tree) FairShares(name corev1.ResourceName, demand map[string]int64) map[string]resourcelist.Rational {
	if t == nil {
		return nil
	}
	shares := make(map[string]resourcelist.Rational, len(t.names))
	col, ok := t.column[name]
	if !ok {
		for _, node := range t.names {
			shares[node] = "0"
		}
		return shares
	}
	f := fairness{tree: t, col: col, parts: make([]part, len(t.names)), share: make([]quantity.Ratio, len(t.names))}
	for i := len(t.names) - 1; i >= 0; i-- {
		f.parts[i] = f.partOf(int32(i), demand[t.names[i]])
	}
	for i, node := range t.names {
		if t.parent[i] < 0 {
			f.share[i] = quantity.Whole(f.parts[i].most)
		}
		f.divide(int32(i))
		shares[node] = rational(f.share[i])
	}
	return shares
}

// fairness is the division of one column.
type fairness struct {
	tree  *Tree
	col   int32
	parts []part // by node
	share []quantity.Ratio
	fill  filling
}

// part is what a node can have. It is never negative, and alone ≤ floor ≤ most.
type part struct {
	alone int64 // without anything of its parent
	floor int64 // alone, or what it and its descendants are guaranteed
	most  int64
}

// partOf returns the part of a node whose children have theirs.
func (f *fairness) partOf(i int32, demand int64) part {
	c := f.tree.at(i, f.col)
	sum := part{}
	for _, child := range f.tree.children[i] {
		p := f.parts[child]
		sum.alone += p.alone // each is a part of the nominal amounts of the tree
		sum.floor = quantity.AddSaturated(sum.floor, p.floor)
		sum.most = quantity.AddSaturated(sum.most, p.most)
	}
	if len(f.tree.children[i]) == 0 {
		sum.most = max(0, demand)
	}
	p := part{most: min(sum.most, c.most, sum.alone+c.ceiling)}
	p.alone = min(p.most, sum.alone+c.unlent)
	p.floor = min(p.most, max(p.alone, c.guarantee, sum.floor))
	return p
}

// divide divides the share of a node among its children.
func (f *fairness) divide(i int32) {
	children := f.tree.children[i]
	if len(children) == 0 {
		return
	}
	floors := int64(0)
	for _, child := range children {
		floors = quantity.AddSaturated(floors, f.parts[child].floor)
	}
	kept := f.share[i].Cmp(quantity.Whole(floors)) >= 0
	f.fill.reset()
	for _, child := range children {
		p := f.parts[child]
		if kept {
			f.fill.add(p.floor, p.most, f.tree.weight[child])
		} else {
			f.fill.add(p.alone, p.floor, f.tree.weight[child])
		}
	}
	f.fill.divide(f.share[i])
	for j, child := range children {
		f.share[child] = f.fill.share(j)
	}
}
