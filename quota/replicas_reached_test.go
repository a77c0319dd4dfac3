package quota_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

// The generators of the property tests reach numbers of replicas with and without an end, and each
// way in which a rollout goes.
func TestPlanDrawsReachEveryRule(t *testing.T) {
	small := halves()
	testkit.Reached(t, 600, func(t *rapid.T) (reached []string) {
		quantities := rapid.SampledFrom([]*rapid.Generator[resource.Quantity]{small, testkit.Quantity()}).Draw(t, "quantities")
		object := quota.Pod(&corev1.Pod{Spec: *testkit.SpecWith(quantities).Draw(t, "spec")}, testkit.Now(), quota.PodOptions{})
		quotas := drawQuotas(t, object, quantities)
		switch fit := quota.Replicas(object, quotas, quota.AdmitOptions{}); {
		case fit.Unbounded:
			reached = append(reached, "replicas: unbounded")
		case fit.Replicas == 0:
			reached = append(reached, "replicas: none")
		default:
			reached = append(reached, "replicas: some")
			for _, f := range fit.Next {
				reached = append(reached, "the next: "+string(f.Cause))
			}
		}
		for _, q := range quotas {
			for _, left := range quota.Remaining(q) {
				reached = append(reached, fmt.Sprintf("remaining: sign %d", left.Sign()))
			}
		}
		lists := testkit.ResourceList(testkit.Positive())
		rollout, err := quota.Rollout(lists.Draw(t, "old"), lists.Draw(t, "new"), rapid.Int32Range(0, 6).Draw(t, "replicas"), rolling(rapid.IntRange(0, 8).Draw(t, "surge"), rapid.IntRange(0, 3).Draw(t, "unavailable")))
		if err != nil {
			return append(reached, "invalid rollout")
		}
		for name, peak := range rollout.Peak {
			before, after := rollout.Before[name], rollout.After[name]
			if peak.Cmp(before) > 0 && peak.Cmp(after) > 0 {
				reached = append(reached, "rollout: a peak above both")
			} else {
				reached = append(reached, "rollout: a peak of one")
			}
		}
		return reached
	},
		"replicas: unbounded", "replicas: none", "replicas: some", "the next: exceeded quota",
		"remaining: sign -1", "remaining: sign 0", "remaining: sign 1", "rollout: a peak above both", "rollout: a peak of one",
	)
}
