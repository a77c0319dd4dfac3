package quota_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/quota"
)

func TestFailureInWords(t *testing.T) {
	names := []corev1.ResourceName{"a", "b"}
	for _, test := range []struct {
		failure quota.Failure
		want    string
	}{
		{
			quota.Failure{Cause: quota.ExceededQuota, Quota: "q", Resources: names, Requested: list("b", "2", "a", "1.5Gi"), Used: list("a", "0", "b", "100m"), Limited: list("a", "1Gi", "b", "1")},
			"exceeded quota: q, requested: a=1536Mi,b=2, used: a=0,b=100m, limited: a=1Gi,b=1",
		},
		{
			quota.Failure{Cause: quota.MustSpecify, Quota: "q", MissingRequired: []quota.MissingResource{{Resource: "cpu", Containers: []string{"c1"}}, {Resource: "memory", Containers: []string{"c1", "c2"}}}},
			"failed quota: q: must specify cpu for: c1; memory for: c1,c2",
		},
		{quota.Failure{Cause: quota.StatusUnknown, Quota: "q", Resources: names}, "status unknown for quota: q, resources: a,b"},
		{quota.Failure{Cause: quota.InvalidScope, Quota: "q", Detail: "why"}, "error matching scopes of quota q, err: why"},
		{quota.Failure{Cause: quota.InvalidScope, Detail: "why"}, "why"},
		{quota.Failure{Cause: quota.NegativeUsage, Resources: names}, "quota usage is negative for resource(s): a,b"},
		{quota.Failure{Cause: quota.UncoveredResources, Resources: names}, "insufficient quota to consume: a,b"},
		{
			quota.Failure{Cause: quota.UncoveredScopes, Scopes: []scope{{ScopeName: "PriorityClass", Operator: "In", Values: []string{"x", "y"}}, {ScopeName: "Terminating", Operator: "Exists"}}},
			"insufficient quota to match these scopes: [{PriorityClass In [x y]} {Terminating Exists []}]",
		},
		{quota.Failure{}, "unknown"},
	} {
		var err error = &test.failure
		if got := err.Error(); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
		if got := fmt.Sprint(test.failure); got != test.want {
			t.Errorf("by value: %q, want %q", got, test.want)
		}
	}
}

func TestReasonInWords(t *testing.T) {
	for want, reason := range map[string]quota.FailureCause{
		"invalid scope": quota.InvalidScope, "must specify": quota.MustSpecify, "status unknown": quota.StatusUnknown, "negative cost": quota.NegativeUsage,
		"uncovered resources": quota.UncoveredResources, "uncovered scopes": quota.UncoveredScopes, "exceeded quota": quota.ExceededQuota, "unknown": 0,
	} {
		if got := reason.String(); got != want {
			t.Errorf("%d: %q, want %q", reason, got, want)
		}
	}
	if got := (quota.ExceededQuota + 1).String(); got != "unknown" {
		t.Errorf("after the last: %q", got)
	}
}

func TestMissing(t *testing.T) {
	f := quota.Failure{Cause: quota.ExceededQuota, Requested: list("cpu", "2", "memory", "1.5Gi", "pods", "1"), Used: list("cpu", "9", "memory", "1Gi"), Limited: list("cpu", "10", "memory", "0.5Gi", "pods", "0")}
	wantList(t, f.Shortfall(), list("cpu", "1", "memory", "2Gi", "pods", "1"))
	other := quota.Failure{Cause: quota.MustSpecify}
	wantList(t, other.Shortfall(), list())
}
