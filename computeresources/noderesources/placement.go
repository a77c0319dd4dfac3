package noderesources

// Placements are the nodes on which the pods of a list were placed, one after the other.
type Placements struct {
	// Nodes are the names of the nodes, one for each pod of the list: "" for those in
	// Unplaced.
	Nodes []string `json:"nodes,omitempty"`
	// Unplaced are the pods that did not fit on any node at their turn, by their index in the list,
	// and why. It is nil if all were placed.
	Unplaced map[int]*FitError `json:"unplaced,omitempty"`
}

// FirstFit returns the placements of pods with these requests if each is placed on the first node,
// by name, on which it fits in addition to the pods placed before. The cluster does not change. A
// list in decreasing order usually needs fewer nodes; see EstimateNodes.
//
// Cost: linear in the number of nodes, n·log(n) for n pods as a rule, and linear in the
// number of nodes for each unplaced pod.
func (c *Cluster) FirstFit(requests []Request, opts FitOptions) Placements {
	x := c.orEmpty().rows.copy()
	return x.placeAll(requests, &opts, func(pod int) int { return x.firstFit(&requests[pod], &opts, 0, nil) })
}

// BestFit returns the placements of pods with these requests if each is placed on the node that
// Best returns at its turn: the node with the highest score among those on which it fits in
// addition to the pods placed before, and among several the first one by name. The cluster does not
// change.
//
// Cost: for each pod, that of scores for the nodes that changed since the last pod with an equal
// request, of all nodes at most; and linear in the number of nodes for each unplaced pod.
func (c *Cluster) BestFit(requests []Request, p Profile, opts FitOptions) Placements {
	b := &bestFit{
		rows: c.orEmpty().rows.copy(), profile: p, opts: opts, requests: requests, first: firstEqual(requests),
		rankings: map[int]*Ranking{},
	}
	return b.placeAll(requests, &opts, b.next)
}

// placeAll places pods on the rows that next returns, until it returns -1.
func (x *rows) placeAll(requests []Request, opts *FitOptions, next func(pod int) int) Placements {
	p := Placements{Nodes: make([]string, len(requests))}
	for pod := range requests {
		row := next(pod)
		if row < 0 {
			if p.Unplaced == nil {
				p.Unplaced = map[int]*FitError{}
			}
			p.Unplaced[pod] = x.fitError(&requests[pod], opts, nil)
			continue
		}
		x.count(row, &requests[pod])
		p.Nodes[pod] = x.names[row]
	}
	return p
}
