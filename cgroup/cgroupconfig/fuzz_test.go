package cgroupconfig_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/cgroup"
	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// For any resources of a container, in any notation, the values of its pod are those of the slow
// twin, and all written values are within range.
func FuzzForPod(f *testing.F) {
	f.Add("1", "1", "1Gi", "1024Mi", "2Mi", "4Mi", int64(100000), true, true)
	f.Add("1.5Gi", "-1", "100n", "20E", "1e-1000000000", "1", int64(-1), false, false)
	f.Add("500m", "", "0", "7Ei", "1E", "-1", int64(1), true, false)
	f.Fuzz(func(t *testing.T, cpu, cpuLimit, memory, memoryLimit, pageSize, pages string, period int64, memoryQoS, reservation bool) {
		lists := [2]corev1.ResourceList{{}, {}}
		state := func(list int, name, text string) {
			if q, ok := testkit.Parse(text); ok {
				lists[list][corev1.ResourceName(name)] = q
			}
		}
		state(0, "cpu", cpu)
		state(1, "cpu", cpuLimit)
		state(0, "memory", memory)
		state(1, "memory", memoryLimit)
		state(0, "hugepages-"+pageSize, pages)
		pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{container("a", lists[0], lists[1])}}}
		opts := cgroupconfig.Options{Period: period, TieredReservation: reservation, Kubernetes: computeresources.Kubernetes{MemoryQoS: testkit.OffIf(!memoryQoS)}}
		got := cgroupconfig.ForPod(pod, opts)
		for _, h := range got.HugePages {
			if h.Size <= 0 || h.Limit < 0 {
				t.Errorf("huge pages %+v", h)
			}
		}
		want := slowPod(pod.DeepCopy(), opts)
		got.HugePages, want.HugePages = nil, nil // of any size, here
		testkit.NoDiff(t, got, want)
		for _, s := range cgroupconfig.ForContainer(pod, &pod.Spec.Containers[0], opts).Cgroup.V2(cgroup.SharesToLogarithmicWeight) {
			if s.Name == "" || s.Value == "" || s.Value[0] == '-' {
				t.Errorf("%+v", s)
			}
		}
	})
}
