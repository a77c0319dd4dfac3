package cgroupconfig_test

import (
	"math"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/internal/testkit"
)

func quantity(n int64) resource.Quantity { return *resource.NewQuantity(n, resource.BinarySI) }

func set(n int64) cgroupconfig.Value { return cgroupconfig.Value{Set: true, Amount: n} }

var (
	period    = set(100000)
	unlimited = cgroupconfig.Value{Unlimited: true}
)

func TestForPod(t *testing.T) {
	both := list("cpu", "1", "memory", "1Gi")
	half := list("cpu", "500m", "memory", "512Mi")
	reservation := cgroupconfig.Options{TieredReservation: true}
	pods := func(c ...corev1.Container) *corev1.PodSpec { return &corev1.PodSpec{Containers: c} }
	withClass := func(class corev1.PodQOSClass, c ...corev1.Container) corev1.Pod {
		return corev1.Pod{Spec: *pods(c...), Status: corev1.PodStatus{QOSClass: class}}
	}
	for _, test := range []struct {
		name string
		pod  corev1.Pod
		opts cgroupconfig.Options
		want cgroupconfig.Cgroup
	}{
		{"nothing", corev1.Pod{}, reservation, cgroupconfig.Cgroup{Shares: set(2)}},
		{"Guaranteed", corev1.Pod{Spec: *pods(container("a", both, both))}, cgroupconfig.Options{}, cgroupconfig.Cgroup{Shares: set(1024), Quota: set(100000), Period: period, Memory: set(gi)}},
		{
			"another period", corev1.Pod{Spec: *pods(container("a", both, both))}, cgroupconfig.Options{Period: 20000},
			cgroupconfig.Cgroup{Shares: set(1024), Quota: set(20000), Period: set(20000), Memory: set(gi)},
		},
		{
			"a period below zero", corev1.Pod{Spec: *pods(container("a", both, both))}, cgroupconfig.Options{Period: -1},
			cgroupconfig.Cgroup{Shares: set(1024), Quota: set(100000), Period: period, Memory: set(gi)},
		},
		{
			"CPU limits are not enforced", corev1.Pod{Spec: *pods(container("a", both, both))}, cgroupconfig.Options{IgnoreCPULimits: true},
			cgroupconfig.Cgroup{Shares: set(1024), Quota: unlimited, Period: period, Memory: set(gi)},
		},
		{"Burstable, all limited", corev1.Pod{Spec: *pods(container("a", half, both), container("b", nil, half))}, cgroupconfig.Options{}, cgroupconfig.Cgroup{Shares: set(512), Quota: set(150000), Period: period, Memory: set(3 * gi / 2)}},
		{"one is not limited", corev1.Pod{Spec: *pods(container("a", half, both), container("b", half, nil))}, cgroupconfig.Options{}, cgroupconfig.Cgroup{Shares: set(1024)}},
		{
			"one has no CPU limit", corev1.Pod{Spec: *pods(container("a", half, both), container("b", half, list("memory", "1Gi")))}, cgroupconfig.Options{IgnoreCPULimits: true},
			cgroupconfig.Cgroup{Shares: set(1024), Memory: set(2 * gi)},
		},
		{
			"one has no memory limit", corev1.Pod{Spec: *pods(container("a", half, both), container("b", half, list("cpu", "1")))}, cgroupconfig.Options{},
			cgroupconfig.Cgroup{Shares: set(1024), Quota: set(200000), Period: period},
		},
		{
			"a limit of zero is none", corev1.Pod{Spec: *pods(container("a", half, both), container("b", half, list("cpu", "0", "memory", "0")))}, cgroupconfig.Options{},
			cgroupconfig.Cgroup{Shares: set(1024)},
		},
		{
			"an init container without limits", corev1.Pod{Spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", half, both)}, InitContainers: []corev1.Container{container("i", nil, nil)},
			}}, cgroupconfig.Options{}, cgroupconfig.Cgroup{Shares: set(512)},
		},
		{
			"an init container asks for more", corev1.Pod{Spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", half, half)}, InitContainers: []corev1.Container{container("i", both, both)},
			}}, cgroupconfig.Options{}, cgroupconfig.Cgroup{Shares: set(1024), Quota: set(100000), Period: period, Memory: set(gi)},
		},
		{
			"a sidecar runs beside the others", corev1.Pod{Spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", half, half)}, InitContainers: []corev1.Container{sidecar("s", half, both), container("i", both, both)},
			}}, cgroupconfig.Options{}, cgroupconfig.Cgroup{Shares: set(1536), Quota: set(200000), Period: period, Memory: set(2 * gi)},
		},
		{
			"the pod level", corev1.Pod{Spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", half, nil)}, Resources: &corev1.ResourceRequirements{Requests: both, Limits: list("cpu", "2", "memory", "2Gi")},
			}}, cgroupconfig.Options{}, cgroupconfig.Cgroup{Shares: set(1024), Quota: set(200000), Period: period, Memory: set(2 * gi)},
		},
		{
			"the pod level, but its memory", corev1.Pod{Spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", half, nil)}, Resources: &corev1.ResourceRequirements{Limits: list("cpu", "2")},
			}}, cgroupconfig.Options{}, cgroupconfig.Cgroup{Shares: set(512), Quota: set(200000), Period: period},
		},
		{
			"overhead", corev1.Pod{Spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", both, both)}, Overhead: list("cpu", "250m", "memory", "1Gi"),
			}}, cgroupconfig.Options{}, cgroupconfig.Cgroup{Shares: set(1280), Quota: set(125000), Period: period, Memory: set(2 * gi)},
		},
		{"the least quota", corev1.Pod{Spec: *pods(container("a", list("cpu", "1m"), list("cpu", "1m")))}, cgroupconfig.Options{}, cgroupconfig.Cgroup{Shares: set(2), Quota: set(1000), Period: period}},
		{
			"amounts that integers do not hold", corev1.Pod{Spec: *pods(container("a", list("cpu", "100n", "memory", "500m"), list("cpu", "1E", "memory", "20E")))}, cgroupconfig.Options{},
			cgroupconfig.Cgroup{Shares: set(2), Quota: set(math.MaxInt64), Period: period, Memory: set(math.MaxInt64)},
		},
		{
			"amounts below zero", corev1.Pod{Spec: *pods(container("a", list("cpu", "-1", "memory", "-1"), list("cpu", "-1", "memory", "-1")), container("b", list("cpu", "500m"), nil))}, reservation,
			cgroupconfig.Cgroup{Shares: set(2)},
		},
		{"class from the status", withClass(corev1.PodQOSBestEffort, container("a", both, both)), cgroupconfig.Options{}, cgroupconfig.Cgroup{Shares: set(2)}},
		{
			"stored as Guaranteed, without limits", withClass(corev1.PodQOSGuaranteed, container("a", both, nil)), reservation,
			cgroupconfig.Cgroup{Shares: set(1024), Period: period, MemoryMin: set(gi)},
		},
		{
			"stored as Guaranteed, with limits of one container", withClass(corev1.PodQOSGuaranteed, container("a", both, both), container("b", nil, nil)), cgroupconfig.Options{},
			cgroupconfig.Cgroup{Shares: set(1024), Quota: set(100000), Period: period, Memory: set(gi)},
		},
		{"unknown class in the status", withClass("Unknown", container("a", both, both)), cgroupconfig.Options{}, cgroupconfig.Cgroup{Shares: set(2)}},
		{
			"reservation, Guaranteed", corev1.Pod{Spec: *pods(container("a", both, both))}, reservation,
			cgroupconfig.Cgroup{Shares: set(1024), Quota: set(100000), Period: period, Memory: set(gi), MemoryMin: set(gi)},
		},
		{"reservation, Burstable", corev1.Pod{Spec: *pods(container("a", both, nil))}, reservation, cgroupconfig.Cgroup{Shares: set(1024), MemoryLow: set(gi)}},
		{"reservation, stored as BestEffort", withClass(corev1.PodQOSBestEffort, container("a", both, nil)), reservation, cgroupconfig.Cgroup{Shares: set(2), MemoryLow: set(gi)}},
		{"reservation of nothing", corev1.Pod{Spec: *pods(container("a", list("cpu", "1"), nil))}, reservation, cgroupconfig.Cgroup{Shares: set(1024)}},
		{"throttling alone", corev1.Pod{Spec: *pods(container("a", both, nil))}, cgroupconfig.Options{ThrottlingFactor: factor(0.9)}, cgroupconfig.Cgroup{Shares: set(1024)}},
		{
			"ephemeral storage", corev1.Pod{Spec: *pods(container("a", list("cpu", "1", "ephemeral-storage", "1Gi"), nil))}, cgroupconfig.Options{},
			cgroupconfig.Cgroup{Shares: set(1024)},
		},
		{
			"other resources", corev1.Pod{Spec: *pods(container("a", list("cpu", "1", "example.com/gpu", "1"), nil))}, cgroupconfig.Options{},
			cgroupconfig.Cgroup{Shares: set(1024)},
		},
		{
			"huge pages", corev1.Pod{Spec: corev1.PodSpec{
				Containers:     []corev1.Container{container("a", list("cpu", "1", "hugepages-2Mi", "4Mi"), nil), container("b", list("hugepages-1Gi", "2Gi", "hugepages-2Mi", "4Mi"), nil)},
				InitContainers: []corev1.Container{container("i", list("hugepages-64Ki", "64Ki"), nil)},
			}}, cgroupconfig.Options{}, cgroupconfig.Cgroup{Shares: set(1024), HugePages: []cgroupconfig.HugePages{{Size: 64 << 10, Limit: 64 << 10}, {Size: 2 << 20, Limit: 8 << 20}, {Size: gi, Limit: 2 * gi}}},
		},
		{
			"one size, spelled in two ways, and what is none", corev1.Pod{Spec: *pods(container("a", list(
				"hugepages-2Mi", "4Mi", "hugepages-2048Ki", "2Mi", "hugepages-", "1", "hugepages-x", "1", "hugepages-0", "1", "hugepages--1", "1",
				"hugepages-1e-1000000000", "1", "hugepages-1E", "1", "xhugepages-2Mi", "1", "hugepages-1Gi", "-1", "hugepages-1G", "9E", "hugepages-1000M", "9E"), nil))},
			cgroupconfig.Options{}, cgroupconfig.Cgroup{Shares: set(2), HugePages: []cgroupconfig.HugePages{{Size: 2 << 20, Limit: 6 << 20}, {Size: 1e9, Limit: math.MaxInt64}, {Size: gi}}},
		},
		{
			"huge pages of the node", corev1.Pod{Spec: *pods(container("a", list("hugepages-2Mi", "4Mi", "hugepages-3Mi", "3Mi"), nil))},
			cgroupconfig.Options{NodeMemory: cgroupconfig.NodeMemory{HugePageSizes: []int64{gi, 2 << 20, gi, 0, -1}}},
			cgroupconfig.Cgroup{Shares: set(2), HugePages: []cgroupconfig.HugePages{{Size: 2 << 20, Limit: 4 << 20}, {Size: 3 << 20, Limit: 3 << 20}, {Size: gi}}},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			testkit.NoDiff(t, cgroupconfig.ForPod(&test.pod, test.opts), test.want)
			if test.name != "one size, spelled in two ways, and what is none" {
				testkit.NoDiff(t, slowPod(&test.pod, test.opts), test.want, "the slow twin")
			}
		})
	}
}

func TestForNoPod(t *testing.T) {
	opts := cgroupconfig.Options{NodeMemory: cgroupconfig.NodeMemory{HugePageSizes: []int64{2 << 20}}, TieredReservation: true}
	want := cgroupconfig.Cgroup{Shares: set(2), HugePages: []cgroupconfig.HugePages{{Size: 2 << 20}}}
	testkit.NoDiff(t, cgroupconfig.ForPod(nil, opts), want)
}

func TestForPodAllocatesNothing(t *testing.T) {
	even, uneven := testkit.StandardPod(true), testkit.StandardPod(false)
	storage := testkit.StandardPod(false)
	storage.Spec.Containers[0].Resources.Requests["ephemeral-storage"] = quantity(gi)
	fractions := testkit.StandardPod(false)
	fractions.Spec.Containers[0].Resources = corev1.ResourceRequirements{Requests: list("cpu", "0.5", "memory", "1.5Gi"), Limits: list("cpu", "1.5", "memory", "2.5Gi")}
	for name, pod := range map[string]*corev1.Pod{"Guaranteed": even, "Burstable": uneven, "BestEffort": {}, "with storage": storage, "fractions": fractions} {
		for _, opts := range []cgroupconfig.Options{{}, {TieredReservation: true, ThrottlingFactor: factor(0.9), Period: 5000}} {
			if got := testing.AllocsPerRun(100, func() { cgroupconfig.ForPod(pod, opts) }); got > 0 {
				t.Errorf("%s: %v allocations, want none", name, got)
			}
		}
		opts := cgroupconfig.Options{NodeMemory: cgroupconfig.NodeMemory{HugePageSizes: []int64{2 << 20}}}
		if got := testing.AllocsPerRun(100, func() { cgroupconfig.ForPod(&corev1.Pod{}, opts) }); got > 4 {
			t.Errorf("with huge pages on the node: %v allocations", got)
		}
	}
	if got := testing.AllocsPerRun(100, func() { cgroupconfig.ForContainer(uneven, &uneven.Spec.Containers[0], cgroupconfig.Options{}) }); got > 0 {
		t.Errorf("ForContainer: %v allocations, want none", got)
	}
	pods := []*corev1.Pod{even, uneven, storage, {}}
	if got := testing.AllocsPerRun(100, func() { cgroupconfig.ForTiers(pods, cgroupconfig.Options{}) }); got > 0 {
		t.Errorf("ForTiers: %v allocations, want none", got)
	}
}

// The sum of small amounts may still exceed 64 bits.
func TestPodOfManyContainers(t *testing.T) {
	for _, spec := range testkit.ManyContainers(2500, testkit.List("cpu", "281474976710656m", "memory", "4Pi")) {
		got := cgroupconfig.ForPod(&corev1.Pod{Spec: *spec}, cgroupconfig.Options{})
		testkit.Equal(t, got.Memory, (cgroupconfig.Value{Set: true, Amount: math.MaxInt64}), "memory is")
		testkit.Equal(t, got.Shares, (cgroupconfig.Value{Set: true, Amount: 262144}), "shares are")
	}
}
