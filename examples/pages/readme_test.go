package pages_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/qos"
)

func Example_readme() {
	spec := &corev1.PodSpec{Containers: []corev1.Container{{
		Name: "app",
		Resources: corev1.ResourceRequirements{
			Requests: corev1.ResourceList{"memory": resource.MustParse("1Gi")},
			Limits:   corev1.ResourceList{"cpu": resource.MustParse("500m")},
		},
	}}}
	computeresources.ApplyRequestDefaults(spec, computeresources.Kubernetes{}) // as the API server does
	requests := computeresources.SpecRequests(spec, computeresources.Options{})
	class, reason := qos.Class(spec, computeresources.Kubernetes{}), qos.Explain(spec, computeresources.Kubernetes{})
	fmt.Println(requests.Cpu(), requests.Memory(), class, reason)
	// Output:
	// 500m 1Gi Burstable container app has no memory limit
}
