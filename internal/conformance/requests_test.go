package conformance

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/api/v1/resource"
	"k8s.io/kubernetes/pkg/apis/core/validation"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// Upstream's GetResourceRequest adds overhead only to a request above zero, and ignores the
// containers once the pod sets anything at pod level. Ours does what the scheduler does.
// See docs/decisions/computeresources.md#overhead-always-counts.
func TestDivergenceResourceRequest(t *testing.T) {
	overhead := &corev1.Pod{Spec: corev1.PodSpec{
		Containers: []corev1.Container{testkit.Container("app", nil, nil)},
		Overhead:   testkit.List("memory", "128Mi"),
	}}
	podLevel := &corev1.Pod{Spec: corev1.PodSpec{
		Containers: []corev1.Container{testkit.Container("app", testkit.List("cpu", "1", "memory", "128Mi"), nil)},
		Resources:  &corev1.ResourceRequirements{Requests: testkit.List("cpu", "2")},
	}}
	for name, pod := range map[string]*corev1.Pod{"nothing but overhead": overhead, "memory of containers beside cpu of the pod": podLevel} {
		if got := computeresources.SpecTotals(&pod.Spec, computeresources.Requests, computeresources.Options{Kubernetes: kubernetes}).Memory; got != 128<<20 {
			t.Errorf("%s: %d bytes", name, got)
		}
		if theirs := resource.GetResourceRequest(pod.DeepCopy(), corev1.ResourceMemory); theirs != 0 {
			t.Errorf("%s: upstream has %d bytes: it no longer differs", name, theirs)
		}
	}
}

// The API server also refuses a list of claims at pod level that is empty. Clients written in Go never send
// one: ours takes it for none.
// See docs/decisions/computeresources.md#empty-pod-level-claims.
func TestDivergenceEmptyListOfClaims(t *testing.T) {
	pod := &corev1.Pod{Spec: corev1.PodSpec{Resources: &corev1.ResourceRequirements{Claims: []corev1.ResourceClaim{}}}}
	if errs := computeresources.Validate(nil, &pod.Spec, kubernetes); len(errs) > 0 {
		t.Errorf("errors %v", errs.Err())
	}
	theirs := corePod(t, pod)
	found := false
	for _, err := range validation.ValidatePodSpec(&theirs.Spec, &theirs.ObjectMeta, field.NewPath("spec"), validation.PodValidationOptions{PodLevelResourcesEnabled: true}) {
		found = found || err.Field == "spec.resources.claims"
	}
	if !found {
		t.Error("upstream has no objection: it no longer differs")
	}
}
