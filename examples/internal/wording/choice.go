package wording

import (
	"fmt"

	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// Placed is a pod that was placed on a node.
type Placed struct {
	Owner, Node string
	Choice      whatif.Choice
}

// Choices says of which nodes the scheduler draws one, and how many it compares: a line each, if another node is possible.
func Choices(placed []Placed) (lines []string) {
	on := map[[2]string]int{} // how many pods of an owner are on a node
	for _, p := range placed {
		on[[2]string{p.Owner, p.Node}]++
	}
	drawn := map[string]bool{} // the owners for whose pods it matters which nodes are drawn
	for _, p := range placed {
		c := &p.Choice
		drawn[p.Owner] = drawn[p.Owner] || c.Equal > max(len(c.Nodes), 1)
		for _, name := range c.Nodes {
			drawn[p.Owner] = drawn[p.Owner] || on[[2]string{p.Owner, name}] != on[[2]string{p.Owner, p.Node}]
		}
	}
	var equal, scored, feasible numbers
	for _, p := range placed {
		if p.Choice.Equal > 1 && drawn[p.Owner] {
			equal.add(p.Choice.Equal)
		}
		if p.Choice.Scored < p.Choice.Feasible {
			scored.add(p.Choice.Scored)
			feasible.add(p.Choice.Feasible)
		}
	}
	if equal.n > 0 {
		lines = append(lines, fmt.Sprintf("%s on one of %v equal nodes: the scheduler draws one, and later pods may differ with it",
			Count(equal.n, "pod"), &equal))
	}
	if scored.n > 0 {
		lines = append(lines, fmt.Sprintf("%s on the best of %v nodes, of which the scheduler compares %v: the best of these may be another one",
			Count(scored.n, "pod"), &feasible, &scored))
	}
	return lines
}

// numbers are how many numbers there are, and the least and the most of them.
type numbers struct {
	n           int64
	least, most int
}

func (r *numbers) add(i int) {
	if r.n == 0 {
		r.least, r.most = i, i
	}
	r.n, r.least, r.most = r.n+1, min(r.least, i), max(r.most, i)
}

func (r *numbers) String() string {
	if r.least == r.most {
		return fmt.Sprint(r.least)
	}
	return fmt.Sprintf("%d to %d", r.least, r.most)
}
