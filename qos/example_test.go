package qos_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/qos"
)

// examplePod is a database with limits, and an exporter.
func examplePod() *corev1.Pod {
	amounts := func(cpu, memory string) corev1.ResourceList {
		return corev1.ResourceList{
			corev1.ResourceCPU:    resource.MustParse(cpu),
			corev1.ResourceMemory: resource.MustParse(memory),
		}
	}
	pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{
		{Name: "database", Resources: corev1.ResourceRequirements{Limits: amounts("2", "4Gi")}},
		{Name: "exporter", Resources: corev1.ResourceRequirements{
			Requests: amounts("50m", "64Mi"),
			Limits:   corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("128Mi")},
		}},
	}}}
	computeresources.ApplyRequestDefaults(&pod.Spec, computeresources.Kubernetes{}) // as the API server does
	return pod
}

func ExampleClass() {
	fmt.Println(qos.Class(&examplePod().Spec, computeresources.Kubernetes{}))
	// Output:
	// Burstable
}

func ExamplePodClass() {
	pod := examplePod()
	fmt.Println(qos.PodClass(pod, computeresources.Kubernetes{}))
	pod.Status.QOSClass = corev1.PodQOSGuaranteed // as it was created
	fmt.Println(qos.PodClass(pod, computeresources.Kubernetes{}))
	// Output:
	// Burstable
	// Guaranteed
}

func ExampleExplain() {
	reason := qos.Explain(&examplePod().Spec, computeresources.Kubernetes{})
	fmt.Printf("%s: %v\n", reason.Class, reason)
	// Output:
	// Burstable: container exporter has no cpu limit
}

func ExampleGuaranteedChanges() {
	pod := examplePod()
	changes, _ := qos.GuaranteedChanges(&pod.Spec, computeresources.Kubernetes{})
	for _, change := range changes {
		fmt.Println(change)
	}
	fmt.Println(computeresources.ApplyChanges(&pod.Spec, changes), qos.Class(&pod.Spec, computeresources.Kubernetes{}))
	// Output:
	// container exporter: set the cpu limit to 50m
	// container exporter: change the memory request from 64Mi to 128Mi
	// <nil> Guaranteed
}

func ExampleOOMScoreAdj() {
	pod := examplePod()
	for ref, c := range computeresources.Containers(&pod.Spec) {
		fmt.Println(ref, qos.OOMScoreAdj(pod, c, 16<<30, computeresources.Kubernetes{})) // a node with 16Gi
	}
	// Output:
	// container database 750
	// container exporter 997
}

func ExampleEvictionOrder() {
	database, batch := examplePod(), &corev1.Pod{}
	database.UID, batch.UID = "database", "batch"
	pods := []*corev1.Pod{database, batch}
	usage := map[types.UID]qos.PodUsage{ // bytes of memory, as the kubelet measures them
		"database": {Amount: 3 << 30}, "batch": {Amount: 512 << 20},
	}
	order, err := qos.EvictionOrder(pods, qos.NodePressure{Pressure: qos.MemoryPressure, Usage: usage}, computeresources.Kubernetes{})
	if err != nil {
		panic(err)
	}
	for _, e := range order {
		fmt.Println(pods[e.Index].UID, e.Request.String(), e.Excess.String())
	}
	// Output:
	// batch 0 512Mi
	// database 4160Mi -1088Mi
}

func ExampleEvictionMessage() {
	pod := examplePod()
	usage := map[types.UID]qos.PodUsage{pod.UID: {Containers: map[string]int64{"database": 3 << 30, "exporter": 96 << 20}}}
	threshold, available := resource.MustParse("100Mi"), resource.MustParse("80Mi")
	message, err := qos.EvictionMessage(pod, qos.NodePressure{
		Pressure: qos.MemoryPressure, Usage: usage, Threshold: &threshold, Available: &available,
	}, computeresources.Kubernetes{})
	if err != nil {
		panic(err)
	}
	fmt.Println(message)
	// Output:
	// The node was low on resource: memory. Threshold quantity: 100Mi, available: 80Mi. Container exporter was using 96Mi, request is 64Mi, has larger consumption of memory.
}

func ExampleTierTotals() {
	tiers := qos.TierTotals([]*corev1.Pod{examplePod(), examplePod(), {}}, computeresources.Kubernetes{})
	fmt.Printf("Burstable: %dm CPU, %dMi of memory\n", tiers.Burstable.MilliCPU, tiers.Burstable.Memory>>20)
	fmt.Printf("BestEffort: %dm CPU\n", tiers.BestEffort.MilliCPU)
	// Output:
	// Burstable: 4100m CPU, 8320Mi of memory
	// BestEffort: 0m CPU
}

func ExampleUnset() {
	spec := &corev1.PodSpec{Containers: []corev1.Container{{Name: "app", Resources: corev1.ResourceRequirements{
		Limits: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("1Gi")},
	}}}}
	_, unset := qos.GuaranteedChanges(spec, computeresources.Kubernetes{})
	fmt.Println(unset[0])
	// Output:
	// container app: set the cpu request and limit to the same amount
}

func ExampleExclusiveCPUs() {
	whole := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2"), corev1.ResourceMemory: resource.MustParse("1Gi")}
	part := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("500m"), corev1.ResourceMemory: resource.MustParse("1Gi")}
	pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{
		{Name: "packets", Resources: corev1.ResourceRequirements{Requests: whole, Limits: whole}},
		{Name: "control", Resources: corev1.ResourceRequirements{Requests: part, Limits: part}},
	}}}
	for i := range pod.Spec.Containers {
		c := &pod.Spec.Containers[i]
		fmt.Println(c.Name, qos.ExclusiveCPUs(pod, c, computeresources.Kubernetes{}))
	}
	// Output:
	// packets 2
	// control 0
}
