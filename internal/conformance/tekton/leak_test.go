package tekton

import (
	"testing"

	tekton "github.com/tektoncd/pipeline/pkg/apis/pipeline/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

// A pod in a namespace with a LimitRange changes the configuration of Tekton, so that a later pod of a namespace
// without one requests 500m of cpu. With kubemath, it requests what the configuration has.
// See docs/decisions/affinity.md#configuration-is-not-shared.
func TestDivergenceSharedConfiguration(t *testing.T) {
	r := Run{
		Task:     tekton.TaskSpec{Steps: []tekton.Step{{Name: "a", Image: "image", Command: []string{"c"}}, {Name: "b", Image: "image", Command: []string{"c"}}}},
		Defaults: map[string]corev1.ResourceRequirements{"default": {Requests: testkit.List("memory", "64Mi")}},
		Ranges: []*corev1.LimitRange{{
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "range"},
			Spec:       corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{{Type: corev1.LimitTypeContainer, DefaultRequest: testkit.List("cpu", "1")}}},
		}},
	}
	elsewhere := r
	elsewhere.Ranges = nil
	requests := func(spec *corev1.PodSpec) string {
		q, set := spec.Containers[0].Resources.Requests["cpu"]
		if !set {
			return ""
		}
		return q.String()
	}

	shared := map[string]corev1.ResourceRequirements{"default": {Requests: testkit.List("memory", "64Mi")}}
	var theirs []string
	for _, run := range []Run{r, elsewhere} {
		p, err := run.createWith(shared, OfRanges)
		testkit.OK(t, err)
		theirs = append(theirs, requests(&p.Spec))
	}
	testkit.NoDiff(t, theirs, []string{"500m", "500m"}, "Tekton: is this still a divergence?")

	alone, err := r.Create(OfTask)
	testkit.OK(t, err)
	var ours []string
	for _, run := range []Run{r, elsewhere} {
		namespace, err := admit.Compile(run.Ranges, nil, admit.Options{Kubernetes: kubernetes})
		testkit.OK(t, err)
		plan := steps.WholePod(&alone.Spec, nil, steps.Environment{ContainerDefaults: r.Defaults, Namespace: namespace}, steps.TektonOptions())
		ours = append(ours, requests(&plan.Effect.Decision.Object.(*corev1.Pod).Spec))
	}
	testkit.NoDiff(t, ours, []string{"500m", ""}, "kubemath")
	if _, changed := r.Defaults["default"].Requests["cpu"]; changed {
		t.Error("the configuration was changed")
	}
}

// A sidecar with the same lists of the configuration as a step gets the step's part of a default as well.
// See docs/decisions/affinity.md#configuration-is-not-shared.
func TestDivergenceSharedConfigurationInOnePod(t *testing.T) {
	r := Run{
		Task: tekton.TaskSpec{
			Steps:    []tekton.Step{{Name: "a", Image: "image", Command: []string{"c"}}, {Name: "b", Image: "image", Command: []string{"c"}}},
			Sidecars: []tekton.Sidecar{{Name: "x", Image: "image"}},
		},
		Defaults: map[string]corev1.ResourceRequirements{"default": {Requests: testkit.List("memory", "64Mi")}},
		Ranges: []*corev1.LimitRange{{
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "range"},
			Spec:       corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{{Type: corev1.LimitTypeContainer, DefaultRequest: testkit.List("cpu", "1")}}},
		}},
	}
	of := func(spec *corev1.PodSpec) resource.Quantity { return spec.Containers[2].Resources.Requests["cpu"] }
	pod, err := r.Create(OfRanges)
	testkit.OK(t, err)
	stored, err := r.Admit(pod)
	testkit.OK(t, err)
	if got := of(&stored.Stored.Spec); got.String() != "500m" {
		t.Errorf("Tekton: %s: is this still a divergence?", got.String())
	}
	alone, err := r.Create(OfTask)
	testkit.OK(t, err)
	namespace, err := admit.Compile(r.Ranges, nil, admit.Options{Kubernetes: kubernetes})
	testkit.OK(t, err)
	plan := steps.WholePod(&alone.Spec, nil, steps.Environment{ContainerDefaults: r.Defaults, Namespace: namespace}, steps.TektonOptions())
	if got := of(&plan.Effect.Decision.Object.(*corev1.Pod).Spec); got.String() != "1" {
		t.Errorf("kubemath: %s, want 1", got.String())
	}
}
