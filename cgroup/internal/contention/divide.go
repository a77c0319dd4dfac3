// Package contention divides CPU among the cgroups of a tree that all want it, in exact fractions: weighted max-min
// fairness, as package nodetree says.
package contention

import (
	"math/big"
	"slices"

	"github.com/kubemath/kubemath/internal/ordering"
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
	index    int // among its siblings
	weight   *big.Rat
	most     *big.Rat // nil: no bound
	level    *big.Rat // most by weight
	children []demand // by level; those without a bound come last
}

func demandOf(g *Group) demand {
	d := demand{weight: big.NewRat(g.Weight, 1), most: g.Most}
	sum := new(big.Rat) // nil: no bound
	for i := range g.Children {
		c := demandOf(&g.Children[i])
		c.index = i
		d.children = append(d.children, c)
		if c.most == nil {
			sum = nil
		}
		if sum != nil {
			sum.Add(sum, c.most)
		}
	}
	slices.SortStableFunc(d.children, demand.compare)
	if len(g.Children) > 0 && sum != nil && (d.most == nil || sum.Cmp(d.most) < 0) {
		d.most = sum
	}
	if d.most != nil {
		d.level = new(big.Rat).Quo(d.most, d.weight)
	}
	return d
}

// compare orders groups by when they reach their bounds if each gets CPU by its weight.
func (d demand) compare(other demand) int {
	if d.level == nil || other.level == nil {
		return ordering.TrueFirst(d.level != nil, other.level != nil)
	}
	return d.level.Cmp(other.level)
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
	level, isOpen := new(big.Rat), false // of the children that divide the rest, and whether it is reached
	for i := range d.children {
		c := &d.children[i]
		if !isOpen {
			level.Quo(rest, weights)
			isOpen = c.level == nil || level.Cmp(c.level) < 0
		}
		part := new(big.Rat)
		if isOpen {
			part.Mul(level, c.weight)
		} else {
			part.Set(c.most)
			rest.Sub(rest, part)
			weights.Sub(weights, c.weight)
		}
		share.Children[c.index] = c.divide(part)
	}
	return share
}
