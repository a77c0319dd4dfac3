package noderesources

import (
	"math/bits"

	"github.com/kubemath/kubemath/internal/quantity"
)

// AppendScores appends to dst the Ledger.Score of each node for a pod with this request, in the
// order of Nodes. It does not check whether the pod fits. It does not allocate if dst has room and
// the Profile has at most two scorers of at most eight resources each.
func (c *Cluster) AppendScores(dst []int64, r Request, p Profile) []int64 {
	var m profileScratch
	k := c.profileRanker(&m, &r, p)
	for row := range c.names {
		dst = append(dst, k.score(row))
	}
	return dst
}

// Best returns the node with the highest Ledger.Score among those on which a pod with this request
// fits, and its score. Among nodes with the same score, it is the first one by name. Found is false
// if the pod fits on none. It does not allocate if the Profile has at most two scorers of at most eight
// resources each and the request at most eight scalar ones.
//
// The scheduler scores only a sample of the nodes of a large cluster (percentageOfNodesToScore), and chooses
// randomly among the nodes with the highest score. It also adds scores that do not depend on resources: see
// Profile.
func (c *Cluster) Best(r Request, p Profile, opts FitOptions) (name string, score int64, found bool) {
	var m profileScratch
	k := c.profileRanker(&m, &r, p)
	best := -1
	c.eachRow(&r, &opts, func(row int) {
		if other := k.score(row); best < 0 || other > score {
			best, score = row, other
		}
	})
	if best < 0 {
		return "", 0, false
	}
	return c.names[best], score, true
}

// eachRow calls f with each row that has room for a pod, in order.
func (x *rows) eachRow(r *Request, opts *FitOptions, f func(row int)) {
	var scalars [fewResources]scalarNeed
	need, possible := x.need(scalars[:0], r, opts)
	if !possible {
		return
	}
	x.eachFit(&need, func(first int, mask uint64) bool {
		for ; mask != 0; mask &= mask - 1 {
			f(first + bits.TrailingZeros64(mask))
		}
		return true
	})
}

// profileRanker computes the scores of rows for a pod by a profile.
type profileRanker struct {
	few  [fewScorers]ranker
	more []ranker
}

// fewScorers is for how many scorers memory need not be allocated.
const fewScorers = 2

// profileScratch is memory for a profileRanker of few scorers of few resources.
type profileScratch [fewScorers]scratch

// profileRanker returns a profileRanker, which uses m.
func (x *rows) profileRanker(m *profileScratch, r *Request, p Profile) (k profileRanker) {
	for i := range p.len() {
		w := p.at(i)
		if i < fewScorers {
			k.few[i] = x.ranker(&m[i], r, &w.Scorer)
			k.few[i].weight = w.weight()
			continue
		}
		other := x.ranker(new(scratch), r, &w.Scorer)
		other.weight = w.weight()
		k.more = append(k.more, other)
	}
	return k
}

// score returns the score of a row.
func (k *profileRanker) score(row int) int64 {
	sum := k.few[0].weight * k.few[0].score(row)
	if k.few[1].weight > 0 {
		sum += k.few[1].weight * k.few[1].score(row)
	}
	for i := range k.more {
		sum += k.more[i].weight * k.more[i].score(row)
	}
	return sum
}

// ranker computes the scores of rows for a pod by one scorer.
type ranker struct {
	weight int64 // 0 if there is no scorer
	comparison
	ledgers []*Ledger
	columns []scoreColumn // of each term
	amounts []utilization // memory for those of one row
	exact   bool
}

// scoreColumn is a resource on each node.
type scoreColumn struct{ requested, allocatable []int64 }

// scratch is memory for a ranker of few resources.
type scratch struct {
	terms   [fewResources]term
	columns [fewResources]scoreColumn
	amounts [fewResources]utilization
}

// ranker returns a ranker, which uses m. The columns hold sums that saturate at an int64. If the pod
// requests a negative amount, scores are computed from the exact sums of the ledgers, because the
// sum with the pod may fit into an int64 again; and so they are for a scalar resource if there are
// devices, which only the ledgers know.
func (x *rows) ranker(m *scratch, r *Request, s *Scorer) ranker {
	k := ranker{comparison: compile(m.terms[:0], r, s), ledgers: x.ledgers, columns: m.columns[:0], amounts: m.amounts[:0]}
	if len(k.terms) > fewResources {
		k.amounts = make([]utilization, 0, len(k.terms))
	}
	for i := range k.terms {
		t := &k.terms[i]
		k.exact = k.exact || t.pod < 0 || x.hasDevices && !t.isNative
		k.columns = append(k.columns, x.scoreColumn(t))
	}
	return k
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
func (k *ranker) score(row int) int64 {
	amounts := k.amounts[:0]
	if k.exact {
		return k.comparison.score(k.ledgers[row].utilizations(amounts, k.terms))
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
