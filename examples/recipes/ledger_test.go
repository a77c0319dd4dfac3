package recipes_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources/noderesources"
)

// place adds a task to the first node that has room, and returns the name of the node or why it fits on none.
func place(nodes *noderesources.Cluster, task types.UID, amounts corev1.ResourceList) (string, error) {
	request := noderesources.RequestOf(amounts)
	fits := nodes.AppendFits(nil, request, noderesources.FitOptions{})
	if len(fits) == 0 {
		return "", nodes.CheckFit(request, noderesources.FitOptions{})
	}
	return fits[0], nodes.AddPod(task, fits[0], request)
}

// Example_schedulerLoop places tasks, of which it has amounts and no pods, and removes one of them. For pods, use
// noderesources.PodRequest.
func Example_schedulerLoop() {
	var nodes noderesources.Cluster
	for name, allocatable := range map[string]corev1.ResourceList{
		"a-plain": {"cpu": resource.MustParse("4"), "memory": resource.MustParse("8Gi"), "pods": resource.MustParse("110")},
		"b-gpu":   {"cpu": resource.MustParse("8"), "memory": resource.MustParse("16Gi"), "pods": resource.MustParse("110"), "nvidia.com/gpu": resource.MustParse("2")},
	} {
		if err := nodes.AddNode(name, allocatable); err != nil {
			fmt.Println(err)
		}
	}
	infer := corev1.ResourceList{"cpu": resource.MustParse("1"), "nvidia.com/gpu": resource.MustParse("1")}
	for _, task := range []struct {
		uid     types.UID
		amounts corev1.ResourceList
	}{
		{"web", corev1.ResourceList{"cpu": resource.MustParse("3"), "memory": resource.MustParse("1.5Gi")}},
		{"train", corev1.ResourceList{"cpu": resource.MustParse("1"), "nvidia.com/gpu": resource.MustParse("2")}},
		{"infer", infer},
		{"batch", corev1.ResourceList{"cpu": resource.MustParse("2500m")}},
	} {
		if node, err := place(&nodes, task.uid, task.amounts); err != nil {
			fmt.Println(task.uid, "waits:", err)
		} else {
			fmt.Println(task.uid, "->", node)
		}
	}
	if err := nodes.RemovePod("train"); err != nil {
		fmt.Println(err)
	}
	node, err := place(&nodes, "infer", infer)
	fmt.Println("infer ->", node, err)
	// Output:
	// web -> a-plain
	// train -> b-gpu
	// infer waits: 0/2 nodes are available: 2 Insufficient nvidia.com/gpu.
	// batch -> b-gpu
	// infer -> b-gpu <nil>
}
