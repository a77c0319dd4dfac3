package computeresources_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
)

// What a resize changes of a pod: amounts, and nothing else.
func ExampleApplyResize() {
	old, updated := exampleResize()
	updated.Spec.Containers[0].Image = "other"
	computeresources.ApplyResize(old, updated, computeresources.ResizeOptions{})
	app := old.Spec.Containers[0]
	fmt.Printf("%s %q\n", app.Resources.Requests.Cpu(), app.Image)
	// Output: 1 ""
}

// What the API server stores of the template of a workload.
func ExampleApplyRounding() {
	template := &corev1.PodSpec{Containers: []corev1.Container{{
		Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("0.0015")}},
	}}}
	computeresources.ApplyRounding(template)
	fmt.Println(template.Containers[0].Resources.Limits.Cpu(), len(template.Containers[0].Resources.Requests))
	// Output: 2m 0
}
