package resourcename_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/resourcename"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestSetsPodLevel(t *testing.T) {
	list := testkit.List
	for _, test := range []struct {
		name string
		spec *corev1.PodSpec
		want bool
	}{
		{"no spec", nil, false},
		{"no requirements", &corev1.PodSpec{}, false},
		{"set to an empty list", &corev1.PodSpec{Resources: &corev1.ResourceRequirements{}}, false},
		{"a request of zero", &corev1.PodSpec{Resources: &corev1.ResourceRequirements{Requests: list("cpu", "0")}}, true},
		{"a limit", &corev1.PodSpec{Resources: &corev1.ResourceRequirements{Limits: list("hugepages-2Mi", "2Mi")}}, true},
		{"a resource that cannot be set at pod level", &corev1.PodSpec{Resources: &corev1.ResourceRequirements{Limits: list("ephemeral-storage", "1"), Requests: list("example.com/gpu", "1")}}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			testkit.Equal(t, resourcename.SetsPodLevel(test.spec), test.want, "SetsPodLevel")
		})
	}
}
