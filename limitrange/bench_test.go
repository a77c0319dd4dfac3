package limitrange_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
)

func BenchmarkValidate(b *testing.B) {
	narrow := limitRange("narrow", corev1.LimitRangeItem{Type: container, Max: list("cpu", "1m")})
	large := testkit.StandardPod(false)
	large.Spec.Containers[0].Resources.Limits["memory"] = quantity("9P")
	for name, test := range map[string]struct {
		ranges []*corev1.LimitRange
		pod    *corev1.Pod
	}{
		"passing":          {[]*corev1.LimitRange{wide()}, testkit.StandardPod(false)},
		"passing ten":      {[]*corev1.LimitRange{wide(), wide(), wide(), wide(), wide(), wide(), wide(), wide(), wide(), wide()}, testkit.StandardPod(false)},
		"violating":        {[]*corev1.LimitRange{wide(), narrow}, testkit.StandardPod(false)},
		"not of small use": {[]*corev1.LimitRange{wide()}, large},
	} {
		b.Run(name, func(b *testing.B) {
			policy := limitrange.Compile(test.ranges, computeresources.Gates{})
			b.ReportAllocs()
			for b.Loop() {
				testkit.Keep(policy.Validate(&test.pod.Spec))
			}
		})
	}
}

func BenchmarkApplyDefaults(b *testing.B) {
	policy := limitrange.Compile([]*corev1.LimitRange{limitRange("defaults", corev1.LimitRangeItem{
		Type: container, Default: list("cpu", "2", "memory", "1Gi"), DefaultRequest: list("cpu", "1", "memory", "512Mi"),
	})}, computeresources.Gates{})
	b.Run("nothing to set", func(b *testing.B) {
		spec := &testkit.StandardPod(false).Spec
		b.ReportAllocs()
		for b.Loop() {
			testkit.Keep(policy.ApplyDefaults(spec))
		}
	})
	b.Run("all to set", func(b *testing.B) {
		spec := &testkit.StandardPod(false).Spec
		b.ReportAllocs()
		set := 0
		for b.Loop() {
			for _, c := range computeresources.Containers(spec) {
				c.Resources = corev1.ResourceRequirements{}
			}
			defaults := policy.ApplyDefaults(spec)
			testkit.Keep(defaults)
			set = len(defaults)
		}
		if set != 20 {
			b.Errorf("%d defaults were set, of two lists with two resources for five containers", set)
		}
	})
}

func BenchmarkCompile(b *testing.B) {
	ranges := []*corev1.LimitRange{wide(), wide()}
	b.ReportAllocs()
	for b.Loop() {
		testkit.Keep(limitrange.Compile(ranges, computeresources.Gates{}))
	}
}
