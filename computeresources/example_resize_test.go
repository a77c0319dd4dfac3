package computeresources_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
)

// exampleResize is a Burstable pod, and an update that gives it requests as large as its limits.
func exampleResize() (old, updated *corev1.Pod) {
	old = &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{
		Name: "app",
		Resources: corev1.ResourceRequirements{
			Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("500m"), corev1.ResourceMemory: resource.MustParse("1Gi")},
			Limits:   corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1"), corev1.ResourceMemory: resource.MustParse("1Gi")},
		},
	}}}}
	updated = old.DeepCopy()
	app := &updated.Spec.Containers[0].Resources
	app.Requests[corev1.ResourceCPU] = resource.MustParse("1")
	return old, updated
}

func ExampleValidateResize() {
	old, updated := exampleResize()
	computeresources.ApplyRequestDefaults(&updated.Spec, computeresources.Gates{})
	fmt.Println(computeresources.ValidateResize(old, updated, computeresources.ResizeOptions{}).Err())

	updated.Spec.Containers[0].Resources.Requests[corev1.ResourceCPU] = resource.MustParse("900m")
	fmt.Println(computeresources.ValidateResize(old, updated, computeresources.ResizeOptions{}).Err())
	// Output:
	// spec: Invalid value: "": Pod QOS Class may not change as a result of resizing
	// <nil>
}

// The pod shall have 6 CPUs, on a node of 4.
func ExampleValidateResizeOnNode() {
	old, _ := exampleResize()
	old.Spec.NodeName = "node-1"
	updated := old.DeepCopy()
	updated.Spec.Containers[0].Resources.Requests[corev1.ResourceCPU] = resource.MustParse("6")
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1"}}
	node.Status.Allocatable = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("4"), corev1.ResourceMemory: resource.MustParse("16Gi")}
	for _, problem := range computeresources.ValidateResizeOnNode(old, updated, node, computeresources.ResizeOptions{}) {
		fmt.Println(problem.Cause, problem.Node, problem.Requested.Cpu(), "of", problem.Allocatable.Cpu())
	}
	// Output:
	// larger than the node node-1 6 of 4
}

func ExampleSpecWarnings() {
	spec := &corev1.PodSpec{Containers: []corev1.Container{{
		Name:      "app",
		Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("512m")}},
	}}}
	for _, path := range []*field.Path{nil, field.NewPath("spec", "template", "spec")} { // of a Pod, and of a Deployment
		fmt.Println(computeresources.SpecWarnings(spec, path)[0])
	}
	// Output:
	// spec.containers[0].resources.limits[memory]: fractional byte value "512m" is invalid, must be an integer
	// spec.template.spec.containers[0].resources.limits[memory]: fractional byte value "512m" is invalid, must be an integer
}

func ExampleVolumeClaimWarnings() {
	spec := &corev1.PersistentVolumeClaimSpec{Resources: corev1.VolumeResourceRequirements{
		Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1500m")},
	}}
	fmt.Println(computeresources.VolumeClaimWarnings(spec, nil)[0])
	// Output:
	// spec.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer
}
