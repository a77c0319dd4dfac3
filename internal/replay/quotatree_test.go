package replay_test

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/quotatree"
)

// amounts are by flavor and resource, such as spot/cpu.
type amounts = map[corev1.ResourceName]int64

// cohortNode is a ClusterQueue or a Cohort.
type cohortNode struct {
	Name, Parent                          string
	Nominal, BorrowingLimit, LendingLimit amounts
	Weight                                *resource.Quantity
}

// cohortTree returns the tree of nodes, in which flavors count as their resources.
func cohortTree(t *testing.T, nodes []cohortNode) *quotatree.Tree {
	t.Helper()
	var all []quotatree.Node
	o := quotatree.Options{CountsAs: map[corev1.ResourceName]corev1.ResourceName{}}
	for _, n := range nodes {
		all = append(all, quotatree.Node{
			Name: n.Name, Parent: n.Parent, Weight: n.Weight,
			Nominal: n.Nominal, BorrowingLimit: n.BorrowingLimit, LendingLimit: n.LendingLimit,
		})
		for name := range n.Nominal {
			_, of, _ := strings.Cut(string(name), "/")
			o.CountsAs[name] = corev1.ResourceName(of)
		}
	}
	tree, err := quotatree.New(all, o)
	testkit.OK(t, err)
	return tree
}

// cohortQuota is what nodes have before and after they use something. Kueue's Available is not below zero.
type cohortQuota struct {
	Name   string
	Nodes  []cohortNode
	Used   map[string]amounts
	Before map[string]map[corev1.ResourceName]cohortState
	After  map[string]map[corev1.ResourceName]cohortState
}

type cohortState struct{ SubtreeQuota, Usage, Available, PotentialAvailable int64 }

func replayCohortQuota(t *testing.T, raw json.RawMessage) bool {
	var c cohortQuota
	decode(t, raw, &c)
	tree := cohortTree(t, c.Nodes)
	compare := func(when string, want map[string]map[corev1.ResourceName]cohortState) {
		for node, states := range want {
			for name, state := range states {
				s := tree.State(node, name)
				if got := (cohortState{s.Quota, s.Usage, max(0, s.Available), s.Potential}); got != state {
					t.Errorf("%s: %s, %s of %s: %+v, Kueue has %+v", c.Name, when, name, node, got, state)
				}
			}
		}
	}
	compare("before", c.Before)
	for node, a := range c.Used {
		if err := tree.Charge(node, a); err != nil {
			t.Error(err)
		}
	}
	compare("after", c.After)
	for node, a := range c.Used {
		if err := tree.Give(node, a); err != nil {
			t.Error(err)
		}
	}
	compare("without usage again", c.Before)
	return len(c.After) > 0
}

// cohortShares are the dominant resource shares of nodes: 1000 times the weighted share, rounded up, and the
// largest int64 for an infinite one.
type cohortShares struct {
	Name   string
	Nodes  []cohortNode
	Used   map[string]amounts
	Shares map[string]struct {
		Value     int64
		Resource  corev1.ResourceName
		Borrowing bool
	}
}

func replayCohortShares(t *testing.T, raw json.RawMessage) bool {
	var c cohortShares
	decode(t, raw, &c)
	tree := cohortTree(t, c.Nodes)
	for node, a := range c.Used {
		if err := tree.Charge(node, a); err != nil {
			t.Error(err)
		}
	}
	for node, want := range c.Shares {
		got := tree.Share(node)
		value := int64(1<<63 - 1)
		if !got.Infinite {
			thousand := new(big.Rat).Mul(got.Weighted.Rat(), big.NewRat(1000, 1))
			up := new(big.Int).Add(thousand.Num(), new(big.Int).Sub(thousand.Denom(), big.NewInt(1)))
			value = up.Div(up, thousand.Denom()).Int64()
		}
		if value != want.Value || got.Resource != want.Resource || got.Borrowing != want.Borrowing {
			t.Errorf("%s: %s: %d of %s, borrowing %v, Kueue has %+v", c.Name, node, value, got.Resource, got.Borrowing, want)
		}
	}
	return len(c.Shares) > 0
}

// cohortPreemption are the workloads that Kueue preempts for another one. Short are the resources that it was told to
// preempt for, even if they are available: its tests do so twice, which cannot be compared.
type cohortPreemption struct {
	Name                   string
	Nodes                  []cohortNode
	Holders                []cohortWorkload
	Request                cohortWorkload
	Short                  []corev1.ResourceName
	WithinNode, WithinTree quotatree.Preemption
	BorrowAtMost           *int32
	Want                   []string
}

type cohortWorkload struct {
	Name, Node    string
	Amounts       amounts
	Priority      int32
	Queued, Since time.Time
	Leaving       bool
}

func replayCohortPreemption(t *testing.T, raw json.RawMessage) bool {
	var c cohortPreemption
	decode(t, raw, &c)
	tree := cohortTree(t, c.Nodes)
	holders, available := []quotatree.Holder{}, true
	for _, h := range c.Holders {
		holders = append(holders, quotatree.Holder(h))
		if err := tree.Charge(h.Node, h.Amounts); err != nil {
			t.Error(err)
		}
	}
	for _, name := range c.Short {
		available = available && tree.State(c.Request.Node, name).Available >= c.Request.Amounts[name]
	}
	if available {
		return false
	}
	got, err := tree.Reclaim(quotatree.Holder(c.Request), holders, quotatree.Policy{WithinNode: c.WithinNode, WithinTree: c.WithinTree, BorrowAtMost: c.BorrowAtMost})
	var names []string
	for _, i := range got.Indices {
		names = append(names, holders[i].Name)
	}
	slices.Sort(names)
	if err != nil || !slices.Equal(names, c.Want) || (len(got.Shortages) == 0) != (len(c.Want) > 0) {
		t.Errorf("%s: %q, %+v, %v, Kueue preempts %q", c.Name, names, got, err, c.Want)
	}
	return true
}
