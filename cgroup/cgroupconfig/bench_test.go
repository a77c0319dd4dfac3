package cgroupconfig_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/cgroup"
	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/internal/testkit"
)

func BenchmarkForPod(b *testing.B) {
	hugePages := testkit.StandardPod(false)
	hugePages.Spec.Containers[0].Resources.Requests["hugepages-2Mi"] = quantity(4 << 20)
	for name, pod := range map[string]*corev1.Pod{
		"Guaranteed": testkit.StandardPod(true), "Burstable": testkit.StandardPod(false), "BestEffort": {}, "huge pages": hugePages,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				testkit.Keep(cgroupconfig.ForPod(pod, cgroupconfig.Options{}))
			}
		})
	}
}

func BenchmarkForContainer(b *testing.B) {
	pod := testkit.StandardPod(false)
	opts := cgroupconfig.Options{TieredReservation: true, ThrottlingFactor: factor(0.9), LimitedSwap: true, NodeMemory: cgroupconfig.NodeMemory{Capacity: 16 << 30, Swap: 1 << 30}}
	b.ReportAllocs()
	for b.Loop() {
		testkit.Keep(cgroupconfig.ForContainer(pod, &pod.Spec.Containers[0], opts))
	}
}

func BenchmarkForTiers(b *testing.B) {
	var pods []*corev1.Pod
	for i := range 110 {
		pods = append(pods, testkit.StandardPod(i%4 == 0))
	}
	b.ReportAllocs()
	for b.Loop() {
		testkit.Keep(cgroupconfig.ForTiers(pods, cgroupconfig.Options{}))
	}
}

func BenchmarkV2(b *testing.B) {
	c := cgroupconfig.ForPod(testkit.StandardPod(false), cgroupconfig.Options{})
	b.ReportAllocs()
	for b.Loop() {
		testkit.Keep(c.V2(cgroup.SharesToLinearWeight))
	}
}
