package recipes_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
)

// place adds a pod to the first node that has room, and returns the name of the node or why the pod
// fits on none.
func place(nodes *noderesources.Cluster, pod *corev1.Pod) (string, error) {
	request := noderesources.PodRequest(pod, computeresources.Options{})
	fits := nodes.AppendFits(nil, request, noderesources.FitOptions{})
	if len(fits) == 0 {
		return "", nodes.CheckFit(request, noderesources.FitOptions{})
	}
	return fits[0], nodes.AddPod(pod.UID, fits[0], request)
}

// Example_schedulerLoop places pods, and removes one of them. The node then has what the pod was added with,
// even if the pod has changed since.
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
	pods := []*corev1.Pod{
		arriving("web", corev1.ResourceList{"cpu": resource.MustParse("3"), "memory": resource.MustParse("1.5Gi")}),
		arriving("train", corev1.ResourceList{"cpu": resource.MustParse("1"), "nvidia.com/gpu": resource.MustParse("2")}),
		arriving("infer", corev1.ResourceList{"cpu": resource.MustParse("1"), "nvidia.com/gpu": resource.MustParse("1")}),
		arriving("batch", corev1.ResourceList{"cpu": resource.MustParse("2500m")}),
	}
	for _, pod := range pods {
		if node, err := place(&nodes, pod); err != nil {
			fmt.Println(pod.Name, "waits:", err)
		} else {
			fmt.Println(pod.Name, "->", node)
		}
	}
	if err := nodes.RemovePod("train"); err != nil {
		fmt.Println(err)
	}
	node, err := place(&nodes, pods[2])
	fmt.Println("infer ->", node, err)
	// Output:
	// web -> a-plain
	// train -> b-gpu
	// infer waits: 0/2 nodes are available: 2 Insufficient nvidia.com/gpu.
	// batch -> b-gpu
	// infer -> b-gpu <nil>
}

func arriving(name string, requests corev1.ResourceList) *corev1.Pod {
	pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{
		{Name: "app", Resources: corev1.ResourceRequirements{Requests: requests}},
	}}}
	pod.Name, pod.UID = name, types.UID(name)
	return pod
}
