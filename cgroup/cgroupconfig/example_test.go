package cgroupconfig_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/cgroup"
	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/computeresources"
)

// examplePod is Pod3 of the kubelet's document "Pod level resource management", without defaults.
func examplePod() *corev1.Pod {
	amounts := func(cpu, memory string) corev1.ResourceList {
		return corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu), corev1.ResourceMemory: resource.MustParse(memory)}
	}
	return &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{
		{Name: "foo", Resources: corev1.ResourceRequirements{Requests: amounts("20m", "1Gi"), Limits: amounts("50m", "2Gi")}},
		{Name: "bar", Resources: corev1.ResourceRequirements{Limits: amounts("100m", "1Gi")}},
	}}}
}

func ExampleForPod() {
	c := cgroupconfig.ForPod(examplePod(), cgroupconfig.Options{})
	fmt.Println("shares", c.Shares, "quota", c.Quota, "memory", c.Memory)
	// Output:
	// shares 20 quota 15000 memory 3221225472
}

func ExampleForContainer() {
	pod := examplePod()
	for _, container := range computeresources.Containers(&pod.Spec) {
		c := cgroupconfig.ForContainer(pod, container, cgroupconfig.Options{NodeMemory: cgroupconfig.NodeMemory{Capacity: 16 << 30}})
		fmt.Println(container.Name, "shares", c.Cgroup.Shares, "quota", c.Cgroup.Quota, "oom_score_adj", c.OOMScoreAdj)
	}
	// Output:
	// foo shares 20 quota 5000 oom_score_adj 938
	// bar shares 102 quota 10000 oom_score_adj 999
}

func ExampleForTiers() {
	half := int64(50)
	tiers := cgroupconfig.ForTiers([]*corev1.Pod{examplePod()}, cgroupconfig.Options{
		ReservedPercent: &half, NodeMemory: cgroupconfig.NodeMemory{Allocatable: 8 << 30},
	})
	fmt.Println("Burstable: shares", tiers.Burstable.Shares, "memory", tiers.Burstable.Memory)
	fmt.Println("BestEffort: shares", tiers.BestEffort.Shares, "memory", tiers.BestEffort.Memory)
	// Output:
	// Burstable: shares 20 memory 8589934592
	// BestEffort: shares 2 memory 8053063680
}

func ExampleForAllocatable() {
	c := cgroupconfig.ForAllocatable(corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("3920m"), corev1.ResourceMemory: resource.MustParse("14Gi"),
	})
	fmt.Println("shares", c.Shares, "memory", c.Memory)
	// Output:
	// shares 4014 memory 15032385536
}

// A virtual machine for the pod needs 1 CPU and 1Gi, and 250m and 128Mi for itself.
func ExampleForSandbox() {
	one := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1"), corev1.ResourceMemory: resource.MustParse("1Gi")}
	pod := &corev1.Pod{Spec: corev1.PodSpec{
		Containers: []corev1.Container{{Name: "app", Resources: corev1.ResourceRequirements{Requests: one, Limits: one}}},
		Overhead:   corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("250m"), corev1.ResourceMemory: resource.MustParse("128Mi")},
	}}
	sandbox := cgroupconfig.ForSandbox(pod, cgroupconfig.Options{})
	fmt.Println(sandbox.Resources.Quota, sandbox.Resources.Memory)
	fmt.Println(sandbox.Overhead.Quota, sandbox.Overhead.Memory)
	// Output:
	// 100000 1073741824
	// 25000 134217728
}

func ExampleNodeMemory_SwapShare() {
	// A container that requests a quarter of the memory may use a quarter of the swap.
	fmt.Println(cgroupconfig.NodeMemory{Capacity: 16 << 30, Swap: 8 << 30}.SwapShare(4 << 30))
	// Output:
	// 2147483648
}

func ExampleCgroup_V2() {
	for _, s := range cgroupconfig.ForPod(examplePod(), cgroupconfig.Options{}).V2(cgroup.SharesToLinearWeight) {
		fmt.Println(s.Name, s.Value)
	}
	// Output:
	// cpu.max 15000 100000
	// cpu.weight 1
	// memory.max 3221225472
}
