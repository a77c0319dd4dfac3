package conformance

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
	featuregatetesting "k8s.io/component-base/featuregate/testing"
	"k8s.io/kubernetes/pkg/features"
	"k8s.io/kubernetes/pkg/kubelet/cm"
	upstreamqos "k8s.io/kubernetes/pkg/kubelet/qos"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/conformance/kubelet"
	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/testkit"
)

// withoutPodLevelResources turns the feature gate off, and those that depend on it, until the end of the test.
func withoutPodLevelResources(t *testing.T) {
	t.Helper()
	off := map[featuregate.Feature]bool{features.PodLevelResources: false}
	for _, gate := range dependents {
		off[gate] = false
	}
	featuregatetesting.SetFeatureGatesDuringTest(t, utilfeature.DefaultMutableFeatureGate, off)
}

func TestForPodWithoutPodLevelResources(t *testing.T) {
	withoutPodLevelResources(t)
	small := rapid.Map(rapid.Int64Range(0, 100), func(n int64) resource.Quantity { return *resource.NewQuantity(n, resource.BinarySI) })
	ignored := 0
	rapid.Check(t, func(t *rapid.T) {
		pod, p := testkit.PodWith(small).Draw(t, "pod"), drawParameters(t)
		opts := p.options()
		opts.Kubernetes.PodLevelResources = testkit.Off()
		want := p.forPod(pod)
		got := cgroupconfig.ForPod(pod, opts)
		// See BindingLimits.
		if overlooked(&pod.Spec, corev1.ResourceCPU) {
			want.Quota, want.Period, got.Quota, got.Period = cgroupconfig.Value{}, cgroupconfig.Value{}, cgroupconfig.Value{}, cgroupconfig.Value{}
		}
		if overlooked(&pod.Spec, corev1.ResourceMemory) {
			want.Memory, got.Memory = cgroupconfig.Value{}, cgroupconfig.Value{}
		}
		testkit.NoDiff(t, got, want, cmpopts.EquateEmpty())
		opts.Kubernetes.PodLevelResources = nil
		if !cmp.Equal(got, cgroupconfig.ForPod(pod, opts), cmpopts.EquateEmpty()) {
			ignored++
		}
	})
	if ignored == 0 {
		t.Error("the gate made no difference to any pod")
	}
}

func TestForContainerWithoutPodLevelResources(t *testing.T) {
	withoutPodLevelResources(t)
	rapid.Check(t, func(t *rapid.T) {
		pod := testkit.PodWith(testkit.Bytes()).Draw(t, "pod")
		if len(pod.Spec.Containers) == 0 {
			pod.Spec.Containers = []corev1.Container{testkit.Container("c", nil, nil)}
		}
		capacity := rapid.OneOf(rapid.Int64Range(1, 20), rapid.Int64Range(1, 1<<40)).Draw(t, "capacity")
		opts := cgroupconfig.Options{Kubernetes: computeresources.Kubernetes{Release: oracle.Release, PodLevelResources: testkit.Off()}, NodeMemory: cgroupconfig.NodeMemory{Capacity: capacity}}
		for ref, container := range computeresources.Containers(&pod.Spec) {
			got := cgroupconfig.ForContainer(pod, container, opts).OOMScoreAdj
			testkit.Equal(t, got, upstreamqos.GetContainerOOMScoreAdjust(pod.DeepCopy(), container.DeepCopy(), capacity), ref, "OOM score")
		}
	})
}

func TestForTiersWithoutPodLevelResources(t *testing.T) {
	withoutPodLevelResources(t)
	rapid.Check(t, func(t *rapid.T) {
		pods := rapid.SliceOfN(testkit.PodWith(testkit.Bytes()), 0, 6).Draw(t, "pods")
		var copies []*corev1.Pod
		for _, pod := range pods {
			copies = append(copies, pod.DeepCopy())
		}
		want := int64(cm.MilliCPUToShares(kubelet.TierTotals(copies).Burstable.MilliCPU))
		got := cgroupconfig.ForTiers(pods, cgroupconfig.Options{Kubernetes: computeresources.Kubernetes{Release: oracle.Release, PodLevelResources: new(bool)}}).Burstable.Shares
		if !got.Set || got.Amount != want {
			t.Fatalf("shares %v, want %d", got, want)
		}
	})
}

// Without the gate, the kubelet ignores spec.resources in the class of a pod and in the CPU of its
// tier, but still adds up the memory that it requests. Ours ignores it in all three.
// See docs/decisions/cgroup.md#tiers-without-pod-level-resources.
func TestDivergenceMemoryOfTiersWithoutPodLevelResources(t *testing.T) {
	withoutPodLevelResources(t)
	pod := &corev1.Pod{Spec: corev1.PodSpec{
		Containers: []corev1.Container{testkit.Container("c", testkit.List("cpu", "500m", "memory", "512Mi"), nil)},
		Resources:  &corev1.ResourceRequirements{Requests: testkit.List("cpu", "2", "memory", "2Gi")},
	}}
	opts := cgroupconfig.Options{Kubernetes: computeresources.Kubernetes{Release: oracle.Release, PodLevelResources: testkit.Off(), MemoryQoS: testkit.On()}, TieredReservation: true}
	got := cgroupconfig.ForTiers([]*corev1.Pod{pod}, opts).Burstable
	if got.MemoryLow.Amount != 512<<20 || got.Shares.Amount != 512 {
		t.Errorf("memory.low %v, shares %v", got.MemoryLow, got.Shares)
	}
	theirs := kubelet.TierTotals([]*corev1.Pod{pod}).Burstable
	if theirs.Memory != 2<<30 || theirs.MilliCPU != 500 {
		t.Errorf("the kubelet has %d bytes and %dm", theirs.Memory, theirs.MilliCPU)
	}
}
