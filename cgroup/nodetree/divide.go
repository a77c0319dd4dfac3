package nodetree

import (
	"math/big"

	"github.com/kubemath/kubemath/cgroup"
	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/cgroup/contention"
)

// A weighing returns the weight of a group.
type weighing func(*Tree) int64

func byShares(g *Tree) int64 { return g.Config.Shares.Amount }

func byWeight(formula cgroup.Formula) weighing {
	return func(g *Tree) int64 { return cgroup.SharesToWeight(byShares(g), formula) }
}

// mixed: the kubelet computes the weights of tiers and pods, and the runtime those of
// containers.
func mixed(g *Tree) int64 {
	formula := cgroup.Linear
	if g.Level == Container {
		formula = cgroup.Logarithmic
	}
	return byWeight(formula)(g)
}

// divide sets what each group of the tree gets. All weights are above zero, and neither the
// capacity nor any bound is below: there is no error.
func (b *builder) divide(root *Tree) {
	capacity := big.NewRat(b.node.MilliCPU, 1)
	for _, way := range []struct {
		weigh  weighing
		result func(*CPU) **big.Rat
	}{
		{byShares, func(c *CPU) **big.Rat { return &c.Shares }},
		{byWeight(cgroup.Linear), func(c *CPU) **big.Rat { return &c.Linear }},
		{mixed, func(c *CPU) **big.Rat { return &c.Mixed }},
		{byWeight(cgroup.Logarithmic), func(c *CPU) **big.Rat { return &c.Logarithmic }},
	} {
		share, _ := contention.Divide(capacity, b.competitor(root, way.weigh))
		root.take(share, way.result)
	}
}

// take notes what the group and all below it get.
func (g *Tree) take(share contention.Share, result func(*CPU) **big.Rat) {
	*result(&g.CPU) = share.CPU
	for i := range g.Children {
		g.Children[i].take(share.Children[i], result)
	}
}

// competitor returns a group as one that competes for CPU. One in which nothing runs wants
// none.
func (b *builder) competitor(g *Tree, weigh weighing) contention.Group {
	c := contention.Group{Weight: weigh(g), Most: limit(g.Config)}
	for i := range g.Children {
		c.Children = append(c.Children, b.competitor(&g.Children[i], weigh))
	}
	if len(c.Children) == 0 && g.Level != Container {
		c.Most = new(big.Rat)
	}
	if g.Level == Container && g.demand != nil && (c.Most == nil || g.demand.Cmp(c.Most) < 0) {
		c.Most = g.demand
	}
	return c
}

// limit returns the thousandths of a CPU that a quota allows, and nil if there is none.
func limit(c cgroupconfig.Cgroup) *big.Rat {
	if c.Quota.State != cgroupconfig.Set {
		return nil
	}
	cpus := big.NewRat(c.Quota.Amount, c.Period.Amount)
	return cpus.Mul(cpus, big.NewRat(1000, 1))
}
