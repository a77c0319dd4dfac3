package cgroupconfig_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// withPodLevel returns a pod that is Guaranteed by its pod-level resources and Burstable by those
// of its container.
func withPodLevel() *corev1.Pod {
	whole := list("cpu", "2", "memory", "2Gi", "hugepages-2Mi", "4Mi")
	return &corev1.Pod{Spec: corev1.PodSpec{
		Containers: []corev1.Container{container("a", list("cpu", "500m", "memory", "512Mi"), nil)},
		Resources:  &corev1.ResourceRequirements{Requests: whole, Limits: whole},
	}}
}

func TestForTiersIgnoresPodLevel(t *testing.T) {
	half := int64(50)
	with := cgroupconfig.TierCgroups{
		Guaranteed: cgroupconfig.Cgroup{MemoryMin: set(2 * gi), MemoryLow: set(0)},
		Burstable:  cgroupconfig.Cgroup{Shares: set(2), Memory: set(7 * gi), MemoryLow: set(0)},
		BestEffort: cgroupconfig.Cgroup{Shares: set(2), Memory: set(7 * gi)},
	}
	without := cgroupconfig.TierCgroups{
		Guaranteed: cgroupconfig.Cgroup{MemoryMin: set(gi / 2), MemoryLow: set(gi / 2)},
		Burstable:  cgroupconfig.Cgroup{Shares: set(512), Memory: set(8 * gi), MemoryLow: set(gi / 2)},
		BestEffort: cgroupconfig.Cgroup{Shares: set(2), Memory: set(8*gi - gi/4)},
	}
	for ignore, want := range map[bool]cgroupconfig.TierCgroups{false: with, true: without} {
		opts := cgroupconfig.Options{
			TieredReservation: true, ReservedPercent: &half, Kubernetes: computeresources.Kubernetes{PodLevelResources: testkit.OffIf(ignore)},
			NodeMemory: cgroupconfig.NodeMemory{Allocatable: 8 * gi},
		}
		testkit.NoDiff(t, cgroupconfig.ForTiers([]*corev1.Pod{nil, withPodLevel()}, opts), want, "ignored", ignore)
	}
}

// Ignoring spec.resources gives the same result as a pod without them.
func TestIgnorePodLevelIsWithout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pods, opts := rapid.SliceOfN(testkit.Pod(), 1, 3).Draw(t, "pods"), options().Draw(t, "options")
		opts.Kubernetes.PodLevelResources = nil
		ignoring := opts
		ignoring.Kubernetes.PodLevelResources = testkit.Off()
		var bare []*corev1.Pod
		for _, pod := range pods {
			without := pod.DeepCopy()
			without.Spec.Resources = nil
			bare = append(bare, without)
			testkit.NoDiff(t, cgroupconfig.ForPod(pod, ignoring), cgroupconfig.ForPod(without, opts), "pod")
			for _, c := range computeresources.Containers(&pod.Spec) {
				testkit.NoDiff(t, cgroupconfig.ForContainer(pod, c, ignoring), cgroupconfig.ForContainer(without, c, opts), "container", c.Name)
			}
		}
		testkit.NoDiff(t, cgroupconfig.ForTiers(pods, ignoring), cgroupconfig.ForTiers(bare, opts), "tiers")
	})
}
