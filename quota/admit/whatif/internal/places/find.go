package places

// candidates are nodes that a pod may be on, and their scores.
type candidates struct {
	rows   []int
	scores []int64
}

// empty returns no candidates, in the same memory.
func (c *candidates) empty() candidates { return candidates{c.rows[:0], c.scores[:0]} }

func (c *candidates) add(row int, score int64) {
	c.rows, c.scores = append(c.rows, row), append(c.scores, score)
}

// Find returns the node with the highest score on which a pod may be, the first of several, or an empty name, and among
// which nodes the scheduler chooses. The choice is nil if it has none.
func (p *Places) Find(s *Shape) (node string, choice *Choice) { return p.chosen(s, p.best(s)) }

// fewNodes is how many nodes are compared one by one.
const fewNodes = 32

// FindAgain is Find for a pod that had room on no node, of which some may have got room since.
func (p *Places) FindAgain(s *Shape, freed []string) (node string, choice *Choice) {
	if len(freed) <= fewNodes && !p.stateOf(s).IsLimitedElsewhere() && s.pod.Unscored() == "" {
		return p.chosen(s, p.bestOf(s, freed))
	}
	return p.Find(s)
}

// best returns the row of the node with the highest score, or -1.
func (p *Places) best(s *Shape) int {
	if s.isGated {
		return -1
	}
	if names, areNamed := s.Named(); areNamed {
		return p.bestOf(s, names)
	}
	f := p.fittingOf(s)
	if f.failed == p.version() {
		return -1
	}
	found, state := p.buffer.empty(), p.stateOf(s)
	for row, score := range p.rankingOf(s.request).Scores {
		if state.Accepts(row) && !(s.taken != nil && s.taken[p.nodes[row].object.Name]) {
			found.add(row, score)
		}
	}
	best := p.highest(s, found)
	if best < 0 {
		f.failed = p.version()
	}
	return best
}

// bestOf is best among a few nodes, which are sorted.
func (p *Places) bestOf(s *Shape, names []string) int {
	if s.isGated {
		return -1
	}
	found := p.buffer.empty()
	for _, name := range names {
		row, isKnown := p.find(name)
		if !isKnown || !s.isFor(name) || s.taken[name] || !p.stateOf(s).Accepts(row) {
			continue
		}
		if score, fits := p.resources.Score(s.request, name, p.opts.Scorers, p.opts.Fit); fits {
			found.add(row, score)
		}
	}
	return p.highest(s, found)
}

// failsToCompare reports whether a pod waits because it may be on several nodes, which the scheduler cannot compare.
func (p *Places) failsToCompare(s *Shape) bool {
	if s.pod.Unscored() == "" {
		return false
	}
	p.best(s)
	return p.fittingOf(s).unscored == p.version()
}

// highest returns the candidate with the highest score, the first of several, or -1 if there is none.
//
// Source: schedulePod of k8s.io/kubernetes/pkg/scheduler, which does not compare a single node.
func (p *Places) highest(s *Shape, of candidates) int {
	p.buffer = of
	if len(of.rows) > 1 && s.pod.Unscored() != "" {
		p.fittingOf(s).unscored = p.version()
		return -1
	}
	if p.opts.NoScores {
		clear(of.scores)
	}
	if len(of.rows) > 1 {
		p.relative = p.stateOf(s).AddScores(of.rows, of.scores)
	}
	best, highest := -1, int64(-1)
	for k, score := range of.scores {
		if score > highest {
			best, highest = of.rows[k], score
		}
	}
	return best
}
