package cgroupconfig_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// An empty spec.resources makes a pod BestEffort up to 1.36 (ComputePodQOS of v1.36.3), and does not count in 1.37.
func TestClassByRelease(t *testing.T) {
	withEmpty := func(requests, limits corev1.ResourceList) *corev1.Pod {
		return &corev1.Pod{Spec: corev1.PodSpec{
			Containers: []corev1.Container{testkit.Container("app", requests, limits)}, Resources: &corev1.ResourceRequirements{},
		}}
	}
	amounts, none := list("cpu", "1", "memory", "1Gi"), cgroupconfig.Value{}
	guaranteed, ofBurstable := withEmpty(amounts, amounts), withEmpty(list("memory", "1Gi"), nil)
	for _, test := range []struct {
		release       string
		min, low      cgroupconfig.Value
		oom           int
		shares, swaps cgroupconfig.Value
	}{
		{"1.36", none, set(gi), 1000, set(2), set(0)},
		{"1.37", set(gi), none, -997, set(1024), set(gi / 2)},
	} {
		opts := cgroupconfig.Options{
			Kubernetes:        computeresources.Kubernetes{Release: test.release, MemoryQoS: testkit.On()},
			TieredReservation: true, LimitedSwap: true,
			NodeMemory: cgroupconfig.NodeMemory{Capacity: 2 * gi, Allocatable: 2 * gi, Swap: gi},
		}
		c := first(guaranteed, opts)
		testkit.Equal(t, c.Cgroup.MemoryMin, test.min, "memory.min of", test.release)
		testkit.Equal(t, c.Cgroup.MemoryLow, test.low, "memory.low of", test.release)
		testkit.Equal(t, c.OOMScoreAdj, test.oom, "the OOM score of", test.release)
		testkit.Equal(t, cgroupconfig.ForPod(guaranteed, opts).Shares, test.shares, "the shares of", test.release)
		testkit.Equal(t, first(ofBurstable, opts).Cgroup.Swap, test.swaps, "the swap of", test.release)
	}
}

// Two containers request together what they limit. ComputePodQOS of v1.36.3 compares the sums, and that of v1.37.2 each
// container. Since 1.38, limits that a container lacks are no limits of the pod, even if its status says Guaranteed.
func TestSumsByRelease(t *testing.T) {
	crossed := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{
		testkit.Container("a", list("cpu", "1", "memory", "1Gi"), list("cpu", "2", "memory", "1Gi")),
		testkit.Container("b", list("cpu", "2", "memory", "1Gi"), list("cpu", "1", "memory", "1Gi")),
	}}}
	partial := &corev1.Pod{
		Spec: corev1.PodSpec{Containers: []corev1.Container{
			testkit.Container("a", nil, list("cpu", "1", "memory", "1Gi")), testkit.Container("b", nil, nil),
		}},
		Status: corev1.PodStatus{QOSClass: corev1.PodQOSGuaranteed},
	}
	none := cgroupconfig.Value{}
	for release, want := range map[string][4]cgroupconfig.Value{
		"1.36": {set(2 * gi), none, set(100000), set(gi)},
		"1.37": {none, set(2 * gi), set(100000), set(gi)},
		"1.38": {none, set(2 * gi), none, none},
	} {
		opts := cgroupconfig.Options{
			Kubernetes: computeresources.Kubernetes{Release: release, MemoryQoS: testkit.On()}, TieredReservation: true,
		}
		c, p := cgroupconfig.ForPod(crossed, opts), cgroupconfig.ForPod(partial, opts)
		if p.Quota.Unlimited {
			p.Quota = none
		}
		testkit.NoDiff(t, [4]cgroupconfig.Value{c.MemoryMin, c.MemoryLow, p.Quota, p.Memory}, want, "the values of", release)
	}
}
