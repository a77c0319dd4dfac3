package steps_test

import (
	"fmt"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// peakAmounts has what quotas count of a pod, as if all app containers ran at the same time, and what it
// uses at its peak.
type peakAmounts struct{ Counted, Used corev1.ResourceList }

func peakRequests(spec *corev1.PodSpec, isStep steps.Predicate, opts computeresources.Options) peakAmounts {
	return peakAmounts{computeresources.SpecRequests(spec, opts), steps.PeakRequests(spec, isStep, opts)}
}

func peakLimits(spec *corev1.PodSpec, isStep steps.Predicate, opts computeresources.Options) peakAmounts {
	return peakAmounts{computeresources.SpecLimits(spec, opts), steps.PeakLimits(spec, isStep, opts)}
}

func TestPeak(t *testing.T) {
	list := testkit.List
	none := corev1.ResourceList{}
	// both sets the same request and limit.
	both := func(name string, l corev1.ResourceList) corev1.Container { return testkit.Container(name, l, l) }
	twenty := &corev1.PodSpec{}
	for i := range 20 {
		twenty.Containers = append(twenty.Containers, both(fmt.Sprintf("step-%d", i), list("cpu", "1")))
	}
	asWhole := twenty.DeepCopy()
	asWhole.Resources = &corev1.ResourceRequirements{Requests: list("cpu", "500m"), Limits: list("cpu", "500m")}
	asWholeWide := twenty.DeepCopy()
	asWholeWide.Resources = &corev1.ResourceRequirements{Requests: list("cpu", "5"), Limits: list("cpu", "5", "memory", "8Gi")}
	unlimited := pod(both("step-a", list("memory", "1Gi")), both("step-b", list("cpu", "1")))
	unlimited.Resources = &corev1.ResourceRequirements{Limits: list("cpu", "2", "memory", "0")}
	pages := pod(both("step-a", list("hugepages-2Mi", "2Mi", "cpu", "3")), both("step-b", list("hugepages-2Mi", "2Mi", "cpu", "1")))
	pages.Resources = &corev1.ResourceRequirements{Requests: list("cpu", "0"), Limits: list("hugepages-2Mi", "8Mi", "cpu", "0")}
	overhead := pod(both("step-a", list("cpu", "1")), both("step-b", list("cpu", "2")))
	overhead.Overhead = list("cpu", "250m", "memory", "1Mi")
	steep := pod(both("step-a", list("cpu", "1")), both("step-b", list("cpu", "1")))
	steep.InitContainers = []corev1.Container{
		both("first", list("cpu", "4")),
		{Name: "proxy", Resources: both("", list("cpu", "500m")).Resources, RestartPolicy: testkit.Sidecar("", nil, nil).RestartPolicy},
		both("second", list("cpu", "3")),
	}
	gentle := steep.DeepCopy()
	gentle.InitContainers[0].Resources = both("", list("cpu", "3500m")).Resources
	gentle.InitContainers[2].Resources = both("", list("cpu", "4")).Resources

	tests := []struct {
		name             string
		spec             *corev1.PodSpec
		requests, limits peakAmounts
	}{
		{"twenty steps", twenty, peakAmounts{Counted: list("cpu", "20"), Used: list("cpu", "1")}, peakAmounts{Counted: list("cpu", "20"), Used: list("cpu", "1")}},
		{"the greatest of each resource", pod(both("step-a", list("cpu", "2", "memory", "1Gi")), both("step-b", list("cpu", "1", "memory", "3Gi"))),
			peakAmounts{Counted: list("cpu", "3", "memory", "4Gi"), Used: list("cpu", "2", "memory", "3Gi")},
			peakAmounts{Counted: list("cpu", "3", "memory", "4Gi"), Used: list("cpu", "2", "memory", "3Gi")}},
		{"with a sidecar among the app containers", pod(both("step-a", list("cpu", "2")), both("sidecar-a", list("cpu", "100m")), both("step-b", list("cpu", "1")), both("sidecar-b", list("cpu", "10m"))),
			peakAmounts{Counted: list("cpu", "3110m"), Used: list("cpu", "2110m")}, peakAmounts{Counted: list("cpu", "3110m"), Used: list("cpu", "2110m")}},
		{"an init container that needs more, before any sidecar", steep, peakAmounts{Counted: list("cpu", "4"), Used: list("cpu", "4")}, peakAmounts{Counted: list("cpu", "4"), Used: list("cpu", "4")}},
		{"a larger init container with a sidecar", gentle, peakAmounts{Counted: list("cpu", "4500m"), Used: list("cpu", "4500m")}, peakAmounts{Counted: list("cpu", "4500m"), Used: list("cpu", "4500m")}},
		{"overhead", overhead, peakAmounts{Counted: list("cpu", "3250m", "memory", "1Mi"), Used: list("cpu", "2250m", "memory", "1Mi")}, peakAmounts{Counted: list("cpu", "3250m"), Used: list("cpu", "2250m")}},
		{"pod-level amounts below the peak", asWhole, peakAmounts{Counted: list("cpu", "500m"), Used: list("cpu", "500m")}, peakAmounts{Counted: list("cpu", "500m"), Used: list("cpu", "500m")}},
		{"pod-level amounts above the peak", asWholeWide, peakAmounts{Counted: list("cpu", "5"), Used: list("cpu", "5")},
			peakAmounts{Counted: list("cpu", "5", "memory", "8Gi"), Used: list("cpu", "1", "memory", "8Gi")}},
		{"pod-level limits only", unlimited, peakAmounts{Counted: list("cpu", "1", "memory", "1Gi"), Used: list("cpu", "1", "memory", "1Gi")},
			peakAmounts{Counted: list("cpu", "2", "memory", "0"), Used: list("cpu", "2")}},
		{"pod-level hugepages, and limits of zero, which do not limit", pages, peakAmounts{Counted: list("cpu", "0", "hugepages-2Mi", "4Mi"), Used: list("cpu", "0", "hugepages-2Mi", "2Mi")},
			peakAmounts{Counted: list("cpu", "0", "hugepages-2Mi", "8Mi"), Used: list("cpu", "3", "hugepages-2Mi", "8Mi")}},
		{"a step without a limit", pod(both("step-a", list("cpu", "2", "memory", "1Gi")), both("step-b", list("memory", "2Gi"))),
			peakAmounts{Counted: list("cpu", "2", "memory", "3Gi"), Used: list("cpu", "2", "memory", "2Gi")},
			peakAmounts{Counted: list("cpu", "2", "memory", "3Gi"), Used: list("memory", "2Gi")}},
		{"a step with a limit of zero", pod(both("step-a", list("memory", "1Gi", "ephemeral-storage", "1")), both("step-b", list("memory", "0", "ephemeral-storage", "0"))),
			peakAmounts{Counted: list("memory", "1Gi", "ephemeral-storage", "1"), Used: list("memory", "1Gi", "ephemeral-storage", "1")},
			peakAmounts{Counted: list("memory", "1Gi", "ephemeral-storage", "1"), Used: none}},
		{"a sidecar without a limit", pod(both("step-a", list("cpu", "2")), both("sidecar-b", nil)),
			peakAmounts{Counted: list("cpu", "2"), Used: list("cpu", "2")}, peakAmounts{Counted: list("cpu", "2"), Used: none}},
		{"no other container has a GPU", pod(both("step-a", list("nvidia.com/gpu", "1")), both("step-b", list("nvidia.com/gpu", "2")), both("step-c", nil)),
			peakAmounts{Counted: list("nvidia.com/gpu", "3"), Used: list("nvidia.com/gpu", "2")}, peakAmounts{Counted: list("nvidia.com/gpu", "3"), Used: list("nvidia.com/gpu", "2")}},
		{"no steps", pod(both("a", list("cpu", "1")), both("b", list("cpu", "1"))), peakAmounts{Counted: list("cpu", "2"), Used: list("cpu", "2")}, peakAmounts{Counted: list("cpu", "2"), Used: list("cpu", "2")}},
		{"no containers", pod(), peakAmounts{Counted: none, Used: none}, peakAmounts{Counted: none, Used: none}},
		{"no spec", nil, peakAmounts{Counted: none, Used: none}, peakAmounts{Counted: none, Used: none}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			testkit.NoDiff(t, peakRequests(test.spec, steps.TektonStep, computeresources.Options{}), test.requests, "requests")
			testkit.NoDiff(t, peakLimits(test.spec, steps.TektonStep, computeresources.Options{}), test.limits, "limits")
			if test.spec != nil {
				reversed := test.spec.DeepCopy()
				slices.Reverse(reversed.Containers)
				testkit.NoDiff(t, peakLimits(reversed, steps.TektonStep, computeresources.Options{}), test.limits, "limits in another order")
			}
		})
	}
}

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
