package tree

import (
	"cmp"
	"fmt"
	"io"
	"math/big"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/cgroup"
	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/cgroup/cgroupname"
	"github.com/kubemath/kubemath/cgroup/nodetree"
	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/listing"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

func (n *Node) group(depth int, g *nodetree.Tree) Group {
	own := Group{Depth: depth, Title: g.Title, Quota: quota(g), Memory: memory(g.Config.Memory)}
	if g.Level == cgroupname.Pod {
		own.Class = string(g.Class)
	}
	if n.CPU != "" || g.Level != cgroupname.AllPods {
		own.Shares, own.Weight = fmt.Sprint(g.Config.Shares), fmt.Sprint(weightOf(g)(g.Config.Shares.Amount))
	}
	if g.Level == cgroupname.Container && (n.Capacity != "" || g.Class != corev1.PodQOSBurstable) {
		own.OOM = fmt.Sprint(g.OOMScoreAdj)
	}
	if n.CPU != "" {
		own.V1, own.V2Old, own.V2 = amountOf(g.CPU.Shares.Rat()), amountOf(g.CPU.Linear.Rat()), amountOf(g.CPU.Mixed.Rat())
		own.Move = move(g)
	}
	return own
}

// headings are those of the table, above the cells of row.
var headings = []string{"", "class", "shares", "weight", "quota", "memory", "oom", "v1", "v2 old", "v2", "move"}

// row returns the cells of a cgroup: "-" for no limit, and "?", or nothing, for what depends on an unknown amount of the node.
func (g *Group) row() []string {
	return []string{strings.Repeat("  ", g.Depth) + wording.Printable(g.Title), g.Class, cmp.Or(g.Shares, "?"),
		cmp.Or(g.Weight, "?"), cmp.Or(g.Quota, "-"), cmp.Or(g.Memory, "-"), g.OOM, g.V1, g.V2Old, g.V2, g.Move}
}

// rows returns a row for each cgroup, with its place among the others.
func (r *Report) rows() *listing.List {
	l := &listing.List{Columns: []string{"NODE", "CGROUP"}}
	for _, heading := range headings[1:] {
		l.Columns = append(l.Columns, strings.ToUpper(strings.ReplaceAll(heading, " ", "-")))
	}
	for i := range r.Nodes {
		var path []string
		for _, g := range r.Nodes[i].Groups {
			path = append(path[:g.Depth], g.Title)
			cells := []any{listing.Text(r.Nodes[i].Name), strings.Join(path, "/")}
			for _, text := range []string{g.Class, g.Shares, g.Weight, g.Quota, g.Memory, g.OOM, g.V1, g.V2Old, g.V2, g.Move} {
				cells = append(cells, listing.Text(text))
			}
			l.Add("", cells...)
		}
	}
	return l
}

func (r *Report) write(s *command.Session) {
	if len(r.Nodes) == 0 {
		s.WriteString("no nodes\n\n")
	}
	for _, n := range r.Nodes {
		rows := [][]string{headings}
		for _, g := range n.Groups {
			rows = append(rows, g.row())
		}
		s.Hang("", n.title())
		s.Line("")
		s.Aligned(rows, 2)
		s.Line("")
	}
	if n := len(r.Unplaced); n > 0 {
		pods := wording.Count(int64(n), "pod") + ": " + wording.Printable(wording.Tally(r.Unplaced))
		s.Hang("", "Without a node, and so without cgroups: "+pods)
		s.Line("")
	}
	if len(r.Nodes) > 0 {
		s.WriteString(legend)
	}
}

// title returns "Node n1: cpu 7910m, memory 29Gi for pods, of 32Gi".
func (n *Node) title() string {
	amounts := "cpu " + cmp.Or(n.CPU, "unknown") + ", memory " + cmp.Or(n.Memory, "unknown")
	if n.Capacity != "" && n.Capacity != n.Memory {
		amounts += " of " + n.Capacity
	}
	switch {
	case n.Name == "":
		return "One node for all pods, because the input has no Node: " + amounts
	case n.isUnknown:
		return "Node " + wording.Printable(n.Name) + ", which is not in the input: " + amounts
	}
	return "Node " + wording.Printable(n.Name) + ": " + amounts
}

const legend = `weight   is cpu.weight of cgroup v2: by the linear formula of the kubelet for tiers and pods,
         by the logarithmic formula of runc since 1.3.2 for containers
quota    is the most CPU that each may use, in milli-CPU
v1       is the CPU that each gets under cgroup v1 if all use as much as they can, in milli-CPU
v2 old   is the same under cgroup v2, with a runtime that uses the linear formula for containers
v2       is the same under cgroup v2, with a current runtime
move     is the gain or loss in the move from v1 to v2
`

// weightOf returns the conversion of the component that sets the weight of a group.
func weightOf(g *nodetree.Tree) func(shares int64) int64 {
	if g.Level == cgroupname.Container {
		return cgroup.SharesToLogarithmicWeight
	}
	return cgroup.SharesToLinearWeight
}

// quota returns milli-CPU, "" if there is no quota.
func quota(g *nodetree.Tree) string {
	if !g.Config.Quota.Set {
		return ""
	}
	cpus := big.NewRat(g.Config.Quota.Amount, g.Config.Period.Amount)
	return amountOf(cpus.Mul(cpus, big.NewRat(1000, 1)))
}

// memory returns bytes in the largest unit without a remainder, "" if there is no limit.
func memory(v cgroupconfig.Value) string {
	if !v.Set {
		return ""
	}
	return memoryOf(v.Amount)
}

func memoryOf(bytes int64) string {
	return quantity.Canonical(*resource.NewQuantity(bytes, resource.BinarySI))
}

// amountOf returns milli-CPU with at most one digit after the decimal point.
func amountOf(milliCPU *big.Rat) string { return strings.TrimSuffix(milliCPU.FloatString(1), ".0") }

// move returns how much more or less a group gets under v2 than under v1, in percent, and "" for less
// than half a percent.
func move(g *nodetree.Tree) string {
	before, after := g.CPU.Shares.Rat(), g.CPU.Mixed.Rat()
	if before.Sign() == 0 { // as is after
		return ""
	}
	percent := new(big.Rat).Quo(after, before)
	percent.Sub(percent.Mul(percent, big.NewRat(100, 1)), big.NewRat(100, 1))
	text := percent.FloatString(0)
	switch {
	case text == "0" || text == "-0":
		return ""
	case percent.Sign() > 0:
		return "+" + text + "%"
	default:
		return text + "%"
	}
}

const mountPoint = "/sys/fs/cgroup"

// writeFiles writes a line for each file of a group and of all below it, or for each property of its systemd unit, with
// the contents. Parent is the path of the group above.
func writeFiles(to io.Writer, g *nodetree.Tree, parent string, format string) {
	path := g.Path
	if path == "" { // the runtime names it at the start
		path = parent + "/<" + wording.Printable(g.Title) + ">"
	}
	switch format {
	case "v1":
		for _, s := range g.Config.V1() {
			controller, _, _ := strings.Cut(s.Name, ".")
			fmt.Fprintf(to, "%s/%s%s/%s %s\n", mountPoint, controller, path, s.Name, s.Value)
		}
	case "v2":
		for _, s := range g.Config.V2(weightOf(g)) {
			fmt.Fprintf(to, "%s%s/%s %s\n", mountPoint, path, s.Name, s.Value)
		}
	default:
		for _, s := range g.Config.SystemdV2(weightOf(g)) {
			fmt.Fprintf(to, "%s %s=%s\n", path[strings.LastIndexByte(path, '/')+1:], s.Name, s.Value)
		}
	}
	for i := range g.Children {
		writeFiles(to, &g.Children[i], path, format)
	}
}
