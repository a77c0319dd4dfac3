package conformance

import (
	"math/big"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	upstream "k8s.io/kubernetes/pkg/kubelet/qos"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/qos"
)

// Upstream divides by the number of containers and by the capacity, and takes the
// first app container for granted: the pods here have one, and nodes have memory.
func TestOOMScoreAdj(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pod := testkit.PodWith(testkit.Bytes()).Draw(t, "pod")
		if len(pod.Spec.Containers) == 0 {
			pod.Spec.Containers = []corev1.Container{testkit.Container("c", nil, nil)}
		}
		if oracle.Release == "1.36" {
			raisePodLevel(&pod.Spec)
		}
		capacity := rapid.OneOf(rapid.Int64Range(1, 20), rapid.Int64Range(1, 1<<40)).Draw(t, "capacity")
		for ref, container := range computeresources.Containers(&pod.Spec) {
			got := qos.OOMScoreAdj(pod, container, capacity, kubernetes)
			want := upstream.GetContainerOOMScoreAdjust(pod.DeepCopy(), container.DeepCopy(), capacity)
			testkit.Equal(t, got, want, ref, "OOM score")
		}
	})
}

// raisePodLevel makes the pod-level memory request no less than what the containers request,
// as validation requires.
func raisePodLevel(spec *corev1.PodSpec) {
	if spec.Resources == nil {
		return
	}
	own := computeresources.Options{Kubernetes: kubernetes, IgnorePodLevel: true, ExcludeOverhead: true}
	needed := computeresources.SpecRequests(spec, own)[corev1.ResourceMemory]
	if stated, ok := spec.Resources.Requests[corev1.ResourceMemory]; ok && stated.Cmp(needed) < 0 {
		spec.Resources.Requests[corev1.ResourceMemory] = needed
	}
}

// From 2^63/1000 bytes on, 9.2 PB, the kubelet's 1000·request passes int64. Ours is
// computed in 128 bits, here held against arbitrary precision.
// See docs/decisions/qos.md#oom-score-stays-in-range.
func TestDivergenceOOMScoreBeyond64Bits(t *testing.T) {
	const capacity = 1 << 62
	overflowed := false
	for _, request := range []int64{1 << 50, 1 << 54, 1 << 58, 1<<61 + 12345, 1<<62 - 1} {
		pod := burstable(request)
		share := new(big.Int).Mul(big.NewInt(1000), big.NewInt(request))
		share.Quo(share, big.NewInt(capacity))
		want := min(max(1000-int(share.Int64()), 3), 999)
		testkit.Equal(t, qos.OOMScoreAdj(pod, &pod.Spec.Containers[0], capacity, kubernetes), want, "request", request, "OOM score")
		overflowed = overflowed || upstream.GetContainerOOMScoreAdjust(pod, &pod.Spec.Containers[0], capacity) != want
	}
	if !overflowed {
		t.Error("upstream agrees: it no longer overflows")
	}
}

// Containers that request more than the pod level leave a negative remainder,
// with which the score of the kubelet of 1.36 passes 1000, the most that the kernel takes. Such a
// pod does not pass validation; ours stays at 999, as that of 1.37.
// See docs/decisions/qos.md#oom-score-stays-in-range.
func TestDivergenceOOMScoreStaysInRange(t *testing.T) {
	pod := burstable(1)
	pod.Spec.Containers = append(pod.Spec.Containers, testkit.Container("big", testkit.List("memory", "8Gi"), nil))
	pod.Spec.Resources = &corev1.ResourceRequirements{Requests: testkit.List("memory", "1Gi")}
	const capacity = 1 << 33
	testkit.Equal(t, qos.OOMScoreAdj(pod, &pod.Spec.Containers[0], capacity, kubernetes), 999, "OOM score")
	theirs := upstream.GetContainerOOMScoreAdjust(pod, &pod.Spec.Containers[0], capacity)
	if leaves := theirs > 1000; leaves != (oracle.Release == "1.36") {
		t.Errorf("upstream's OOM score is %d", theirs)
	}
}

func burstable(memory int64) *corev1.Pod {
	requests := corev1.ResourceList{corev1.ResourceMemory: *resource.NewQuantity(memory, resource.BinarySI)}
	return &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{testkit.Container("app", requests, nil)}}}
}
