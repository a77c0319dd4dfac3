package pages_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources/noderesources"
)

// agentNode returns a node with 4 CPUs, and running pods: one of 2 CPUs, and two that are resized from 500m to 1 and
// to 2 CPUs.
func agentNode() (*corev1.Node, []*corev1.Pod) {
	node := &corev1.Node{}
	node.Status.Allocatable = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("4"), corev1.ResourcePods: resource.MustParse("110")}
	cpus := func(amount string) corev1.ResourceList {
		return corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(amount)}
	}
	running := func(name, allocated, desired string) *corev1.Pod {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name)}}
		pod.Spec.Containers = []corev1.Container{{Name: "app", Resources: corev1.ResourceRequirements{Requests: cpus(desired)}}}
		pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "app", AllocatedResources: cpus(allocated), Resources: &corev1.ResourceRequirements{Requests: cpus(allocated)}}}
		return pod
	}
	return node, []*corev1.Pod{running("db", "2", "2"), running("web-1", "500m", "2"), running("web-2", "500m", "1")}
}

func Example_nodeAgentStart() {
	node, pods := agentNode()
	pod := &corev1.Pod{}
	pod.Spec.Containers = []corev1.Container{{Name: "app", Resources: corev1.ResourceRequirements{
		Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1500m")},
	}}}

	admission := noderesources.AdmitPod(pod, node.Status.Allocatable, pods, noderesources.KubeletOptions{})
	if admission.Reason != "" {
		fmt.Println(admission.Reason)
		fmt.Println(admission.Message)
	}
	for _, i := range admission.Victims {
		fmt.Println("evicts", pods[i].Name)
	}

	priority := int32(2_000_000_000) // system-cluster-critical
	pod.Spec.Priority = &priority
	admission = noderesources.AdmitPod(pod, node.Status.Allocatable, pods, noderesources.KubeletOptions{})
	for _, i := range admission.Victims {
		fmt.Println("evicts", pods[i].Name)
	}
	// Output:
	// OutOfcpu
	// Node didn't have enough resource: cpu, requested: 1500, used: 3000, capacity: 4000
	// evicts web-1
}

func Example_nodeAgentResize() {
	node, pods := agentNode()

	for _, resize := range noderesources.PendingResizes(pods, node.Status.Allocatable, noderesources.KubeletOptions{}) {
		pod := pods[resize.Pod]
		if resize.State == "" {
			fmt.Println(pod.Name, "is resized now")
			continue
		}
		fmt.Println(pod.Name, resize.State+":", resize.Message)
		for _, s := range resize.Shortages {
			fmt.Println("waits for", s.Requested+s.Used-s.Capacity, "more of", s.Resource)
		}
	}
	// Output:
	// web-1 Deferred: Node didn't have enough resource: cpu, requested: 2000, used: 2500, capacity: 4000
	// waits for 500 more of cpu
	// web-2 is resized now
}
