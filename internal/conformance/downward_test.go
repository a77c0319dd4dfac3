package conformance

import (
	"strconv"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	upstream "k8s.io/kubernetes/pkg/api/v1/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// The kubelet computes in floating point, so only amounts that are exact in it are drawn.
func TestDownwardValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pod := testkit.PodWith(testkit.Bytes()).Draw(t, "pod")
		pod.Spec.Resources = nil // what the kubelet puts in the place of the node's
		node := testkit.ResourceList(testkit.Bytes()).Draw(t, "node")
		resources := []string{"cpu", "memory", "ephemeral-storage", "hugepages-2Mi", "hugepages-1Gi", "example.com/gpu", "storage", ""}
		field := corev1.ResourceFieldSelector{
			ContainerName: rapid.SampledFrom([]string{"same", "init-0", "c-0", "c-1", "none"}).Draw(t, "container"),
			Resource:      rapid.SampledFrom([]string{"requests.", "limits.", ""}).Draw(t, "list") + rapid.SampledFrom(resources).Draw(t, "resource"),
			Divisor:       resource.MustParse(rapid.SampledFrom([]string{"0", "1", "1m", "1k", "1Ki", "1Mi", "3"}).Draw(t, "divisor")),
		}
		want, wantErr := upstream.ExtractResourceValueByContainerNameAndNodeAllocatable(&field, pod.DeepCopy(), field.ContainerName, node.DeepCopy())
		got, err := computeresources.DownwardValue(&pod.Spec, field, computeresources.DownwardOptions{NodeAllocatable: node})
		if (err != nil) != (wantErr != nil) || err == nil && strconv.FormatInt(got, 10) != want {
			t.Fatalf("%+v: %d, %v, upstream %s, %v", field, got, err, want, wantErr)
		}
		if err != nil && err.Error() != wantErr.Error() {
			t.Fatalf("%q, upstream %q", err, wantErr)
		}
	})
}
