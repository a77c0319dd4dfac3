package nodetree

import (
	"math/big"

	"github.com/kubemath/kubemath/cgroup"
	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/cgroup/internal/contention"
)

// A weighing returns the weight of a cgroup.
type weighing func(*Tree) int64

func byShares(t *Tree) int64 { return t.Config.Shares.Amount }

func byWeight(formula cgroup.Formula) weighing {
	return func(t *Tree) int64 { return cgroup.SharesToWeight(byShares(t), formula) }
}

// mixed: the kubelet computes the weights of tiers and pods, and the runtime computes those of
// containers.
func mixed(t *Tree) int64 {
	formula := cgroup.Linear
	if t.Level == Container {
		formula = cgroup.Logarithmic
	}
	return byWeight(formula)(t)
}

// divide sets the CPU that each cgroup of the tree gets. It returns no error, because all weights
// are above zero, and neither the capacity nor any bound is negative.
func (b *builder) divide(root *Tree) {
	capacity := big.NewRat(b.opts.MilliCPU, 1)
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

// take records the CPU of the tree and of all trees below it.
func (t *Tree) take(share contention.Share, result func(*CPU) **big.Rat) {
	*result(&t.CPU) = share.CPU
	for i := range t.Children {
		t.Children[i].take(share.Children[i], result)
	}
}

// competitor returns a tree as a group that competes for CPU. A tree without running containers
// has a demand of zero.
func (b *builder) competitor(t *Tree, weigh weighing) contention.Group {
	g := contention.Group{Weight: weigh(t), Most: limit(t.Config)}
	for i := range t.Children {
		g.Children = append(g.Children, b.competitor(&t.Children[i], weigh))
	}
	if len(g.Children) == 0 && t.Level != Container {
		g.Most = new(big.Rat)
	}
	if t.Level == Container && t.demand != nil && (g.Most == nil || t.demand.Cmp(g.Most) < 0) {
		g.Most = t.demand
	}
	return g
}

// limit returns the milli-units of CPU that a quota allows, and nil if there is no quota.
func limit(c cgroupconfig.Cgroup) *big.Rat {
	if !c.Quota.Set {
		return nil
	}
	cpus := big.NewRat(c.Quota.Amount, c.Period.Amount)
	return cpus.Mul(cpus, big.NewRat(1000, 1))
}
