package qos_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/qos"
)

func BenchmarkClass(b *testing.B) {
	for name, pod := range map[string]*corev1.Pod{"Guaranteed": testkit.StandardPod(true), "Burstable": testkit.StandardPod(false), "BestEffort": {}} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				testkit.Keep(qos.Class(&pod.Spec, computeresources.Gates{}))
			}
		})
	}
}

func BenchmarkOOMScoreAdj(b *testing.B) {
	pod := testkit.StandardPod(false)
	b.ReportAllocs()
	for b.Loop() {
		testkit.Keep(qos.OOMScoreAdj(pod, &pod.Spec.Containers[0], 16*gi, computeresources.Gates{}))
	}
}

func BenchmarkTierTotals(b *testing.B) {
	var pods []*corev1.Pod
	for i := range 110 {
		pods = append(pods, testkit.StandardPod(i%4 == 0))
	}
	b.ReportAllocs()
	for b.Loop() {
		testkit.Keep(qos.TierTotals(pods, computeresources.Gates{}))
	}
}

func BenchmarkGuaranteedChanges(b *testing.B) {
	spec := &testkit.StandardPod(false).Spec
	b.ReportAllocs()
	for b.Loop() {
		changes, _ := qos.GuaranteedChanges(spec, computeresources.Gates{})
		testkit.Keep(changes)
	}
}
