package contention

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// Group is a cgroup with all below it, or a process.
type Group struct {
	// Weight is its cpu.weight, or its cpu.shares: above zero. That of the root does
	// not count.
	Weight int64

	// Most is the most CPU that the group can use: the smaller of its quota and its demand.
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

// Divide divides the capacity among the groups. A group gets at most its Most. Siblings that can
// use more get CPU in proportion to their weights. Capacity is only left unused if no group can use
// more.
//
// It returns a GroupError if the capacity is nil or negative, a Most is negative, or a
// weight is not above zero.
//
// Cost: n log n comparisons of fractions for n siblings.
func Divide(capacity *big.Rat, root Group) (Share, error) {
	if capacity == nil || capacity.Sign() < 0 {
		return Share{}, &GroupError{Detail: "the capacity is nil or negative"}
	}
	if err := root.check(nil); err != nil {
		return Share{}, err
	}
	d := demandOf(&root)
	cpu := new(big.Rat).Set(capacity)
	if d.most != nil && d.most.Cmp(cpu) < 0 {
		cpu.Set(d.most)
	}
	return d.divide(cpu), nil
}

// GroupError is returned for an invalid group.
type GroupError struct {
	Path   []int // indices of children, from the root to the group; empty for the root
	Detail string
}

// Error returns "group 0.2: weight 0 is not above zero", and "root: ..." for the root.
func (e *GroupError) Error() string {
	if len(e.Path) == 0 {
		return "root: " + e.Detail
	}
	indices := make([]string, len(e.Path))
	for i, index := range e.Path {
		indices[i] = strconv.Itoa(index)
	}
	return "group " + strings.Join(indices, ".") + ": " + e.Detail
}

func (g *Group) check(path []int) error {
	if g.Most != nil && g.Most.Sign() < 0 {
		return &GroupError{slices.Clone(path), fmt.Sprintf("it can use %s at most", g.Most.RatString())}
	}
	for i := range g.Children {
		c, below := &g.Children[i], append(path, i)
		if c.Weight <= 0 {
			return &GroupError{slices.Clone(below), fmt.Sprintf("weight %d is not above zero", c.Weight)}
		}
		if err := c.check(below); err != nil {
			return err
		}
	}
	return nil
}

// demand is the most that a group and its descendants can use.
type demand struct {
	weight   *big.Rat
	most     *big.Rat // nil: no bound
	children []demand
}

func demandOf(g *Group) demand {
	d := demand{weight: new(big.Rat).SetInt64(g.Weight), most: g.Most}
	if len(g.Children) == 0 {
		return d
	}
	sum := new(big.Rat)
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
	if d.most == nil || sum != nil && sum.Cmp(d.most) < 0 {
		d.most = sum
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
	var perWeight *big.Rat // of the groups that divide the rest
	for _, i := range d.bySaturation() {
		c := &d.children[i]
		if perWeight == nil && !c.saturated(rest, weights) {
			perWeight = new(big.Rat).Quo(rest, weights)
		}
		part := new(big.Rat)
		if perWeight != nil {
			part.Mul(perWeight, c.weight)
		} else {
			part.Set(c.most)
			rest.Sub(rest, part)
			weights.Sub(weights, c.weight)
		}
		share.Children[i] = c.divide(part)
	}
	return share
}

// saturated reports whether a group cannot use more than its share, by weight, of the rest.
func (d *demand) saturated(rest, weights *big.Rat) bool {
	if d.most == nil {
		return false
	}
	part := new(big.Rat).Mul(rest, d.weight)
	return part.Quo(part, weights).Cmp(d.most) >= 0
}

// bySaturation returns the indices of the children in the order in which they reach their bound
// when each gets CPU by its weight: by most / weight. Children without a bound come last.
func (d *demand) bySaturation() []int {
	order := make([]int, len(d.children))
	perWeight := make([]*big.Rat, len(d.children))
	for i, c := range d.children {
		order[i] = i
		if c.most != nil {
			perWeight[i] = new(big.Rat).Quo(c.most, c.weight)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := perWeight[a], perWeight[b]
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
