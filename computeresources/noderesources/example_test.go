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
	running := noderesources.PodRequest(podOf("running", "3", "2Gi"), computeresources.Options{})
	if err := node.Add("7f3c", running); err != nil {
		fmt.Println(err)
	}
	request := noderesources.SpecRequest(&podOf("new", "500m", "1Gi").Spec, computeresources.Options{})
	replicas, next := node.Replicas(request, noderesources.FitOptions{})
	fmt.Println(replicas, "fit, then:", next.Err())
	// Output: 2 fit, then: Insufficient cpu
}

func ExamplePodRequest() {
	r := noderesources.PodRequest(podOf("a", "250m", "64Mi"), computeresources.Options{})
	fmt.Println(resourcelist.String(r.Amounts(computeresources.Requests)))
	// Output: cpu=250m,memory=64Mi
}

// The amounts that are missing on a node.
func ExampleShortages_Shortfall() {
	request := noderesources.PodRequest(podOf("new", "5", "9Gi"), computeresources.Options{})
	fmt.Println(resourcelist.String(nodeOf("4", "8Gi").Shortages(request, noderesources.FitOptions{}).Shortfall()))
	// Output: cpu=1,memory=1Gi
}

func ExampleSpecRequest() {
	r := noderesources.SpecRequest(&podOf("a", "100u", "64Mi").Spec, computeresources.Options{})
	fmt.Println(resourcelist.String(r.Amounts(computeresources.Requests))) // cpu is rounded up to a milli-unit
	// Output: cpu=1m,memory=64Mi
}

func ExampleRequest_Amounts() {
	r := noderesources.PodRequest(podOf("a", "250m", "64Mi"), computeresources.Options{})
	fmt.Println(resourcelist.String(r.Amounts(computeresources.Requests)))
	fmt.Println(resourcelist.String(r.Amounts(computeresources.Limits)))
	// Output:
	// cpu=250m,memory=64Mi
	// memory=64Mi
}

func ExampleRequest_NonZero() {
	pod := podOf("a", "250m", "64Mi")
	pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{Name: "requests nothing"})
	r := noderesources.PodRequest(pod, computeresources.Options{})
	fmt.Println(r.NonZero("cpu"), r.NonZero("memory")>>20)
	// Output: 350 264
}

func ExampleNew() {
	node := noderesources.New(corev1.ResourceList{"cpu": resource.MustParse("4")})
	request := noderesources.Request{}
	fmt.Println(node.Shortages(request, noderesources.FitOptions{}).Err()) // no pods are allowed
	// Output: Too many pods
}

func ExampleLedger() {
	node := nodeOf("4", "8Gi")
	fmt.Println(node.Add("7f3c", noderesources.PodRequest(podOf("a", "1", "2Gi"), computeresources.Options{})))
	fmt.Println(resourcelist.String(node.Requested()))
	fmt.Println(resourcelist.String(node.Free()))
	// Output:
	// <nil>
	// cpu=1,memory=2Gi,pods=1
	// cpu=3,memory=6Gi,pods=9
}

func ExampleLedger_Add() {
	node := nodeOf("4", "8Gi")
	request := noderesources.PodRequest(podOf("a", "1", "2Gi"), computeresources.Options{})
	fmt.Println(node.Add("7f3c", request))
	fmt.Println(node.Add("7f3c", request))
	// Output:
	// <nil>
	// noderesources: pod "7f3c" is there already
}

func ExampleLedger_Update() {
	node := nodeOf("4", "8Gi")
	fmt.Println(node.Add("7f3c", noderesources.PodRequest(podOf("a", "1", "2Gi"), computeresources.Options{})))
	fmt.Println(node.Update("7f3c", noderesources.PodRequest(podOf("a", "2", "2Gi"), computeresources.Options{})))
	fmt.Println(resourcelist.String(node.Free()))
	// Output:
	// <nil>
	// <nil>
	// cpu=2,memory=6Gi,pods=9
}

func ExampleLedger_Remove() {
	node := nodeOf("4", "8Gi")
	fmt.Println(node.Remove("7f3c"))
	// Output: noderesources: pod "7f3c" is not there
}

func ExampleLedger_Pods() {
	node := nodeOf("4", "8Gi")
	_ = node.Add("7f3c", noderesources.Request{})
	fmt.Println(node.Pods())
	// Output: 1
}

func ExampleLedger_SetAllocatable() {
	node := nodeOf("4", "8Gi")
	_ = node.Add("7f3c", noderesources.PodRequest(podOf("a", "3", "1Gi"), computeresources.Options{}))
	node.SetAllocatable(corev1.ResourceList{"cpu": resource.MustParse("2"), "pods": resource.MustParse("10")})
	fmt.Println(resourcelist.String(node.Free()))
	// Output: cpu=-1,memory=-1Gi,pods=9
}

func ExampleLedger_Allocatable() {
	fmt.Println(resourcelist.String(nodeOf("4", "8Gi").Allocatable()))
	// Output: cpu=4,memory=8Gi,pods=10
}

func ExampleLedger_Requested() {
	node := nodeOf("4", "8Gi")
	_ = node.Add("7f3c", noderesources.PodRequest(podOf("a", "3", "1Gi"), computeresources.Options{}))
	fmt.Println(resourcelist.Percents(node.Requested(), node.Allocatable()))
	// Output: map[cpu:75 memory:12 pods:10]
}

func ExampleLedger_Limited() {
	node := nodeOf("4", "8Gi")
	_ = node.Add("7f3c", noderesources.PodRequest(podOf("a", "3", "1Gi"), computeresources.Options{}))
	fmt.Println(resourcelist.String(node.Limited()))
	// Output: cpu=0,memory=1Gi
}

func ExampleLedger_Free() {
	node := nodeOf("4", "8Gi")
	_ = node.Add("7f3c", noderesources.PodRequest(podOf("a", "3", "1Gi"), computeresources.Options{}))
	fmt.Println(resourcelist.String(node.Free()))
	// Output: cpu=1,memory=7Gi,pods=9
}

func ExampleLedger_Fits() {
	node := nodeOf("4", "8Gi")
	for _, cpu := range []string{"4", "4001m"} {
		request := noderesources.SpecRequest(&podOf("a", cpu, "1Gi").Spec, computeresources.Options{})
		fmt.Println(cpu, node.Fits(request, noderesources.FitOptions{}))
	}
	// Output:
	// 4 true
	// 4001m false
}

func ExampleLedger_Shortages() {
	node := nodeOf("4", "8Gi")
	request := noderesources.SpecRequest(&podOf("a", "5", "9Gi").Spec, computeresources.Options{})
	for _, s := range node.Shortages(request, noderesources.FitOptions{}) {
		fmt.Printf("%s: %d of %d requested, %d used\n", s.Error(), s.Requested, s.Capacity, s.Used)
	}
	// Output:
	// Insufficient cpu: 5000 of 4000 requested, 0 used
	// Insufficient memory: 9663676416 of 8589934592 requested, 0 used
}

func ExampleFitOptions() {
	pod := podOf("a", "1", "1Gi")
	pod.Spec.Containers[0].Resources.Requests["example.com/fpga"] = resource.MustParse("1")
	request := noderesources.SpecRequest(&pod.Spec, computeresources.Options{})
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
	request := noderesources.SpecRequest(&podOf("a", "5", "9Gi").Spec, computeresources.Options{})
	fmt.Println(nodeOf("4", "8Gi").Shortages(request, noderesources.FitOptions{}).Err())
	// Output: [Insufficient cpu, Insufficient memory]
}

func ExampleShortages_Unresolvable() {
	node := nodeOf("4", "8Gi")
	_ = node.Add("7f3c", noderesources.PodRequest(podOf("a", "3", "1Gi"), computeresources.Options{}))
	for _, cpu := range []string{"2", "5"} {
		request := noderesources.SpecRequest(&podOf("a", cpu, "1Gi").Spec, computeresources.Options{})
		fmt.Println(cpu, node.Shortages(request, noderesources.FitOptions{}).Unresolvable())
	}
	// Output:
	// 2 false
	// 5 true
}

func ExampleLedger_Replicas() {
	request := noderesources.SpecRequest(&podOf("a", "100m", "1Gi").Spec, computeresources.Options{})
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
	request := noderesources.SpecRequest(&podOf("a", "1", "4Gi").Spec, computeresources.Options{})
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
	request := noderesources.SpecRequest(&podOf("a", "1", "4Gi").Spec, computeresources.Options{})
	fmt.Println(nodeOf("4", "8Gi").Score(request, noderesources.Scorer{}))
	// Output: 62
}

func ExampleScoreOptions() {
	scorer, err := noderesources.NewScorer(noderesources.ScoreOptions{
		Strategy:  noderesources.RequestedToCapacityRatio,
		Resources: []noderesources.ResourceWeight{{Name: "cpu", Weight: 3}, {Name: "memory", Weight: 1}},
		Shape:     []noderesources.ShapePoint{{Utilization: 0, Score: 0}, {Utilization: 100, Score: 10}},
	})
	request := noderesources.SpecRequest(&podOf("a", "1", "4Gi").Spec, computeresources.Options{})
	fmt.Println(nodeOf("4", "8Gi").Score(request, scorer), err)
	// Output: 31 <nil>
}

func ExampleResourceWeight() {
	scorer, _ := noderesources.NewScorer(noderesources.ScoreOptions{Resources: []noderesources.ResourceWeight{{Name: "cpu"}}})
	request := noderesources.SpecRequest(&podOf("a", "1", "4Gi").Spec, computeresources.Options{})
	fmt.Println(nodeOf("4", "8Gi").Score(request, scorer))
	// Output: 75
}

func ExampleShapePoint() {
	scorer, _ := noderesources.NewScorer(noderesources.ScoreOptions{
		Strategy: noderesources.RequestedToCapacityRatio,
		Shape:    []noderesources.ShapePoint{{Utilization: 50, Score: 10}, {Utilization: 100, Score: 0}},
	})
	request := noderesources.SpecRequest(&podOf("a", "3", "6Gi").Spec, computeresources.Options{})
	fmt.Println(nodeOf("4", "8Gi").Score(request, scorer))
	// Output: 50
}

func ExampleStrategy() {
	_, err := noderesources.NewScorer(noderesources.ScoreOptions{Strategy: "Most"})
	fmt.Println(noderesources.MostAllocated, err)
	// Output: MostAllocated type: Invalid value: "Most": must be a known strategy
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

func ExampleOverviewOf() {
	node := &corev1.NodeStatus{Allocatable: corev1.ResourceList{
		"cpu": resource.MustParse("4"), "memory": resource.MustParse("8Gi"), "pods": resource.MustParse("110"),
		"nvidia.com/gpu": resource.MustParse("1"),
	}}
	ended := podOf("c", "4", "4Gi")
	ended.Status.Phase = corev1.PodSucceeded
	for _, r := range noderesources.OverviewOf([]*corev1.Pod{podOf("a", "1500m", "1Gi"), podOf("b", "250m", "3Gi"), ended}, node) {
		fmt.Printf("%s %s (%d%%) %s (%d%%)\n", r.Resource, r.Requests.String(), r.RequestsPercent, r.Limits.String(), r.LimitsPercent)
	}
	// Output:
	// cpu 1750m (43%) 0 (0%)
	// memory 4Gi (50%) 4Gi (50%)
	// ephemeral-storage 0 (0%) 0 (0%)
	// nvidia.com/gpu 0 (0%) 0 (0%)
}

func ExampleRequest() {
	var nothing noderesources.Request
	fmt.Println(nodeOf("4", "8Gi").Fits(nothing, noderesources.FitOptions{}))
	// Output: true
}

// nodesOf returns two nodes. A pod is running on the first one.
func nodesOf() *noderesources.Cluster {
	var nodes noderesources.Cluster
	allocatable := nodeOf("4", "8Gi").Allocatable()
	_ = nodes.AddNode("n-1", allocatable)
	_ = nodes.AddNode("n-2", allocatable)
	_ = nodes.AddPod("7f3c", "n-1", request("3", "2Gi"))
	return &nodes
}

func request(cpu, memory string) noderesources.Request {
	return noderesources.SpecRequest(&podOf("a", cpu, memory).Spec, computeresources.Options{})
}

func ExampleCluster() {
	var nodes noderesources.Cluster
	allocatable := nodeOf("4", "8Gi").Allocatable()
	fmt.Println(nodes.AddNode("n-1", allocatable), nodes.AddNode("n-2", allocatable))
	fmt.Println(nodes.AddPod("7f3c", "n-1", noderesources.PodRequest(podOf("running", "3", "2Gi"), computeresources.Options{})))
	fmt.Println(nodes.AppendFits(nil, request("2", "1Gi"), noderesources.FitOptions{}))
	// Output:
	// <nil> <nil>
	// <nil>
	// [n-2]
}

func ExampleCluster_AddNode() {
	var nodes noderesources.Cluster
	fmt.Println(nodes.AddNode("n-1", nodeOf("4", "8Gi").Allocatable()))
	fmt.Println(nodes.AddNode("n-1", nil))
	// Output:
	// <nil>
	// noderesources: node "n-1" is there already
}

func ExampleCluster_UpdateNode() {
	nodes := nodesOf()
	fmt.Println(nodes.UpdateNode("n-1", nodeOf("8", "8Gi").Allocatable()))
	fmt.Println(nodes.AppendFits(nil, request("5", "1Gi"), noderesources.FitOptions{}))
	// Output:
	// <nil>
	// [n-1]
}

func ExampleCluster_RemoveNode() {
	nodes := nodesOf()
	fmt.Println(nodes.RemoveNode("n-1"), nodes.Nodes())
	// Output: <nil> [n-2]
}

func ExampleCluster_AddPod() {
	nodes := nodesOf()
	fmt.Println(nodes.AddPod("90ab", "n-2", request("1", "1Gi")))
	fmt.Println(nodes.AddPod("7f3c", "n-2", request("1", "1Gi")))
	fmt.Println(nodes.AddPod("c0de", "n-3", request("1", "1Gi")))
	// Output:
	// <nil>
	// noderesources: pod "7f3c" is there already
	// noderesources: node "n-3" is not there
}

func ExampleCluster_UpdatePod() {
	nodes := nodesOf()
	fmt.Println(nodes.UpdatePod("7f3c", request("1", "1Gi")))
	fmt.Println(nodes.AppendFits(nil, request("2", "1Gi"), noderesources.FitOptions{}))
	// Output:
	// <nil>
	// [n-1 n-2]
}

func ExampleCluster_RemovePod() {
	nodes := nodesOf()
	fmt.Println(nodes.RemovePod("7f3c"))
	fmt.Println(nodes.RemovePod("7f3c"))
	// Output:
	// <nil>
	// noderesources: pod "7f3c" is not there
}

func ExampleCluster_Nodes() {
	fmt.Println(nodesOf().Nodes())
	// Output: [n-1 n-2]
}

func ExampleCluster_NodeOf() {
	fmt.Println(nodesOf().NodeOf("7f3c"))
	// Output: n-1 true
}

func ExampleCluster_Ledger() {
	nodes := nodesOf()
	node, err := nodes.Ledger("n-1")
	if err != nil {
		fmt.Println(err)
	}
	_ = node.Remove("7f3c") // what if?
	fmt.Println(node.Fits(request("4", "8Gi"), noderesources.FitOptions{}))
	fmt.Println(nodes.NodeOf("7f3c"))
	// Output:
	// true
	// n-1 true
}

func ExampleCluster_AppendFits() {
	nodes := nodesOf()
	names := make([]string, 0, len(nodes.Nodes())) // used again and again
	for _, cpu := range []string{"1", "2", "5"} {
		names = nodes.AppendFits(names[:0], request(cpu, "1Gi"), noderesources.FitOptions{})
		fmt.Println(cpu, names)
	}
	// Output:
	// 1 [n-1 n-2]
	// 2 [n-2]
	// 5 []
}

func ExampleCluster_CheckFit() {
	fmt.Println(nodesOf().CheckFit(request("4", "7Gi"), noderesources.FitOptions{}))
	fmt.Println(nodesOf().CheckFit(request("5", "7Gi"), noderesources.FitOptions{}))
	// Output:
	// <nil>
	// 0/2 nodes are available: 1 Insufficient memory, 2 Insufficient cpu.
}

func ExampleFitError() {
	var fitErr *noderesources.FitError
	if errors.As(nodesOf().CheckFit(request("5", "1Gi"), noderesources.FitOptions{}), &fitErr) {
		fmt.Printf("%d nodes: %+v\n", fitErr.Nodes, fitErr.Reasons)
	}
	// Output: 2 nodes: [{Resource:cpu Nodes:2 Unresolvable:2}]
}

func ExampleFitReason() {
	var fitErr *noderesources.FitError
	_ = errors.As(nodesOf().CheckFit(request("4", "9Gi"), noderesources.FitOptions{}), &fitErr)
	for _, r := range fitErr.Reasons {
		fmt.Printf("%s: %d nodes, of which %d are too small\n", r.Resource, r.Nodes, r.Unresolvable)
	}
	// Output:
	// cpu: 1 nodes, of which 0 are too small
	// memory: 2 nodes, of which 2 are too small
}

func ExampleCluster_AppendScores() {
	fmt.Println(nodesOf().AppendScores(nil, request("1", "4Gi"), noderesources.Scorer{}))
	// Output: [12 62]
}

func ExampleCluster_Best() {
	fmt.Println(nodesOf().Best(request("1", "4Gi"), noderesources.Scorer{}, noderesources.FitOptions{}))
	// Output: n-2 62 true
}

func ExampleCluster_FirstFit() {
	placements := nodesOf().FirstFit([]noderesources.Request{request("2", "1Gi"), request("1", "1Gi"), request("3", "1Gi")}, noderesources.FitOptions{})
	fmt.Printf("%q\n", placements.Nodes)
	for pod, err := range placements.Remaining {
		fmt.Println(pod, err)
	}
	// Output:
	// ["n-2" "n-1" ""]
	// 2 0/2 nodes are available: 2 Insufficient cpu.
}

func ExampleCluster_BestFit() {
	list := []noderesources.Request{request("1", "1Gi"), request("1", "1Gi"), request("1", "1Gi")}
	spread := nodesOf().BestFit(list, noderesources.Scorer{}, noderesources.FitOptions{})
	scorer, err := noderesources.NewScorer(noderesources.ScoreOptions{Strategy: noderesources.MostAllocated})
	packed := nodesOf().BestFit(list, scorer, noderesources.FitOptions{})
	fmt.Println(spread.Nodes, packed.Nodes, err)
	// Output: [n-2 n-2 n-2] [n-1 n-2 n-2] <nil>
}

func ExamplePlacements() {
	placements := nodesOf().FirstFit([]noderesources.Request{request("5", "1Gi")}, noderesources.FitOptions{})
	fmt.Println(len(placements.Nodes), len(placements.Remaining))
	// Output: 1 1
}

func ExampleAllocatedResource() {
	node := &corev1.NodeStatus{Capacity: corev1.ResourceList{"cpu": resource.MustParse("4")}}
	r := noderesources.OverviewOf([]*corev1.Pod{podOf("a", "1", "1Gi")}, node)[0]
	fmt.Println(r.Resource, r.RequestsPercent)
	// Output: cpu 25
}

func ExampleEstimateNodes() {
	list := []noderesources.Request{request("1", "1Gi"), request("3", "1Gi"), request("3", "1Gi"), request("500m", "1Gi")}
	e := noderesources.EstimateNodes(list, nodeOf("4", "8Gi"), noderesources.FitOptions{})
	fmt.Println(e.Nodes, "nodes, at least", e.LowerBound, "by volume", e.Placed)
	// Output: 2 nodes, at least 2 by volume [0 0 1 1]
}

func ExampleEstimate() {
	e := noderesources.EstimateNodes([]noderesources.Request{request("3", "1Gi"), request("3", "1Gi"), request("2", "1Gi")}, nodeOf("4", "8Gi"), noderesources.FitOptions{})
	fmt.Println(e.Nodes, e.LowerBound)
	// Output: 3 2
}
