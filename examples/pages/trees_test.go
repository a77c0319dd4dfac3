package pages_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/quota/quotatree"
)

// cohort returns two queues that share a cohort, of which one borrows.
func cohort() *quotatree.Tree {
	tree, err := quotatree.New([]quotatree.Node{
		{Name: "cohort", Nominal: map[corev1.ResourceName]int64{"spot/cpu": 10000}},
		{
			Name: "research", Parent: "cohort", Nominal: map[corev1.ResourceName]int64{"spot/cpu": 10000},
			LendingLimit: map[corev1.ResourceName]int64{"spot/cpu": 4000},
		},
		{
			Name: "web", Parent: "cohort", Nominal: map[corev1.ResourceName]int64{"spot/cpu": 10000},
			BorrowingLimit: map[corev1.ResourceName]int64{"spot/cpu": 8000},
			Used:           map[corev1.ResourceName]int64{"spot/cpu": 18000},
		},
	}, quotatree.Options{CountsAs: map[corev1.ResourceName]corev1.ResourceName{"spot/cpu": "cpu"}})
	if err != nil {
		panic(err)
	}
	return tree
}

func Example_treesTake() {
	tree := cohort()

	err := tree.Take("research", map[corev1.ResourceName]int64{"spot/cpu": 14000})
	fmt.Println(err)
	state := tree.State("web", "spot/cpu")
	fmt.Println("web borrows", state.Usage-state.Quota, "and may take", state.Available)
	// Output:
	// quotatree: research requests spot/cpu=14000, available: 12000: nominal of cohort
	// web borrows 8000 and may take 0
}

func Example_treesReclaim() {
	tree := cohort()
	running := []quotatree.Holder{
		{Name: "shop", Node: "web", Amounts: map[corev1.ResourceName]int64{"spot/cpu": 15000}, Priority: 2},
		{Name: "blog", Node: "web", Amounts: map[corev1.ResourceName]int64{"spot/cpu": 3000}, Priority: 1},
	}

	job := quotatree.Holder{Name: "training", Node: "research", Amounts: map[corev1.ResourceName]int64{"spot/cpu": 13000}, Priority: 3}
	atMost := int32(1)
	reclaimed, err := tree.Reclaim(job, running, quotatree.Policy{
		WithinTree:   quotatree.LowerPriority, // reclaimWithinCohort
		BorrowAtMost: &atMost,                 // maxPriorityThreshold of borrowWithinCohort
	})
	for _, i := range reclaimed.Indices {
		fmt.Println("evict", running[i].Name, err)
	}
	// Output:
	// evict blog <nil>
}

func Example_treesFairShares() {
	tree, err := quotatree.New([]quotatree.Node{
		{Name: "root", Nominal: map[corev1.ResourceName]int64{"cpu": 12000}},
		{Name: "science", Parent: "root"},
		{Name: "physics", Parent: "science", Max: map[corev1.ResourceName]int64{"cpu": 2000}},
		{Name: "biology", Parent: "science"},
		{Name: "sales", Parent: "root", Guarantee: map[corev1.ResourceName]int64{"cpu": 7000}},
	}, quotatree.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}

	deserved := tree.FairShares("cpu", map[string]int64{"physics": 5000, "biology": 5000, "sales": 9000})
	for _, queue := range []string{"science", "physics", "biology", "sales"} {
		fmt.Println(queue, deserved[queue])
	}
	// Output:
	// science 5000
	// physics 2000
	// biology 3000
	// sales 7000
}
