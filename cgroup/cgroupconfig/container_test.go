package cgroupconfig_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
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
	plain := cgroupconfig.Options{SingleProcessOOMKill: true, SwapUnavailable: true}
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
		{"defaults", burstable(nil, nil), cgroupconfig.Options{}, cgroupconfig.Cgroup{Shares: set(2), Period: period, Swap: set(0), OOMGroup: set(1)}},
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
			"another period", burstable(nil, list("cpu", "1")), cgroupconfig.Options{Period: 5000, SingleProcessOOMKill: true, SwapUnavailable: true},
			cgroupconfig.Cgroup{Shares: set(1024), Quota: set(5000), Period: set(5000)},
		},
		{
			"CPU limits are not enforced", burstable(nil, list("cpu", "1")), cgroupconfig.Options{IgnoreCPULimits: true, SingleProcessOOMKill: true, SwapUnavailable: true},
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
			cgroupconfig.Options{SingleProcessOOMKill: true, SwapUnavailable: true, NodeMemory: cgroupconfig.NodeMemory{HugePageSizes: []int64{}}},
			cgroupconfig.Cgroup{Shares: set(2), Period: period, HugePages: []cgroupconfig.HugePages{{Size: 2 << 20, Limit: 2 << 20}}},
		},
		{
			"huge pages of the node", podLevel(nil, list("cpu", "1", "memory", "1", "hugepages-2Mi", "2Mi")),
			cgroupconfig.Options{SingleProcessOOMKill: true, SwapUnavailable: true, NodeMemory: cgroupconfig.NodeMemory{HugePageSizes: []int64{64 << 10, 2 << 20, 0}}},
			cgroupconfig.Cgroup{Shares: set(1024), Quota: set(100000), Period: period, Memory: set(1), HugePages: []cgroupconfig.HugePages{{Size: 64 << 10}, {Size: 2 << 20, Limit: 2 << 20}}},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, first(test.pod, test.opts).Cgroup); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestForNoContainer(t *testing.T) {
	want := cgroupconfig.Container{Cgroup: cgroupconfig.Cgroup{Shares: set(2), Period: period, Swap: set(0), OOMGroup: set(1)}, OOMScoreAdj: 1000}
	if diff := cmp.Diff(want, cgroupconfig.ForContainer(nil, nil, cgroupconfig.Options{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestOOMScoreAdj(t *testing.T) {
	pod := burstable(list("memory", "1Gi"), nil)
	if got := first(pod, cgroupconfig.Options{NodeMemory: cgroupconfig.NodeMemory{Capacity: 4 * gi}}).OOMScoreAdj; got != 750 {
		t.Errorf("OOM score %d, want 750", got)
	}
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
			if got := first(test.pod, test.swap).Cgroup.Swap; got != test.want {
				t.Errorf("swap %+v, want %+v", got, test.want)
			}
		})
	}
}

func TestMemoryHigh(t *testing.T) {
	// Nine tenths of the way from 1Gi to 2Gi is 2040109465.6, in the page that starts at
	// 2040107008.
	const ninetenths = 2040107008
	for _, test := range []struct {
		name            string
		requests, limit string
		opts            cgroupconfig.Options
		want            cgroupconfig.Value
	}{
		{"off", "1Gi", "2Gi", cgroupconfig.Options{}, cgroupconfig.Value{}},
		{"nine tenths", "1Gi", "2Gi", cgroupconfig.Options{}, set(ninetenths)},
		{"nine tenths by option", "1Gi", "2Gi", cgroupconfig.Options{ThrottlingFactor: 0.9}, set(ninetenths)},
		{"negative factor", "1Gi", "2Gi", cgroupconfig.Options{ThrottlingFactor: -0.1}, set(ninetenths)},
		{"a factor above one", "1Gi", "2Gi", cgroupconfig.Options{ThrottlingFactor: 1.01}, set(ninetenths)},
		{"NaN factor", "1Gi", "2Gi", cgroupconfig.Options{ThrottlingFactor: math.NaN()}, set(ninetenths)},
		{"a factor of one", "1Gi", "2Gi", cgroupconfig.Options{ThrottlingFactor: 1}, set(2 * gi)},
		{"half", "1Gi", "2Gi", cgroupconfig.Options{ThrottlingFactor: 0.5}, set(gi + gi/2)},
		{"as a decimal", "0", "40960", cgroupconfig.Options{ThrottlingFactor: 0.3}, set(12288)},
		{"a factor just below a decimal", "0", "40960", cgroupconfig.Options{ThrottlingFactor: 0.2999999999}, set(8192)},
		{"pages of 64Ki", "1Gi", "2Gi", cgroupconfig.Options{NodeMemory: cgroupconfig.NodeMemory{PageSize: 65536}}, set(ninetenths / 65536 * 65536)},
		{"pages of a byte", "1Gi", "2Gi", cgroupconfig.Options{NodeMemory: cgroupconfig.NodeMemory{PageSize: 1}}, set(2040109465)},
		{"negative amount of pages", "1Gi", "2Gi", cgroupconfig.Options{NodeMemory: cgroupconfig.NodeMemory{PageSize: -1}}, set(ninetenths)},
		{"nothing requested", "0", "1Gi", cgroupconfig.Options{}, set(966365184)},
		{"request and limit are equal", "1Gi", "1Gi", cgroupconfig.Options{}, cgroupconfig.Value{}},
		{"neither request nor limit", "0", "0", cgroupconfig.Options{NodeMemory: cgroupconfig.NodeMemory{Allocatable: 2 * gi}}, cgroupconfig.Value{}},
		{"no limit", "1Gi", "0", cgroupconfig.Options{NodeMemory: cgroupconfig.NodeMemory{Allocatable: 2 * gi}}, set(ninetenths)},
		{"no limit on an unknown node", "1Gi", "0", cgroupconfig.Options{}, cgroupconfig.Value{}},
		{"no more than the request", "4095", "4097", cgroupconfig.Options{}, set(4096)},
		{"not above the request", "4096", "4097", cgroupconfig.Options{}, cgroupconfig.Value{}},
		{"below a page", "1", "4095", cgroupconfig.Options{}, cgroupconfig.Value{}},
		{"a request above the node", "2Gi", "0", cgroupconfig.Options{NodeMemory: cgroupconfig.NodeMemory{Allocatable: gi}}, cgroupconfig.Value{}},
		{"a request above its limit", "2Gi", "1Gi", cgroupconfig.Options{}, cgroupconfig.Value{}},
		{"huge", "0", "20E", cgroupconfig.Options{ThrottlingFactor: 1, NodeMemory: cgroupconfig.NodeMemory{PageSize: 1}}, set(math.MaxInt64)},
	} {
		t.Run(test.name, func(t *testing.T) {
			pod := burstable(list("memory", test.requests), list("memory", test.limit))
			if test.name != "off" {
				test.opts.MemoryQoS = true
			}
			if got := first(pod, test.opts).Cgroup.MemoryHigh; got != test.want {
				t.Errorf("memory.high %+v, want %+v", got, test.want)
			}
			if test.name == "off" {
				return
			}
			test.opts.TieredReservation = true
			if got := first(pod, test.opts).Cgroup.MemoryHigh; got != test.want {
				t.Errorf("with a reservation: memory.high %+v, want %+v", got, test.want)
			}
		})
	}
}

func TestMemoryReservation(t *testing.T) {
	both := list("cpu", "1", "memory", "1Gi")
	guaranteed := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{container("a", both, both)}}}
	zero, none := set(0), cgroupconfig.Value{}
	reservation := cgroupconfig.Options{MemoryQoS: true, TieredReservation: true}
	for _, test := range []struct {
		name     string
		pod      *corev1.Pod
		opts     cgroupconfig.Options
		min, low cgroupconfig.Value
	}{
		{"off", guaranteed, cgroupconfig.Options{}, none, none},
		{"a policy without the gate", guaranteed, cgroupconfig.Options{TieredReservation: true}, none, none},
		{"throttling", guaranteed, cgroupconfig.Options{MemoryQoS: true}, zero, zero},
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
