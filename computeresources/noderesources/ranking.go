package noderesources

import "slices"

// bestFit places pods by score. Pods with equal requests are of one kind, for which scores are
// kept, so that only those of nodes that changed have to be computed again.
type bestFit[S ranked] struct {
	*rows
	profile  Profile
	opts     *FitOptions
	requests []Request
	kinds    []kind // by pod

	rankings map[int]*ranking[S] // by kind
	changed  []int               // the rows on which pods have been placed
	scratch  profileScratch
}

// ranking is how good a place each node is for a kind of pods.
type ranking[S ranked] struct {
	scores []S // by row, padded to whole blocks; -1 where there is no room
	best   []S // of each block, or more
	seen   int // how many of the changed rows have been counted
}

// ranked are the types of scores in a ranking: the smaller one is enough for most profiles, and a ranking is read
// more often than scores are computed.
type ranked interface{ int16 | int64 }

// mostRankings is how many rankings are kept, two or eight bytes for each node.
const mostRankings = 1 << 10

// next returns the row for a pod, or -1.
func (b *bestFit[S]) next(pod int) int {
	k := b.profileRanker(&b.scratch, &b.requests[pod], b.profile)
	ranking := b.rankingOf(pod, &k)
	row := ranking.first()
	if row >= 0 {
		b.changed = append(b.changed, row)
	}
	return row
}

// rankingOf returns the ranking of the nodes in their current state.
func (b *bestFit[S]) rankingOf(pod int, k *profileRanker) *ranking[S] {
	r, known := b.rankings[b.kinds[pod].first]
	if !known {
		if len(b.rankings) == mostRankings {
			clear(b.rankings)
		}
		blocks := (len(b.names) + block - 1) / block
		r = &ranking[S]{scores: make([]S, blocks*block), best: make([]S, blocks)}
		if b.kinds[pod].pods > 1 {
			b.rankings[b.kinds[pod].first] = r
		}
	}
	if !known || len(b.changed)-r.seen > len(b.names) {
		b.rankAll(r, pod, k)
	} else {
		for _, row := range b.changed[r.seen:] {
			r.set(row, b.scoreOf(row, pod, k))
		}
	}
	r.seen = len(b.changed)
	return r
}

func (b *bestFit[S]) rankAll(r *ranking[S], pod int, k *profileRanker) {
	for row := range r.scores {
		r.scores[row] = -1
	}
	b.eachRow(&b.requests[pod], b.opts, func(row int) { r.scores[row] = S(k.score(row)) })
	for i := range r.best {
		r.best[i] = slices.Max(r.scores[i*block : i*block+block])
	}
}

func (b *bestFit[S]) scoreOf(row, pod int, k *profileRanker) S {
	if !b.ledgers[row].fits(&b.requests[pod], b.opts) {
		return -1
	}
	return S(k.score(row))
}

func (r *ranking[S]) set(row int, score S) {
	r.scores[row] = score
	r.best[row/block] = max(r.best[row/block], score)
}

// first returns the first row with the highest score, or -1. If no row of a block still has the former
// best score, it computes the best score again.
func (r *ranking[S]) first() int {
	for len(r.best) > 0 {
		best := slices.Max(r.best)
		if best < 0 {
			break
		}
		i := slices.Index(r.best, best)
		scores := r.scores[i*block : i*block+block]
		if j := slices.Index(scores, best); j >= 0 {
			return i*block + j
		}
		r.best[i] = slices.Max(scores)
	}
	return -1
}
