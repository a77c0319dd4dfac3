package wording_test

import (
	"testing"

	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// The draw is named if other nodes are possible, not if the pods of an owner are on all equal nodes.
func TestChoices(t *testing.T) {
	among := func(names ...string) whatif.Choice {
		return whatif.Choice{Equal: len(names), Nodes: names, Feasible: 9, Scored: 9}
	}
	web := func(node string, c whatif.Choice) wording.Placed {
		return wording.Placed{Owner: "web", Node: node, Choice: c}
	}
	for _, test := range []struct {
		placed []wording.Placed
		want   []string
	}{
		{[]wording.Placed{web("a", whatif.Choice{})}, nil},
		{[]wording.Placed{web("a", among("a", "b", "c")), web("b", among("b", "c")), web("c", whatif.Choice{})}, nil},
		{[]wording.Placed{web("a", among("a", "b", "c")), web("b", among("b", "c"))},
			[]string{"2 pods on one of 2 to 3 equal nodes: the scheduler draws one, and later pods may differ with it"}},
		{[]wording.Placed{web("a", among("a", "b")), {Owner: "db", Node: "b"}},
			[]string{"1 pod on one of 2 equal nodes: the scheduler draws one, and later pods may differ with it"}},
		{[]wording.Placed{web("a", whatif.Choice{Equal: 101, Nodes: []string{"a"}, Feasible: 500, Scored: 500})},
			[]string{"1 pod on one of 101 equal nodes: the scheduler draws one, and later pods may differ with it"}},
		{[]wording.Placed{web("a", whatif.Choice{Equal: 1, Nodes: []string{"a"}, Feasible: 4990, Scored: 500})},
			[]string{"1 pod on the best of 4990 nodes, of which the scheduler compares 500: the best of these may be another one"}},
	} {
		testkit.NoDiff(t, wording.Choices(test.placed), test.want)
	}
}
