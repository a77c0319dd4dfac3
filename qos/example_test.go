package qos_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/qos"
)

// examplePod is a database that has limits, and an exporter beside it.
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
	computeresources.ApplyRequestDefaults(&pod.Spec, computeresources.DefaultOptions{}) // as the API server does
	return pod
}

func ExampleClass() {
	fmt.Println(qos.Class(&examplePod().Spec))
	// Output:
	// Burstable
}

func ExamplePodClass() {
	pod := examplePod()
	fmt.Println(qos.PodClass(pod))
	pod.Status.QOSClass = corev1.PodQOSGuaranteed // as it was created
	fmt.Println(qos.PodClass(pod))
	// Output:
	// Burstable
	// Guaranteed
}

func ExampleExplain() {
	reason := qos.Explain(&examplePod().Spec)
	fmt.Printf("%s: %v\n", reason.Class, reason)
	// Output:
	// Burstable: container exporter has no cpu limit
}

func ExampleGuaranteedChanges() {
	for _, change := range qos.GuaranteedChanges(&examplePod().Spec) {
		fmt.Println(change)
	}
	// Output:
	// container exporter: set the cpu limit to the request, 50m
	// container exporter: raise the memory request from 64Mi to the limit, 128Mi
}

func ExampleOOMScoreAdj() {
	pod := examplePod()
	for ref, c := range computeresources.Containers(&pod.Spec) {
		fmt.Println(ref, qos.OOMScoreAdj(pod, c, 16<<30)) // a node with 16Gi
	}
	// Output:
	// container database 750
	// container exporter 997
}

func ExampleTierTotals() {
	tiers := qos.TierTotals([]*corev1.Pod{examplePod(), examplePod(), {}})
	fmt.Printf("Burstable: %d pods, %dm CPU, %dMi of memory\n", tiers.Burstable.Pods, tiers.Burstable.MilliCPU, tiers.Burstable.Memory>>20)
	fmt.Printf("BestEffort: %d pod\n", tiers.BestEffort.Pods)
	// Output:
	// Burstable: 2 pods, 4100m CPU, 8320Mi of memory
	// BestEffort: 1 pod
}

func ExampleReason() {
	reason := qos.Explain(&examplePod().Spec)
	if reason.Blocker == qos.NoLimit {
		fmt.Printf("give %v a limit of %s\n", reason.Ref, reason.Resource)
	}
	// Output:
	// give container exporter a limit of cpu
}

func ExampleBlocker() {
	fmt.Println(qos.Explain(nil).Blocker == qos.NothingSet)
	// Output:
	// true
}

func ExampleChange() {
	change := qos.GuaranteedChanges(&examplePod().Spec)[1]
	fmt.Println(change.Ref, change.Resource, change.Request.String(), "becomes", change.To.String())
	// Output:
	// container exporter memory 64Mi becomes 128Mi
}

func ExampleTiers() {
	tiers := qos.TierTotals([]*corev1.Pod{examplePod(), {}})
	fmt.Println(tiers.Guaranteed.Pods, tiers.Burstable.Pods, tiers.BestEffort.Pods)
	// Output:
	// 0 1 1
}

func ExampleTier() {
	fmt.Printf("%+v\n", qos.TierTotals([]*corev1.Pod{examplePod()}).Burstable)
	// Output:
	// {Pods:1 MilliCPU:2050 Memory:4362076160 EphemeralStorage:0}
}
