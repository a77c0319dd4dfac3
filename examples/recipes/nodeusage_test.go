package recipes_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// onNode returns what the pods of a node have reserved, their number included. Pods that have
// ended hold nothing.
func onNode(node *corev1.Node, pods []*corev1.Pod) corev1.ResourceList {
	used := corev1.ResourceList{}
	var count int64
	for _, pod := range pods {
		if pod.Spec.NodeName != node.Name || computeresources.HasEnded(pod) {
			continue
		}
		used = resourcelist.AddInto(used, used, computeresources.PodRequests(pod, computeresources.Options{}))
		count++
	}
	used[corev1.ResourcePods] = resourcelist.Quantity(corev1.ResourcePods, count)
	return used
}

// Example_nodeUsage prints what is reserved on three nodes, in percent of what is allocatable, and
// whether a pod with a GPU fits there. noderesources.OverviewOf has the table of kubectl describe node.
func Example_nodeUsage() {
	nodes := []*corev1.Node{
		allocatableNode("node-001", corev1.ResourceList{"cpu": resource.MustParse("15890m"), "memory": resource.MustParse("60Gi"), "pods": resource.MustParse("110")}),
		allocatableNode("node-002", corev1.ResourceList{"cpu": resource.MustParse("8"), "pods": resource.MustParse("110"), "nvidia.com/gpu": resource.MustParse("2")}),
		allocatableNode("node-003", corev1.ResourceList{"cpu": resource.MustParse("4"), "pods": resource.MustParse("110"), "nvidia.com/gpu": resource.MustParse("1")}),
	}
	pods := []*corev1.Pod{
		podOn("node-001", corev1.PodRunning, corev1.ResourceList{"cpu": resource.MustParse("170m")}),
		podOn("node-001", corev1.PodSucceeded, corev1.ResourceList{"cpu": resource.MustParse("4")}),
		podOn("node-002", corev1.PodRunning, corev1.ResourceList{"cpu": resource.MustParse("2"), "nvidia.com/gpu": resource.MustParse("1")}),
	}
	for range 62 {
		pods = append(pods, podOn("node-001", corev1.PodRunning, corev1.ResourceList{"cpu": resource.MustParse("330m")}))
	}

	training := podOn("", corev1.PodPending, corev1.ResourceList{"cpu": resource.MustParse("2"), "nvidia.com/gpu": resource.MustParse("1")})
	want := computeresources.PodRequests(training, computeresources.Options{})
	want[corev1.ResourcePods] = resource.MustParse("1")
	for _, node := range nodes {
		used := onNode(node, pods)
		cpu, _ := resourcelist.Percent(used[corev1.ResourceCPU], node.Status.Allocatable[corev1.ResourceCPU])
		fmt.Printf("%s: %d%% of cpu; %s\n", node.Name, cpu, resourcelist.String(used))
		free := resourcelist.Subtract(node.Status.Allocatable, used)
		fmt.Println("  training fits:", resourcelist.Fits(want, free), resourcelist.Insufficient(want, free))
	}
	// Output:
	// node-001: 129% of cpu; cpu=20630m,pods=63
	//   training fits: false [cpu nvidia.com/gpu]
	// node-002: 25% of cpu; cpu=2,nvidia.com/gpu=1,pods=1
	//   training fits: true []
	// node-003: 0% of cpu; pods=0
	//   training fits: true []
}

func allocatableNode(name string, allocatable corev1.ResourceList) *corev1.Node {
	node := &corev1.Node{Status: corev1.NodeStatus{Allocatable: allocatable}}
	node.Name = name
	return node
}

func podOn(node string, phase corev1.PodPhase, requests corev1.ResourceList) *corev1.Pod {
	return &corev1.Pod{
		Spec: corev1.PodSpec{NodeName: node, Containers: []corev1.Container{
			{Name: "app", Resources: corev1.ResourceRequirements{Requests: requests}},
		}},
		Status: corev1.PodStatus{Phase: phase},
	}
}
