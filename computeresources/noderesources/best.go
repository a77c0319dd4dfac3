package noderesources

import "github.com/kubemath/kubemath/internal/quantity"

// AppendScores appends to dst the Ledger.Score of each node for a pod with this request, in the
// order of Nodes. It does not check whether the pod fits. Besides dst, it allocates only for the scorers.
func (c *Cluster) AppendScores(dst []int64, r Request, p Profile) []int64 {
	c = c.orEmpty()
	k := c.scorers(&r, p)
	for row := range c.names {
		dst = append(dst, k.score(row))
	}
	return dst
}

// Best returns the node with the highest Ledger.Score among those on which a pod with this request
// fits, and its score. Among nodes with the same score, it is the first one by name. Found is false
// if the pod fits on none.
//
// The scheduler scores only a sample of the nodes of a large cluster (percentageOfNodesToScore), and chooses
// randomly among the nodes with the highest score. It also adds scores that do not depend on resources: see
// Profile.
func (c *Cluster) Best(r Request, p Profile, opts FitOptions) (name string, score int64, found bool) {
	c = c.orEmpty()
	k := c.scorers(&r, p)
	best := -1
	c.eachFit(&r, &opts, 0, func(row int) bool {
		if other := k.score(row); best < 0 || other > score {
			best, score = row, other
		}
		return true
	})
	if best < 0 {
		return "", 0, false
	}
	return c.names[best], score, true
}

// rowScorers compute the scores of rows for a pod by a profile.
type rowScorers []rowScorer

// rowScorer computes the scores of rows for a pod by one scorer.
type rowScorer struct {
	comparison
	weight  int64
	columns []scoreColumn // of each term
	members []*member
	exact   bool
	amounts []utilization // of one row
}

// scoreColumn is a resource on each node.
type scoreColumn struct{ requested, allocatable []int64 }

// scorers returns the scorers of a profile for a pod. The columns hold sums that saturate at an int64. If the
// pod requests a negative amount, scores are computed from the exact sums of the ledgers, because the sum with
// the pod may fit into an int64 again.
func (x *rows) scorers(r *Request, p Profile) rowScorers {
	scorers := make(rowScorers, p.len())
	for i := range scorers {
		w := p.at(i)
		k := rowScorer{comparison: compile(nil, r, &w.Scorer), weight: w.weight(), members: x.members}
		for j := range k.terms {
			t := &k.terms[j]
			k.exact = k.exact || t.pod < 0
			k.columns = append(k.columns, x.scoreColumn(t))
		}
		k.amounts = make([]utilization, 0, len(k.terms))
		scorers[i] = k
	}
	return scorers
}

func (x *rows) scoreColumn(t *term) scoreColumn {
	if t.isNative {
		c := scoreColumn{x.native[t.native].requested, x.native[t.native].allocatable}
		if t.nonZero {
			c.requested = x.nonZero[t.native]
		}
		return c
	}
	if i, found := x.indexOf(t.name); found {
		return scoreColumn{x.scalars[i].requested, x.scalars[i].allocatable}
	}
	return scoreColumn{}
}

// score returns the score of a row.
func (k rowScorers) score(row int) (sum int64) {
	for i := range k {
		sum += k[i].weight * k[i].score(row)
	}
	return sum
}

func (k *rowScorer) score(row int) int64 {
	amounts := k.amounts[:0]
	if k.exact {
		return k.comparison.score(k.members[row].utilizations(amounts, k.terms))
	}
	for i := range k.columns {
		c := &k.columns[i]
		if c.allocatable == nil { // that no node has
			amounts = append(amounts, utilization{})
			continue
		}
		without := c.requested[row]
		with := quantity.AddSaturated(without, k.terms[i].pod)
		amounts = append(amounts, utilization{max(without, 0), max(with, 0), c.allocatable[row]})
	}
	return k.comparison.score(amounts)
}
