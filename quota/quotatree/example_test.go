package quotatree_test

import (
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/quota/quotatree"
)

// Two teams share a company's CPUs, in milli-units. Research keeps 1 CPU for itself.
func ExampleTree_State() {
	tree, err := quotatree.New([]quotatree.Node{
		{Name: "company"},
		{Name: "research", Parent: "company", Nominal: map[corev1.ResourceName]int64{"cpu": 4000}, LendingLimit: map[corev1.ResourceName]int64{"cpu": 3000}},
		{Name: "web", Parent: "company", Nominal: map[corev1.ResourceName]int64{"cpu": 6000}},
	}, quotatree.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(tree.Take("web", map[corev1.ResourceName]int64{"cpu": 8000}))
	fmt.Println(tree.Take("research", map[corev1.ResourceName]int64{"cpu": 3000}))
	fmt.Println(tree.Take("research", map[corev1.ResourceName]int64{"cpu": 2000}))
	web := tree.State("web", "cpu")
	fmt.Println("web borrows", web.Usage-web.Quota, "and may take", web.Available)
	// Output:
	// <nil>
	// quotatree: research requests cpu=3000, available: 2000: nominal of company
	// <nil>
	// web borrows 2000 and may take 0
}

func ExampleNew() {
	_, err := quotatree.New([]quotatree.Node{
		{Name: "a", Parent: "b"},
		{Name: "b", Parent: "a", Nominal: map[corev1.ResourceName]int64{"cpu": -1}},
		{Name: "c", Parent: "team"},
	}, quotatree.Options{})
	fmt.Println(err)
	// Output: [nodes[1].nominal[cpu]: Invalid value: -1: must not be negative, nodes[2].parent: Not found: "team"]
}

func ExampleTree_Take() {
	tree, err := quotatree.New([]quotatree.Node{
		{Name: "cluster", Nominal: map[corev1.ResourceName]int64{"cpu": 10000}},
		{Name: "team", Parent: "cluster", Max: map[corev1.ResourceName]int64{"cpu": 5000}},
		{Name: "job", Parent: "team"},
	}, quotatree.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	err = tree.Take("job", map[corev1.ResourceName]int64{"cpu": 7000})
	var short *quotatree.Shortage
	if errors.As(err, &short) {
		fmt.Println(short.Bound, "of", short.Ancestor, "allows only", short.Available)
	}
	// Output: Max of team allows only 5000
}

// Spot and on-demand CPUs have quotas of their own, and count as one resource in shares.
func ExampleTree_Share() {
	half := resource.MustParse("0.5")
	tree, err := quotatree.New([]quotatree.Node{
		{Name: "cohort", Nominal: map[corev1.ResourceName]int64{"spot/cpu": 50, "on-demand/cpu": 30}},
		{Name: "a", Parent: "cohort", Used: map[corev1.ResourceName]int64{"spot/cpu": 30, "on-demand/cpu": 2}},
		{Name: "b", Parent: "cohort", Used: map[corev1.ResourceName]int64{"on-demand/cpu": 20}, Weight: &half},
	}, quotatree.Options{CountsAs: map[corev1.ResourceName]corev1.ResourceName{"spot/cpu": "cpu", "on-demand/cpu": "cpu"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	a, b := tree.Share("a"), tree.Share("b")
	fmt.Println("a borrows", a.Ratio, "of", a.Resource)
	fmt.Println("b borrows", b.Ratio, "of", b.Resource, "and counts double:", b.Weighted)
	fmt.Println("a before b:", a.Compare(b) < 0)
	// Output:
	// a borrows 2/5 of cpu
	// b borrows 1/4 of cpu and counts double: 1/2
	// a before b: true
}

func ExampleTree_FairShares() {
	two := resource.MustParse("2")
	tree, err := quotatree.New([]quotatree.Node{
		{Name: "cluster", Nominal: map[corev1.ResourceName]int64{"cpu": 10}},
		{Name: "a", Parent: "cluster", Weight: &two},
		{Name: "b", Parent: "cluster"},
		{Name: "c", Parent: "cluster", Guarantee: map[corev1.ResourceName]int64{"cpu": 5}},
	}, quotatree.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	shares := tree.FairShares("cpu", map[string]int64{"a": 9, "b": 9, "c": 6})
	fmt.Println(shares["a"], shares["b"], shares["c"])
	// Output: 10/3 5/3 5
}

// Queue a requests the 6 that are nominally its own, of which b uses 4.
func ExampleTree_Reclaim() {
	tree, err := quotatree.New([]quotatree.Node{
		{Name: "cohort"},
		{Name: "a", Parent: "cohort", Nominal: map[corev1.ResourceName]int64{"cpu": 6}},
		{Name: "b", Parent: "cohort", Nominal: map[corev1.ResourceName]int64{"cpu": 4}, Used: map[corev1.ResourceName]int64{"cpu": 8}},
	}, quotatree.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	holders := []quotatree.Holder{
		{Name: "old", Node: "b", Amounts: map[corev1.ResourceName]int64{"cpu": 4}, Since: time.Unix(1, 0)},
		{Name: "important", Node: "b", Amounts: map[corev1.ResourceName]int64{"cpu": 2}, Since: time.Unix(2, 0), Priority: 100},
		{Name: "new", Node: "b", Amounts: map[corev1.ResourceName]int64{"cpu": 2}, Since: time.Unix(3, 0)},
	}
	request := quotatree.Holder{Name: "job", Node: "a", Amounts: map[corev1.ResourceName]int64{"cpu": 6}, Priority: 50}
	for _, order := range []quotatree.Order{quotatree.ByPriority, quotatree.ByTime} {
		reclaimed, err := tree.Reclaim(request, holders, quotatree.Policy{WithinTree: quotatree.Any, Order: order})
		fmt.Print(err)
		for _, i := range reclaimed.Indices {
			fmt.Print(" ", holders[i].Name)
		}
		fmt.Println()
	}
	// Output:
	// <nil> old
	// <nil> new important
}
