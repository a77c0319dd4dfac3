package admit_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/measure"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

// wide returns a namespace of two LimitRanges and two quotas, which a pod of a few containers passes.
func wide(t testing.TB) *admit.Namespace {
	t.Helper()
	ranges := []*corev1.LimitRange{
		limitRange("bounds",
			corev1.LimitRangeItem{
				Type: corev1.LimitTypeContainer, Min: list("cpu", "10m", "memory", "1Mi"), Max: list("cpu", "16", "memory", "64Gi"),
				MaxLimitRequestRatio: list("cpu", "16", "memory", "16"),
			},
			corev1.LimitRangeItem{Type: corev1.LimitTypePod, Max: list("cpu", "64", "memory", "256Gi")},
		),
		limitRange("defaults", corev1.LimitRangeItem{
			Type: corev1.LimitTypeContainer, Default: list("cpu", "1", "memory", "1Gi"), DefaultRequest: list("cpu", "100m", "memory", "128Mi"),
		}),
	}
	compute := resourceQuota("compute",
		list("requests.cpu", "1k", "requests.memory", "2Ti", "limits.cpu", "2k", "limits.memory", "4Ti"),
		list("requests.cpu", "2500m", "requests.memory", "3.5Gi", "limits.cpu", "5", "limits.memory", "6Gi"))
	objects := resourceQuota("objects", list("pods", "1k", "cpu", "1k", "services", "5"), list("pods", "12", "cpu", "2500m", "services", "2"))
	return compile(t, ranges, []*corev1.ResourceQuota{compute, objects}, admit.Options{})
}

var decisionSink admit.Decision

func TestAllocs(t *testing.T) {
	if measure.Race {
		t.Skip("the race detector allocates, too")
	}
	namespace := wide(t)
	pod := func(containers int) *corev1.Pod {
		pod := testkit.StandardPod(false)
		pod.Spec.Containers, pod.Spec.InitContainers = pod.Spec.Containers[:containers], nil
		pod.Labels = map[string]string{"app": "web"}
		return pod
	}
	for _, test := range []struct {
		name  string
		pod   *corev1.Pod
		allow float64
	}{
		{"a passing pod of one container", pod(1), 15},
		{"a passing pod of two containers", pod(2), 19},
	} {
		t.Run(test.name, func(t *testing.T) {
			stored := testing.AllocsPerRun(100, func() { podSink = test.pod.DeepCopy() })
			got := testing.AllocsPerRun(100, func() { decisionSink = namespace.Create(test.pod, admit.Attributes{}) })
			t.Logf("%v allocations, %v of them for the copy", got, stored)
			if got > test.allow || got > 2*stored {
				t.Errorf("%v allocations, want at most %v", got, test.allow)
			}
			if err := decisionSink.Err(); err != nil {
				t.Errorf("refused: %v", err)
			}
		})
	}
}

var podSink *corev1.Pod
