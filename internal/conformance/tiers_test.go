package conformance

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/conformance/kubelet"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/qos"
)

func TestTierTotals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pods := rapid.SliceOfN(testkit.PodWith(testkit.Bytes()), 0, 6).Draw(t, "pods")
		var copies []*corev1.Pod
		for _, pod := range pods {
			copies = append(copies, pod.DeepCopy())
		}
		want := kubelet.TierTotals(copies)
		got := qos.TierTotals(pods, kubernetes)
		testkit.NoDiff(t, got, want)
	})
}
