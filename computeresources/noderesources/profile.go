package noderesources

// Profile are the scorers of a scheduler. The score of a node is the sum of their scores, each multiplied
// by its weight. An empty Profile has the scorers of a default scheduler that look at resources:
// NodeResourcesFit, which is LeastAllocated, and NodeResourcesBalancedAllocation, both of cpu and memory and
// with weight 1. A Profile of one element is one scorer alone.
//
// A default scheduler also adds the scores of TaintToleration (weight 3), NodeAffinity, PodTopologySpread,
// InterPodAffinity, DynamicResources (2 each) and ImageLocality (1). They are not computed here; package
// quota/admit/whatif computes all but DynamicResources. A score that is the same
// for all nodes, such as that of TaintToleration without taints, does not change which node is the best.
//
// Source: getDefaultPlugins of k8s.io/kubernetes/pkg/scheduler/apis/config/v1 (default_plugins.go).
type Profile []WeightedScorer

// WeightedScorer is a Scorer with the weight of its plugin.
type WeightedScorer struct {
	Scorer Scorer
	Weight int32 // less than 1 stands for 1
}

// MaxScore returns the score that no node is above by this profile, 200 for the default one: 100 for each scorer,
// multiplied by its weight. With it, scores can be scaled.
func (p Profile) MaxScore() (highest int64) {
	for i := range p.len() {
		w := p.at(i)
		highest += maxScore * w.weight()
	}
	return highest
}

// defaultScorers is the length of the default Profile.
const defaultScorers = 2

func (p Profile) len() int {
	if len(p) == 0 {
		return defaultScorers
	}
	return len(p)
}

func (p Profile) at(i int) WeightedScorer {
	if len(p) == 0 {
		return WeightedScorer{Scorer: Scorer{strategy: [defaultScorers]Strategy{LeastAllocated, BalancedAllocation}[i]}}
	}
	return p[i]
}

func (w *WeightedScorer) weight() int64 { return int64(max(w.Weight, 1)) }
