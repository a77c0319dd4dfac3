package limitrange_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
)

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
	policy := limitrange.Compile([]*corev1.LimitRange{wide(), wide()}, computeresources.Gates{})
	spec := &testkit.StandardPod(false).Spec
	whole := spec.DeepCopy()
	whole.Resources = &corev1.ResourceRequirements{Requests: list("cpu", "32"), Limits: list("cpu", "64")}
	storage := limitrange.Compile([]*corev1.LimitRange{limitRange("a", corev1.LimitRangeItem{Type: claim, Min: list("storage", "1Gi"), Max: list("storage", "10Gi")})}, computeresources.Gates{})
	claimed := &corev1.PersistentVolumeClaimSpec{Resources: corev1.VolumeResourceRequirements{Requests: list("storage", "2Gi")}}
	for _, test := range []struct {
		name  string
		call  func()
		allow float64
	}{
		{"a pod that passes", func() { policy.Validate(spec) }, 0},
		{"a pod with pod-level resources that passes", func() { policy.Validate(whole) }, 0},
		{"nothing to set", func() { policy.ApplyDefaults(spec) }, 0},
		{"a claim that passes", func() { storage.ValidateClaim(claimed) }, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := testing.AllocsPerRun(100, test.call); got > test.allow {
				t.Errorf("%v allocations, want at most %v", got, test.allow)
			}
		})
	}
	testkit.NoDiff(t, policy.Validate(whole), nil, "does not pass")
}
