package admit_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

func TestDefaultStorageClass(t *testing.T) {
	namespace := compile(t, nil, []*corev1.ResourceQuota{resourceQuota("storage", list("gold.storageclass.storage.k8s.io/requests.storage", "10Gi"), list("gold.storageclass.storage.k8s.io/requests.storage", "0"))}, withClasses())
	for _, test := range []struct {
		name, want, err string
		set             func(claim *corev1.PersistentVolumeClaim)
	}{
		{name: "the newest default class", want: "gold", err: `persistentvolumeclaims "data" is forbidden: exceeded quota: storage, requested: gold.storageclass.storage.k8s.io/requests.storage=20Gi, used: gold.storageclass.storage.k8s.io/requests.storage=0, limited: gold.storageclass.storage.k8s.io/requests.storage=10Gi`},
		{name: "no class on purpose", set: func(c *corev1.PersistentVolumeClaim) { c.Spec.StorageClassName = pointer("") }},
		{name: "a class", want: "old", set: func(c *corev1.PersistentVolumeClaim) { c.Spec.StorageClassName = pointer("old") }},
		{name: "a class by annotation", set: func(c *corev1.PersistentVolumeClaim) {
			c.Annotations = map[string]string{corev1.BetaStorageClassAnnotation: "old"}
		}},
		{name: "a class that does not exist", want: "nosuch", set: func(c *corev1.PersistentVolumeClaim) { c.Spec.StorageClassName = pointer("nosuch") }},
	} {
		t.Run(test.name, func(t *testing.T) {
			claim := volumeClaim("20Gi")
			claim.Name = "data"
			if test.set != nil {
				test.set(claim)
			}
			d := namespace.Create(claim, admit.Attributes{})
			wantErr(t, d.Err(), test.err)
			class := ""
			if name := d.Object.(*corev1.PersistentVolumeClaim).Spec.StorageClassName; name != nil {
				class = *name
			}
			var classes []computeresources.Source
			if test.err != "" {
				classes = []computeresources.Source{{Kind: "StorageClass", Name: "gold", Field: "metadata.annotations"}}
			}
			testkit.Equal(t, class, test.want)
			testkit.NoDiff(t, d.Classes, classes)
		})
	}
}

// A claim is refused for its storage request.
func TestRefusedStorage(t *testing.T) {
	for storage, want := range map[string][2]string{
		"":  {"claim: no storage request: set a storage request above zero", "spec.resources[storage]: Required value"},
		"0": {"claim: storage request 0 is not above zero: raise the request", `spec.resources[storage]: Invalid value: "0": must be greater than zero`},
	} {
		claim := volumeClaim("1")
		claim.Spec.Resources.Requests = nil
		if storage != "" {
			claim.Spec.Resources.Requests = list("storage", storage)
		}
		refusals := compile(t, nil, nil, admit.Options{}).Create(claim, admit.Attributes{}).Refusals
		if len(refusals) != 1 || refusals[0].Resource != "storage" || refusals[0].Path != "spec.resources.requests[storage]" {
			t.Errorf("storage %q: %+v", storage, refusals)
			continue
		}
		testkit.Equal(t, [2]string{refusals[0].Error(), refusals[0].Message()}, want, storage)
	}
}
