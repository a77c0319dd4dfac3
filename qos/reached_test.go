package qos_test

import (
	"cmp"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/qos"
)

// The generators of the property tests reach each class, for each reason.
func TestDrawsReachEveryRule(t *testing.T) {
	testkit.Reached(t, 300, func(t *rapid.T) (reached []string) {
		spec := specs().Draw(t, "spec")
		reason := qos.Explain(spec, computeresources.Gates{})
		reached = append(reached, string(reason.Class)+": "+cmp.Or(reason.Blocker, "none"))
		changes, unset := qos.GuaranteedChanges(spec, computeresources.Gates{})
		for _, c := range changes {
			reached = append(reached, "change of "+c.List.String())
		}
		if len(unset) > 0 {
			reached = append(reached, "an amount is unset")
		}
		pod := rapid.OneOf(testkit.Pod(), testkit.LimitedPod()).Draw(t, "pod")
		for ref, c := range computeresources.Containers(&pod.Spec) {
			switch score := qos.OOMScoreAdj(pod, c, 16<<30, computeresources.Gates{}); score {
			case 3, 999, -997, 1000:
				reached = append(reached, "a score at an end")
			default:
				reached = append(reached, "a score between")
				if ref.Kind == computeresources.Sidecar {
					reached = append(reached, "that of a sidecar")
				}
			}
		}
		return reached
	},
		string(corev1.PodQOSGuaranteed)+": none",
		string(corev1.PodQOSBestEffort)+": nothing set", string(corev1.PodQOSBestEffort)+": nothing set at pod level",
		string(corev1.PodQOSBurstable)+": no limit", string(corev1.PodQOSBurstable)+": no request", string(corev1.PodQOSBurstable)+": request is not the limit",
		"change of request", "change of limit", "an amount is unset", "a score at an end", "a score between", "that of a sidecar",
	)
}
