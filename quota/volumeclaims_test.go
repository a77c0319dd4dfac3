package quota_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/quota"
)

func TestVolumeClaimUsage(t *testing.T) {
	one := list("count/persistentvolumeclaims", "1", "persistentvolumeclaims", "1")
	ofGold := add(one, list("gold.storageclass.storage.k8s.io/persistentvolumeclaims", "1"))
	claim := func(storage string, change func(*corev1.PersistentVolumeClaim)) *corev1.PersistentVolumeClaim {
		c := &corev1.PersistentVolumeClaim{}
		if storage != "" {
			c.Spec.Resources.Requests = list("storage", storage)
		}
		if change != nil {
			change(c)
		}
		return c
	}
	gold := func(c *corev1.PersistentVolumeClaim) { c.Spec.StorageClassName = pointer("gold") }
	allocated := func(amount string) func(*corev1.PersistentVolumeClaim) {
		return func(c *corev1.PersistentVolumeClaim) { c.Status.AllocatedResources = list("storage", amount) }
	}
	for _, test := range []struct {
		name  string
		claim *corev1.PersistentVolumeClaim
		want  corev1.ResourceList
	}{
		{"storage of a class", claim("1.5Gi", gold), add(ofGold, list("requests.storage", "1536Mi", "gold.storageclass.storage.k8s.io/requests.storage", "1536Mi"))},
		{"the annotation comes first", claim("", func(c *corev1.PersistentVolumeClaim) {
			c.Spec.StorageClassName = pointer("silver")
			c.Annotations = map[string]string{"volume.beta.kubernetes.io/storage-class": "gold"}
		}), ofGold},
		{"empty annotation comes first", claim("", func(c *corev1.PersistentVolumeClaim) {
			gold(c)
			c.Annotations = map[string]string{"volume.beta.kubernetes.io/storage-class": ""}
		}), one},
		{"a fraction of a byte", claim("1500m", nil), add(one, list("requests.storage", "2"))},
		{"more allocated", claim("10Gi", allocated("11Gi")), add(one, list("requests.storage", "11Gi"))},
		{"a fraction more", claim("1", allocated("1001m")), add(one, list("requests.storage", "2"))},
		{"below zero", claim("-1.5", nil), add(one, list("requests.storage", "-2"))},
	} {
		t.Run(test.name, func(t *testing.T) { wantList(t, quota.PersistentVolumeClaim(test.claim).Usage(), test.want) })
	}
	// A quota of the storage of one class applies to claims.
	ofClass := withStatus("q", list("gold.storageclass.storage.k8s.io/requests.storage", "1Gi"), nil)
	if matches, err := quota.PersistentVolumeClaim(claim("1Gi", gold)).Matches(ofClass); !matches || err != nil {
		t.Errorf("a quota of a class: %v, %v", matches, err)
	}
	if asked := quota.PersistentVolumeClaim(claim("1Gi", allocated("1073741824"))).Usage()["requests.storage"]; asked.String() != "1Gi" {
		t.Errorf("as much allocated as asked for: %s, want 1Gi, as the claim spells it", asked.String())
	}
}

// A claim that requests a negative amount of storage is refused, and the message names each resource once.
func TestNegativeStorage(t *testing.T) {
	claim := &corev1.PersistentVolumeClaim{Spec: corev1.PersistentVolumeClaimSpec{Resources: corev1.VolumeResourceRequirements{Requests: list("storage", "-1")}}}
	failures := quota.Admit(quota.Object{}, quota.PersistentVolumeClaim(claim), nil, quota.AdmitOptions{}).Failures
	if len(failures) != 1 || failures[0].Error() != "quota usage is negative for resource(s): requests.storage" {
		t.Errorf("%v", failures)
	}
}
