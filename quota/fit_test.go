package quota_test

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/quota"
)

// exceeded returns the resources of the failure, if there is one.
func exceeded(requested, used, hard corev1.ResourceList) (names []corev1.ResourceName) {
	for _, f := range quota.FailuresOf(requested, used, hard, "q") {
		names = append(names, f.Resources...)
	}
	return names
}

func TestFits(t *testing.T) {
	for _, test := range []struct {
		name                  string
		hard, used, requested corev1.ResourceList
		exceeded              []corev1.ResourceName
	}{
		{"nil", nil, nil, nil, nil},
		{"not limited", nil, nil, list("cpu", "1E"), nil},
		{"below", list("cpu", "10"), list("cpu", "4"), list("cpu", "5999m"), nil},
		{"just", list("cpu", "10"), list("cpu", "4"), list("cpu", "6"), nil},
		{"above", list("cpu", "10"), list("cpu", "4"), list("cpu", "6001m"), []corev1.ResourceName{"cpu"}},
		{"by a billionth", list("cpu", "10"), list("cpu", "4"), list("cpu", "6000000001n"), []corev1.ResourceName{"cpu"}},
		{"bytes, just", list("memory", "2Gi"), list("memory", "0.5Gi"), list("memory", "1.5Gi"), nil},
		{"a byte above", list("memory", "2147483647"), list("memory", "0.5Gi"), list("memory", "1.5Gi"), []corev1.ResourceName{"memory"}},
		{"a part of a byte above", list("memory", "1"), list("memory", "500m"), list("memory", "501m"), []corev1.ResourceName{"memory"}},
		{"parts of bytes, just", list("memory", "1"), list("memory", "500m"), list("memory", "500m"), nil},
		{"no usage", list("pods", "1"), nil, list("pods", "1"), nil},
		{"limit of zero", list("pods", "0"), nil, list("pods", "1"), []corev1.ResourceName{"pods"}},
		{"negative limit", list("pods", "-1"), nil, list("pods", "1"), []corev1.ResourceName{"pods"}},
		{"zero always fits", list("pods", "1"), list("pods", "2"), list("pods", "0"), nil},
		{"a negative request always fits", list("pods", "1"), list("pods", "3"), list("pods", "-1"), nil},
		{"negative usage", list("pods", "1"), list("pods", "-1"), list("pods", "2"), nil},
		{"more than the remaining amount with negative usage", list("pods", "1"), list("pods", "-1"), list("pods", "3"), []corev1.ResourceName{"pods"}},
		{"milli-CPU beyond int64", list("cpu", "1E"), list("cpu", "1"), list("cpu", "1E"), []corev1.ResourceName{"cpu"}},
		{"at the end of int64", list("memory", "9223372036854775807"), list("memory", "9223372036854775806"), list("memory", "1"), nil},
		{"usage past the end of int64", list("memory", "9223372036854775807"), list("memory", "9223372036854775807"), list("memory", "1"), []corev1.ResourceName{"memory"}},
		{"usage past the end of int64, within a larger limit", list("memory", "9223372036854775808"), list("memory", "9223372036854775807"), list("memory", "1"), nil},
		{
			"sorted", list("pods", "1", "cpu", "1", "memory", "1", "b", "1", "a", "1"), nil, list("pods", "2", "cpu", "2", "memory", "2", "b", "2", "a", "1", "z", "5"),
			[]corev1.ResourceName{"b", "cpu", "memory", "pods"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := quota.WithinHard(test.requested, test.used, test.hard); got != (test.exceeded == nil) {
				t.Errorf("Fits = %v", got)
			}
			if got := exceeded(test.requested, test.used, test.hard); !slices.Equal(got, test.exceeded) {
				t.Errorf("FailuresOf has %v, want %v", got, test.exceeded)
			}
		})
	}
}
