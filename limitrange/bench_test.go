package limitrange_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/measure"
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
			policy := limitrange.Compile(test.ranges, computeresources.Kubernetes{})
			b.ReportAllocs()
			for b.Loop() {
				testkit.Keep(policy.Validate(nil, &test.pod.Spec))
			}
		})
	}
}

func BenchmarkApplyDefaults(b *testing.B) {
	policy := limitrange.Compile([]*corev1.LimitRange{limitRange("defaults", corev1.LimitRangeItem{
		Type: container, Default: list("cpu", "2", "memory", "1Gi"), DefaultRequest: list("cpu", "1", "memory", "512Mi"),
	})}, computeresources.Kubernetes{})
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
		testkit.Keep(limitrange.Compile(ranges, computeresources.Kubernetes{}))
	}
}

// wide is a LimitRange of all kinds of bounds, which the standard pod passes.
func wide() *corev1.LimitRange {
	return limitRange("wide",
		corev1.LimitRangeItem{
			Type: container, Min: list("cpu", "10m", "memory", "1Mi"), Max: list("cpu", "16", "memory", "64Gi"), MaxLimitRequestRatio: list("cpu", "16", "memory", "16"),
			Default: list("cpu", "1", "memory", "1Gi"), DefaultRequest: list("cpu", "100m", "memory", "128Mi"),
		},
		corev1.LimitRangeItem{Type: pod, Max: list("cpu", "64", "memory", "256Gi")},
		corev1.LimitRangeItem{Type: claim, Min: list("storage", "1Gi")},
	)
}

func TestAllocs(t *testing.T) {
	if measure.Race {
		t.Skip("the race detector allocates, too")
	}
	policy := limitrange.Compile([]*corev1.LimitRange{wide(), wide()}, computeresources.Kubernetes{})
	spec := &testkit.StandardPod(false).Spec
	whole := spec.DeepCopy()
	whole.Resources = &corev1.ResourceRequirements{Requests: list("cpu", "32"), Limits: list("cpu", "64")}
	storage := limitrange.Compile([]*corev1.LimitRange{limitRange("a", corev1.LimitRangeItem{Type: claim, Min: list("storage", "1Gi"), Max: list("storage", "10Gi")})}, computeresources.Kubernetes{})
	claimed := &corev1.PersistentVolumeClaimSpec{Resources: corev1.VolumeResourceRequirements{Requests: list("storage", "2Gi")}}
	for _, test := range []struct {
		name  string
		call  func()
		allow float64
	}{
		{"a pod that passes", func() { policy.Validate(nil, spec) }, 0},
		{"a pod with pod-level resources that passes", func() { policy.Validate(nil, whole) }, 0},
		{"nothing to set", func() { policy.ApplyDefaults(spec) }, 0},
		{"a claim that passes", func() { storage.ValidateClaim(nil, claimed) }, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := testing.AllocsPerRun(100, test.call); got > test.allow {
				t.Errorf("%v allocations, want at most %v", got, test.allow)
			}
		})
	}
	testkit.NoDiff(t, policy.Validate(nil, whole), nil, "does not pass")
}
