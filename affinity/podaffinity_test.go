package affinity_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestTaskAffinity(t *testing.T) {
	zone := corev1.PodAffinityTerm{TopologyKey: "topology.kubernetes.io/zone", LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "db"}}}
	given := &corev1.Affinity{
		NodeAffinity:    &corev1.NodeAffinity{},
		PodAffinity:     &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{zone}},
		PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{zone}},
	}
	merged := given.DeepCopy()
	merged.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution = append(merged.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution,
		on("a").PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution...)
	for _, test := range []struct {
		name      string
		given     *corev1.Affinity
		assistant string
		want      *corev1.Affinity
	}{
		{"nothing", nil, "", nil},
		{"no placeholder", given, "", given.DeepCopy()},
		{"no affinity given", nil, "a", on("a")},
		{"empty", &corev1.Affinity{}, "a", on("a")},
		{"added to a given affinity", given, "a", merged},
		{"term already present", merged, "a", merged.DeepCopy()},
	} {
		t.Run(test.name, func(t *testing.T) {
			testkit.NoDiff(t, affinity.TaskAffinity(test.given, test.assistant), test.want)
		})
	}
}

// The anti-affinity between placeholders is added to the affinity of the run, and only once.
func TestAffinityOfPlaceholders(t *testing.T) {
	both := apart()
	both.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution = []corev1.PodAffinityTerm{others()}
	required := &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{others()}}}
	lighter := apart()
	lighter.PodAntiAffinity.PreferredDuringSchedulingIgnoredDuringExecution[0].Weight = 7
	lighterAndOurs := lighter.DeepCopy()
	lighterAndOurs.PodAntiAffinity.PreferredDuringSchedulingIgnoredDuringExecution = append(lighterAndOurs.PodAntiAffinity.PreferredDuringSchedulingIgnoredDuringExecution,
		apart().PodAntiAffinity.PreferredDuringSchedulingIgnoredDuringExecution...)
	for _, test := range []struct {
		name        string
		b           affinity.Behavior
		given, want *corev1.Affinity
	}{
		{"preferred", affinity.PerWorkspace, nil, apart()},
		{"preferred, for a run", affinity.PerRun, &corev1.Affinity{}, apart()},
		{"required", affinity.PerRunIsolated, nil, required},
		{"term already present", affinity.PerRun, apart(), apart()},
		{"required beside preferred", affinity.PerRunIsolated, apart(), both},
		{"required term already present", affinity.PerRunIsolated, required, required},
		{"preferred with another weight", affinity.PerRun, lighter, lighterAndOurs},
	} {
		t.Run(test.name, func(t *testing.T) {
			run := buildRun()
			run.PodTemplate.Affinity = test.given
			testkit.NoDiff(t, planFor(t, run, with(test.b)).StatefulSets[0].Spec.Template.Spec.Affinity, test.want)
		})
	}
}
