// Package contention divides CPU among the cgroups of a tree that all want it, in exact fractions.
//
// The children of a cgroup divide its CPU in proportion to their weights. A child that reaches its
// quota, or what it can use, leaves the rest to its siblings, again in proportion to their weights,
// until all of the CPU is assigned or no child can use more. This is known as water-filling, or as
// weighted max-min fairness. The kernel's scheduler approaches it over time. The number of threads, each
// of which runs on one CPU at a time, and processes outside the tree are not considered.
//
// Source: Documentation/admin-guide/cgroup-v2.rst (weights) and Documentation/scheduler/sched-bwc.rst
// (quotas) of Linux.
package contention

import (
	"math/big"
	"slices"
)

// Group is a cgroup with all below it, or a process.
type Group struct {
	// Weight is its cpu.weight, or its cpu.shares: above zero. That of the root does
	// not count.
	Weight int64

	// Most is the most CPU that the group can use: the smaller of its quota and its demand, not negative.
	// Nil means no bound. A group with children cannot use more than they can in total.
	Most *big.Rat

	// Children are what competes within. A group without children uses the CPU itself:
	// all that it can get.
	Children []Group
}

// Share is the CPU that a Group gets.
type Share struct {
	CPU      *big.Rat
	Children []Share // as the children of the Group
}

// Divide divides the capacity, which is not negative, among the groups. A group gets at most its Most.
// Siblings that can use more get CPU in proportion to their weights. Capacity is only left unused if no
// group can use more.
//
// Cost: n log n comparisons of fractions for n siblings.
func Divide(capacity *big.Rat, root Group) Share {
	root.Weight = 1
	d := demandOf(&root)
	cpu := new(big.Rat).Set(capacity)
	if d.most != nil && d.most.Cmp(cpu) < 0 {
		cpu.Set(d.most)
	}
	return d.divide(cpu)
}

// demand is the most that a group and its descendants can use.
type demand struct {
	weight   *big.Rat
	most     *big.Rat // nil: no bound
	level    *big.Rat // most by weight
	children []demand
}

func demandOf(g *Group) demand {
	d := demand{weight: big.NewRat(g.Weight, 1), most: g.Most}
	sum := new(big.Rat) // nil: no bound
	for i := range g.Children {
		c := demandOf(&g.Children[i])
		d.children = append(d.children, c)
		if c.most == nil {
			sum = nil
		}
		if sum != nil {
			sum.Add(sum, c.most)
		}
	}
	if len(g.Children) > 0 && sum != nil && (d.most == nil || sum.Cmp(d.most) < 0) {
		d.most = sum
	}
	if d.most != nil {
		d.level = new(big.Rat).Quo(d.most, d.weight)
	}
	return d
}

// divide distributes cpu, which is no more than the group can use, among its children. The
// children that need the least for their weight are served first. Once a child could use all of
// its share by weight, so could all later ones, and they divide the rest by weight.
func (d *demand) divide(cpu *big.Rat) Share {
	share := Share{CPU: cpu, Children: make([]Share, len(d.children))}
	rest, weights := new(big.Rat).Set(cpu), new(big.Rat)
	for i := range d.children {
		weights.Add(weights, d.children[i].weight)
	}
	var level *big.Rat // of the children that divide the rest
	for _, i := range d.byLevel() {
		c := &d.children[i]
		if level == nil && !c.isSaturated(rest, weights) {
			level = new(big.Rat).Quo(rest, weights)
		}
		part := new(big.Rat)
		if level != nil {
			part.Mul(level, c.weight)
		} else {
			part.Set(c.most)
			rest.Sub(rest, part)
			weights.Sub(weights, c.weight)
		}
		share.Children[i] = c.divide(part)
	}
	return share
}

// isSaturated reports whether a group cannot use more than its share, by weight, of the rest.
func (d *demand) isSaturated(rest, weights *big.Rat) bool {
	return d.level != nil && new(big.Rat).Quo(rest, weights).Cmp(d.level) >= 0
}

// byLevel returns the indices of the children in the order in which they reach their bound when each gets
// CPU by its weight. Children without a bound come last.
func (d *demand) byLevel() []int {
	order := make([]int, len(d.children))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := d.children[a].level, d.children[b].level
		switch {
		case x == nil && y == nil:
			return 0
		case x == nil:
			return 1
		case y == nil:
			return -1
		default:
			return x.Cmp(y)
		}
	})
	return order
}
