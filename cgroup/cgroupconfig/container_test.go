package cgroupconfig_test

import (
	"math"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// burstable returns a pod whose first container is the given one, and whose second container
// makes it Burstable.
func burstable(requests, limits corev1.ResourceList) *corev1.Pod {
	return &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{
		container("a", requests, limits), container("b", list("cpu", "1m"), nil),
	}}}
}

func first(pod *corev1.Pod, opts cgroupconfig.Options) cgroupconfig.Container {
	return cgroupconfig.ForContainer(pod, &pod.Spec.Containers[0], opts)
}

func TestForContainer(t *testing.T) {
	of136 := computeresources.Kubernetes{Release: "1.36"}
	plain := cgroupconfig.Options{Kubernetes: of136, SingleProcessOOMKill: true, SwapUnavailable: true}
	podLevel := func(requests, limits corev1.ResourceList) *corev1.Pod {
		pod := burstable(requests, limits)
		pod.Spec.Resources = &corev1.ResourceRequirements{Limits: list("cpu", "2", "memory", "4Gi", "hugepages-2Mi", "8Mi", "hugepages-1Gi", "1Gi")}
		return pod
	}
	podPages := []cgroupconfig.HugePages{{Size: 2 << 20, Limit: 8 << 20}, {Size: gi, Limit: gi}}
	for _, test := range []struct {
		name string
		pod  *corev1.Pod
		opts cgroupconfig.Options
		want cgroupconfig.Cgroup
	}{
		{"nothing", burstable(nil, nil), plain, cgroupconfig.Cgroup{Shares: set(2), Period: period}},
		{"defaults", burstable(nil, nil), cgroupconfig.Options{}, cgroupconfig.Cgroup{Shares: set(2), Period: period, MemoryMin: set(0), MemoryLow: set(0), Swap: set(0), OOMGroup: set(1)}},
		{"defaults of 1.36", burstable(nil, nil), cgroupconfig.Options{Kubernetes: of136}, cgroupconfig.Cgroup{Shares: set(2), Period: period, Swap: set(0), OOMGroup: set(1)}},
		{
			"no memory QoS", burstable(nil, nil), cgroupconfig.Options{Kubernetes: computeresources.Kubernetes{MemoryQoS: testkit.Off()}},
			cgroupconfig.Cgroup{Shares: set(2), Period: period, MemoryHigh: unlimited, Swap: set(0), OOMGroup: set(1)},
		},
		{"requests", burstable(list("cpu", "500m", "memory", "1Gi"), nil), plain, cgroupconfig.Cgroup{Shares: set(512), Period: period}},
		{
			"limits", burstable(list("cpu", "500m", "memory", "1Gi"), list("cpu", "1", "memory", "2Gi")), plain,
			cgroupconfig.Cgroup{Shares: set(512), Quota: set(100000), Period: period, Memory: set(2 * gi)},
		},
		{"a limit stands in for a request", burstable(nil, list("cpu", "1")), plain, cgroupconfig.Cgroup{Shares: set(1024), Quota: set(100000), Period: period}},
		{"limit does not replace a request of zero", burstable(list("cpu", "0"), list("cpu", "1")), plain, cgroupconfig.Cgroup{Shares: set(2), Quota: set(100000), Period: period}},
		{"negative amounts", burstable(list("cpu", "-1"), list("cpu", "-1", "memory", "-1")), plain, cgroupconfig.Cgroup{Shares: set(2), Period: period}},
		{
			"amounts that integers do not hold", burstable(list("cpu", "1n"), list("cpu", "1E", "memory", "20E")), plain,
			cgroupconfig.Cgroup{Shares: set(2), Quota: set(math.MaxInt64), Period: period, Memory: set(math.MaxInt64)},
		},
		{
			"another period", burstable(nil, list("cpu", "1")), cgroupconfig.Options{Kubernetes: of136, Period: 5000, SingleProcessOOMKill: true, SwapUnavailable: true},
			cgroupconfig.Cgroup{Shares: set(1024), Quota: set(5000), Period: set(5000)},
		},
		{
			"CPU limits are not enforced", burstable(nil, list("cpu", "1")), cgroupconfig.Options{Kubernetes: of136, IgnoreCPULimits: true, SingleProcessOOMKill: true, SwapUnavailable: true},
			cgroupconfig.Cgroup{Shares: set(1024)},
		},
		{
			"limits of the pod", podLevel(nil, nil), plain,
			cgroupconfig.Cgroup{Shares: set(2048), Quota: set(200000), Period: period, Memory: set(4 * gi), HugePages: podPages},
		},
		{
			"beside a request", podLevel(list("cpu", "100m"), nil), plain,
			cgroupconfig.Cgroup{Shares: set(102), Quota: set(200000), Period: period, Memory: set(4 * gi), HugePages: podPages},
		},
		{
			"limits of its own", podLevel(nil, list("cpu", "1", "memory", "1Gi", "hugepages-2Mi", "2Mi")), plain,
			cgroupconfig.Cgroup{Shares: set(1024), Quota: set(100000), Period: period, Memory: set(gi), HugePages: []cgroupconfig.HugePages{{Size: 2 << 20, Limit: 2 << 20}, {Size: gi, Limit: gi}}},
		},
		{
			"limits of zero are none", podLevel(nil, list("cpu", "0", "memory", "0", "hugepages-2Mi", "0")), plain,
			cgroupconfig.Cgroup{Shares: set(2048), Quota: set(200000), Period: period, Memory: set(4 * gi), HugePages: []cgroupconfig.HugePages{{Size: 2 << 20}, {Size: gi, Limit: gi}}},
		},
		{
			"no sizes known of the node", burstable(nil, list("hugepages-2Mi", "2Mi")),
			cgroupconfig.Options{Kubernetes: of136, SingleProcessOOMKill: true, SwapUnavailable: true, NodeMemory: cgroupconfig.NodeMemory{HugePageSizes: []int64{}}},
			cgroupconfig.Cgroup{Shares: set(2), Period: period, HugePages: []cgroupconfig.HugePages{{Size: 2 << 20, Limit: 2 << 20}}},
		},
		{
			"huge pages of the node", podLevel(nil, list("cpu", "1", "memory", "1", "hugepages-2Mi", "2Mi")),
			cgroupconfig.Options{Kubernetes: of136, SingleProcessOOMKill: true, SwapUnavailable: true, NodeMemory: cgroupconfig.NodeMemory{HugePageSizes: []int64{64 << 10, 2 << 20, 0}}},
			cgroupconfig.Cgroup{Shares: set(1024), Quota: set(100000), Period: period, Memory: set(1), HugePages: []cgroupconfig.HugePages{{Size: 64 << 10}, {Size: 2 << 20, Limit: 2 << 20}}},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			testkit.NoDiff(t, first(test.pod, test.opts).Cgroup, test.want)
		})
	}
}

func TestForNoContainer(t *testing.T) {
	want := cgroupconfig.Container{Cgroup: cgroupconfig.Cgroup{Shares: set(2), Period: period, MemoryMin: set(0), MemoryLow: set(0), Swap: set(0), OOMGroup: set(1)}, OOMScoreAdj: 1000}
	testkit.NoDiff(t, cgroupconfig.ForContainer(nil, nil, cgroupconfig.Options{}), want)
}

func TestOOMScoreAdj(t *testing.T) {
	pod := burstable(list("memory", "1Gi"), nil)
	testkit.Equal(t, first(pod, cgroupconfig.Options{NodeMemory: cgroupconfig.NodeMemory{Capacity: 4 * gi}}).OOMScoreAdj, 750, "OOM score")
}

func TestSwap(t *testing.T) {
	node := cgroupconfig.NodeMemory{Capacity: 16 * gi, Swap: 4*gi + 3}
	critical := func(annotation, value string, priority int32) *corev1.Pod {
		pod := burstable(list("memory", "1Gi"), nil)
		pod.Spec.Priority = &priority
		if annotation != "" {
			pod.Annotations = map[string]string{annotation: value}
		}
		return pod
	}
	quarter := set(gi / 4) // 4·gi + 3 of swap, 1/16 of memory
	both := list("cpu", "1", "memory", "1Gi")
	limited := cgroupconfig.Options{LimitedSwap: true}
	for _, test := range []struct {
		name string
		pod  *corev1.Pod
		swap cgroupconfig.Options
		node cgroupconfig.NodeMemory
		want cgroupconfig.Value
	}{
		{"none", burstable(list("memory", "1Gi"), nil), cgroupconfig.Options{}, node, set(0)},
		{"unavailable", burstable(list("memory", "1Gi"), nil), cgroupconfig.Options{SwapUnavailable: true}, node, cgroupconfig.Value{}},
		{"unavailable and limited", burstable(list("memory", "1Gi"), nil), cgroupconfig.Options{LimitedSwap: true, SwapUnavailable: true}, node, cgroupconfig.Value{}},
		{"limited", burstable(list("memory", "1Gi"), nil), limited, node, quarter},
		{"a request and a larger limit", burstable(list("memory", "1Gi"), list("memory", "2Gi")), limited, node, quarter},
		{"rounded down", burstable(list("memory", "16Gi"), nil), limited, node, set(4*gi + 3)},
		{"rounded down", burstable(list("memory", "15Gi"), nil), limited, node, set((4*gi + 3) * 15 / 16)},
		{"a request of a byte", burstable(list("memory", "1"), nil), limited, cgroupconfig.NodeMemory{Capacity: gi, Swap: 3 * gi}, set(3)},
		{"a swap of a byte", burstable(list("memory", "1Gi"), nil), limited, cgroupconfig.NodeMemory{Capacity: gi, Swap: 1}, set(1)},
		{"above the node", burstable(list("memory", "17179869185"), nil), limited, node, set(0)},
		{"no request", burstable(nil, list("memory", "1Gi")), limited, node, set(0)},
		{"no request and no limit", burstable(nil, nil), limited, node, set(0)},
		{"a request below zero", burstable(list("memory", "-1"), nil), limited, node, set(0)},
		{"a request of the limit", burstable(list("memory", "1Gi"), list("memory", "1Gi")), limited, node, set(0)},
		{"Guaranteed", &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{container("a", both, both)}}}, limited, node, set(0)},
		{"Guaranteed, but not this container", &corev1.Pod{Spec: corev1.PodSpec{
			Containers: []corev1.Container{container("a", list("memory", "1Gi"), nil)}, Resources: &corev1.ResourceRequirements{Requests: both, Limits: both},
		}}, limited, node, set(0)},
		{"static", critical("kubernetes.io/config.source", "file", 0), limited, node, set(0)},
		{"from the API server", critical("kubernetes.io/config.source", "api", 0), limited, node, quarter},
		{"mirror", critical("kubernetes.io/config.mirror", "x", 0), limited, node, set(0)},
		{"critical", critical("", "", 2000000000), limited, node, set(0)},
		{"nearly critical", critical("", "", 1999999999), limited, node, quarter},
		{"a node without swap", burstable(list("memory", "1Gi"), nil), limited, cgroupconfig.NodeMemory{Capacity: gi}, set(0)},
		{"unknown node", burstable(list("memory", "1Gi"), nil), limited, cgroupconfig.NodeMemory{}, set(0)},
		{"node with known swap only", burstable(nil, list("memory", "1Gi")), limited, cgroupconfig.NodeMemory{Swap: gi}, set(0)},
		{"a huge node", burstable(list("memory", "9223372036854775806"), nil), limited, cgroupconfig.NodeMemory{Capacity: math.MaxInt64, Swap: math.MaxInt64}, set(math.MaxInt64 - 1)},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.swap.NodeMemory = test.node
			testkit.Equal(t, first(test.pod, test.swap).Cgroup.Swap, test.want, "swap")
		})
	}
}

func TestMemoryHigh(t *testing.T) {
	// Nine tenths of the way from 1Gi to 2Gi is 2040109465.6, in the page that starts at
	// 2040107008.
	const ninetenths = 2040107008
	none, node := cgroupconfig.Value{}, cgroupconfig.NodeMemory{Allocatable: 2 * gi}
	pages := func(size int64) cgroupconfig.NodeMemory { return cgroupconfig.NodeMemory{PageSize: size} }
	for _, test := range []struct {
		name            string
		requests, limit string
		factor          *float64
		node            cgroupconfig.NodeMemory
		want, before    cgroupconfig.Value // before is with the gate of 1.36
	}{
		{"no factor", "1Gi", "2Gi", nil, node, none, set(ninetenths)},
		{"nine tenths", "1Gi", "2Gi", factor(0.9), node, set(ninetenths), set(ninetenths)},
		{"negative factor", "1Gi", "2Gi", factor(-0.1), node, none, set(ninetenths)},
		{"a factor of zero", "1Gi", "2Gi", factor(0), node, none, set(ninetenths)},
		{"a factor above one", "1Gi", "2Gi", factor(1.01), node, none, set(ninetenths)},
		{"NaN factor", "1Gi", "2Gi", factor(math.NaN()), node, none, set(ninetenths)},
		{"a factor of one", "1Gi", "2Gi", factor(1), node, set(2 * gi), set(2 * gi)},
		{"half", "1Gi", "2Gi", factor(0.5), node, set(gi + gi/2), set(gi + gi/2)},
		{"as a decimal", "0", "40960", factor(0.3), node, set(12288), set(12288)},
		{"a factor just below a decimal", "0", "40960", factor(0.2999999999), node, set(8192), set(8192)},
		{"pages of 64Ki", "1Gi", "2Gi", factor(0.9), pages(65536), set(ninetenths / 65536 * 65536), set(ninetenths / 65536 * 65536)},
		{"pages of a byte", "1Gi", "2Gi", factor(0.9), pages(1), set(2040109465), set(2040109465)},
		{"negative amount of pages", "1Gi", "2Gi", factor(0.9), pages(-1), set(ninetenths), set(ninetenths)},
		{"nothing requested", "0", "1Gi", factor(0.9), node, set(966365184), set(966365184)},
		{"request and limit are equal", "1Gi", "1Gi", factor(0.9), node, none, none},
		{"neither request nor limit", "0", "0", factor(0.5), node, set(gi), none},
		{"neither on an unknown node", "0", "0", factor(0.5), cgroupconfig.NodeMemory{}, none, none},
		{"no limit", "1Gi", "0", factor(0.9), node, set(ninetenths), set(ninetenths)},
		{"no limit, and a request of a byte", "1", "0", factor(0.5), node, set(gi), set(gi)},
		{"no limit on an unknown node", "1Gi", "0", factor(0.9), cgroupconfig.NodeMemory{}, none, none},
		{"no more than the request", "4095", "4097", factor(0.9), node, set(4096), set(4096)},
		{"not above the request", "4096", "4097", factor(0.9), node, none, none},
		{"below a page", "1", "4095", factor(0.9), node, none, none},
		{"a request above the node", "2Gi", "0", factor(0.9), cgroupconfig.NodeMemory{Allocatable: gi}, none, none},
		{"a request above its limit", "2Gi", "1Gi", factor(0.9), node, none, none},
		{"huge", "0", "20E", factor(1), pages(1), set(math.MaxInt64), set(math.MaxInt64)},
	} {
		pod := burstable(list("memory", test.requests), list("memory", test.limit))
		for _, reservation := range []bool{false, true} {
			opts := cgroupconfig.Options{ThrottlingFactor: test.factor, NodeMemory: test.node, TieredReservation: reservation}
			testkit.Equal(t, first(pod, opts).Cgroup.MemoryHigh, test.want, test.name)
			opts.Kubernetes = computeresources.Kubernetes{Release: "1.36", MemoryQoS: testkit.On()}
			testkit.Equal(t, first(pod, opts).Cgroup.MemoryHigh, test.before, test.name, "of 1.36")
			opts.Kubernetes.MemoryQoS = nil
			testkit.Equal(t, first(pod, opts).Cgroup.MemoryHigh, none, test.name, "of 1.36 by default")
			opts.Kubernetes = computeresources.Kubernetes{MemoryQoS: testkit.Off()}
			testkit.Equal(t, first(pod, opts).Cgroup.MemoryHigh, unlimited, test.name, "without the gate")
		}
	}
}

// A pod with a pod-level limit is throttled itself, and not its containers without a limit of their own
// (TestApplyPodLevelMemoryHigh of pkg/kubelet/cm, v1.37.2).
func TestMemoryHighOfThePodLevel(t *testing.T) {
	opts := cgroupconfig.Options{ThrottlingFactor: factor(0.5), NodeMemory: cgroupconfig.NodeMemory{Allocatable: 8 * gi}}
	of136 := opts
	of136.Kubernetes = computeresources.Kubernetes{Release: "1.36", MemoryQoS: testkit.On()}
	none := cgroupconfig.Value{}
	limited, unlimitedContainer := container("a", nil, list("memory", "1Gi")), container("b", list("memory", "1Gi"), nil)
	for _, test := range []struct {
		name       string
		podLevel   *corev1.ResourceRequirements
		containers []corev1.Container
		pod        cgroupconfig.Value
		ofFirst    cgroupconfig.Value
		before     cgroupconfig.Value // of the first container
	}{
		{"a limit", &corev1.ResourceRequirements{Requests: list("memory", "2Gi"), Limits: list("memory", "4Gi")}, []corev1.Container{unlimitedContainer}, set(3 * gi), none, set(9 * gi / 2)},
		{"a container with a limit", &corev1.ResourceRequirements{Requests: list("memory", "2Gi"), Limits: list("memory", "4Gi")}, []corev1.Container{limited, unlimitedContainer}, set(3 * gi), set(gi / 2), set(gi / 2)},
		{"requests alone", &corev1.ResourceRequirements{Requests: list("memory", "2Gi")}, []corev1.Container{unlimitedContainer}, none, set(9 * gi / 2), set(9 * gi / 2)},
		{"of cpu, and containers with limits", &corev1.ResourceRequirements{Limits: list("cpu", "1")}, []corev1.Container{limited}, set(gi / 2), set(gi / 2), set(gi / 2)},
		{"request and limit are equal", &corev1.ResourceRequirements{Requests: list("memory", "4Gi"), Limits: list("memory", "4Gi")}, []corev1.Container{unlimitedContainer}, none, none, set(9 * gi / 2)},
		{"empty", &corev1.ResourceRequirements{}, []corev1.Container{limited}, none, set(gi / 2), set(gi / 2)},
		{"none", nil, []corev1.Container{limited}, none, set(gi / 2), set(gi / 2)},
	} {
		pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: test.containers, Resources: test.podLevel}}
		testkit.Equal(t, cgroupconfig.ForPod(pod, opts).MemoryHigh, test.pod, test.name, "pod")
		testkit.Equal(t, first(pod, opts).Cgroup.MemoryHigh, test.ofFirst, test.name, "container")
		testkit.Equal(t, cgroupconfig.ForPod(pod, of136).MemoryHigh, none, test.name, "pod of 1.36")
		testkit.Equal(t, first(pod, of136).Cgroup.MemoryHigh, test.before, test.name, "container of 1.36")
		for _, off := range []computeresources.Kubernetes{{MemoryQoS: testkit.Off()}, {PodLevelResources: testkit.Off()}} {
			without := opts
			without.Kubernetes = off
			testkit.Equal(t, cgroupconfig.ForPod(pod, without).MemoryHigh, none, test.name, "pod without a gate")
		}
	}
}

func TestMemoryReservation(t *testing.T) {
	both := list("cpu", "1", "memory", "1Gi")
	guaranteed := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{container("a", both, both)}}}
	zero, none := set(0), cgroupconfig.Value{}
	reservation := cgroupconfig.Options{TieredReservation: true}
	of136 := cgroupconfig.Options{Kubernetes: computeresources.Kubernetes{Release: "1.36"}, TieredReservation: true}
	on136 := cgroupconfig.Options{Kubernetes: computeresources.Kubernetes{Release: "1.36", MemoryQoS: testkit.On()}}
	for _, test := range []struct {
		name     string
		pod      *corev1.Pod
		opts     cgroupconfig.Options
		min, low cgroupconfig.Value
	}{
		{"by default", guaranteed, cgroupconfig.Options{}, zero, zero},
		{"off", guaranteed, cgroupconfig.Options{Kubernetes: computeresources.Kubernetes{MemoryQoS: testkit.Off()}, TieredReservation: true}, none, none},
		{"of 1.36", guaranteed, of136, none, none},
		{"of 1.36, on", guaranteed, on136, zero, zero},
		{"throttling", guaranteed, cgroupconfig.Options{ThrottlingFactor: factor(0.9)}, zero, zero},
		{"Guaranteed", guaranteed, reservation, set(gi), none},
		{"Burstable", burstable(list("memory", "1Gi"), nil), reservation, none, set(gi)},
		{"no request", burstable(nil, list("memory", "1Gi")), reservation, zero, zero},
		{"a request below zero", burstable(list("memory", "-1"), nil), reservation, zero, zero},
	} {
		got := first(test.pod, test.opts).Cgroup
		if got.MemoryMin != test.min || got.MemoryLow != test.low {
			t.Errorf("%s: min %+v and low %+v, want %+v and %+v", test.name, got.MemoryMin, got.MemoryLow, test.min, test.low)
		}
	}
}
