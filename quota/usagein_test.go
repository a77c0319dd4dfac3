package quota_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

func TestUsageIn(t *testing.T) {
	hard := list("pods", "5", "limits.cpu", "4", "requests.cpu", "2", "services", "1")
	scoped := func(scopes ...corev1.ResourceQuotaScope) *corev1.ResourceQuota {
		q := withStatus("q", hard, nil)
		q.Spec.Scopes = scopes
		return q
	}
	elsewhere := scoped()
	elsewhere.Namespace = "other"
	specOnly := &corev1.ResourceQuota{Spec: corev1.ResourceQuotaSpec{Hard: list("cpu", "1")}}
	behind := scoped()
	behind.Spec.Hard = list("memory", "1Gi") // not yet in the status
	invalid := scoped()
	invalid.Spec.ScopeSelector = &corev1.ScopeSelector{MatchExpressions: []corev1.ScopedResourceSelectorRequirement{{ScopeName: "PriorityClass", Operator: "Near"}}}
	pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{container("app", list("cpu", "500m"), nil)}}}
	pod.Namespace = "shop"
	burstable := quota.Pod(pod, time.Time{}, quota.PodOptions{})
	for _, test := range []struct {
		name   string
		object quota.Object
		quota  *corev1.ResourceQuota
		want   corev1.ResourceList
		err    bool
	}{
		{"resources that the pod may use, with zero if it does not use them", burstable, scoped(), list("pods", "1", "limits.cpu", "0", "requests.cpu", "500m"), false},
		{"within a scope", burstable, scoped(corev1.ResourceQuotaScopeNotBestEffort), list("pods", "1", "limits.cpu", "0", "requests.cpu", "500m"), false},
		{"outside a scope", burstable, scoped(corev1.ResourceQuotaScopeBestEffort), nil, false},
		{"in another namespace", burstable, elsewhere, nil, false},
		{"a quota without a status", burstable, specOnly, list("cpu", "500m"), false},
		{"a status behind the spec counts", burstable, behind, list("pods", "1", "limits.cpu", "0", "requests.cpu", "500m"), false},
		{"an invalid selector", burstable, invalid, nil, true},
		{"a service", quota.Service(&corev1.Service{}), scoped(), list("services", "1"), false},
		{"no listed resource", quota.PersistentVolumeClaim(&corev1.PersistentVolumeClaim{}), scoped(), nil, false},
		{"no object", quota.Object{}, scoped(), nil, false},
		{"no quota", burstable, nil, nil, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := test.object.UsageIn(test.quota)
			if (err != nil) != test.err {
				t.Errorf("error %v", err)
			}
			wantList(t, got, test.want)
		})
	}
}

// Admit adds UsageIn to the usage of a quota, and nothing if that is nil.
func TestUsageInIsAdded(t *testing.T) {
	added := 0
	rapid.Check(t, func(t *rapid.T) {
		o := objects(testkit.Ordinary()).Draw(t, "object").object
		quotas := quotasFor(o, testkit.Ordinary()).Draw(t, "quotas")
		after, failures := admit(quota.Object{}, o, quotas, quota.AdmitOptions{})
		if len(failures) > 0 {
			return
		}
		for i, q := range quotas {
			usage, err := o.UsageIn(q)
			if matched, _ := o.Matches(q); matched != (usage != nil) || err != nil {
				t.Fatalf("matched %v, usage %v, error %v", matched, usage, err)
			}
			if len(usage) > 0 {
				added++
			}
			want := resourcelist.Add(q.Status.Used, usage)
			if diff := cmp.Diff(resourcelist.RemoveZeros(want), resourcelist.RemoveZeros(after[i].Status.Used), cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("used (-before with UsageIn +after):\n%s", diff)
			}
		}
	})
	if !testing.Short() && added == 0 {
		t.Error("nothing was added")
	}
}
