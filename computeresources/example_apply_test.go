package computeresources_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
)

// What the API server stores of the template of a workload.
func ExampleApplyRounding() {
	template := &corev1.PodSpec{Containers: []corev1.Container{{
		Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("0.0015")}},
	}}}
	computeresources.ApplyRounding(template)
	fmt.Println(template.Containers[0].Resources.Limits.Cpu(), len(template.Containers[0].Resources.Requests))
	// Output: 2m 0
}
