package interpodaffinity

import "math"

const maxNodeScore = 100

// Scores sets scores[k] to the normalized score of node feasible[k], from 0 to 100, and returns false. If the plugin
// has nothing to say about any node, all scores are zero, and it returns true.
//
// Source: PreScore, Score and NormalizeScore of the plugin.
func (s *State) Scores(feasible []int, scores []int64) (isSkipped bool) {
	if s.scoring == 0 {
		clear(scores[:len(feasible)])
		return true
	}
	least, most := int64(math.MaxInt64), int64(math.MinInt64)
	for k, i := range feasible {
		scores[k] = 0
		for _, t := range s.topologies {
			scores[k] += t.at(t.score, i)
		}
		least, most = min(least, scores[k]), max(most, scores[k])
	}
	for k := range feasible {
		if most > least {
			scores[k] = int64(maxNodeScore * (float64(scores[k]-least) / float64(most-least)))
		} else {
			scores[k] = 0
		}
	}
	return false
}
