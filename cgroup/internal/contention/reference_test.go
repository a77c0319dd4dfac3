package contention_test

import (
	"math/big"

	"github.com/kubemath/kubemath/cgroup/internal/contention"
)

// tank is a group of the reference implementation, which fills a tree as the kernel does: all leaves at
// the same time, each at a rate that depends on the weights of the groups that are not full, until one of
// them is full, and so on.
type tank struct {
	weight   int64
	most     *big.Rat
	level    *big.Rat
	children []*tank
}

func newTank(g contention.Group) *tank {
	t := &tank{weight: g.Weight, most: g.Most, level: new(big.Rat)}
	for _, c := range g.Children {
		t.children = append(t.children, newTank(c))
	}
	return t
}

// flows reports whether the group can still take more.
func (t *tank) flows() bool {
	if t.most != nil && t.level.Cmp(t.most) >= 0 {
		return false
	}
	for _, c := range t.children {
		if c.flows() {
			return true
		}
	}
	return len(t.children) == 0
}

// each calls visit for every tank that can take more, with its rate.
func (t *tank) each(rate *big.Rat, visit func(*tank, *big.Rat)) {
	visit(t, rate)
	weights := new(big.Rat)
	for _, c := range t.children {
		if c.flows() {
			weights.Add(weights, big.NewRat(c.weight, 1))
		}
	}
	for _, c := range t.children {
		if c.flows() {
			part := new(big.Rat).Mul(rate, big.NewRat(c.weight, 1))
			c.each(part.Quo(part, weights), visit)
		}
	}
}

func (t *tank) share() contention.Share {
	s := contention.Share{CPU: t.level, Children: []contention.Share{}}
	for _, c := range t.children {
		s.Children = append(s.Children, c.share())
	}
	return s
}

func slowDivide(capacity *big.Rat, root contention.Group) contention.Share {
	t := newTank(root)
	for left := new(big.Rat).Set(capacity); left.Sign() > 0 && t.flows(); {
		// The time, at a rate of 1 into the root, until the first tank is full.
		step := new(big.Rat).Set(left)
		t.each(big.NewRat(1, 1), func(t *tank, rate *big.Rat) {
			if t.most == nil {
				return
			}
			until := new(big.Rat).Sub(t.most, t.level)
			until.Quo(until, rate)
			if until.Cmp(step) < 0 {
				step.Set(until)
			}
		})
		type flow struct {
			t    *tank
			rate *big.Rat
		}
		var flows []flow
		t.each(big.NewRat(1, 1), func(t *tank, rate *big.Rat) { flows = append(flows, flow{t, rate}) })
		for _, f := range flows {
			f.t.level.Add(f.t.level, new(big.Rat).Mul(f.rate, step))
		}
		left.Sub(left, step)
	}
	return t.share()
}
