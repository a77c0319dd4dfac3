package cgroupconfig_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

const gi = 1 << 30

// documentPods are Pod1 to Pod5 as in the kubelet's document "Pod level resource management". Pod1 and
// Pod2 set only limits, and become the Guaranteed pods of the document only after the API server has set
// their requests; Pod3 has the requests of the document's sums only before that.
func documentPods() [5]*corev1.Pod {
	pod := func(name string, containers ...corev1.Container) *corev1.Pod {
		p := &corev1.Pod{Spec: corev1.PodSpec{Containers: containers}}
		p.Name = name
		return p
	}
	pods := [5]*corev1.Pod{
		pod("Pod1", container("foo", nil, list("cpu", "10m", "memory", "1Gi")), container("bar", nil, list("cpu", "100m", "memory", "2Gi"))),
		pod("Pod2", container("foo", nil, list("cpu", "20m", "memory", "2Gi"))),
		pod("Pod3",
			container("foo", list("cpu", "20m", "memory", "1Gi"), list("cpu", "50m", "memory", "2Gi")),
			container("bar", nil, list("cpu", "100m", "memory", "1Gi"))),
		pod("Pod4", container("foo", list("cpu", "10m", "memory", "1Gi"), list("cpu", "20m", "memory", "2Gi"))),
		pod("Pod5", container("foo", nil, nil), container("bar", nil, nil)),
	}
	computeresources.ApplyRequestDefaults(&pods[0].Spec, computeresources.Kubernetes{})
	computeresources.ApplyRequestDefaults(&pods[1].Spec, computeresources.Kubernetes{})
	return pods
}

func TestDocumentPods(t *testing.T) {
	period := cgroupconfig.Value{Set: true, Amount: 100000}
	set := func(n int64) cgroupconfig.Value { return cgroupconfig.Value{Set: true, Amount: n} }
	want := [5]cgroupconfig.Cgroup{
		{Shares: set(110 * 1024 / 1000), Quota: set(11000), Period: period, Memory: set(3 * gi)},
		{Shares: set(20), Quota: set(2000), Period: period, Memory: set(2 * gi)},
		{Shares: set(20), Quota: set(15000), Period: period, Memory: set(3 * gi)},
		{Shares: set(10), Quota: set(2000), Period: period, Memory: set(2 * gi)},
		{Shares: set(2)},
	}
	for i, pod := range documentPods() {
		testkit.NoDiff(t, cgroupconfig.ForPod(pod, cgroupconfig.Options{}), want[i], pod.Name)
	}
}

func TestDocumentTiers(t *testing.T) {
	set := func(n int64) cgroupconfig.Value { return cgroupconfig.Value{Set: true, Amount: n} }
	pods := documentPods()
	const allocatable = 32 * gi
	for percent, want := range map[int64][2]int64{
		100: {allocatable - 5*gi, allocatable - 7*gi},
		50:  {allocatable - 5*gi/2, allocatable - 7*gi/2},
		0:   {allocatable, allocatable},
	} {
		got := cgroupconfig.ForTiers(pods[:], cgroupconfig.Options{ReservedPercent: &percent, NodeMemory: cgroupconfig.NodeMemory{Allocatable: allocatable}})
		if diff := cmp.Diff(cgroupconfig.TierCgroups{
			Guaranteed: unprotected,
			Burstable:  cgroupconfig.Cgroup{Shares: set(30), Memory: set(want[0]), MemoryLow: set(0)},
			BestEffort: cgroupconfig.Cgroup{Shares: set(2), Memory: set(want[1])},
		}, got); diff != "" {
			t.Errorf("%d%% reserved (-want +got):\n%s", percent, diff)
		}
	}
	// By default, no limits apply. A tier has at least 2 shares.
	for i, want := range map[int]int64{5: 30, 2: 2, 0: 2} {
		got := cgroupconfig.ForTiers(pods[:i], cgroupconfig.Options{})
		if diff := cmp.Diff(cgroupconfig.TierCgroups{Guaranteed: unprotected, Burstable: cgroupconfig.Cgroup{Shares: set(want), MemoryLow: set(0)}, BestEffort: cgroupconfig.Cgroup{Shares: set(2)}}, got); diff != "" {
			t.Errorf("%d pods (-want +got):\n%s", i, diff)
		}
	}
}

// Once the API server has filled in its requests, Pod3 requests 120m and 2Gi.
func TestDocumentTiersWithDefaults(t *testing.T) {
	pods := documentPods()
	for _, pod := range pods {
		computeresources.ApplyRequestDefaults(&pod.Spec, computeresources.Kubernetes{})
	}
	all := int64(100)
	got := cgroupconfig.ForTiers(pods[:], cgroupconfig.Options{ReservedPercent: &all, NodeMemory: cgroupconfig.NodeMemory{Allocatable: 32 * gi}})
	if got.Burstable.Shares.Amount != 133 || got.Burstable.Memory.Amount != 27*gi || got.BestEffort.Memory.Amount != 24*gi {
		t.Errorf("Burstable %+v, BestEffort %+v", got.Burstable, got.BestEffort)
	}
}

var (
	list      = testkit.List
	container = testkit.Container
	sidecar   = testkit.Sidecar
)
