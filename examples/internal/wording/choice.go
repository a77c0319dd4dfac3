package wording

import (
	"fmt"
	"slices"

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
	var equal, scored, feasible []int
	for _, p := range placed {
		if p.Choice.Equal > 1 && drawn[p.Owner] {
			equal = append(equal, p.Choice.Equal)
		}
		if p.Choice.Scored < p.Choice.Feasible {
			scored, feasible = append(scored, p.Choice.Scored), append(feasible, p.Choice.Feasible)
		}
	}
	if len(equal) > 0 {
		lines = append(lines, fmt.Sprintf("%s on one of %v equal nodes: the scheduler draws one, and later pods may differ with it",
			Count(int64(len(equal)), "pod"), span(equal)))
	}
	if len(scored) > 0 {
		lines = append(lines, fmt.Sprintf("%s on the best of %v nodes, of which the scheduler compares %v: the best of these may be another one",
			Count(int64(len(scored)), "pod"), span(feasible), span(scored)))
	}
	return lines
}

// span returns the least and the most of numbers: "3 to 5", or "3".
func span(numbers []int) string {
	least, most := slices.Min(numbers), slices.Max(numbers)
	if least == most {
		return fmt.Sprint(least)
	}
	return fmt.Sprintf("%d to %d", least, most)
}
