package noderesources_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// The generators of the property tests reach each reason why a pod does not fit, and scores at and
// between the ends.
func TestDrawsReachEveryRule(t *testing.T) {
	var scores []string
	for _, strategy := range strategies {
		scores = append(scores, string(strategy)+": least", string(strategy)+": between", string(strategy)+": equal scores")
	}
	testkit.Reached(t, 300, func(t *rapid.T) (reached []string) {
		c, slow, remaining := events(t)
		request := noderesources.PodRequest(testkit.Pod().Draw(t, "another pod"), none)
		if n := len(c.AppendFits(nil, request, noderesources.FitOptions{})); n > 0 && n < len(slow) {
			reached = append(reached, "fits on some nodes")
		} else if n > 0 {
			reached = append(reached, "fits on all nodes")
		} else if len(slow) > 0 {
			reached = append(reached, "fits on no node")
		}
		for at := range slow {
			for _, s := range node(t, c, at).Shortages(request, noderesources.FitOptions{}) {
				reached = append(reached, "short of "+string(s.Resource))
				if s.Unresolvable {
					reached = append(reached, "unresolvable")
				} else {
					reached = append(reached, "resolvable")
				}
			}
			if len(remaining[at]) > 1 {
				reached = append(reached, "several pods on a node")
			}
		}
		for _, strategy := range strategies {
			scores := c.AppendScores(nil, request, scorerOf(t, strategy))
			for i, score := range scores {
				where := ": between"
				switch score {
				case 0:
					where = ": least"
				case noderesources.MaxScore:
					where = ": most"
				}
				reached = append(reached, string(strategy)+where)
				if slices.Index(scores, score) < i {
					reached = append(reached, string(strategy)+": equal scores")
				}
			}
		}
		list := requests(t)
		template := noderesources.New(shape(t))
		estimate := noderesources.EstimateNodes(list, template, noderesources.FitOptions{})
		if len(estimate.TooLarge) > 0 {
			reached = append(reached, "estimate: too large")
		}
		if estimate.Nodes > estimate.LowerBound {
			reached = append(reached, "estimate: above the lower bound")
		} else if estimate.Nodes > 1 {
			reached = append(reached, "estimate: the lower bound")
		}
		if len(list) > 0 {
			switch n, next := template.Replicas(list[0], noderesources.FitOptions{}); {
			case len(next) == 0:
				reached = append(reached, "replicas: no end")
			case n == 0:
				reached = append(reached, "replicas: none")
			default:
				reached = append(reached, "replicas: some")
			}
		}
		return reached
	}, append(scores,
		"fits on some nodes", "fits on all nodes", "fits on no node", "resolvable", "unresolvable", "several pods on a node",
		"short of pods", "short of cpu", "short of memory", "short of ephemeral-storage", "short of hugepages-2Mi", "short of example.com/gpu",
		"LeastAllocated: most", "MostAllocated: most",
		"estimate: too large", "estimate: the lower bound", "estimate: above the lower bound", "replicas: none", "replicas: some",
	)...)
}
