package cgroupconfig_test

import (
	"math"
	"math/big"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestForSandbox(t *testing.T) {
	pod := func(spec corev1.PodSpec) *corev1.Pod { return &corev1.Pod{Spec: spec} }
	app := testkit.Container("app", list("cpu", "500m", "memory", "1Gi"), list("cpu", "1", "memory", "2Gi"))
	unbound := testkit.Container("proxy", nil, nil)
	limited := testkit.Container("app", nil, list("cpu", "2"))
	always := corev1.ContainerRestartPolicyAlways
	sidecar := app
	sidecar.Name, sidecar.RestartPolicy = "sidecar", &always
	kill := set(1)
	period := set(100000)
	podLevel := corev1.PodSpec{
		Containers: []corev1.Container{app}, Resources: &corev1.ResourceRequirements{Requests: list("cpu", "3"), Limits: list("cpu", "4", "memory", "8Gi")},
		Overhead: list("memory", "64Mi"),
	}
	for _, test := range []struct {
		name string
		pod  *corev1.Pod
		opts cgroupconfig.Options
		want cgroupconfig.Sandbox
	}{
		{"nil", nil, cgroupconfig.Options{}, cgroupconfig.Sandbox{Resources: cgroupconfig.Cgroup{Shares: set(2), Period: period, OOMGroup: kill}}},
		{
			"sums, also where a container has no limit",
			pod(corev1.PodSpec{Containers: []corev1.Container{app, unbound}, InitContainers: []corev1.Container{sidecar}}), cgroupconfig.Options{},
			cgroupconfig.Sandbox{Resources: cgroupconfig.Cgroup{Shares: set(1024), Quota: set(200000), Period: period, Memory: set(4 * gi), OOMGroup: kill}},
		},
		{
			"no sums in 1.38 where a container has no limit",
			pod(corev1.PodSpec{Containers: []corev1.Container{app, unbound}}), cgroupconfig.Options{Kubernetes: computeresources.Kubernetes{Release: "1.38"}},
			cgroupconfig.Sandbox{Resources: cgroupconfig.Cgroup{Shares: set(512), Period: period, OOMGroup: kill}},
		},
		{
			"overhead beside them", pod(corev1.PodSpec{Containers: []corev1.Container{app}, Overhead: list("cpu", "250m", "memory", "128Mi")}), cgroupconfig.Options{},
			cgroupconfig.Sandbox{
				Resources: cgroupconfig.Cgroup{Shares: set(512), Quota: set(100000), Period: period, Memory: set(2 * gi), OOMGroup: kill},
				Overhead:  cgroupconfig.Cgroup{Shares: set(256), Quota: set(25000), Period: period, Memory: set(128 << 20), OOMGroup: kill},
			},
		},
		{
			"an empty overhead is none", pod(corev1.PodSpec{Overhead: corev1.ResourceList{}}), cgroupconfig.Options{},
			cgroupconfig.Sandbox{Resources: cgroupconfig.Cgroup{Shares: set(2), Period: period, OOMGroup: kill}},
		},
		{
			"shares of the limits, if nothing is requested", pod(corev1.PodSpec{Containers: []corev1.Container{limited}}), cgroupconfig.Options{},
			cgroupconfig.Sandbox{Resources: cgroupconfig.Cgroup{Shares: set(2048), Quota: set(200000), Period: period, OOMGroup: kill}},
		},
		{
			"the pod level, and overhead of memory alone", pod(podLevel), cgroupconfig.Options{},
			cgroupconfig.Sandbox{
				Resources: cgroupconfig.Cgroup{Shares: set(3072), Quota: set(400000), Period: period, Memory: set(8 * gi), OOMGroup: kill},
				Overhead:  cgroupconfig.Cgroup{Shares: set(2), Period: period, Memory: set(64 << 20), OOMGroup: kill},
			},
		},
		{
			"the pod level ignored", pod(podLevel), cgroupconfig.Options{Kubernetes: computeresources.Kubernetes{PodLevelResources: testkit.Off()}, SingleProcessOOMKill: true, Period: 10000},
			cgroupconfig.Sandbox{
				Resources: cgroupconfig.Cgroup{Shares: set(512), Quota: set(10000), Period: set(10000), Memory: set(2 * gi)},
				Overhead:  cgroupconfig.Cgroup{Shares: set(2), Period: set(10000), Memory: set(64 << 20)},
			},
		},
		{
			"exclusive CPUs", pod(corev1.PodSpec{Containers: []corev1.Container{app}, Overhead: list("cpu", "250m")}), cgroupconfig.Options{ExclusiveCPUs: true, SingleProcessOOMKill: true},
			cgroupconfig.Sandbox{
				Resources: cgroupconfig.Cgroup{Shares: set(512), Quota: unlimited, Period: period, Memory: set(2 * gi)},
				Overhead:  cgroupconfig.Cgroup{Shares: set(256), Quota: set(25000), Period: period},
			},
		},
		{
			"no CFS quota", pod(corev1.PodSpec{Containers: []corev1.Container{app}, Overhead: list("cpu", "250m")}), cgroupconfig.Options{IgnoreCPULimits: true, ExclusiveCPUs: true, SingleProcessOOMKill: true},
			cgroupconfig.Sandbox{Resources: cgroupconfig.Cgroup{Shares: set(512), Memory: set(2 * gi)}, Overhead: cgroupconfig.Cgroup{Shares: set(256)}},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			testkit.NoDiff(t, cgroupconfig.ForSandbox(test.pod, test.opts), test.want)
		})
	}
}

func TestSwapShare(t *testing.T) {
	for _, test := range []struct{ request, memory, swap, want int64 }{
		{4, 16, 8, 2}, {5, 16, 8, 2}, {16, 16, 8, 8}, {17, 16, 8, 0}, {0, 16, 8, 0}, {-1, 16, 8, 0}, {4, 0, 8, 0}, {4, -1, 8, 0}, {4, 16, 0, 0}, {4, 16, -1, 0},
		{math.MaxInt64, math.MaxInt64, math.MaxInt64, math.MaxInt64}, {1 << 61, 1 << 62, math.MaxInt64, 1<<62 - 1},
	} {
		if got := (cgroupconfig.NodeMemory{Capacity: test.memory, Swap: test.swap}).SwapShare(test.request); got != test.want {
			t.Errorf("%d of %d and swap %d: %d, want %d", test.request, test.memory, test.swap, got, test.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		memory := rapid.Int64Range(1, math.MaxInt64).Draw(t, "memory")
		request, swap := rapid.Int64Range(1, memory).Draw(t, "request"), rapid.Int64Range(1, math.MaxInt64).Draw(t, "swap")
		want := new(big.Int).Mul(big.NewInt(request), big.NewInt(swap))
		want.Quo(want, big.NewInt(memory))
		if got := (cgroupconfig.NodeMemory{Capacity: memory, Swap: swap}).SwapShare(request); got != want.Int64() {
			t.Fatalf("SwapShare = %d, want %d", got, want)
		}
	})
}

// Exclusive CPUs have an unlimited quota, with a period. Without CFS quota, a container has
// neither.
func TestExclusiveCPUs(t *testing.T) {
	app := testkit.Container("app", list("cpu", "2", "memory", "1Gi"), list("cpu", "2", "memory", "1Gi"))
	pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{app}}}
	for _, test := range []struct {
		name           string
		opts           cgroupconfig.Options
		pod, container [2]cgroupconfig.Value
	}{
		{"neither", cgroupconfig.Options{}, [2]cgroupconfig.Value{set(200000), set(100000)}, [2]cgroupconfig.Value{set(200000), set(100000)}},
		{"exclusive CPUs", cgroupconfig.Options{ExclusiveCPUs: true}, [2]cgroupconfig.Value{unlimited, set(100000)}, [2]cgroupconfig.Value{unlimited, set(100000)}},
		{"no CFS quota", cgroupconfig.Options{IgnoreCPULimits: true}, [2]cgroupconfig.Value{unlimited, set(100000)}, [2]cgroupconfig.Value{}},
		{"both", cgroupconfig.Options{IgnoreCPULimits: true, ExclusiveCPUs: true}, [2]cgroupconfig.Value{unlimited, set(100000)}, [2]cgroupconfig.Value{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := cgroupconfig.ForPod(pod, test.opts)
			testkit.Equal(t, [2]cgroupconfig.Value{p.Quota, p.Period}, test.pod, "pod")
			c := cgroupconfig.ForContainer(pod, &pod.Spec.Containers[0], test.opts).Cgroup
			testkit.Equal(t, [2]cgroupconfig.Value{c.Quota, c.Period}, test.container, "container")
		})
	}
}

// The values that Koordinator sets for its batch pods, which the kubelet treats as BestEffort.
func TestRenamed(t *testing.T) {
	const cpu, memory = "kubernetes.io/batch-cpu", "kubernetes.io/batch-memory"
	app := testkit.Container("app", list(cpu, "500", memory, "1Gi"), list(cpu, "1k", memory, "2Gi"))
	proxy := testkit.Container("proxy", list(cpu, "250"), list(cpu, "500"))
	pod := &corev1.Pod{
		Spec:   corev1.PodSpec{Containers: []corev1.Container{app, proxy}, Overhead: list("cpu", "250m")},
		Status: corev1.PodStatus{QOSClass: corev1.PodQOSBestEffort},
	}
	opts := cgroupconfig.Options{SingleProcessOOMKill: true, CPUName: cpu, MemoryName: memory}
	got := map[string]any{
		"pod": cgroupconfig.ForPod(pod, opts), "app": cgroupconfig.ForContainer(pod, &pod.Spec.Containers[0], opts),
		"proxy": cgroupconfig.ForContainer(pod, &pod.Spec.Containers[1], opts), "sandbox": cgroupconfig.ForSandbox(pod, opts),
		"by their own names": cgroupconfig.ForPod(pod, cgroupconfig.Options{}),
	}
	period := set(100000)
	want := map[string]any{
		"pod":   cgroupconfig.Cgroup{Shares: set(1024), Quota: set(175000), Period: period},
		"app":   cgroupconfig.Container{Cgroup: cgroupconfig.Cgroup{Shares: set(512), Quota: set(100000), Period: period, Memory: set(2 * gi), MemoryMin: set(0), MemoryLow: set(0), Swap: set(0)}, OOMScoreAdj: 1000},
		"proxy": cgroupconfig.Container{Cgroup: cgroupconfig.Cgroup{Shares: set(256), Quota: set(50000), Period: period, MemoryMin: set(0), MemoryLow: set(0), Swap: set(0)}, OOMScoreAdj: 1000},
		"sandbox": cgroupconfig.Sandbox{
			Resources: cgroupconfig.Cgroup{Shares: set(768), Quota: set(150000), Period: period, Memory: set(2 * gi)},
			Overhead:  cgroupconfig.Cgroup{Shares: set(256), Quota: set(25000), Period: period},
		},
		"by their own names": cgroupconfig.Cgroup{Shares: set(2)},
	}
	testkit.NoDiff(t, got, want)
}
