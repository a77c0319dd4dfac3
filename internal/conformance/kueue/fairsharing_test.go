package kueue

import (
	"math"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	config "sigs.k8s.io/kueue/apis/config/v1beta2"
	api "sigs.k8s.io/kueue/apis/kueue/v1beta2"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/quotatree"
)

// With its request, queue a has a larger share than queue b. Fair sharing takes from a first; ByShare takes from the node
// of the request last, as classical preemption does.
// See docs/decisions/quota.md#reclaim-visits-its-own-node-last.
func TestDivergenceFairSharingVisitsItsOwnQueue(t *testing.T) {
	since := time.Unix(1_600_000_000, 0)
	memory := func(n int64) amounts { return amounts{"spot/memory": n} }
	c := preemptionCase{
		Nodes: []node{{Name: "cohort", Nominal: memory(10)}, {Name: "a", Parent: "cohort", Nominal: memory(0)}, {Name: "b", Parent: "cohort", Nominal: memory(0)}},
		Holders: []holder{
			{Name: "a-low", Node: "a", Amounts: memory(6), Priority: -1, Since: &since},
			{Name: "b-low", Node: "b", Amounts: memory(4), Priority: -1, Since: &since},
		},
		Request: holder{Name: "in", Node: "a", Amounts: memory(4)},
		Short:   []corev1.ResourceName{"spot/memory"}, WithinNode: api.PreemptionPolicyLowerPriority, WithinTree: api.PreemptionPolicyAny,
	}
	strategies := []config.PreemptionStrategy{config.LessThanOrEqualToFinalShare, config.LessThanInitialShare}
	if got, want := targetsOf(t, &c, &config.FairSharing{PreemptionStrategies: strategies}), []string{"a-low"}; !slices.Equal(got, want) {
		t.Errorf("Kueue preempts %q, want %q: is this still a divergence?", got, want)
	}

	tree, err := quotatree.New(nodesOf(c.Nodes), CountsAs(nodesOf(c.Nodes)))
	testkit.OK(t, err)
	var holders []quotatree.Holder
	for _, h := range c.Holders {
		holders = append(holders, quotatree.Holder{Name: h.Name, Node: h.Node, Amounts: h.Amounts, Priority: h.Priority, Since: *h.Since})
		testkit.OK(t, tree.Take(h.Node, h.Amounts))
	}
	atMost := int32(math.MaxInt32)
	policy := quotatree.Policy{WithinNode: quotatree.LowerPriority, WithinTree: quotatree.Any, BorrowAtMost: &atMost, Order: quotatree.ByShare}
	got, err := tree.Reclaim(quotatree.Holder{Name: "in", Node: "a", Amounts: c.Request.Amounts}, holders, policy)
	if err != nil || !slices.Equal(got.Indices, []int{1}) {
		t.Errorf("%+v, %v, want b-low", got, err)
	}
}
