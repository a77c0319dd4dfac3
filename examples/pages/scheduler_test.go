package pages_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
)

// smallNode returns a node with 4 CPUs, and five pods that request 1500m each.
func smallNode() (*corev1.Node, []*corev1.Pod) {
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1"}}
	node.Status.Allocatable = corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("4"), corev1.ResourceMemory: resource.MustParse("8Gi"), corev1.ResourcePods: resource.MustParse("110"),
	}
	var pods []*corev1.Pod
	for i := range 5 {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("web-", i), UID: types.UID(fmt.Sprint(i))}}
		pod.Spec.Containers = []corev1.Container{{Name: "app", Resources: corev1.ResourceRequirements{
			Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1500m")},
		}}}
		pods = append(pods, pod)
	}
	return node, pods
}

func Example_schedulerFit() {
	node, pods := smallNode()

	ledger := noderesources.NewLedger(node.Status.Allocatable)
	for _, pod := range pods {
		request := noderesources.PodRequest(pod, computeresources.Options{})
		if shortages := ledger.Shortages(request, noderesources.FitOptions{}); len(shortages) > 0 {
			fmt.Println(pod.Name, shortages.Err())
			break
		}
		if err := ledger.Add(pod.UID, request); err != nil { // Update and Remove take the same UID
			fmt.Println(err)
		}
	}
	// Output:
	// web-2 Insufficient cpu
}

func Example_schedulerCluster() {
	node, pods := smallNode()
	request := noderesources.PodRequest(pods[0], computeresources.Options{})

	var cluster noderesources.Cluster
	if err := cluster.AddNode(node.Name, node.Status.Allocatable); err != nil {
		fmt.Println(err)
	}
	fmt.Println(cluster.AppendFits(nil, request, noderesources.FitOptions{}))
	for _, pod := range pods[:2] {
		if err := cluster.AddPod(pod.UID, node.Name, request); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(cluster.CheckFit(request, noderesources.FitOptions{}))
	// Output:
	// [node-1]
	// 0/1 nodes are available: 1 Insufficient cpu.
}

func Example_schedulerBest() {
	node, pods := smallNode()
	request := noderesources.PodRequest(pods[0], computeresources.Options{})
	var cluster noderesources.Cluster
	for _, name := range []string{"node-1", "node-2"} {
		if err := cluster.AddNode(name, node.Status.Allocatable); err != nil {
			fmt.Println(err)
		}
	}
	if err := cluster.AddPod(pods[0].UID, "node-1", request); err != nil {
		fmt.Println(err)
	}

	profile := noderesources.Profile{} // the scores of a default scheduler that depend on resources
	best, score, found := cluster.Best(request, profile, noderesources.FitOptions{})
	fmt.Println(best, score, found)

	scorer, err := noderesources.NewScorer(noderesources.ScoreOptions{Strategy: noderesources.MostAllocated})
	if err != nil {
		fmt.Println(err)
	}
	profile = noderesources.Profile{{Scorer: scorer, Weight: 5}}
	fmt.Println(cluster.Best(request, profile, noderesources.FitOptions{}))
	// Output:
	// node-2 144 true
	// node-1 195 true
}

func Example_schedulerPreempt() {
	node, pods := smallNode()
	request := noderesources.PodRequest(pods[0], computeresources.Options{})
	var cluster noderesources.Cluster
	if err := cluster.AddNode(node.Name, node.Status.Allocatable); err != nil {
		fmt.Println(err)
	}
	var placed []noderesources.PotentialVictim
	for _, pod := range pods[:2] {
		if err := cluster.AddPod(pod.UID, node.Name, request); err != nil {
			fmt.Println(err)
		}
		placed = append(placed, noderesources.PotentialVictimOf(pod))
	}
	podsOn := func(string) []noderesources.PotentialVictim { return placed }
	var budgets []*policyv1.PodDisruptionBudget

	preemption, err := cluster.Preempt(request, podsOn, noderesources.PreemptOptions{
		Priority: 100,
		Budgets:  budgets, // []*policyv1.PodDisruptionBudget
		Filter:   func(node string) bool { return node != "tainted" },
	})
	for _, i := range preemption.Victims {
		fmt.Println(preemption.Node, podsOn(preemption.Node)[i].UID, preemption.PDBViolations, err)
	}
	// Output:
	// node-1 1 0 <nil>
}

func Example_schedulerEstimate() {
	node, pods := smallNode()

	var requests []noderesources.Request
	for _, pod := range pods {
		requests = append(requests, noderesources.PodRequest(pod, computeresources.Options{}))
	}
	estimate := noderesources.EstimateNodes(requests, noderesources.NewLedger(node.Status.Allocatable), noderesources.EstimateOptions{})
	fmt.Println(estimate.Nodes, "nodes")
	// Output:
	// 3 nodes
}

func Example_schedulerEstimateBeside() {
	node, pods := smallNode()
	var requests []noderesources.Request
	for _, pod := range pods {
		requests = append(requests, noderesources.PodRequest(pod, computeresources.Options{}))
	}

	var cluster noderesources.Cluster
	if err := cluster.AddNode(node.Name, node.Status.Allocatable); err != nil {
		fmt.Println(err)
	}
	template := noderesources.NewLedger(node.Status.Allocatable)
	estimate := noderesources.EstimateNodes(requests, template, noderesources.EstimateOptions{Existing: &cluster, MaxNodes: 1})
	fmt.Println(estimate.Nodes, "new node; pods on", estimate.Placed, "not placed:", estimate.Unplaced)
	// Output:
	// 1 new node; pods on [0 0 1 1 -1] not placed: map[4:[]]
}
