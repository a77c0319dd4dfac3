package manifests_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/kubemath/kubemath/examples/controller/capsule"
	"github.com/kubemath/kubemath/examples/controller/manifests"
)

const owned = `
apiVersion: v1
kind: Namespace
metadata: {name: a, labels: {app.kubernetes.io/managed-by: kubemath-controller, version: "2"}}
---
apiVersion: v1
kind: Namespace
metadata: {name: b, labels: {app.kubernetes.io/managed-by: kubemath-controller}}
---
apiVersion: v1
kind: Namespace
metadata: {name: c, labels: {app.kubernetes.io/managed-by: kubemath-controller}}
`

// Objects installed by something else are left unchanged, and nothing else is applied.
func TestApplyOwned(t *testing.T) {
	namespace := func(name, owner string) *corev1.Namespace {
		return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"app.kubernetes.io/managed-by": owner}}}
	}
	c := fake.NewClientBuilder().WithScheme(clientgoscheme.Scheme).WithObjects(namespace("a", "kubemath-controller"), namespace("b", "Helm"), namespace("c", "")).Build()
	err := manifests.ApplyOwned(t.Context(), c, owned)
	if err == nil || err.Error() != "not installed by this controller, and left alone: Namespace b, Namespace c" {
		t.Errorf("%v", err)
	}
	stored := &corev1.Namespace{}
	version := func() string {
		if err := c.Get(t.Context(), types.NamespacedName{Name: "a"}, stored); err != nil {
			t.Fatal(err)
		}
		return stored.Labels["version"]
	}
	if version() != "" {
		t.Errorf("applied: %v", stored.Labels)
	}
	for _, foreign := range []string{"b", "c"} {
		if err := c.Delete(t.Context(), namespace(foreign, "")); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if err := manifests.ApplyOwned(t.Context(), c, owned); err != nil || version() != "2" {
			t.Errorf("%v, %v", err, stored.Labels)
		}
	}
	if err := manifests.ApplyOwned(t.Context(), c, two); err == nil || !strings.Contains(err.Error(), "has no label") {
		t.Errorf("%v", err)
	}
}

// Capsule's own definitions are not overwritten: the names are those of Capsule.
func TestDefinitionsAreOwned(t *testing.T) {
	for _, name := range []string{"resourcepools.capsule.clastix.io", "resourcepoolclaims.capsule.clastix.io"} {
		if !strings.Contains(capsule.Definitions, "name: "+name+"\n  labels: {"+manifests.OwnerLabel+": "+manifests.Owner+"}") {
			t.Errorf("%s has no label", name)
		}
	}
}
