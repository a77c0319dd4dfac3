package places

import "slices"

// Choice is among which nodes the scheduler chooses.
type Choice struct {
	Equal    int      // how many have the highest score
	Nodes    []string // of these, the first mostNamed by name, sorted
	Feasible int      // on how many the pod may be
	Scored   int      // how many of the feasible ones the scheduler compares
	Relative []string // if these are not all: the plugins whose scores depend on which these are
}

// mostNamed is how many nodes of the highest score are named.
const mostNamed = 100

// chosen returns the name of the node that a search has found, and among which ones the scheduler chooses.
func (p *Places) chosen(s *Shape, best int) (node string, choice *Choice) {
	if best < 0 {
		return "", nil
	}
	node, found := p.nodes[best].object.Name, p.buffer
	highest, equal := found.scores[slices.Index(found.rows, best)], 0
	for _, score := range found.scores {
		if score == highest {
			equal++
		}
	}
	all := len(p.nodes)
	if names, areNamed := s.Named(); areNamed {
		all = len(names)
	}
	c := Choice{Equal: equal, Feasible: len(found.rows), Scored: min(p.opts.compared(all), len(found.rows))}
	if c.Equal == 1 && c.Scored == c.Feasible {
		return node, nil
	}
	c.Nodes = make([]string, 0, min(equal, mostNamed))
	for k, score := range found.scores {
		if score == highest && len(c.Nodes) < mostNamed {
			c.Nodes = append(c.Nodes, p.nodes[found.rows[k]].object.Name)
		}
	}
	if c.Scored < c.Feasible {
		c.Relative = slices.Clone(p.relative)
	}
	return node, &c
}

// The scheduler compares fewer than all nodes from so many on, and never fewer than that, and at least so many percent.
const (
	fewestCompared = 100
	leastPercent   = 5
)

// compared returns how many feasible ones of so many nodes the scheduler compares at most.
//
// Source: numFeasibleNodesToFind of k8s.io/kubernetes/pkg/scheduler.
func (o *Options) compared(nodes int) int {
	percent := int(o.PercentageOfNodesToScore)
	if percent == 0 {
		percent = max(50-nodes/125, leastPercent)
	}
	return min(nodes, max(nodes*percent/100, fewestCompared))
}
