package quota_test

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

func rolling(surge, unavailable any) appsv1.DeploymentStrategy {
	of := func(v any) *intstr.IntOrString {
		switch v := v.(type) {
		case int:
			n := intstr.FromInt32(int32(v))
			return &n
		case string:
			s := intstr.FromString(v)
			return &s
		}
		return nil
	}
	return appsv1.DeploymentStrategy{
		Type:          appsv1.RollingUpdateDeploymentStrategyType,
		RollingUpdate: &appsv1.RollingUpdateDeployment{MaxSurge: of(surge), MaxUnavailable: of(unavailable)},
	}
}

func TestRollout(t *testing.T) {
	small, large := list("cpu", "1", "memory", "3Gi", "pods", "1"), list("cpu", "2", "memory", "1Gi", "pods", "1")
	for _, test := range []struct {
		name               string
		replicas           int32
		strategy           appsv1.DeploymentStrategy
		surge, unavailable int32
		peak, extra        corev1.ResourceList
	}{
		// 4 of the new and 1 of the old CPU; 4 of the old and 1 of the new memory.
		{"default: a quarter of both", 4, appsv1.DeploymentStrategy{}, 1, 1, list("cpu", "9", "memory", "13Gi", "pods", "5"), list("cpu", "5", "memory", "1Gi", "pods", "1")},
		{"surge rounds up, unavailable down", 5, rolling("30%", "30%"), 2, 1, list("cpu", "12", "memory", "17Gi", "pods", "7"), list("cpu", "7", "memory", "2Gi", "pods", "2")},
		{"neither: one may be missing", 4, rolling(0, 0), 0, 1, list("cpu", "8", "memory", "12Gi", "pods", "4"), list("cpu", "4", "memory", "0", "pods", "0")},
		{"rounded to neither", 3, rolling("0%", "33%"), 0, 1, list("cpu", "6", "memory", "9Gi", "pods", "3"), list("cpu", "3", "memory", "0", "pods", "0")},
		{"recreated", 4, appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType}, 0, 4, list("cpu", "8", "memory", "12Gi", "pods", "4"), list("cpu", "4", "memory", "0", "pods", "0")},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := quota.Rollout(small, large, test.replicas, test.strategy)
			testkit.OK(t, err)
			if got.Surge != test.surge || got.Unavailable != test.unavailable {
				t.Errorf("surge %d, unavailable %d", got.Surge, got.Unavailable)
			}
			wantAmounts(t, "peak", got.Peak, test.peak)
			wantAmounts(t, "extra", got.Extra, test.extra)
			wantAmounts(t, "before", got.Before, resourcelist.Multiply(small, int64(test.replicas)))
			wantAmounts(t, "after", got.After, resourcelist.Multiply(large, int64(test.replicas)))
		})
	}
	first, err := quota.Rollout(nil, small, 2, appsv1.DeploymentStrategy{})
	testkit.OK(t, err)
	wantAmounts(t, "a first rollout", first.Peak, list("cpu", "2", "memory", "6Gi", "pods", "2"))
	wantAmounts(t, "a first rollout", first.Extra, first.Peak)
}

func TestRolloutErrors(t *testing.T) {
	for _, test := range []struct {
		replicas int32
		strategy appsv1.DeploymentStrategy
		want     string
	}{
		{-1, appsv1.DeploymentStrategy{}, "quota: rollout: replicas must be greater than or equal to 0"},
		{1, appsv1.DeploymentStrategy{Type: "Other"}, `quota: rollout: unknown strategy "Other"`},
		{1, rolling(-1, nil), "quota: rollout: maxSurge: -1 is negative"},
		{1, rolling(nil, "-200%"), "quota: rollout: maxUnavailable: -200% is negative"},
		{1, rolling("x", "y"), "quota: rollout: maxSurge: invalid value for IntOrString: invalid type: string is not a percentage\nmaxUnavailable: invalid value for IntOrString: invalid type: string is not a percentage"},
	} {
		got, err := quota.Rollout(nil, nil, test.replicas, test.strategy)
		if err == nil || err.Error() != test.want {
			t.Errorf("error %q, want %q", err, test.want)
		}
		if got.Peak != nil {
			t.Errorf("%v beside an error", got)
		}
	}
}
