package noderesources_test

import (
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// podOf returns a pod with one container.
func podOf(name, cpu, memory string) *corev1.Pod {
	pod := &corev1.Pod{}
	pod.Name = name
	pod.Spec.Containers = []corev1.Container{{Name: "app", Resources: corev1.ResourceRequirements{
		Requests: corev1.ResourceList{"cpu": resource.MustParse(cpu), "memory": resource.MustParse(memory)},
		Limits:   corev1.ResourceList{"memory": resource.MustParse(memory)},
	}}}
	return pod
}

// nodeOf returns a node with room for ten pods.
func nodeOf(cpu, memory string) *noderesources.Ledger {
	return noderesources.New(corev1.ResourceList{
		"cpu": resource.MustParse(cpu), "memory": resource.MustParse(memory), "pods": resource.MustParse("10"),
	})
}

func Example() {
	node := nodeOf("4", "8Gi")
	running := noderesources.RequestOf(podOf("running", "3", "2Gi"), computeresources.Options{})
	if err := node.Add("7f3c", running); err != nil {
		fmt.Println(err)
	}
	request := noderesources.RequestOfSpec(&podOf("new", "500m", "1Gi").Spec, computeresources.Options{})
	replicas, next := node.Replicas(request, noderesources.FitOptions{})
	fmt.Println(replicas, "fit, then:", next.Err())
	// Output: 2 fit, then: Insufficient cpu
}

func ExampleRequestOf() {
	r := noderesources.RequestOf(podOf("a", "250m", "64Mi"), computeresources.Options{})
	fmt.Println(r.Amount(computeresources.Requests, "cpu"), r.Amount(computeresources.Limits, "memory"))
	// Output: 250 67108864
}

func ExampleRequestOfSpec() {
	r := noderesources.RequestOfSpec(&podOf("a", "100u", "64Mi").Spec, computeresources.Options{})
	fmt.Println(r.Amount(computeresources.Requests, "cpu")) // rounded up to a milli-unit
	// Output: 1
}

func ExampleRequest_Amount() {
	r := noderesources.RequestOf(podOf("a", "250m", "64Mi"), computeresources.Options{})
	fmt.Println(r.Amount(computeresources.Requests, "cpu"), r.Amount(computeresources.Limits, "cpu"))
	// Output: 250 0
}

func ExampleRequest_Amounts() {
	r := noderesources.RequestOf(podOf("a", "250m", "64Mi"), computeresources.Options{})
	fmt.Println(resourcelist.String(r.Amounts(computeresources.Requests)))
	fmt.Println(resourcelist.String(r.Amounts(computeresources.Limits)))
	// Output:
	// cpu=250m,memory=64Mi
	// memory=64Mi
}

func ExampleRequest_NonZero() {
	pod := podOf("a", "250m", "64Mi")
	pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{Name: "requests nothing"})
	r := noderesources.RequestOf(pod, computeresources.Options{})
	fmt.Println(r.NonZero("cpu"), r.NonZero("memory")>>20)
	// Output: 350 264
}

func ExampleNew() {
	node := noderesources.New(corev1.ResourceList{"cpu": resource.MustParse("4")})
	request := noderesources.Request{}
	fmt.Println(node.Fit(request, noderesources.FitOptions{}).Err()) // no pods are allowed
	// Output: Too many pods
}

func ExampleLedger() {
	node := nodeOf("4", "8Gi")
	fmt.Println(node.Add("7f3c", noderesources.RequestOf(podOf("a", "1", "2Gi"), computeresources.Options{})))
	fmt.Println(resourcelist.String(node.Requested()))
	fmt.Println(resourcelist.String(node.Free()))
	// Output:
	// <nil>
	// cpu=1,memory=2Gi,pods=1
	// cpu=3,memory=6Gi,pods=9
}

func ExampleLedger_Add() {
	node := nodeOf("4", "8Gi")
	request := noderesources.RequestOf(podOf("a", "1", "2Gi"), computeresources.Options{})
	fmt.Println(node.Add("7f3c", request))
	fmt.Println(node.Add("7f3c", request))
	// Output:
	// <nil>
	// noderesources: pod "7f3c" is there already
}

func ExampleLedger_Update() {
	node := nodeOf("4", "8Gi")
	fmt.Println(node.Add("7f3c", noderesources.RequestOf(podOf("a", "1", "2Gi"), computeresources.Options{})))
	fmt.Println(node.Update("7f3c", noderesources.RequestOf(podOf("a", "2", "2Gi"), computeresources.Options{})))
	fmt.Println(node.Amounts("cpu").Free)
	// Output:
	// <nil>
	// <nil>
	// 2000
}

func ExampleLedger_Remove() {
	node := nodeOf("4", "8Gi")
	err := node.Remove("7f3c")
	var unknown *noderesources.UnknownPodError
	fmt.Println(errors.As(err, &unknown), err)
	// Output: true noderesources: pod "7f3c" is not there
}

func ExampleKnownPodError() {
	node := nodeOf("4", "8Gi")
	_ = node.Add("7f3c", noderesources.Request{})
	var known *noderesources.KnownPodError
	fmt.Println(errors.As(node.Add("7f3c", noderesources.Request{}), &known), known.UID)
	// Output: true 7f3c
}

func ExampleUnknownPodError() {
	var unknown *noderesources.UnknownPodError
	fmt.Println(errors.As(nodeOf("4", "8Gi").Update("7f3c", noderesources.Request{}), &unknown), unknown.UID)
	// Output: true 7f3c
}

func ExampleLedger_Has() {
	node := nodeOf("4", "8Gi")
	_ = node.Add("7f3c", noderesources.Request{})
	fmt.Println(node.Has("7f3c"), node.Has("other"))
	// Output: true false
}

func ExampleLedger_Pods() {
	node := nodeOf("4", "8Gi")
	_ = node.Add("7f3c", noderesources.Request{})
	fmt.Println(node.Pods())
	// Output: 1
}

func ExampleLedger_SetAllocatable() {
	node := nodeOf("4", "8Gi")
	_ = node.Add("7f3c", noderesources.RequestOf(podOf("a", "3", "1Gi"), computeresources.Options{}))
	node.SetAllocatable(corev1.ResourceList{"cpu": resource.MustParse("2"), "pods": resource.MustParse("10")})
	fmt.Println(resourcelist.String(node.Free()))
	// Output: cpu=-1,memory=-1Gi,pods=9
}

func ExampleLedger_Amounts() {
	node := nodeOf("4", "8Gi")
	_ = node.Add("7f3c", noderesources.RequestOf(podOf("a", "3", "1Gi"), computeresources.Options{}))
	fmt.Printf("%+v\n", node.Amounts("cpu"))
	// Output: {Allocatable:4000 Requested:3000 Limited:0 Free:1000}
}

func ExampleLedger_Allocatable() {
	fmt.Println(resourcelist.String(nodeOf("4", "8Gi").Allocatable()))
	// Output: cpu=4,memory=8Gi,pods=10
}

func ExampleLedger_Requested() {
	node := nodeOf("4", "8Gi")
	_ = node.Add("7f3c", noderesources.RequestOf(podOf("a", "3", "1Gi"), computeresources.Options{}))
	fmt.Println(resourcelist.Percents(node.Requested(), node.Allocatable()))
	// Output: map[cpu:75 memory:12 pods:10]
}

func ExampleLedger_Limited() {
	node := nodeOf("4", "8Gi")
	_ = node.Add("7f3c", noderesources.RequestOf(podOf("a", "3", "1Gi"), computeresources.Options{}))
	fmt.Println(resourcelist.String(node.Limited()))
	// Output: cpu=0,memory=1Gi
}

func ExampleLedger_Free() {
	node := nodeOf("4", "8Gi")
	_ = node.Add("7f3c", noderesources.RequestOf(podOf("a", "3", "1Gi"), computeresources.Options{}))
	fmt.Println(resourcelist.String(node.Free()))
	// Output: cpu=1,memory=7Gi,pods=9
}

func ExampleLedger_Fits() {
	node := nodeOf("4", "8Gi")
	for _, cpu := range []string{"4", "4001m"} {
		request := noderesources.RequestOfSpec(&podOf("a", cpu, "1Gi").Spec, computeresources.Options{})
		fmt.Println(cpu, node.Fits(request, noderesources.FitOptions{}))
	}
	// Output:
	// 4 true
	// 4001m false
}

func ExampleLedger_Fit() {
	node := nodeOf("4", "8Gi")
	request := noderesources.RequestOfSpec(&podOf("a", "5", "9Gi").Spec, computeresources.Options{})
	for _, s := range node.Fit(request, noderesources.FitOptions{}) {
		fmt.Printf("%s: %d of %d requested, %d used\n", s.Error(), s.Requested, s.Capacity, s.Used)
	}
	// Output:
	// Insufficient cpu: 5000 of 4000 requested, 0 used
	// Insufficient memory: 9663676416 of 8589934592 requested, 0 used
}

func ExampleFitOptions() {
	pod := podOf("a", "1", "1Gi")
	pod.Spec.Containers[0].Resources.Requests["example.com/fpga"] = resource.MustParse("1")
	request := noderesources.RequestOfSpec(&pod.Spec, computeresources.Options{})
	fmt.Println(nodeOf("4", "8Gi").Fits(request, noderesources.FitOptions{}))
	fmt.Println(nodeOf("4", "8Gi").Fits(request, noderesources.FitOptions{IgnoredGroups: []string{"example.com"}}))
	// Output:
	// false
	// true
}

func ExampleShortage() {
	s := noderesources.Shortage{Resource: "pods", Requested: 1, Used: 110, Capacity: 110}
	fmt.Println(s.Error())
	// Output: Too many pods
}

func ExampleShortages_Err() {
	request := noderesources.RequestOfSpec(&podOf("a", "5", "9Gi").Spec, computeresources.Options{})
	fmt.Println(nodeOf("4", "8Gi").Fit(request, noderesources.FitOptions{}).Err())
	// Output: [Insufficient cpu, Insufficient memory]
}

func ExampleShortages_Unresolvable() {
	node := nodeOf("4", "8Gi")
	_ = node.Add("7f3c", noderesources.RequestOf(podOf("a", "3", "1Gi"), computeresources.Options{}))
	for _, cpu := range []string{"2", "5"} {
		request := noderesources.RequestOfSpec(&podOf("a", cpu, "1Gi").Spec, computeresources.Options{})
		fmt.Println(cpu, node.Fit(request, noderesources.FitOptions{}).Unresolvable())
	}
	// Output:
	// 2 false
	// 5 true
}

func ExampleLedger_Replicas() {
	request := noderesources.RequestOfSpec(&podOf("a", "100m", "1Gi").Spec, computeresources.Options{})
	n, next := nodeOf("4", "8Gi").Replicas(request, noderesources.FitOptions{})
	fmt.Println(n, next.Err())
	// Output: 8 Insufficient memory
}

func ExampleNewScorer() {
	_, err := noderesources.NewScorer(noderesources.ScoreOptions{Strategy: noderesources.RequestedToCapacityRatio})
	fmt.Println(err)
	// Output: shape: Required value: at least one point must be specified
}

func ExampleLedger_Score() {
	node := nodeOf("4", "8Gi")
	request := noderesources.RequestOfSpec(&podOf("a", "1", "4Gi").Spec, computeresources.Options{})
	for _, strategy := range []noderesources.Strategy{noderesources.LeastAllocated, noderesources.MostAllocated, noderesources.BalancedAllocation} {
		scorer, err := noderesources.NewScorer(noderesources.ScoreOptions{Strategy: strategy})
		if err != nil {
			fmt.Println(err)
		}
		fmt.Println(strategy, node.Score(request, scorer))
	}
	// Output:
	// LeastAllocated 62
	// MostAllocated 37
	// BalancedAllocation 68
}

func ExampleScorer() {
	request := noderesources.RequestOfSpec(&podOf("a", "1", "4Gi").Spec, computeresources.Options{})
	fmt.Println(nodeOf("4", "8Gi").Score(request, noderesources.Scorer{}))
	// Output: 62
}

func ExampleScoreOptions() {
	scorer, err := noderesources.NewScorer(noderesources.ScoreOptions{
		Strategy:  noderesources.RequestedToCapacityRatio,
		Resources: []noderesources.ResourceWeight{{Name: "cpu", Weight: 3}, {Name: "memory", Weight: 1}},
		Shape:     []noderesources.ShapePoint{{Utilization: 0, Score: 0}, {Utilization: 100, Score: 10}},
	})
	request := noderesources.RequestOfSpec(&podOf("a", "1", "4Gi").Spec, computeresources.Options{})
	fmt.Println(nodeOf("4", "8Gi").Score(request, scorer), err)
	// Output: 31 <nil>
}

func ExampleResourceWeight() {
	scorer, _ := noderesources.NewScorer(noderesources.ScoreOptions{Resources: []noderesources.ResourceWeight{{Name: "cpu"}}})
	request := noderesources.RequestOfSpec(&podOf("a", "1", "4Gi").Spec, computeresources.Options{})
	fmt.Println(nodeOf("4", "8Gi").Score(request, scorer))
	// Output: 75
}

func ExampleShapePoint() {
	scorer, _ := noderesources.NewScorer(noderesources.ScoreOptions{
		Strategy: noderesources.RequestedToCapacityRatio,
		Shape:    []noderesources.ShapePoint{{Utilization: 50, Score: 10}, {Utilization: 100, Score: 0}},
	})
	request := noderesources.RequestOfSpec(&podOf("a", "3", "6Gi").Spec, computeresources.Options{})
	fmt.Println(nodeOf("4", "8Gi").Score(request, scorer))
	// Output: 50
}

func ExampleStrategy() {
	var strategy noderesources.Strategy
	fmt.Println(strategy.UnmarshalText([]byte("MostAllocated")), strategy)
	// Output: <nil> MostAllocated
}

func ExampleAllocatable() {
	capacity := corev1.ResourceList{"cpu": resource.MustParse("4"), "memory": resource.MustParse("16Gi")}
	allocatable, err := noderesources.Allocatable(capacity, noderesources.ReservedOptions{
		KubeReserved: corev1.ResourceList{"cpu": resource.MustParse("100m"), "memory": resource.MustParse("1Gi")},
	})
	fmt.Println(resourcelist.String(allocatable), err)
	// Output: cpu=3900m,memory=15260Mi <nil>
}

func ExampleEnforced() {
	capacity := corev1.ResourceList{"cpu": resource.MustParse("4"), "memory": resource.MustParse("16Gi")}
	enforced := noderesources.Enforced(capacity, noderesources.ReservedOptions{
		KubeReserved: corev1.ResourceList{"cpu": resource.MustParse("100m"), "memory": resource.MustParse("1Gi")},
	})
	fmt.Println(resourcelist.String(enforced))
	// Output: cpu=3900m,memory=15Gi
}

func ExampleReservedOptions() {
	capacity := corev1.ResourceList{"memory": resource.MustParse("16Gi")}
	for _, thresholds := range []map[string]string{nil, {}, {"memory.available": "25%"}} {
		allocatable, err := noderesources.Allocatable(capacity, noderesources.ReservedOptions{EvictionHard: thresholds})
		fmt.Println(resourcelist.String(allocatable), err)
	}
	// Output:
	// memory=16284Mi <nil>
	// memory=16Gi <nil>
	// memory=12Gi <nil>
}

func ExampleInvalidThresholdError() {
	_, err := noderesources.Allocatable(nil, noderesources.ReservedOptions{EvictionHard: map[string]string{"memory.available": "120%"}})
	fmt.Println(err)
	// Output: noderesources: eviction threshold memory.available of "120%": must be <= 100%
}

func ExampleOverviewOf() {
	node := &corev1.NodeStatus{Allocatable: corev1.ResourceList{
		"cpu": resource.MustParse("4"), "memory": resource.MustParse("8Gi"), "pods": resource.MustParse("110"),
		"nvidia.com/gpu": resource.MustParse("1"),
	}}
	ended := podOf("c", "4", "4Gi")
	ended.Status.Phase = corev1.PodSucceeded
	fmt.Print(noderesources.OverviewOf([]*corev1.Pod{podOf("a", "1500m", "1Gi"), podOf("b", "250m", "3Gi"), ended}, node))
	// Output:
	// Resource           Requests     Limits
	// --------           --------     ------
	// cpu                1750m (43%)  0 (0%)
	// memory             4Gi (50%)    4Gi (50%)
	// ephemeral-storage  0 (0%)       0 (0%)
	// nvidia.com/gpu     0            0
}

func ExampleOverview() {
	overview := noderesources.OverviewOf([]*corev1.Pod{podOf("a", "1", "1Gi")}, nil)
	fmt.Println(overview.Pods, overview.Resources[0].Resource, overview.Resources[0].Requests.String())
	// Output: 1 cpu 1
}

func ExampleAllocatedResource() {
	node := &corev1.NodeStatus{Capacity: corev1.ResourceList{"cpu": resource.MustParse("4")}}
	r := noderesources.OverviewOf([]*corev1.Pod{podOf("a", "1", "1Gi")}, node).Resources[0]
	fmt.Println(r.Resource, r.RequestsPercent)
	// Output: cpu 25
}

func ExampleNodeAmounts() {
	fmt.Printf("%+v\n", nodeOf("4", "8Gi").Amounts("pods"))
	// Output: {Allocatable:10 Requested:0 Limited:0 Free:10}
}

func ExampleRequest() {
	var nothing noderesources.Request
	fmt.Println(nodeOf("4", "8Gi").Fits(nothing, noderesources.FitOptions{}))
	// Output: true
}
