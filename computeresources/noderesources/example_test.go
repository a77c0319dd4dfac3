package noderesources_test

import (
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

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
	return noderesources.NewLedger(corev1.ResourceList{
		"cpu": resource.MustParse(cpu), "memory": resource.MustParse(memory), "pods": resource.MustParse("10"),
	})
}

// The amounts that are missing on a node.
func ExampleShortages_Shortfall() {
	request := noderesources.PodRequest(podOf("new", "5", "9Gi"), computeresources.Options{})
	fmt.Println(resourcelist.String(nodeOf("4", "8Gi").Shortages(request, noderesources.FitOptions{}).Shortfall()))
	// Output: cpu=1,memory=1Gi
}

func ExampleNewLedger() {
	node := noderesources.NewLedger(corev1.ResourceList{"cpu": resource.MustParse("4")})
	request := noderesources.Request{}
	fmt.Println(node.Shortages(request, noderesources.FitOptions{}).Err()) // no pods are allowed
	// Output: Too many pods
}

func ExampleLedger_Free() {
	node := nodeOf("4", "8Gi")
	fmt.Println(node.Add("7f3c", noderesources.PodRequest(podOf("a", "1", "2Gi"), computeresources.Options{})))
	fmt.Println(resourcelist.String(node.Requested()))
	fmt.Println(resourcelist.String(node.Free()))
	// Output:
	// <nil>
	// cpu=1,memory=2Gi,pods=1
	// cpu=3,memory=6Gi,pods=9
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

// A pod set of Kueue has amounts, and no pod.
func ExampleRequestOf() {
	podSet := corev1.ResourceList{"cpu": resource.MustParse("1500m"), "memory": resource.MustParse("1Gi")}
	n, next := nodeOf("4", "8Gi").Replicas(noderesources.RequestOf(podSet), noderesources.FitOptions{})
	fmt.Println(n, next.Err())
	// Output: 2 Insufficient cpu
}

// Pods that request an extended resource fit on a node without a device plugin for it, if a
// DeviceClass provides the resource.
func ExampleFitOptions() {
	pod := podOf("a", "1", "1Gi")
	pod.Spec.Containers[0].Resources.Requests["example.com/gpu"] = resource.MustParse("2")
	request := noderesources.SpecRequest(&pod.Spec, computeresources.Options{})
	node := nodeOf("4", "8Gi")
	fmt.Println(node.Shortages(request, noderesources.FitOptions{}).Err())
	opts := noderesources.FitOptions{ExtendedResources: map[string]corev1.ResourceName{"gpu.example.com": "example.com/gpu"}}
	fmt.Println(node.Shortages(request, opts).Err())
	// Output:
	// Insufficient example.com/gpu
	// <nil>
}

func ExampleLedger_Replicas() {
	request := noderesources.SpecRequest(&podOf("a", "100m", "1Gi").Spec, computeresources.Options{})
	n, next := nodeOf("4", "8Gi").Replicas(request, noderesources.FitOptions{})
	fmt.Println(n, next.Err())
	// Output: 8 Insufficient memory
}

func ExampleLedger_Score() {
	node := nodeOf("4", "8Gi")
	request := noderesources.SpecRequest(&podOf("a", "1", "4Gi").Spec, computeresources.Options{})
	for _, strategy := range []noderesources.Strategy{noderesources.LeastAllocated, noderesources.MostAllocated, noderesources.BalancedAllocation} {
		scorer, err := noderesources.NewScorer(noderesources.ScoreOptions{Strategy: strategy})
		if err != nil {
			fmt.Println(err)
		}
		fmt.Println(strategy, node.Score(request, noderesources.Profile{{Scorer: scorer}}))
	}
	fmt.Println("default profile", node.Score(request, noderesources.Profile{}))
	// Output:
	// LeastAllocated 62
	// MostAllocated 37
	// BalancedAllocation 68
	// default profile 130
}

func ExampleScoreOptions() {
	scorer, err := noderesources.NewScorer(noderesources.ScoreOptions{
		Strategy:  noderesources.RequestedToCapacityRatio,
		Resources: []noderesources.ResourceWeight{{Name: "cpu", Weight: 3}, {Name: "memory", Weight: 1}},
		Shape:     []noderesources.UtilizationShapePoint{{Utilization: 0, Score: 0}, {Utilization: 100, Score: 10}},
	})
	request := noderesources.SpecRequest(&podOf("a", "1", "4Gi").Spec, computeresources.Options{})
	fmt.Println(nodeOf("4", "8Gi").Score(request, noderesources.Profile{{Scorer: scorer}}), err)
	// Output: 31 <nil>
}

// The scheduler's profile, with a node filled up before the next is used.
func ExampleProfile() {
	scorer, err := noderesources.NewScorer(noderesources.ScoreOptions{Strategy: noderesources.MostAllocated})
	if err != nil {
		panic(err)
	}
	balanced, err := noderesources.NewScorer(noderesources.ScoreOptions{Strategy: noderesources.BalancedAllocation})
	if err != nil {
		panic(err)
	}
	packing := noderesources.Profile{{Scorer: scorer, Weight: 5}, {Scorer: balanced, Weight: 1}}
	for _, profile := range []noderesources.Profile{{}, packing} {
		fmt.Println(nodesOf().Best(request("1", "1Gi"), profile, noderesources.FitOptions{}))
	}
	// Output:
	// n-2 152 true
	// n-1 411 true
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
	for _, r := range noderesources.OverviewOf([]*corev1.Pod{podOf("a", "1500m", "1Gi"), podOf("b", "250m", "3Gi"), ended}, node, computeresources.Kubernetes{}) {
		fmt.Printf("%s %s (%d%%) %s (%d%%)\n", r.Resource, r.Requests.String(), r.RequestsPercent, r.Limits.String(), r.LimitsPercent)
	}
	// Output:
	// cpu 1750m (43%) 0 (0%)
	// memory 4Gi (50%) 4Gi (50%)
	// ephemeral-storage 0 (0%) 0 (0%)
	// nvidia.com/gpu 0 (0%) 0 (0%)
}

// nodesOf returns two nodes. A pod is running on the first one.
func nodesOf() *noderesources.Cluster {
	var nodes noderesources.Cluster
	allocatable := nodeOf("4", "8Gi").Allocatable()
	err := errors.Join(
		nodes.AddNode("n-1", allocatable),
		nodes.AddNode("n-2", allocatable),
		nodes.AddPod("7f3c", "n-1", request("3", "2Gi")),
	)
	if err != nil {
		panic(err)
	}
	return &nodes
}

func request(cpu, memory string) noderesources.Request {
	return noderesources.SpecRequest(&podOf("a", cpu, memory).Spec, computeresources.Options{})
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

func ExampleCluster_Shortages() {
	nodes := nodesOf()
	for _, name := range nodes.Nodes() {
		shortages, err := nodes.Shortages(request("2", "9Gi"), name, noderesources.FitOptions{})
		fmt.Println(name, shortages.Err(), err)
	}
	// Output:
	// n-1 [Insufficient cpu, Insufficient memory] <nil>
	// n-2 Insufficient memory <nil>
}

func ExampleCluster_Best() {
	fmt.Println(nodesOf().Best(request("1", "4Gi"), noderesources.Profile{}, noderesources.FitOptions{}))
	// Output: n-2 130 true
}

func ExampleCluster_FirstFit() {
	placements := nodesOf().FirstFit([]noderesources.Request{request("2", "1Gi"), request("1", "1Gi"), request("3", "1Gi")}, noderesources.FitOptions{})
	fmt.Printf("%q\n", placements.Nodes)
	for pod, err := range placements.Unplaced {
		fmt.Println(pod, err)
	}
	// Output:
	// ["n-2" "n-1" ""]
	// 2 0/2 nodes are available: 2 Insufficient cpu.
}

func ExampleCluster_BestFit() {
	list := []noderesources.Request{request("1", "1Gi"), request("1", "1Gi"), request("1", "1Gi")}
	spread := nodesOf().BestFit(list, noderesources.Profile{}, noderesources.FitOptions{})
	scorer, err := noderesources.NewScorer(noderesources.ScoreOptions{Strategy: noderesources.MostAllocated})
	packed := nodesOf().BestFit(list, noderesources.Profile{{Scorer: scorer}}, noderesources.FitOptions{})
	fmt.Println(spread.Nodes, packed.Nodes, err)
	// Output: [n-2 n-2 n-2] [n-1 n-2 n-2] <nil>
}

func ExampleEstimateNodes() {
	list := []noderesources.Request{request("1", "1Gi"), request("3", "1Gi"), request("3", "1Gi"), request("500m", "1Gi")}
	e := noderesources.EstimateNodes(list, nodeOf("4", "8Gi"), noderesources.EstimateOptions{})
	fmt.Println(e.Nodes, "nodes, at least", e.LowerBound, "by volume", e.Placed)
	// Output: 2 nodes, at least 2 by volume [0 0 1 1]
}

func ExampleEstimateOptions() {
	list := []noderesources.Request{request("1", "1Gi"), request("3", "1Gi"), request("4", "1Gi"), request("4", "1Gi")}
	var existing noderesources.Cluster
	err := existing.AddNode("gpu-1", corev1.ResourceList{"cpu": resource.MustParse("8"), "memory": resource.MustParse("8Gi"), "pods": resource.MustParse("9")})
	e := noderesources.EstimateNodes(list, nodeOf("4", "8Gi"), noderesources.EstimateOptions{
		Existing: &existing,
		MaxNodes: 1,
		Filter:   func(pod, node int) bool { return node > 0 || pod == 0 }, // only pod 0 tolerates the taint of gpu-1
	})
	fmt.Println(e.Nodes, "new node", e.Placed, "not placed", e.Unplaced, err)
	// Output: 1 new node [0 -1 1 -1] not placed map[1:[] 3:[]] <nil>
}

func ExampleLedger_Victims() {
	node := nodeOf("4", "8Gi")
	var pods []noderesources.PotentialVictim
	for i, priority := range []int32{1000, 10, 0} {
		pod := podOf(fmt.Sprint("p-", i), "1", "2Gi")
		pod.UID, pod.Spec.Priority = types.UID(pod.Name), &priority
		if err := node.Add(pod.UID, noderesources.PodRequest(pod, computeresources.Options{})); err != nil {
			panic(err)
		}
		pods = append(pods, noderesources.PotentialVictimOf(pod))
	}
	for _, cpu := range []string{"1", "2", "3", "4"} {
		preemption, err := node.Victims(request(cpu, "1Gi"), pods, noderesources.PreemptOptions{Priority: 100})
		fmt.Println(cpu, preemption.Victims, err) // indices of pods
	}
	// Output:
	// 1 [] <nil>
	// 2 [2] <nil>
	// 3 [1 2] <nil>
	// 4 [] preemption: 0/1 nodes are available: 1 Insufficient cpu.
}

// The scheduler chooses the node where the most important victim is the least important, unless that
// violates a budget.
func ExampleCluster_Preempt() {
	var nodes noderesources.Cluster
	pods := map[string][]noderesources.PotentialVictim{}
	for node, priority := range map[string]int32{"n-1": 0, "n-2": 10} {
		pod := podOf("on-"+node, "3", "2Gi")
		pod.UID, pod.Namespace, pod.Spec.Priority, pod.Labels = types.UID(pod.Name), "shop", &priority, map[string]string{"node": node}
		if err := nodes.AddNode(node, nodeOf("4", "8Gi").Allocatable()); err != nil {
			panic(err)
		}
		if err := nodes.AddPod(pod.UID, node, noderesources.PodRequest(pod, computeresources.Options{})); err != nil {
			panic(err)
		}
		pods[node] = append(pods[node], noderesources.PotentialVictimOf(pod))
	}
	podsOn := func(node string) []noderesources.PotentialVictim { return pods[node] }
	opts := noderesources.PreemptOptions{Priority: 100}
	fmt.Println(nodes.Preempt(request("2", "1Gi"), podsOn, opts))

	budget := &policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Namespace: "shop"}} // that allows no disruptions
	budget.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"node": "n-1"}}
	opts.Budgets = append(opts.Budgets, budget)
	fmt.Println(nodes.Preempt(request("2", "1Gi"), podsOn, opts))
	// Output:
	// {n-1 [0] 0} <nil>
	// {n-2 [0] 0} <nil>
}
