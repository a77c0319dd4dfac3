package main

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/quota"
)

func limits(name string, item corev1.LimitRangeItem) *corev1.LimitRange {
	return &corev1.LimitRange{ObjectMeta: named(name), Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{item}}}
}

func admitted(*corev1.Pod) []verdict { return []verdict{{Outcome: stored}} }

func TestPodVerdicts(t *testing.T) {
	one := limits("one", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Default: list("cpu", "1"), DefaultRequest: list("cpu", "1")})
	two := limits("two", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Default: list("cpu", "2"), DefaultRequest: list("cpu", "2")})
	found := map[string]bool{}
	for _, v := range podVerdicts([]*corev1.LimitRange{one, two}, minimalPod(), admitted) {
		limit := v.Pod.Parts["container c"].Limits["cpu"]
		found[limit.String()] = true
	}
	if len(found) != 2 || !found["1"] || !found["2"] {
		t.Errorf("of two ranges, the default may be that of either: %v", found)
	}

	low := limits("low", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Max: list("cpu", "1", "memory", "1Gi")})
	high := limits("high", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Min: list("cpu", "1")})
	for _, v := range podVerdicts([]*corev1.LimitRange{low, high}, minimalPod(), admitted) {
		if v.Outcome != forbidden || len(v.Messages) != 1 && len(v.Messages) != 2 || v.by != "LimitRanges" {
			t.Errorf("either range objects with all that it has, not with both: %+v", v)
		}
	}

	pod := minimalPod()
	pod.Spec.Containers[0].Resources = corev1.ResourceRequirements{Requests: list("cpu", "2"), Limits: list("cpu", "1")}
	for _, v := range podVerdicts([]*corev1.LimitRange{high}, pod, admitted) {
		if v.Outcome != invalid || len(v.Messages) != 1 {
			t.Errorf("what is invalid never comes to the LimitRanger: %+v", v)
		}
	}
}

func TestQuotaVerdicts(t *testing.T) {
	failure := func(name string, cause quota.FailureCause) quota.Failure {
		return quota.Failure{Source: computeresources.Source{Kind: "ResourceQuota", Name: name}, Cause: cause}
	}
	tests := []struct {
		name     string
		failures quota.Failures
		want     quota.Failures
	}{
		{"either quota", quota.Failures{failure("a", quota.ExceededQuota), failure("b", quota.ExceededQuota)}, quota.Failures{failure("a", quota.ExceededQuota), failure("b", quota.ExceededQuota)}},
		{"what cannot be told comes first", quota.Failures{failure("a", quota.ExceededQuota), failure("b", quota.StatusUnknown)}, quota.Failures{failure("b", quota.StatusUnknown)}},
		{"of one quota, the first", quota.Failures{failure("a", quota.MustSpecify), failure("a", quota.StatusUnknown), failure("b", quota.StatusUnknown)}, quota.Failures{failure("a", quota.MustSpecify), failure("b", quota.StatusUnknown)}},
	}
	for _, test := range tests {
		got := quotaVerdicts(nil, test.failures)
		if len(got) != len(test.want) {
			t.Errorf("%s: %v", test.name, got)
			continue
		}
		for i, want := range test.want {
			if got[i].Outcome != forbidden || got[i].Messages[0] != want.Error() {
				t.Errorf("%s: %v, want %q", test.name, got[i], want.Error())
			}
		}
	}
	after := []*corev1.ResourceQuota{{ObjectMeta: named("q")}}
	if got := quotaVerdicts(after, nil); len(got) != 1 || got[0].Outcome != stored || got[0].after[0].Name != "q" {
		t.Errorf("admitted: %+v", got)
	}
}
