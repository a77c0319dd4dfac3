package admit_test

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

// Only the subresource resize of a pod is served, and only for updates. Others are not found, whatever the object is.
func TestSubresources(t *testing.T) {
	none := resourceQuota("none", list("pods", "0", "persistentvolumeclaims", "0"), list("pods", "0", "persistentvolumeclaims", "0"))
	// An object that is not read gets no defaults, not even those of 1.36.
	namespace := compile(t, nil, []*corev1.ResourceQuota{none}, admit.Options{Kubernetes: computeresources.Kubernetes{Release: "1.36"}})
	bare := func() *corev1.Pod { return withPodLevel(bare(), nil, list("memory", "1Gi")) }
	foreign := stored(bare())
	foreign.Namespace = "elsewhere"
	scale, resize := admit.Attributes{Subresource: "scale"}, admit.Attributes{Subresource: "resize"}
	for name, d := range map[string]admit.Decision{
		"an update of another one":            namespace.Update(stored(bare()), bare(), scale),
		"a value that is almost one":          namespace.Update(stored(bare()), bare(), admit.Attributes{Subresource: "Resize"}),
		"a resize of a claim":                 namespace.Update(volumeClaim("1Gi"), volumeClaim("2Gi"), resize),
		"a creation":                          namespace.Create(bare(), resize),
		"one that is possible":                namespace.Possible(nil, bare(), scale).Decisions[0],
		"of an object of another namespace":   namespace.Update(foreign, foreign, scale),
		"of an object that a quota would not": namespace.Create(bare(), scale),
	} {
		if len(d.Refusals) != 1 || !apierrors.IsNotFound(d.Err()) || d.Object == nil || d.Changes != nil || d.Increases != nil {
			t.Errorf("%s: %v, %v", name, d.Refusals, d.Err())
			continue
		}
		const message = "the server could not find the requested resource"
		testkit.Equal(t, d.Err().Error(), message, name)
		testkit.Equal(t, d.Refusals[0].Message(), message, name)
		if p, isPod := d.Object.(*corev1.Pod); isPod {
			testkit.NoDiff(t, p.Spec, bare().Spec, name)
		}
		if namespace.After(d) != namespace {
			t.Errorf("%s: the namespace has changed", name)
		}
	}
	const what = "no Pod has the subresource scale: update the object itself, or the subresource resize of a pod"
	testkit.Equal(t, namespace.Create(bare(), scale).Refusals[0].Error(), what)
	testkit.Equal(t, namespace.Replicas([]admit.APIObject{bare()}, scale).Replicas, 0)
	details := namespace.Create(&appsv1.Deployment{ObjectMeta: named("web")}, scale).Err().(apierrors.APIStatus).Status().Details
	testkit.NoDiff(t, details, &metav1.StatusDetails{Group: "apps", Kind: "deployments", Name: "web"})
	if d := namespace.Update(stored(bare()), bare(), resize); !d.Admitted() {
		t.Errorf("a resize: %v", d.Err())
	}
}
