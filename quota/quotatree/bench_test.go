package quotatree_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/quotatree"
)

// manyQueues returns about n queues, five deep, with 20 resources, and the names of the leaves.
func manyQueues(t testing.TB, n int) (tree *quotatree.Tree, leaves []string, request amounts) {
	t.Helper()
	request = amounts{}
	nominal := amounts{}
	for i := range 20 {
		name := corev1.ResourceName(fmt.Sprintf("flavor-%d/example.com/device", i))
		request[name], nominal[name] = int64(i+1), int64(100+i)
	}
	nodes := []quotatree.Node{{Name: "0", Nominal: nominal}}
	for at, depth := 0, map[string]int{"0": 1}; len(nodes) < n; at++ { // 5 + 25 + 125 + the rest
		parent := nodes[at].Name
		for i := 0; i < 7 && depth[parent] < 5 && len(nodes) < n; i++ {
			node := quotatree.Node{Name: fmt.Sprint(parent, "-", i), Parent: parent, Nominal: nominal, LendingLimit: amounts{"flavor-1/example.com/device": 50}}
			depth[node.Name] = depth[parent] + 1
			nodes = append(nodes, node)
		}
	}
	tree, err := quotatree.New(nodes, quotatree.Options{})
	testkit.OK(t, err)
	inner := map[string]bool{}
	for i := range nodes {
		inner[nodes[i].Parent] = true
	}
	for i := range nodes {
		if !inner[nodes[i].Name] {
			leaves = append(leaves, nodes[i].Name)
		}
	}
	return tree, leaves, request
}

func TestTakeAndGiveDoNotAllocate(t *testing.T) {
	tree, leaves, request := manyQueues(t, 100)
	if got := testing.AllocsPerRun(100, func() {
		if tree.Take(leaves[0], request) != nil || tree.Charge(leaves[0], request) != nil || tree.Give(leaves[0], request) != nil || tree.Give(leaves[0], request) != nil {
			t.Error("an error")
		}
		testkit.Keep(tree.State(leaves[0], "flavor-3/example.com/device"))
	}); got != 0 {
		t.Errorf("%v allocations", got)
	}
}

func BenchmarkTakeAndGive(b *testing.B) {
	tree, leaves, request := manyQueues(b, 1000)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		leaf := leaves[i*7%len(leaves)]
		if err := tree.Take(leaf, request); err != nil {
			b.Fatal(err)
		}
		if err := tree.Give(leaf, request); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFairShares(b *testing.B) {
	tree, leaves, _ := manyQueues(b, 1000)
	demand := map[string]int64{}
	for i, leaf := range leaves {
		demand[leaf] = int64(i % 400)
	}
	b.ReportAllocs()
	for b.Loop() {
		testkit.Keep(tree.FairShares("flavor-3/example.com/device", demand))
	}
}

func BenchmarkReclaim(b *testing.B) {
	for _, order := range orders {
		b.Run(string("By"+order), func(b *testing.B) {
			tree, leaves, request := manyQueues(b, 1000)
			var holders []quotatree.Holder
			for i := 0; ; i++ { // until half of the queues have taken everything
				leaf := leaves[i*7%(len(leaves)/2)]
				if tree.Take(leaf, request) != nil {
					break
				}
				holders = append(holders, quotatree.Holder{Node: leaf, Amounts: request})
			}
			wanted := quotatree.Holder{Node: leaves[len(leaves)-1], Amounts: amounts{}}
			for name, n := range request {
				wanted.Amounts[name] = 4 * n
			}
			for b.Loop() {
				if got, err := tree.Reclaim(wanted, holders, quotatree.Policy{WithinTree: quotatree.Any, Order: order}); err != nil || len(got.Indices) == 0 {
					b.Fatal("not served")
				}
			}
			b.ReportMetric(float64(len(holders)), "holders")
		})
	}
}
