package nodetree

import (
	"math/big"

	"github.com/kubemath/kubemath/cgroup"
	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/cgroup/cgroupname"
	"github.com/kubemath/kubemath/cgroup/internal/contention"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// weightFunc returns the weight of a cgroup.
type weightFunc func(*Tree) int64

func byShares(t *Tree) int64 { return t.Config.Shares.Amount }

func linear(t *Tree) int64 { return cgroup.SharesToLinearWeight(byShares(t)) }

// kubeletThenRuntime returns the weights that are set today: the kubelet computes the weights of tiers and pods,
// and the runtime computes those of containers.
func kubeletThenRuntime(t *Tree) int64 {
	if t.Level == cgroupname.Container {
		return cgroup.SharesToLogarithmicWeight(byShares(t))
	}
	return linear(t)
}

// divide sets the CPU that each cgroup of the tree gets.
func (b *builder) divide(root *Tree) {
	capacity := big.NewRat(b.opts.MilliCPU, 1)
	shareOf := func(weigh weightFunc) contention.Share {
		return contention.Divide(capacity, b.competitor(root, weigh))
	}
	root.take(shareOf(byShares), shareOf(linear), shareOf(kubeletThenRuntime))
}

// take records the CPU of the tree and of all trees below it.
func (t *Tree) take(shares, linear, mixed contention.Share) {
	exactly := func(s contention.Share) resourcelist.Rational { return resourcelist.Rational(s.CPU.RatString()) }
	t.CPU.Shares, t.CPU.Linear, t.CPU.Mixed = exactly(shares), exactly(linear), exactly(mixed)
	for i := range t.Children {
		t.Children[i].take(shares.Children[i], linear.Children[i], mixed.Children[i])
	}
}

// competitor returns a tree as a group that competes for CPU. A tree without running containers
// has a demand of zero.
func (b *builder) competitor(t *Tree, weigh weightFunc) contention.Group {
	g := contention.Group{Weight: weigh(t), Most: limit(t.Config)}
	for i := range t.Children {
		g.Children = append(g.Children, b.competitor(&t.Children[i], weigh))
	}
	if len(g.Children) == 0 && t.Level != cgroupname.Container {
		g.Most = new(big.Rat)
	}
	if t.Demand != nil {
		if demand := big.NewRat(*t.Demand, 1); g.Most == nil || demand.Cmp(g.Most) < 0 {
			g.Most = demand
		}
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
