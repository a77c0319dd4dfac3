package config_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/cgroup"
	"github.com/kubemath/kubemath/cgroup/config"
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
				testkit.Keep(config.ForPod(pod, config.Options{}))
			}
		})
	}
}

func BenchmarkForContainer(b *testing.B) {
	pod := testkit.StandardPod(false)
	opts := config.Options{MemoryQoS: config.MemoryQoSReservation, Swap: config.LimitedSwap, Node: config.Node{Memory: 16 << 30, Swap: 1 << 30}}
	b.ReportAllocs()
	for b.Loop() {
		testkit.Keep(config.ForContainer(pod, &pod.Spec.Containers[0], opts))
	}
}

func BenchmarkForTiers(b *testing.B) {
	var pods []*corev1.Pod
	for i := range 110 {
		pods = append(pods, testkit.StandardPod(i%4 == 0))
	}
	b.ReportAllocs()
	for b.Loop() {
		testkit.Keep(config.ForTiers(pods, config.Options{}))
	}
}

func BenchmarkV2(b *testing.B) {
	c := config.ForPod(testkit.StandardPod(false), config.Options{})
	b.ReportAllocs()
	for b.Loop() {
		testkit.Keep(c.V2(cgroup.Linear))
	}
}
