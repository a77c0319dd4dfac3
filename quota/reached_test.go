package quota_test

import (
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

// The enumerations. The tests of the architecture compare each list with the constants of its type.
var (
	causes = []quota.FailureCause{
		quota.InvalidScope, quota.MustSpecify, quota.StatusUnknown, quota.NegativeUsage, quota.UncoveredResources, quota.UncoveredScopes, quota.ExceededQuota,
	}
	allScopes = []corev1.ResourceQuotaScope{
		corev1.ResourceQuotaScopeTerminating, corev1.ResourceQuotaScopeNotTerminating, corev1.ResourceQuotaScopeBestEffort, corev1.ResourceQuotaScopeNotBestEffort,
		corev1.ResourceQuotaScopePriorityClass, corev1.ResourceQuotaScopeCrossNamespacePodAffinity, corev1.ResourceQuotaScopeVolumeAttributesClass,
	}
)

// The generators of the property tests reach each cause of a refusal, and quotas that do and do
// not count the object.
func TestDrawsReachEveryRule(t *testing.T) {
	testkit.Reached(t, 600, func(t *rapid.T) (reached []string) {
		q := testkit.Quantity()
		if rapid.Bool().Draw(t, "ordinary") {
			q = testkit.Ordinary()
		}
		o := objects(q).Draw(t, "object").object
		quotas := quotasFor(o, q).Draw(t, "quotas")
		scope := testkit.Scope().Draw(t, "scope")
		if in, err := o.InScope(scope); in && err == nil {
			reached = append(reached, "within "+string(scope.ScopeName))
		}
		limited := []quota.LimitedResource{{Resource: "pods", MatchContains: []string{"cpu"}, MatchScopes: []corev1.ScopedResourceSelectorRequirement{scope}}}
		_, uncovered := admit(quota.Object{}, o, quotas, quota.AdmitOptions{Limited: limited})
		for _, f := range uncovered {
			reached = append(reached, "some are limited: "+string(f.Cause))
		}
		after, failures := admit(quota.Object{}, o, quotas, quota.AdmitOptions{})
		for _, f := range failures {
			reached = append(reached, string(f.Cause))
		}
		if after != nil && len(quotas) > 0 {
			reached = append(reached, "admitted by quotas")
		}
		for _, one := range quotas {
			matched, err := o.Matches(one)
			switch {
			case err != nil:
				reached = append(reached, "an invalid scope")
			case matched && len(quota.Scopes(one)) > 0:
				reached = append(reached, "counted within scopes")
			case matched:
				reached = append(reached, "counted")
			case len(quota.Scopes(one)) > 0:
				reached = append(reached, "outside of a scope")
			}
			for _, scope := range quota.Scopes(one) {
				if in, err := o.InScope(scope); in && err == nil {
					reached = append(reached, "within "+string(scope.ScopeName))
				}
			}
		}
		if len(o.MissingRequired([]corev1.ResourceName{"cpu", "limits.memory"})) > 0 {
			reached = append(reached, "lacks an amount")
		}
		return reached
	},
		slices.Concat([]string{
			string(quota.InvalidScope), string(quota.MustSpecify), string(quota.StatusUnknown), string(quota.NegativeUsage), string(quota.ExceededQuota),
			"admitted by quotas", "an invalid scope", "counted within scopes", "counted", "outside of a scope", "lacks an amount",
		}, testkit.Each("some are limited: ", causes), testkit.Each("within ", allScopes))...)
}

// The updates of the property tests reach each mutation, kind of object and cause, and each scope that they draw.
func TestUpdatesReachEveryRule(t *testing.T) {
	testkit.Reached(t, 2000, func(t *rapid.T) (reached []string) {
		kind := rapid.SampledFrom(testkit.Kinds()).Draw(t, "kind")
		old, updated, mutation := updateOf(t, kind)
		reached = append(reached, "stored: "+kind, "mutation: "+mutation)
		if kind == "pods" && old.of.GetDeletionTimestamp() != nil && old.now.After(testkit.Now().Add(30*time.Second)) {
			reached = append(reached, "a pod that is gone")
		}
		if claim, is := old.of.(*resourcev1.ResourceClaim); is && len(claim.Spec.Devices.Requests) == 0 {
			reached = append(reached, "a claim without devices")
		}
		for _, kind := range []string{kind, "pods"} { // a tenth of the kinds alone would reach too little
			old, updated := old, updated
			if kind != old.kind {
				old, updated, _ = updateOf(t, kind)
			}
			quotas := quotasOf(t, kind)
			subresource := rapid.SampledFrom([]string{"", "resize", "status"}).Draw(t, "subresource")
			failures, added := updated.admit(old, quotas, subresource)
			for _, f := range failures {
				reached = append(reached, "update: "+string(f.Cause))
			}
			_, created := old.admit(nil, quotas, "")
			for i, q := range quotas {
				for _, scope := range q.Spec.Scopes {
					if added[i] != nil || created[i] != nil {
						reached = append(reached, "counted within "+string(scope))
					}
				}
			}
		}
		return reached
	}, slices.Concat(testkit.Each("stored: ", testkit.Kinds()), testkit.Each("mutation: ", testkit.Mutations()), testkit.Each("counted within ", scopesOfPods),
		[]string{"a claim without devices", "update: must specify", "update: status unknown", "update: exceeded quota"})...)
}
