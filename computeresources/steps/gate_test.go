package steps_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/steps"
	"github.com/kubemath/kubemath/internal/testkit"
)

// Without the gate for pod-level resources, only the containers count.
func TestPeakIgnoresPodLevel(t *testing.T) {
	two := testkit.List("cpu", "2")
	spec := &corev1.PodSpec{
		Containers: []corev1.Container{testkit.Container("step-a", two, two), testkit.Container("step-b", two, two)},
		Resources:  &corev1.ResourceRequirements{Requests: testkit.List("cpu", "9"), Limits: testkit.List("cpu", "9")},
	}
	for _, test := range []struct {
		name          string
		opts          computeresources.Options
		charged, used string
		limits        string
	}{
		{"pod level", computeresources.Options{}, "9", "9", "2"},
		{"pod level ignored", computeresources.Options{Gates: computeresources.Gates{IgnorePodLevel: true}}, "4", "2", "2"},
	} {
		requests, limits := peakRequests(spec, steps.TektonStep, test.opts), peakLimits(spec, steps.TektonStep, test.opts)
		if got := requests.Counted.Cpu().String(); got != test.charged {
			t.Errorf("%s: charged %s, want %s", test.name, got, test.charged)
		}
		if got := requests.Used.Cpu().String(); got != test.used {
			t.Errorf("%s: used %s, want %s", test.name, got, test.used)
		}
		if got := limits.Counted.Cpu().String(); got != test.charged {
			t.Errorf("%s: charged limits %s, want %s", test.name, got, test.charged)
		}
		if got := limits.Used.Cpu().String(); got != test.limits {
			t.Errorf("%s: used limits %s, want %s", test.name, got, test.limits)
		}
	}
}
