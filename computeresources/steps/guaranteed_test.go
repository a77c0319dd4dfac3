package steps_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/steps"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/qos"
)

// "Compute Resources in Tekton" says that LimitRanges with default requests and limits can make the pod
// of a task Guaranteed. With two steps or more, the default request is divided, and the default limit is
// not, so no request is equal to its limit.
func TestDivergenceGuaranteedByDefaults(t *testing.T) {
	defaults := testkit.List("cpu", "1", "memory", "1Gi")
	item := bounded(defaults, defaults, nil, nil, nil)
	policy := limitrange.Compile([]*corev1.LimitRange{rangeOf("defaults", item)}, computeresources.Gates{})
	applied := func(spec *corev1.PodSpec, changes []computeresources.Change) {
		if err := computeresources.ApplyChanges(spec, changes); err != nil {
			t.Fatal(err)
		}
	}
	fills := map[string]func(*corev1.PodSpec) ([]computeresources.Change, computeresources.Problems[*limitrange.Conflict]){
		"Fill": func(spec *corev1.PodSpec) ([]computeresources.Change, computeresources.Problems[*limitrange.Conflict]) {
			return steps.Fill(spec, item, steps.TektonStep, steps.Options{})
		},
		"Fit": func(spec *corev1.PodSpec) ([]computeresources.Change, computeresources.Problems[*limitrange.Conflict]) {
			return steps.Fit(spec, item, steps.TektonStep, steps.Options{})
		},
		"Tekton": func(spec *corev1.PodSpec) ([]computeresources.Change, computeresources.Problems[*limitrange.Conflict]) {
			return steps.Fill(spec, item, steps.TektonStep, steps.TektonOptions())
		},
	}
	for name, fill := range fills {
		for _, test := range []struct {
			containers []corev1.Container
			want       corev1.PodQOSClass
		}{
			{[]corev1.Container{step("step-a", "", "")}, corev1.PodQOSGuaranteed},
			{[]corev1.Container{step("step-a", "", ""), step("sidecar-b", "", "")}, corev1.PodQOSGuaranteed},
			{[]corev1.Container{step("step-a", "", ""), step("step-b", "", "")}, corev1.PodQOSBurstable},
		} {
			spec := pod(test.containers...)
			changes, conflicts := fill(spec)
			if len(conflicts) > 0 {
				t.Fatalf("%s: %v", name, sentences(conflicts))
			}
			applied(spec, changes)
			policy.ApplyDefaults(spec)
			testkit.Equal(t, qos.Class(spec, computeresources.Gates{}), test.want, name, len(test.containers), "containers")
			more, unset := qos.GuaranteedChanges(spec, computeresources.Gates{})
			applied(spec, more)
			if got := qos.Class(spec, computeresources.Gates{}); len(unset) > 0 || got != corev1.PodQOSGuaranteed {
				t.Errorf("%s, %d containers: %s after qos.GuaranteedChanges, %v unset", name, len(test.containers), got, unset)
			}
		}
	}
}
