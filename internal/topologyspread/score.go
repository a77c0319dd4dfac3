package topologyspread

import "math"

const (
	maxNodeScore = 100 // MaxNodeScore of k8s.io/kube-scheduler/framework
	notScored    = -1  // before scores are normalised
)

// Scores writes the scores of feasible nodes, from 0 to 100, and reports whether there are any: the scheduler skips the
// plugin without soft constraints, and nothing is written. scores is at least as long as feasible. It takes time in
// proportion to the feasible nodes and the constraints.
//
// Source: PreScore, Score and NormalizeScore.
func (s *Spread) Scores(feasible []int, scores []int64) bool {
	if len(s.tallies) == 0 {
		return false
	}
	weights := make([]float64, len(s.tallies))
	for k := range weights {
		weights[k] = math.Log(float64(s.domainsAmong(feasible, &s.tallies[k]) + 2))
	}
	lowest, highest := int64(math.MaxInt64), int64(0)
	for k, i := range feasible {
		scores[k] = notScored
		if s.scored[i] {
			scores[k] = s.score(i, weights)
			lowest, highest = min(lowest, scores[k]), max(highest, scores[k])
		}
	}
	for k := range feasible {
		score := scores[k]
		switch {
		case score == notScored:
			scores[k] = 0
		case highest == 0:
			scores[k] = maxNodeScore
		default:
			scores[k] = maxNodeScore * (highest + lowest - score) / highest
		}
	}
	return true
}

// domainsAmong returns how many domains the feasible nodes are in that are scored.
func (s *Spread) domainsAmong(feasible []int, t *tally) (n int) {
	isKnown := make([]bool, len(t.pods))
	for _, i := range feasible {
		if domain := t.nodes[i].domain; s.scored[i] && !isKnown[domain] {
			isKnown[domain] = true
			n++
		}
	}
	return n
}

// score returns how many pods the domains of a node have, by weight: the lower, the better.
//
// Source: scoreForCount.
func (s *Spread) score(i int, weights []float64) int64 {
	var score float64
	for k := range s.tallies {
		t := &s.tallies[k]
		if t.nodes[i].hasLabel {
			score += float64(t.pods[t.nodes[i].domain])*weights[k] + float64(t.maxSkew-1)
		}
	}
	return int64(math.Round(score))
}
