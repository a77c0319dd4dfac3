package config_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/cgroup/config"
)

// burstable returns a pod, of whose containers the first is the given one and the second
// makes it Burstable.
func burstable(requests, limits corev1.ResourceList) *corev1.Pod {
	return &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{
		container("a", requests, limits), container("b", list("cpu", "1m"), nil),
	}}}
}

func first(pod *corev1.Pod, opts config.Options) config.Container {
	return config.ForContainer(pod, &pod.Spec.Containers[0], opts)
}

func TestForContainer(t *testing.T) {
	plain := config.Options{SingleProcessOOMKill: true, Swap: config.SwapUnavailable}
	podLevel := func(requests, limits corev1.ResourceList) *corev1.Pod {
		pod := burstable(requests, limits)
		pod.Spec.Resources = &corev1.ResourceRequirements{Limits: list("cpu", "2", "memory", "4Gi", "hugepages-2Mi", "8Mi", "hugepages-1Gi", "1Gi")}
		return pod
	}
	podPages := []config.HugePages{{Size: 2 << 20, Limit: 8 << 20}, {Size: gi, Limit: gi}}
	for _, test := range []struct {
		name string
		pod  *corev1.Pod
		opts config.Options
		want config.Cgroup
	}{
		{"nothing", burstable(nil, nil), plain, config.Cgroup{Shares: set(2), Period: period}},
		{"defaults", burstable(nil, nil), config.Options{}, config.Cgroup{Shares: set(2), Period: period, Swap: set(0), OOMGroup: set(1)}},
		{"requests", burstable(list("cpu", "500m", "memory", "1Gi"), nil), plain, config.Cgroup{Shares: set(512), Period: period}},
		{
			"limits", burstable(list("cpu", "500m", "memory", "1Gi"), list("cpu", "1", "memory", "2Gi")), plain,
			config.Cgroup{Shares: set(512), Quota: set(100000), Period: period, Memory: set(2 * gi)},
		},
		{"a limit stands in for a request", burstable(nil, list("cpu", "1")), plain, config.Cgroup{Shares: set(1024), Quota: set(100000), Period: period}},
		{"but not for one of zero", burstable(list("cpu", "0"), list("cpu", "1")), plain, config.Cgroup{Shares: set(2), Quota: set(100000), Period: period}},
		{"amounts below zero", burstable(list("cpu", "-1"), list("cpu", "-1", "memory", "-1")), plain, config.Cgroup{Shares: set(2), Period: period}},
		{
			"amounts that integers do not hold", burstable(list("cpu", "1n"), list("cpu", "1E", "memory", "20E")), plain,
			config.Cgroup{Shares: set(2), Quota: set(math.MaxInt64), Period: period, Memory: set(math.MaxInt64)},
		},
		{
			"another period", burstable(nil, list("cpu", "1")), config.Options{Period: 5000, SingleProcessOOMKill: true, Swap: config.SwapUnavailable},
			config.Cgroup{Shares: set(1024), Quota: set(5000), Period: set(5000)},
		},
		{
			"CPU limits are not enforced", burstable(nil, list("cpu", "1")), config.Options{IgnoreCPULimits: true, SingleProcessOOMKill: true, Swap: config.SwapUnavailable},
			config.Cgroup{Shares: set(1024)},
		},
		{
			"limits of the pod", podLevel(nil, nil), plain,
			config.Cgroup{Shares: set(2048), Quota: set(200000), Period: period, Memory: set(4 * gi), HugePages: podPages},
		},
		{
			"beside a request", podLevel(list("cpu", "100m"), nil), plain,
			config.Cgroup{Shares: set(102), Quota: set(200000), Period: period, Memory: set(4 * gi), HugePages: podPages},
		},
		{
			"limits of its own", podLevel(nil, list("cpu", "1", "memory", "1Gi", "hugepages-2Mi", "2Mi")), plain,
			config.Cgroup{Shares: set(1024), Quota: set(100000), Period: period, Memory: set(gi), HugePages: []config.HugePages{{Size: 2 << 20, Limit: 2 << 20}, {Size: gi, Limit: gi}}},
		},
		{
			"limits of zero are none", podLevel(nil, list("cpu", "0", "memory", "0", "hugepages-2Mi", "0")), plain,
			config.Cgroup{Shares: set(2048), Quota: set(200000), Period: period, Memory: set(4 * gi), HugePages: []config.HugePages{{Size: 2 << 20}, {Size: gi, Limit: gi}}},
		},
		{
			"no sizes known of the node", burstable(nil, list("hugepages-2Mi", "2Mi")),
			config.Options{SingleProcessOOMKill: true, Swap: config.SwapUnavailable, Node: config.Node{HugePageSizes: []int64{}}},
			config.Cgroup{Shares: set(2), Period: period, HugePages: []config.HugePages{{Size: 2 << 20, Limit: 2 << 20}}},
		},
		{
			"huge pages of the node", podLevel(nil, list("cpu", "1", "memory", "1", "hugepages-2Mi", "2Mi")),
			config.Options{SingleProcessOOMKill: true, Swap: config.SwapUnavailable, Node: config.Node{HugePageSizes: []int64{64 << 10, 2 << 20, 0}}},
			config.Cgroup{Shares: set(1024), Quota: set(100000), Period: period, Memory: set(1), HugePages: []config.HugePages{{Size: 64 << 10}, {Size: 2 << 20, Limit: 2 << 20}}},
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
	want := config.Container{Cgroup: config.Cgroup{Shares: set(2), Period: period, Swap: set(0), OOMGroup: set(1)}, OOMScoreAdj: 1000}
	if diff := cmp.Diff(want, config.ForContainer(nil, nil, config.Options{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestOOMScoreAdj(t *testing.T) {
	pod := burstable(list("memory", "1Gi"), nil)
	if got := first(pod, config.Options{Node: config.Node{Memory: 4 * gi}}).OOMScoreAdj; got != 750 {
		t.Errorf("OOM score %d, want 750", got)
	}
}

func TestSwap(t *testing.T) {
	node := config.Node{Memory: 16 * gi, Swap: 4*gi + 3}
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
	for _, test := range []struct {
		name string
		pod  *corev1.Pod
		swap config.Swap
		node config.Node
		want config.Value
	}{
		{"none", burstable(list("memory", "1Gi"), nil), config.NoSwap, node, set(0)},
		{"unavailable", burstable(list("memory", "1Gi"), nil), config.SwapUnavailable, node, config.Value{}},
		{"unknown", burstable(list("memory", "1Gi"), nil), 3, node, set(0)},
		{"limited", burstable(list("memory", "1Gi"), nil), config.LimitedSwap, node, quarter},
		{"beside a limit", burstable(list("memory", "1Gi"), list("memory", "2Gi")), config.LimitedSwap, node, quarter},
		{"rounded down", burstable(list("memory", "16Gi"), nil), config.LimitedSwap, node, set(4*gi + 3)},
		{"rounded down", burstable(list("memory", "15Gi"), nil), config.LimitedSwap, node, set((4*gi + 3) * 15 / 16)},
		{"a request of a byte", burstable(list("memory", "1"), nil), config.LimitedSwap, config.Node{Memory: gi, Swap: 3 * gi}, set(3)},
		{"a swap of a byte", burstable(list("memory", "1Gi"), nil), config.LimitedSwap, config.Node{Memory: gi, Swap: 1}, set(1)},
		{"above the node", burstable(list("memory", "17179869185"), nil), config.LimitedSwap, node, set(0)},
		{"no request", burstable(nil, list("memory", "1Gi")), config.LimitedSwap, node, set(0)},
		{"nothing stated", burstable(nil, nil), config.LimitedSwap, node, set(0)},
		{"a request below zero", burstable(list("memory", "-1"), nil), config.LimitedSwap, node, set(0)},
		{"a request of the limit", burstable(list("memory", "1Gi"), list("memory", "1Gi")), config.LimitedSwap, node, set(0)},
		{"Guaranteed", &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{container("a", both, both)}}}, config.LimitedSwap, node, set(0)},
		{"Guaranteed, but not this container", &corev1.Pod{Spec: corev1.PodSpec{
			Containers: []corev1.Container{container("a", list("memory", "1Gi"), nil)}, Resources: &corev1.ResourceRequirements{Requests: both, Limits: both},
		}}, config.LimitedSwap, node, set(0)},
		{"static", critical("kubernetes.io/config.source", "file", 0), config.LimitedSwap, node, set(0)},
		{"from the API server", critical("kubernetes.io/config.source", "api", 0), config.LimitedSwap, node, quarter},
		{"mirror", critical("kubernetes.io/config.mirror", "x", 0), config.LimitedSwap, node, set(0)},
		{"critical", critical("", "", 2000000000), config.LimitedSwap, node, set(0)},
		{"nearly critical", critical("", "", 1999999999), config.LimitedSwap, node, quarter},
		{"a node without swap", burstable(list("memory", "1Gi"), nil), config.LimitedSwap, config.Node{Memory: gi}, set(0)},
		{"a node of which nothing is known", burstable(list("memory", "1Gi"), nil), config.LimitedSwap, config.Node{}, set(0)},
		{"a node of which only the swap is known", burstable(nil, list("memory", "1Gi")), config.LimitedSwap, config.Node{Swap: gi}, set(0)},
		{"a huge node", burstable(list("memory", "9223372036854775806"), nil), config.LimitedSwap, config.Node{Memory: math.MaxInt64, Swap: math.MaxInt64}, set(math.MaxInt64 - 1)},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := first(test.pod, config.Options{Swap: test.swap, Node: test.node}).Cgroup.Swap; got != test.want {
				t.Errorf("swap %+v, want %+v", got, test.want)
			}
		})
	}
}

func TestMemoryHigh(t *testing.T) {
	// Of 1Gi and 2Gi, nine tenths on the way are 2040109465.6, in the page from 2040107008.
	const ninetenths = 2040107008
	for _, test := range []struct {
		name            string
		requests, limit string
		opts            config.Options
		want            config.Value
	}{
		{"off", "1Gi", "2Gi", config.Options{MemoryQoS: config.MemoryQoSOff}, config.Value{}},
		{"nine tenths", "1Gi", "2Gi", config.Options{}, set(ninetenths)},
		{"stated", "1Gi", "2Gi", config.Options{ThrottlingFactor: 0.9}, set(ninetenths)},
		{"no factor", "1Gi", "2Gi", config.Options{ThrottlingFactor: -0.1}, set(ninetenths)},
		{"nor this one", "1Gi", "2Gi", config.Options{ThrottlingFactor: 1.01}, set(ninetenths)},
		{"nor this", "1Gi", "2Gi", config.Options{ThrottlingFactor: math.NaN()}, set(ninetenths)},
		{"all of it", "1Gi", "2Gi", config.Options{ThrottlingFactor: 1}, set(2 * gi)},
		{"half", "1Gi", "2Gi", config.Options{ThrottlingFactor: 0.5}, set(gi + gi/2)},
		{"as a decimal", "0", "40960", config.Options{ThrottlingFactor: 0.3}, set(12288)},
		{"and no less", "0", "40960", config.Options{ThrottlingFactor: 0.2999999999}, set(8192)},
		{"other pages", "1Gi", "2Gi", config.Options{Node: config.Node{PageSize: 65536}}, set(ninetenths / 65536 * 65536)},
		{"pages of a byte", "1Gi", "2Gi", config.Options{Node: config.Node{PageSize: 1}}, set(2040109465)},
		{"pages of less than nothing", "1Gi", "2Gi", config.Options{Node: config.Node{PageSize: -1}}, set(ninetenths)},
		{"nothing requested", "0", "1Gi", config.Options{}, set(966365184)},
		{"request and limit are equal", "1Gi", "1Gi", config.Options{}, config.Value{}},
		{"neither", "0", "0", config.Options{Node: config.Node{AllocatableMemory: 2 * gi}}, config.Value{}},
		{"no limit", "1Gi", "0", config.Options{Node: config.Node{AllocatableMemory: 2 * gi}}, set(ninetenths)},
		{"no limit, on a node of which nothing is known", "1Gi", "0", config.Options{}, config.Value{}},
		{"no more than the request", "4095", "4097", config.Options{}, set(4096)},
		{"not above the request", "4096", "4097", config.Options{}, config.Value{}},
		{"below a page", "1", "4095", config.Options{}, config.Value{}},
		{"a request above the node", "2Gi", "0", config.Options{Node: config.Node{AllocatableMemory: gi}}, config.Value{}},
		{"a request above its limit", "2Gi", "1Gi", config.Options{}, config.Value{}},
		{"huge", "0", "20E", config.Options{ThrottlingFactor: 1, Node: config.Node{PageSize: 1}}, set(math.MaxInt64)},
	} {
		t.Run(test.name, func(t *testing.T) {
			pod := burstable(list("memory", test.requests), list("memory", test.limit))
			if test.name != "off" {
				test.opts.MemoryQoS = config.MemoryQoSThrottling
			}
			if got := first(pod, test.opts).Cgroup.MemoryHigh; got != test.want {
				t.Errorf("memory.high %+v, want %+v", got, test.want)
			}
			if test.name == "off" {
				return
			}
			test.opts.MemoryQoS = config.MemoryQoSReservation
			if got := first(pod, test.opts).Cgroup.MemoryHigh; got != test.want {
				t.Errorf("with a reservation: memory.high %+v, want %+v", got, test.want)
			}
		})
	}
}

func TestMemoryReservation(t *testing.T) {
	both := list("cpu", "1", "memory", "1Gi")
	guaranteed := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{container("a", both, both)}}}
	zero, none := set(0), config.Value{}
	for _, test := range []struct {
		name     string
		pod      *corev1.Pod
		qos      config.MemoryQoS
		min, low config.Value
	}{
		{"off", guaranteed, config.MemoryQoSOff, none, none},
		{"throttling", guaranteed, config.MemoryQoSThrottling, zero, zero},
		{"Guaranteed", guaranteed, config.MemoryQoSReservation, set(gi), none},
		{"Burstable", burstable(list("memory", "1Gi"), nil), config.MemoryQoSReservation, none, set(gi)},
		{"no request", burstable(nil, list("memory", "1Gi")), config.MemoryQoSReservation, zero, zero},
		{"a request below zero", burstable(list("memory", "-1"), nil), config.MemoryQoSReservation, zero, zero},
	} {
		got := first(test.pod, config.Options{MemoryQoS: test.qos}).Cgroup
		if got.MemoryMin != test.min || got.MemoryLow != test.low {
			t.Errorf("%s: min %+v and low %+v, want %+v and %+v", test.name, got.MemoryMin, got.MemoryLow, test.min, test.low)
		}
	}
}
