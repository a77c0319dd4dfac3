package computeresources_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

func BenchmarkSpecRequests(b *testing.B) {
	spec := &testkit.StandardPod(false).Spec
	b.ReportAllocs()
	for b.Loop() {
		testkit.Keep(computeresources.SpecRequests(spec, computeresources.Options{}))
	}
}

func BenchmarkSpecRequestsInto(b *testing.B) {
	spec, list := &testkit.StandardPod(false).Spec, corev1.ResourceList{}
	b.ReportAllocs()
	for b.Loop() {
		computeresources.SpecRequestsInto(list, spec, computeresources.Options{})
	}
}

func BenchmarkSpecTotals(b *testing.B) {
	spec := &testkit.StandardPod(false).Spec
	b.ReportAllocs()
	for b.Loop() {
		testkit.Keep(computeresources.SpecTotals(spec, computeresources.Requests, computeresources.Options{}))
	}
}

func BenchmarkRunningPodRequestsInto(b *testing.B) {
	for name, pod := range runningPods() {
		b.Run(name, func(b *testing.B) {
			list := corev1.ResourceList{}
			b.ReportAllocs()
			for b.Loop() {
				computeresources.PodRequestsInto(list, pod, computeresources.Options{})
			}
		})
	}
}

func BenchmarkRunningPodTotals(b *testing.B) {
	for name, pod := range runningPods() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				testkit.Keep(computeresources.PodTotals(pod, computeresources.Requests, computeresources.Options{}))
			}
		})
	}
}

func BenchmarkRunningPodLimitsInto(b *testing.B) {
	for name, pod := range runningPods() {
		b.Run(name, func(b *testing.B) {
			list := corev1.ResourceList{}
			b.ReportAllocs()
			for b.Loop() {
				computeresources.PodLimitsInto(list, pod, computeresources.Options{})
			}
		})
	}
}

func TestAllocs(t *testing.T) {
	standard := &testkit.StandardPod(false).Spec
	fractions := standard.DeepCopy() // what integers hold only just
	for i := range fractions.Containers {
		fractions.Containers[i].Resources.Requests = list("cpu", "0.5", "memory", "100.5Gi", "ephemeral-storage", "1.5Gi")
	}
	plain := computeresources.Options{}
	reused := corev1.ResourceList{}
	type allocTest struct {
		name string
		most float64
		call func()
	}
	tests := []allocTest{
		{"requests, fresh", 2, func() { computeresources.SpecRequests(standard, plain) }},
		{"limits, fresh", 2, func() { computeresources.SpecLimits(standard, plain) }},
		{"requests, reused", 0, func() { computeresources.SpecRequestsInto(reused, standard, plain) }},
		{"requests without init containers, reused", 2, func() {
			computeresources.SpecRequestsInto(reused, standard, computeresources.Options{IgnoreInitContainers: true})
		}},
		{"request totals", 0, func() { computeresources.SpecTotals(standard, computeresources.Requests, plain) }},
		{"defaults that are set", 0, func() { computeresources.ApplyRequestDefaults(standard, computeresources.Kubernetes{}) }},
		{"no changes", 0, func() { computeresources.ApplyChanges(standard, nil) }},
		{"limit totals", 0, func() { computeresources.SpecTotals(standard, computeresources.Limits, plain) }},
		{"request totals of fractions", 0, func() { computeresources.SpecTotals(fractions, computeresources.Requests, plain) }},
	}
	for name, pod := range runningPods() {
		tests = append(tests,
			allocTest{name + ": requests, fresh", 2, func() { computeresources.PodRequests(pod, plain) }},
			allocTest{name + ": limits, fresh", 2, func() { computeresources.PodLimits(pod, plain) }},
			allocTest{name + ": requests, reused", 0, func() { computeresources.PodRequestsInto(reused, pod, plain) }},
			allocTest{name + ": limits, reused", 0, func() { computeresources.PodLimitsInto(reused, pod, plain) }},
		)
		if name != "with extended resources" {
			tests = append(tests,
				allocTest{name + ": request totals", 0, func() { computeresources.PodTotals(pod, computeresources.Requests, plain) }},
				allocTest{name + ": limit totals", 0, func() { computeresources.PodTotals(pod, computeresources.Limits, plain) }},
			)
		}
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.call()
			if got := testing.AllocsPerRun(100, test.call); got > test.most {
				t.Errorf("%v allocations, want at most %v", got, test.most)
			}
		})
	}
}

// runningPods are pods that are not being resized, as the kubelet writes their status.
func runningPods() map[string]*corev1.Pod {
	pods := map[string]*corev1.Pod{
		"container statuses":       testkit.RunningPod(false),
		"pod-level status":         testkit.RunningPod(true),
		"with overhead":            testkit.RunningPod(true),
		"with pod-level resources": testkit.RunningPod(true),
		"with extended resources":  testkit.RunningPod(false),
		"twelve containers":        testkit.RunningPod(false),
	}
	overhead := list("cpu", "250m", "memory", "120Mi")
	pods["with overhead"].Spec.Overhead = overhead
	pods["with overhead"].Status.AllocatedResources = list("cpu", "650m", "memory", "632Mi")
	whole := pods["with pod-level resources"]
	whole.Spec.Overhead = overhead
	whole.Spec.Resources = &corev1.ResourceRequirements{Requests: list("cpu", "1", "memory", "1Gi"), Limits: list("cpu", "2", "memory", "2Gi")}
	whole.Status.Resources = whole.Spec.Resources.DeepCopy()
	whole.Status.AllocatedResources = list("cpu", "1250m", "memory", "1144Mi")
	gpu := pods["with extended resources"]
	for _, r := range []*corev1.ResourceRequirements{&gpu.Spec.Containers[0].Resources, gpu.Status.ContainerStatuses[0].Resources} {
		r.Requests["example.com/gpu"], r.Limits["example.com/gpu"] = list("n", "1")["n"], list("n", "1")["n"]
	}
	gpu.Status.ContainerStatuses[0].AllocatedResources["example.com/gpu"] = list("n", "1")["n"]
	many := pods["twelve containers"]
	for i := range 7 {
		c, status := *many.Spec.Containers[i%3].DeepCopy(), *many.Status.ContainerStatuses[i%3].DeepCopy()
		c.Name, status.Name = fmt.Sprint("more-", i), fmt.Sprint("more-", i)
		many.Spec.Containers = append(many.Spec.Containers, c)
		many.Status.ContainerStatuses = append(many.Status.ContainerStatuses, status)
	}
	return pods
}
