package cgroupconfig_test

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/internal/testkit"
)

// A container without a limit has that of the pod, under the names that the pod uses for it.
func TestRenamedPodLevelLimits(t *testing.T) {
	pod := burstable(list("kubernetes.io/batch-cpu", "1"), nil)
	pod.Spec.Resources = &corev1.ResourceRequirements{Limits: list("kubernetes.io/batch-cpu", "2k", "kubernetes.io/batch-memory", "1Gi")}
	for opts, want := range map[[2]corev1.ResourceName][2]cgroupconfig.Value{
		{"kubernetes.io/batch-cpu", "kubernetes.io/batch-memory"}: {set(200_000), set(1 << 30)},
		{"kubernetes.io/batch-cpu", ""}:                           {set(200_000), {}},
		{"", "kubernetes.io/batch-memory"}:                        {{}, set(1 << 30)},
	} {
		got := first(pod, cgroupconfig.Options{CPUName: opts[0], MemoryName: opts[1]}).Cgroup
		if got.Quota != want[0] || got.Memory != want[1] {
			t.Errorf("%q: quota %v and memory %v, want %v", opts, got.Quota, got.Memory, want)
		}
	}
}

// Memory and swap are limited together if no swap is allowed.
func TestNoSwapOfV1(t *testing.T) {
	c := cgroupconfig.Cgroup{Memory: set(1 << 30), Swap: set(0)}
	want := cgroupconfig.Setting{Name: "memory.memsw.limit_in_bytes", Value: "1073741824"}
	if got := c.V1(); !slices.Contains(got, want) {
		t.Errorf("V1 = %v, want %v in it", got, want)
	}
}

// The kubelet reads no page size with an exponent, in upper or lower case.
func TestHugePagesOfExponents(t *testing.T) {
	for _, name := range []corev1.ResourceName{"hugepages-2e6", "hugepages-2E6"} {
		pod := burstable(nil, list(string(name), "4e6"))
		if got := first(pod, cgroupconfig.Options{}).Cgroup.HugePages; len(got) > 0 {
			t.Errorf("%s: HugePages = %v, want none", name, got)
		}
	}
}

// A percentage of a large amount of memory needs more than 64 bits.
func TestReservedPercentOfMuchMemory(t *testing.T) {
	const much = 1 << 61
	percent := int64(50)
	pod := burstable(corev1.ResourceList{corev1.ResourceMemory: quantity(much)}, corev1.ResourceList{corev1.ResourceMemory: quantity(much)})
	pod.Status.QOSClass = corev1.PodQOSGuaranteed
	got := cgroupconfig.ForTiers([]*corev1.Pod{pod}, cgroupconfig.Options{
		ReservedPercent: &percent, NodeMemory: cgroupconfig.NodeMemory{Allocatable: much},
	})
	testkit.Equal(t, got.Burstable.Memory, set(much/2), "the tier of Burstable pods has")
}

// A pod with overhead has the huge pages that it requests, although no size of the node is known.
func TestHugePagesOfPodsWithOverhead(t *testing.T) {
	pages := list("hugepages-2Mi", "4Mi")
	pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{container("a", pages, pages)}, Overhead: list("cpu", "100m")}}
	want := []cgroupconfig.HugePages{{Size: 2 << 20, Limit: 4 << 20}}
	testkit.NoDiff(t, cgroupconfig.ForPod(pod, cgroupconfig.Options{}).HugePages, want, "huge pages")
}
