package qos_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/qos"
)

func TestAllocs(t *testing.T) {
	even, uneven := testkit.StandardPod(true), testkit.StandardPod(false)
	whole := testkit.StandardPod(false)
	whole.Spec.Resources = &corev1.ResourceRequirements{Requests: list("memory", "4Gi")}
	fractions := testkit.StandardPod(false)
	for i := range fractions.Spec.Containers {
		fractions.Spec.Containers[i].Resources.Requests = list("cpu", "0.5", "memory", "1.5Gi")
	}
	pods := []*corev1.Pod{even, uneven, whole, {}}
	for _, test := range []struct {
		name string
		call func()
	}{
		{"class, Guaranteed", func() { qos.Class(&even.Spec, computeresources.Gates{}) }},
		{"class, Burstable", func() { qos.Class(&uneven.Spec, computeresources.Gates{}) }},
		{"class of the pod level", func() { qos.Class(&whole.Spec, computeresources.Gates{}) }},
		{"OOM score", func() { qos.OOMScoreAdj(uneven, &uneven.Spec.Containers[0], 16*gi, computeresources.Gates{}) }},
		{"OOM score of a sidecar", func() { qos.OOMScoreAdj(uneven, &uneven.Spec.InitContainers[0], 16*gi, computeresources.Gates{}) }},
		{"OOM score with pod-level resources", func() { qos.OOMScoreAdj(whole, &whole.Spec.Containers[0], 16*gi, computeresources.Gates{}) }},
		{"tier totals", func() { qos.TierTotals(pods, computeresources.Gates{}) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := testing.AllocsPerRun(100, test.call); got > 0 {
				t.Errorf("%v allocations, want none", got)
			}
		})
	}
}
