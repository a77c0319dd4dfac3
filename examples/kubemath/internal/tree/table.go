package tree

import (
	"fmt"
	"math/big"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/cgroup"
	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/cgroup/cgroupname"
	"github.com/kubemath/kubemath/cgroup/nodetree"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/examples/internal/terminal"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// table returns the tree as text.
func table(root *nodetree.Tree) string {
	rows := [][]string{{"", "class", "shares", "weight", "quota", "memory", "oom", "v1", "v2 old", "v2", "move"}}
	for depth, g := range root.All() {
		rows = append(rows, []string{
			strings.Repeat("  ", depth) + wording.Printable(g.Title), class(g), fmt.Sprint(g.Config.Shares), weight(g), quota(g), memory(g.Config.Memory), score(g),
			amountOf(g.CPU.Shares), amountOf(g.CPU.Linear), amountOf(g.CPU.Mixed), move(g),
		})
	}
	return terminal.Aligned(rows, 2) + legend
}

const legend = `
weight   is cpu.weight of cgroup v2: by the linear formula of the kubelet for tiers and pods,
         by the logarithmic formula of runc since 1.3.2 for containers
quota    is the most CPU that each may use, in milli-CPU
v1       is the CPU that each gets under cgroup v1 if all use as much as they can, in milli-CPU
v2 old   is the same under cgroup v2, with a runtime that uses the linear formula for containers
v2       is the same under cgroup v2, with a current runtime
move     is the gain or loss in the move from v1 to v2
`

func class(g *nodetree.Tree) string {
	if g.Level == cgroupname.Pod {
		return string(g.Class)
	}
	return ""
}

func score(g *nodetree.Tree) string {
	if g.Level == cgroupname.Container {
		return fmt.Sprint(g.OOMScoreAdj)
	}
	return ""
}

// weight returns the weight of a group with a current runtime.
func weight(g *nodetree.Tree) string {
	return fmt.Sprint(cgroup.SharesToWeight(g.Config.Shares.Amount, formulaOf(g)))
}

// formulaOf returns the formula of the component that sets the weight of a group.
func formulaOf(g *nodetree.Tree) cgroup.Formula {
	if g.Level == cgroupname.Container {
		return cgroup.Logarithmic
	}
	return cgroup.Linear
}

func quota(g *nodetree.Tree) string {
	if !g.Config.Quota.Set {
		return "-"
	}
	cpus := big.NewRat(g.Config.Quota.Amount, g.Config.Period.Amount)
	return amountOf(cpus.Mul(cpus, big.NewRat(1000, 1)))
}

// memory returns bytes in the largest unit without a remainder.
func memory(v cgroupconfig.Value) string {
	if !v.Set {
		return "-"
	}
	return quantity.Canonical(*resource.NewQuantity(v.Amount, resource.BinarySI))
}

// amountOf returns milli-CPU with at most one digit after the decimal point.
func amountOf(milliCPU *big.Rat) string { return strings.TrimSuffix(milliCPU.FloatString(1), ".0") }

// move returns how much more or less a group gets under v2 than under v1, in percent, and "" for less
// than half a percent.
func move(g *nodetree.Tree) string {
	before, after := g.CPU.Shares, g.CPU.Mixed
	if before.Sign() == 0 { // as is after
		return ""
	}
	percent := new(big.Rat).Quo(after, before)
	percent.Sub(percent.Mul(percent, big.NewRat(100, 1)), big.NewRat(100, 1))
	switch text := percent.FloatString(0); {
	case text == "0" || text == "-0":
		return ""
	case percent.Sign() > 0:
		return "+" + text + "%"
	default:
		return text + "%"
	}
}
