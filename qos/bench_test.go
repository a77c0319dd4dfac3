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
				testkit.Keep(qos.Class(&pod.Spec, computeresources.Kubernetes{}))
			}
		})
	}
}

func BenchmarkOOMScoreAdj(b *testing.B) {
	pod := testkit.StandardPod(false)
	b.ReportAllocs()
	for b.Loop() {
		testkit.Keep(qos.OOMScoreAdj(pod, &pod.Spec.Containers[0], 16*gi, computeresources.Kubernetes{}))
	}
}

func BenchmarkTierTotals(b *testing.B) {
	var pods []*corev1.Pod
	for i := range 110 {
		pods = append(pods, testkit.StandardPod(i%4 == 0))
	}
	b.ReportAllocs()
	for b.Loop() {
		testkit.Keep(qos.TierTotals(pods, computeresources.Kubernetes{}))
	}
}

func BenchmarkGuaranteedChanges(b *testing.B) {
	spec := &testkit.StandardPod(false).Spec
	b.ReportAllocs()
	for b.Loop() {
		changes, _ := qos.GuaranteedChanges(spec, computeresources.Kubernetes{})
		testkit.Keep(changes)
	}
}

func TestAllocs(t *testing.T) {
	even, uneven := testkit.StandardPod(true), testkit.StandardPod(false)
	whole := testkit.StandardPod(false)
	whole.Spec.Resources = &corev1.ResourceRequirements{Requests: list("memory", "4Gi")}
	fractions := testkit.StandardPod(false)
	for i := range fractions.Spec.Containers {
		fractions.Spec.Containers[i].Resources.Requests = list("cpu", "0.5", "memory", "1.5Gi")
	}
	pods := []*corev1.Pod{even, uneven, whole, {}}
	for _, test := range []struct {
		name string
		call func()
	}{
		{"class, Guaranteed", func() { qos.Class(&even.Spec, computeresources.Kubernetes{}) }},
		{"class, Burstable", func() { qos.Class(&uneven.Spec, computeresources.Kubernetes{}) }},
		{"class of the pod level", func() { qos.Class(&whole.Spec, computeresources.Kubernetes{}) }},
		{"OOM score", func() { qos.OOMScoreAdj(uneven, &uneven.Spec.Containers[0], 16*gi, computeresources.Kubernetes{}) }},
		{"OOM score of a sidecar", func() { qos.OOMScoreAdj(uneven, &uneven.Spec.InitContainers[0], 16*gi, computeresources.Kubernetes{}) }},
		{"OOM score with pod-level resources", func() { qos.OOMScoreAdj(whole, &whole.Spec.Containers[0], 16*gi, computeresources.Kubernetes{}) }},
		{"tier totals", func() { qos.TierTotals(pods, computeresources.Kubernetes{}) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := testing.AllocsPerRun(100, test.call); got > 0 {
				t.Errorf("%v allocations, want none", got)
			}
		})
	}
}
