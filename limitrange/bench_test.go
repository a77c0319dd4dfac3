package limitrange_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

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
			policy := limitrange.Compile(test.ranges...)
			b.ReportAllocs()
			for b.Loop() {
				policy.Validate(&test.pod.Spec)
			}
		})
	}
}

func BenchmarkApplyDefaults(b *testing.B) {
	policy, spec := limitrange.Compile(wide()), &testkit.StandardPod(false).Spec
	b.ReportAllocs()
	for b.Loop() {
		policy.ApplyDefaults(spec)
	}
}

func BenchmarkAdmit(b *testing.B) {
	policy, spec := limitrange.Compile(wide()), &testkit.StandardPod(false).Spec
	b.ReportAllocs()
	for b.Loop() {
		policy.Admit(spec)
	}
}

func BenchmarkCompile(b *testing.B) {
	ranges := []*corev1.LimitRange{wide(), wide()}
	b.ReportAllocs()
	for b.Loop() {
		limitrange.Compile(ranges...)
	}
}
