package steps_test

import (
	"maps"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestPeakEqualsSlow(t *testing.T) {
	amounts := quantities().Filter(func(q resource.Quantity) bool { return q.Sign() >= 0 })
	seen := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		spec := testkit.SpecWith(amounts).Draw(t, "spec")
		if rapid.Bool().Draw(t, "limits everywhere") {
			for _, c := range computeresources.Containers(spec) {
				c.Resources.Limits = corev1.ResourceList{"cpu": testkit.Positive().Draw(t, "cpu"), "memory": testkit.Positive().Draw(t, "memory")}
			}
		}
		isStep := predicates(t)
		slowStep := isStep
		if isStep == nil {
			slowStep = func(computeresources.Ref, *corev1.Container) bool { return false }
		}
		requests, limits := peakRequests(spec, isStep, computeresources.Options{}), peakLimits(spec, isStep, computeresources.Options{})
		for _, name := range testkit.ResourceNames {
			if got, want := exact(requests.Used, name), slowPeak(spec, slowStep, name, false); got.Cmp(want) != 0 {
				t.Fatalf("%s requested at the peak: %v, want %v", name, got, want)
			}
			got, want := exact(limits.Used, name), slowPeak(spec, slowStep, name, true)
			_, bound := limits.Used[name]
			if want == nil && bound || want != nil && got.Cmp(want) != 0 {
				t.Fatalf("%s limit at the peak: %v (%v), want %v", name, got, bound, want)
			}
			seen[want == nil]++
			// A pod-level limit of zero is charged, and limits nothing.
			zeroAsWhole := spec.Resources != nil && exact(spec.Resources.Limits, name).Sign() == 0
			if want != nil && !zeroAsWhole && exact(limits.Counted, name).Cmp(got) < 0 {
				t.Fatalf("%s limit at the peak is %v, above the charged %v", name, got, exact(limits.Counted, name))
			}
			if exact(requests.Counted, name).Cmp(exact(requests.Used, name)) < 0 {
				t.Fatalf("%s requested at the peak is above what is charged", name)
			}
		}
	})
	if !testing.Short() && (seen[true] == 0 || seen[false] == 0) {
		t.Errorf("unbounded or not: %v", seen)
	}
}

// Without steps, nothing runs one after another.
func TestPeakWithoutSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := testkit.Spec().Draw(t, "spec")
		requests, limits := peakRequests(spec, nil, computeresources.Options{}), peakLimits(spec, nil, computeresources.Options{})
		equal := func(what string, got, want corev1.ResourceList) {
			if !maps.EqualFunc(got, want, func(a, b resource.Quantity) bool { return testkit.Exact(a).Cmp(testkit.Exact(b)) == 0 }) {
				t.Fatalf("%s: %v, want %v", what, got, want)
			}
		}
		equal("requests", requests.Used, computeresources.SpecRequests(spec, computeresources.Options{}))
		if spec.Resources == nil {
			equal("limits", limits.Used, computeresources.BindingLimits(spec, computeresources.Options{}))
		}
	})
}
