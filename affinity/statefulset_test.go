package affinity_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/internal/testkit"
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
		testkit.NoDiff(t, got, corev1.ResourceRequirements{Requests: test.requests, Limits: test.limits}, test.name)
	}
}

// The template of Tekton's configuration is for what the run does not set.
func TestDefaultsOfThePlaceholder(t *testing.T) {
	all := func(name string) affinity.PodTemplate {
		return affinity.PodTemplate{
			NodeSelector: map[string]string{"of": name}, Tolerations: []corev1.Toleration{{Key: name}},
			ImagePullSecrets: []corev1.LocalObjectReference{{Name: name}}, SecurityContext: &corev1.PodSecurityContext{Sysctls: []corev1.Sysctl{{Name: name}}},
			PriorityClassName: name, ServiceAccountName: name,
		}
	}
	texts := func(run, defaults affinity.PodTemplate) []string {
		set := affinity.StatefulSetFor(&affinity.Run{PodTemplate: run}, "a", nil, nil, affinity.Options{Placeholder: affinity.Placeholder{Image: "pause", Defaults: defaults}})
		s := set.Spec.Template.Spec
		got := []string{s.NodeSelector["of"], "", "", "", s.PriorityClassName, s.ServiceAccountName}
		if len(s.Tolerations) > 0 {
			got[1], got[2], got[3] = s.Tolerations[0].Key, s.ImagePullSecrets[0].Name, s.SecurityContext.Sysctls[0].Name
		}
		return got
	}
	testkit.NoDiff(t, texts(all("run"), all("default")), []string{"run", "run", "run", "run", "run", "default"})
	testkit.NoDiff(t, texts(affinity.PodTemplate{}, all("default")), []string{"default", "default", "default", "default", "default", "default"})
	testkit.NoDiff(t, texts(all("run"), affinity.PodTemplate{}), []string{"run", "run", "run", "run", "run", "run"})
	testkit.NoDiff(t, texts(affinity.PodTemplate{}, affinity.PodTemplate{}), []string{"", "", "", "", "", ""})
}

// A run that sets no node selector and no tolerations, but empty ones, keeps the defaults away.
func TestEmptyTemplateOfARun(t *testing.T) {
	run := &affinity.Run{PodTemplate: affinity.PodTemplate{NodeSelector: map[string]string{}, Tolerations: []corev1.Toleration{}}}
	defaults := affinity.PodTemplate{NodeSelector: map[string]string{"disk": "ssd"}, Tolerations: []corev1.Toleration{{Key: "ci"}}}
	set := affinity.StatefulSetFor(run, "a", nil, nil, affinity.Options{Placeholder: affinity.Placeholder{Defaults: defaults}})
	if s := set.Spec.Template.Spec; len(s.NodeSelector) > 0 || len(s.Tolerations) > 0 {
		t.Errorf("node selector %v, tolerations %v", s.NodeSelector, s.Tolerations)
	}
}
