package computeresources_test

import (
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// gates are all states of a feature gate.
var gates = []*bool{nil, testkit.On(), testkit.Off()}

// options draws options, each of them set in some.
func options() *rapid.Generator[computeresources.Options] {
	return rapid.Custom(func(t *rapid.T) (opts computeresources.Options) {
		opts.PodLevelStatus = rapid.SampledFrom(gates).Draw(t, "pod-level status")
		opts.IgnorePodLevel = rapid.IntRange(0, 3).Draw(t, "ignore pod level") == 0
		opts.MaxPerContainer = rapid.IntRange(0, 2).Draw(t, "max per container") == 0
		opts.IgnoreContainers = rapid.IntRange(0, 7).Draw(t, "ignore containers") == 0
		opts.ExcludeOverhead = rapid.IntRange(0, 3).Draw(t, "exclude overhead") == 0
		if rapid.IntRange(0, 3).Draw(t, "missing") == 0 {
			opts.MissingRequests = testkit.ResourceList(testkit.Quantity()).Draw(t, "missing requests")
		}
		if rapid.IntRange(0, 3).Draw(t, "claimed") == 0 {
			opts.ClaimedFromNode = testkit.ResourceList(testkit.Quantity()).Draw(t, "claimed from node")
		}
		return opts
	})
}
