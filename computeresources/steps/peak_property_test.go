package steps_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/steps"
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
		opts, counted := computeresources.Options{}, spec
		if rapid.IntRange(0, 3).Draw(t, "ignore pod level") == 0 {
			opts.IgnorePodLevel = true
			counted = spec.DeepCopy()
			counted.Resources = nil
		}
		requests, limits := steps.PeakRequests(spec, isStep, opts), steps.PeakLimits(spec, isStep, opts)
		for _, name := range testkit.ResourceNames {
			got, want := exact(requests, name), slowPeak(counted, isStep, name, false)
			if got.Cmp(want) != 0 {
				t.Fatalf("%s requested at the peak: %v, want %v", name, got, want)
			}
			if all := slowPeak(counted, nil, name, false); all.Cmp(got) < 0 {
				t.Fatalf("%s requested at the peak is %v, above %v of all", name, got, all)
			}
			got, want = exact(limits, name), slowPeak(counted, isStep, name, true)
			_, bound := limits[name]
			if want == nil && bound || want != nil && got.Cmp(want) != 0 {
				t.Fatalf("%s limit at the peak: %v (%v), want %v", name, got, bound, want)
			}
			seen[want == nil]++
		}
	})
	if !testing.Short() && (seen[true] == 0 || seen[false] == 0) {
		t.Errorf("unbounded or not: %v", seen)
	}
}
