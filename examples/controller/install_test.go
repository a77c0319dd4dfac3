package main

import (
	"fmt"
	"slices"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/controller/controllers"
	"github.com/kubemath/kubemath/examples/controller/manifests"
	"github.com/kubemath/kubemath/pool"
)

// Nothing of this controller refuses or holds up writes after uninstall, and what others have installed stays.
func TestUninstall(t *testing.T) {
	scheme, err := newScheme()
	if err != nil {
		t.Fatal(err)
	}
	var objects []client.Object
	for owner, name := range map[string]string{manifests.Owner: "ours", "Helm": "theirs"} {
		mutating, validating := &admissionregistrationv1.MutatingWebhookConfiguration{}, &admissionregistrationv1.ValidatingWebhookConfiguration{}
		for _, o := range []client.Object{mutating, validating} {
			o.SetName(name)
			o.SetLabels(map[string]string{manifests.OwnerLabel: owner})
			objects = append(objects, o)
		}
	}
	p := &pool.ResourcePool{}
	p.Name, p.Finalizers = "p", []string{"other.example/f", controllers.Finalizer}
	other := &pool.ResourcePool{}
	other.Name = "q"
	c := fake.NewClientBuilder().WithScheme(scheme).WithObjects(append(objects, p, other)...).Build()
	for range 2 { // The second time, there is nothing left to do.
		if err := uninstall(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	var mutating admissionregistrationv1.MutatingWebhookConfigurationList
	var validating admissionregistrationv1.ValidatingWebhookConfigurationList
	var pools pool.ResourcePoolList
	for _, list := range []client.ObjectList{&mutating, &validating, &pools} {
		if err := c.List(t.Context(), list); err != nil {
			t.Fatal(err)
		}
	}
	var left []string
	for _, m := range mutating.Items {
		left = append(left, "mutating "+m.Name)
	}
	for _, v := range validating.Items {
		left = append(left, "validating "+v.Name)
	}
	for _, p := range computeresources.Pointers(pools.Items) {
		left = append(left, fmt.Sprint("pool ", p.Name, p.Finalizers))
	}
	slices.Sort(left)
	if want := []string{"mutating theirs", "pool p[other.example/f]", "pool q[]", "validating theirs"}; !slices.Equal(left, want) {
		t.Errorf("left: %q, want %q", left, want)
	}
}

func TestUninstallNeedsACluster(t *testing.T) {
	if _, err := parse([]string{"-uninstall"}); err == nil {
		t.Error("uninstalls from a cluster that it starts itself")
	}
	if args, err := parse([]string{"-uninstall", "-in-cluster"}); err != nil || !args.uninstalls {
		t.Errorf("%+v, %v", args, err)
	}
}
