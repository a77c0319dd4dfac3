package steps_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/internal/testkit"
)

// taskPod is a pod of n steps, a sidecar and an init container, which all set the same amounts.
func taskPod(n int, requests, limits corev1.ResourceList) *corev1.PodSpec {
	spec := &corev1.PodSpec{
		InitContainers: []corev1.Container{testkit.Container("prepare", requests, limits)},
		Containers:     []corev1.Container{testkit.Container("sidecar-logs", requests, limits)},
	}
	for i := range n {
		spec.Containers = append(spec.Containers, testkit.Container(fmt.Sprintf("step-%d", i), requests.DeepCopy(), limits.DeepCopy()))
	}
	return spec
}

func benchItem() corev1.LimitRangeItem {
	list := testkit.List
	return bounded(list("cpu", "1", "memory", "1Gi"), list("cpu", "2", "memory", "2Gi"), list("cpu", "10m", "memory", "1Mi"), list("cpu", "4", "memory", "8Gi"), nil)
}

func BenchmarkFill(b *testing.B) {
	for _, n := range []int{3, 100} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			spec, item := taskPod(n, nil, nil), benchItem()
			b.ReportAllocs()
			for b.Loop() {
				changes, conflicts := steps.Fill(spec, item, steps.TektonStep, steps.Options{})
				testkit.Keep(changes)
				testkit.Keep(conflicts)
			}
		})
	}
}

func BenchmarkFit(b *testing.B) {
	for _, n := range []int{3, 100} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			spec, item := taskPod(n, testkit.List("cpu", "1m"), testkit.List("memory", "16Gi")), benchItem()
			b.ReportAllocs()
			for b.Loop() {
				changes, conflicts := steps.Fit(spec, item, steps.TektonStep, division.Options{})
				testkit.Keep(changes)
				testkit.Keep(conflicts)
			}
		})
	}
}

func BenchmarkTaskLevel(b *testing.B) {
	spec := taskPod(3, testkit.List("cpu", "1m"), nil)
	task := requirements(testkit.List("cpu", "1", "memory", "1Gi"), testkit.List("cpu", "2"))
	b.ReportAllocs()
	for b.Loop() {
		changes, conflicts := steps.TaskLevel(spec, steps.TaskRun{ComputeResources: &task}, steps.TektonStep, division.Options{})
		testkit.Keep(changes)
		testkit.Keep(conflicts)
	}
}

func BenchmarkPeakRequests(b *testing.B) {
	spec := taskPod(20, testkit.List("cpu", "1", "memory", "1Gi"), nil)
	b.ReportAllocs()
	for b.Loop() {
		testkit.Keep(steps.PeakRequests(spec, steps.TektonStep, computeresources.Options{}))
	}
}

func BenchmarkPeakLimits(b *testing.B) {
	spec := taskPod(20, nil, testkit.List("cpu", "1", "memory", "1Gi"))
	b.ReportAllocs()
	for b.Loop() {
		testkit.Keep(steps.PeakLimits(spec, steps.TektonStep, computeresources.Options{}))
	}
}

// The allocations for each additional container are bounded.
func TestAllocsPerContainer(t *testing.T) {
	requests, limits := testkit.List("cpu", "1", "memory", "1Gi"), testkit.List("cpu", "1", "memory", "1Gi")
	item := benchItem()
	const more = 100
	for _, test := range []struct {
		name string
		most float64
		call func(*corev1.PodSpec)
	}{
		{"Fill without changes", 0, func(s *corev1.PodSpec) { steps.Fill(s, item, steps.TektonStep, steps.Options{}) }},
		{"Fit without changes", 16, func(s *corev1.PodSpec) { steps.Fit(s, item, steps.TektonStep, division.Options{}) }},
		{"peak requests", 3, func(s *corev1.PodSpec) { steps.PeakRequests(s, steps.TektonStep, computeresources.Options{}) }},
		{"peak limits", 5, func(s *corev1.PodSpec) { steps.PeakLimits(s, steps.TektonStep, computeresources.Options{}) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			allocs := func(n int) float64 {
				spec := taskPod(n, requests, limits)
				return testing.AllocsPerRun(20, func() { test.call(spec) })
			}
			if got := (allocs(more+10) - allocs(10)) / more; got > test.most {
				t.Errorf("%s allocations for each container more, want at most %v", fmt.Sprintf("%.2f", got), test.most)
			}
		})
	}
}
