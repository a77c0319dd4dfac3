package steps_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/steps"
	"github.com/kubemath/kubemath/internal/testkit"
)

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
		{"Fill without changes", 0, func(s *corev1.PodSpec) { _, _ = steps.Fill(s, item, steps.TektonStep, steps.Options{}) }},
		{"Fit without changes", 16, func(s *corev1.PodSpec) { _, _ = steps.Fit(s, item, steps.TektonStep, steps.Options{}) }},
		{"peak requests", 3, func(s *corev1.PodSpec) { _ = steps.PeakRequests(s, steps.TektonStep, computeresources.Options{}) }},
		{"peak limits", 5, func(s *corev1.PodSpec) { _ = steps.PeakLimits(s, steps.TektonStep, computeresources.Options{}) }},
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
