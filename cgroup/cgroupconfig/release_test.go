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
