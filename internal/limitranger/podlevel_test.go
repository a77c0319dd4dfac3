package limitranger_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/limitranger"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestCountsPodLevel(t *testing.T) {
	for name, want := range map[corev1.ResourceName]bool{
		"cpu": true, "memory": true, "hugepages-2Mi": false, "ephemeral-storage": false, "requests.cpu": false, "": false,
	} {
		testkit.Equal(t, limitranger.CountsPodLevel(name), want, "CountsPodLevel of", name)
	}
}
