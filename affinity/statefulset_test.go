package affinity_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/affinity"
)

func TestResourcesOfPlaceholders(t *testing.T) {
	for _, test := range []struct {
		name             string
		placeholder      affinity.Placeholder
		requests, limits corev1.ResourceList
	}{
		{"none", affinity.Placeholder{}, list("cpu", "50m", "memory", "100Mi"), list("cpu", "50m", "memory", "100Mi")},
		{"requests", affinity.Placeholder{Requests: list("cpu", "1")}, list("cpu", "1"), list("cpu", "1")},
		{"limits", affinity.Placeholder{Limits: list("cpu", "1")}, list("cpu", "50m", "memory", "100Mi"), list("cpu", "1")},
		{"both", affinity.Placeholder{Requests: list("cpu", "1m"), Limits: list("memory", "1Gi")}, list("cpu", "1m"), list("memory", "1Gi")},
		{"no limits", affinity.Placeholder{Requests: list("cpu", "1m"), Limits: corev1.ResourceList{}}, list("cpu", "1m"), corev1.ResourceList{}},
		{"nothing", affinity.Placeholder{Requests: corev1.ResourceList{}}, corev1.ResourceList{}, corev1.ResourceList{}},
	} {
		opts := with(affinity.PerRun)
		opts.Placeholder.Requests, opts.Placeholder.Limits = test.placeholder.Requests, test.placeholder.Limits
		got := planFor(t, buildRun(), opts).StatefulSets[0].Spec.Template.Spec.Containers[0].Resources
		if diff := cmp.Diff(corev1.ResourceRequirements{Requests: test.requests, Limits: test.limits}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}
