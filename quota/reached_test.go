package quota_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
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
		string(quota.InvalidScope), string(quota.MustSpecify), string(quota.StatusUnknown), string(quota.NegativeUsage),
		string(quota.ExceededQuota), "admitted by quotas",
		"an invalid scope", "counted within scopes", "counted", "outside of a scope", "lacks an amount",
		"within Terminating", "within NotTerminating", "within BestEffort", "within NotBestEffort", "within PriorityClass",
	)
}
