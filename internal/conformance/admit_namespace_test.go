package conformance

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apiserver/pkg/registry/rest"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

// How the API server sets or rejects the namespace of an object in a request.
func TestAdmitNamespace(t *testing.T) {
	bounds := &corev1.LimitRange{}
	bounds.Namespace, bounds.Name = "shop", "bounds"
	namespace, err := admit.Compile([]*corev1.LimitRange{bounds}, nil, admit.Options{Kubernetes: kubernetes})
	testkit.OK(t, err)
	for _, sent := range []string{"", "shop", "other", "Shop", "shop "} {
		settings := &corev1.ConfigMap{}
		settings.Namespace, settings.Name = sent, "settings"
		d := namespace.Create(settings, admit.Attributes{})
		theirs := settings.DeepCopy()
		err := rest.EnsureObjectNamespaceMatchesRequestNamespace("shop", theirs)
		testkit.NoDiff(t, d.Err(), err, sent)
		if got := d.Object.GetNamespace(); got != theirs.Namespace {
			t.Errorf("%q: stored in %q, upstream in %q", sent, got, theirs.Namespace)
		}
	}
}
