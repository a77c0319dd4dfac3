package noderesources

import "slices"

// Ranking is how good a place each node of a Cluster is for pods with one request. It is a handle that computes, and no
// answer: it keeps the scores, and each question computes again those of the nodes that have changed since the last
// one. It must not be asked at the same time as anything else, nor while its Cluster is written to.
type Ranking struct {
	rows    *rows
	request Request
	profile Profile
	opts    FitOptions

	// scores are one more than the scores, or 0 where there is no room. Those that fall leave the largest of their
	// block as it is, until it is looked for.
	scores room
	seen   int64 // the version of the rows
}

// Rank returns the ranking of the nodes for pods with this request, by the scores of a profile. Nothing is computed
// until it is asked. Its Cluster may change, and so does the answer.
func (c *Cluster) Rank(r Request, p Profile, opts FitOptions) *Ranking {
	return c.orEmpty().rank(r, p, opts)
}

func (x *rows) rank(r Request, p Profile, opts FitOptions) *Ranking {
	return &Ranking{rows: x, request: r, profile: p, opts: opts, seen: -1}
}

// Request returns the request of the pods.
func (k *Ranking) Request() Request {
	if k == nil {
		return Request{}
	}
	return k.request
}

// Scores yields the nodes that have room, in the order of Cluster.Nodes: their index there, and their Ledger.Score.
//
// Cost: that of AppendFits and the scores for the first time, and then the scores of nodes that have changed.
func (k *Ranking) Scores(yield func(node int, score int64) bool) {
	if k == nil || k.rows == nil {
		return
	}
	k.refresh()
	for i, largest := range k.scores.largest {
		if largest == 0 {
			continue
		}
		for j, score := range k.scores.block(i) {
			if score > 0 && !yield(i*block+j, score-1) {
				return
			}
		}
	}
}

// best returns the first row with the highest score, or -1.
func (k *Ranking) best() int {
	k.refresh()
	for len(k.scores.largest) > 0 {
		best := slices.Max(k.scores.largest)
		if best == 0 {
			break
		}
		i := slices.Index(k.scores.largest, best)
		scores := k.scores.block(i)[:]
		if j := slices.Index(scores, best); j >= 0 {
			return i*block + j
		}
		k.scores.largest[i] = slices.Max(scores)
	}
	return -1
}

// refresh computes the scores of rows that have changed.
func (k *Ranking) refresh() {
	x := k.rows
	if k.seen == x.version {
		return
	}
	s := x.scorers(&k.request, k.profile)
	if k.seen < x.ordered {
		k.scores = newRoom(len(x.names))
		x.eachFit(&k.request, &k.opts, 0, func(row int) bool {
			k.scores.amounts[row] = s.score(row) + 1
			return true
		})
		k.scores.compareFrom(0)
	} else {
		for row := range x.since(k.seen) {
			score := int64(0)
			if x.members[row].fits(&k.request, &k.opts) {
				score = s.score(row) + 1
			}
			k.scores.amounts[row] = score
			k.scores.largest[row/block] = max(k.scores.largest[row/block], score)
		}
	}
	k.seen = x.version
}

// since returns the rows that have changed since a version.
func (x *rows) since(version int64) func(yield func(row int) bool) {
	return func(yield func(row int) bool) {
		for i, last := range x.changed.largest {
			if last <= version {
				continue
			}
			for j, at := range x.changed.block(i) {
				if at > version && !yield(i*block+j) {
					return
				}
			}
		}
	}
}
