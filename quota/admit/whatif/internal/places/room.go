package places

// Room returns how many pods of a shape, up to a number, get a node one after the other, and why no more do. The places
// must not be used afterwards.
func (p *Places) Room(s *Shape, most int64) (n int64, full error) {
	switch {
	case s.isGated:
		return 0, gated()
	case p.stateOf(s).IsLimitedElsewhere() || s.pod.Unscored() != "":
		return p.roomInTurn(s, most)
	case s.taken != nil || s.pod.ExcludesItself():
		for _, row := range p.open(s) {
			p.put(s, row)
			n++
		}
		return n, p.WhyWaiting(s)
	}
	n, next := p.resources.Replicas(s.request, p.opts.Fit, p.filterOf(s))
	return n, p.explained(s, next)
}

// roomInTurn places one pod after the other, because each may open nodes for the next, or close them.
func (p *Places) roomInTurn(s *Shape, most int64) (n int64, full error) {
	for ; n < most; n++ {
		row := p.best(s)
		if row < 0 {
			return n, p.WhyWaiting(s)
		}
		p.put(s, row)
	}
	return n, nil
}

// open returns the rows that a pod may be on.
func (p *Places) open(s *Shape) (rows []int) {
	f := p.filterOf(s)
	for row := range p.rankingOf(s.request).Scores {
		if before, _ := f.BeforeResources(row); before == "" && f.state.Accepts(row) {
			rows = append(rows, row)
		}
	}
	return rows
}

// put puts a further pod of a shape on a node.
func (p *Places) put(s *Shape, row int) {
	object, name := *s.pod.Object(), p.nodes[row].object.Name
	_ = p.resources.AddPod("", name, s.request)
	n := p.own(row)
	n.pods = append(n.pods, &Pod{Object: &object, Node: name, Request: s.request})
	p.noteMove(move{node: row, pod: &object})
	if s.taken != nil {
		s.taken[name] = true
	}
}
