package quota_test

import (
	"errors"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

func TestFailureInWords(t *testing.T) {
	names, of := []corev1.ResourceName{"a", "b"}, computeresources.Source{Kind: "ResourceQuota", Namespace: "shop", Name: "q", Field: "spec.hard"}
	for _, test := range []struct {
		failure quota.Failure
		want    string
	}{
		{
			quota.Failure{Cause: quota.ExceededQuota, Source: of, Resources: names, Requested: list("b", "2", "a", "1.5Gi"), Used: list("a", "0", "b", "100m"), Hard: list("a", "1Gi", "b", "1")},
			"exceeded quota: q, requested: a=1536Mi,b=2, used: a=0,b=100m, limited: a=1Gi,b=1",
		},
		{
			quota.Failure{Cause: quota.MustSpecify, Source: of, MissingRequired: []quota.MissingResource{{Resource: "cpu", Containers: []string{"c1"}}, {Resource: "memory", Containers: []string{"c1", "c2"}}}},
			"failed quota: q: must specify cpu for: c1; memory for: c1,c2",
		},
		{quota.Failure{Cause: quota.StatusUnknown, Source: of, Resources: names}, "status unknown for quota: q, resources: a,b"},
		{quota.Failure{Cause: quota.InvalidScope, Source: of, Detail: "why"}, "error matching scopes of quota q, err: why"},
		{quota.Failure{Cause: quota.InvalidScope, Detail: "why"}, "why"},
		{quota.Failure{Cause: quota.NegativeUsage, Resources: names}, "quota usage is negative for resource(s): a,b"},
		{quota.Failure{Cause: quota.UncoveredResources, Resources: names}, "insufficient quota to consume: a,b"},
		{
			quota.Failure{Cause: quota.UncoveredScopes, Scopes: []scope{{ScopeName: "PriorityClass", Operator: "In", Values: []string{"x", "y"}}, {ScopeName: "Terminating", Operator: "Exists"}}},
			"insufficient quota to match these scopes: [{PriorityClass In [x y]} {Terminating Exists []}]",
		},
		{quota.Failure{Cause: "other"}, "other"},
	} {
		var err error = &test.failure
		testkit.Equal(t, err.Error(), test.want)
		testkit.Equal(t, test.failure.Field(field.NewPath("spec", "template")).Error(), "spec.template: Forbidden: "+test.want)
	}
}

func TestFailuresAsError(t *testing.T) {
	one := &quota.Failure{Cause: quota.NegativeUsage, Resources: []corev1.ResourceName{"pods"}}
	other := &quota.Failure{Cause: quota.UncoveredResources, Resources: []corev1.ResourceName{"cpu", "memory"}}
	for _, test := range []struct {
		name     string
		failures computeresources.Problems[*quota.Failure]
		want     string
	}{
		{"nil", nil, "<nil>"},
		{"no failures", computeresources.Problems[*quota.Failure]{}, "<nil>"},
		{"one failure", computeresources.Problems[*quota.Failure]{one}, "quota usage is negative for resource(s): pods"},
		{"two failures", computeresources.Problems[*quota.Failure]{one, other}, "[quota usage is negative for resource(s): pods, insufficient quota to consume: cpu,memory]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := test.failures.Err()
			testkit.Equal(t, fmt.Sprint(err), test.want)
			var first *quota.Failure
			if found := errors.As(err, &first); found != (len(test.failures) > 0) {
				t.Errorf("a *Failure in it: %v", found)
			} else if found && first != test.failures[0] {
				t.Errorf("the *Failure in it is %v", first)
			}
			if again := test.failures.Err(); err != nil && err == again {
				t.Error("two answers are one error")
			}
		})
	}
}

// An amount beyond int64 is not changed by adding to it.
func TestShortfallOfHugeAmounts(t *testing.T) {
	f := &quota.Failure{Cause: quota.ExceededQuota, Requested: list("a", "1000000000000000000001"), Used: list("a", "1"), Hard: list("a", "2")}
	testkit.NoDiff(t, f.Shortfall(), list("a", "1000000000000000000000"))
	testkit.Contract(t, func() any { return f.Shortfall() }, f)
}
