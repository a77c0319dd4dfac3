package noderesources_test

import (
	"cmp"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/noderesources"
)

// runningPod returns a pod that requests desired CPUs, of which its node has allocated others.
func runningPod(name, allocated, desired string) *corev1.Pod {
	requests := func(cpu string) corev1.ResourceList { return corev1.ResourceList{"cpu": resource.MustParse(cpu)} }
	pod := &corev1.Pod{}
	pod.Name = name
	pod.Spec.Containers = []corev1.Container{{Name: "app", Resources: corev1.ResourceRequirements{Requests: requests(desired)}}}
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "app", AllocatedResources: requests(allocated)}}
	return pod
}

// A pod that sets spec.nodeName, beside one whose resize is deferred: the allocated CPUs of that count.
func ExampleAdmitPod() {
	allocatable := corev1.ResourceList{"cpu": resource.MustParse("4"), "pods": resource.MustParse("110")}
	there := []*corev1.Pod{runningPod("a", "1", "5"), runningPod("b", "1500m", "1500m")}
	for _, cpu := range []string{"1", "2"} {
		a := noderesources.AdmitPod(runningPod("new", cpu, cpu), allocatable, there, noderesources.KubeletOptions{})
		fmt.Printf("%s CPUs: %s %q\n", cpu, cmp.Or(a.Reason, "admitted"), a.Message)
	}
	// Output:
	// 1 CPUs: admitted ""
	// 2 CPUs: OutOfcpu "Node didn't have enough resource: cpu, requested: 2000, used: 2500, capacity: 4000"
}

// Of two pods that are large enough, the smaller one is evicted.
func ExampleCriticalVictims() {
	running := []*corev1.Pod{runningPod("a", "3", "3"), runningPod("b", "1", "1"), runningPod("c", "2", "2")}
	critical := runningPod("critical", "2", "2")
	priority := int32(2_000_000_000)
	critical.Spec.Priority = &priority

	allocatable := corev1.ResourceList{"cpu": resource.MustParse("6500m"), "pods": resource.MustParse("110")}
	short := noderesources.AdmitPod(critical, allocatable, running, noderesources.KubeletOptions{}).Shortages
	victims, err := noderesources.CriticalVictims(critical, short, running, noderesources.KubeletOptions{})
	for _, i := range victims {
		fmt.Println(running[i].Name, err)
	}
	// Output: c <nil>
}

// Resizes to less come first. What they give up is free once the node reports it as actuated, so that b waits.
func ExamplePendingResizes() {
	allocatable := corev1.ResourceList{"cpu": resource.MustParse("5"), "pods": resource.MustParse("110")}
	pods := []*corev1.Pod{runningPod("a", "1", "2"), runningPod("b", "1", "2"), runningPod("c", "2", "1"), runningPod("d", "500m", "500m")}
	for _, r := range noderesources.PendingResizes(pods, allocatable, noderesources.KubeletOptions{}) {
		if r.State == "" {
			fmt.Println(pods[r.Pod].Name, "is resized")
		} else {
			fmt.Printf("%s is %s: %s\n", pods[r.Pod].Name, r.State, r.Message)
		}
	}
	// Output:
	// c is resized
	// a is Deferred: Node didn't have enough resource: cpu, requested: 2000, used: 3500, capacity: 5000
	// b is Deferred: Node didn't have enough resource: cpu, requested: 2000, used: 3500, capacity: 5000
}
