package division_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestDivisible(t *testing.T) {
	for name, want := range map[corev1.ResourceName]bool{
		"cpu": true, "memory": true, "pods": true, "example.kubernetes.io/thing": true,
		"nvidia.com/gpu": false, "hugepages-2Mi": false,
		"requests.nvidia.com/gpu": false, "Example_/thing": false, // which are no extended resources, and not native either
	} {
		testkit.Equal(t, division.Divisible(name), want, name)
	}
}
