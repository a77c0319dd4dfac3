package volumeclaim_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/volumeclaim"
)

func TestStorageClass(t *testing.T) {
	annotated := func(class string) metav1.ObjectMeta {
		return metav1.ObjectMeta{Annotations: map[string]string{corev1.BetaStorageClassAnnotation: class}}
	}
	of := func(class string) corev1.PersistentVolumeClaimSpec {
		return corev1.PersistentVolumeClaimSpec{StorageClassName: &class}
	}
	for _, test := range []struct {
		name  string
		claim corev1.PersistentVolumeClaim
		class string
		isSet bool
	}{
		{"none", corev1.PersistentVolumeClaim{}, "", false},
		{"of the spec", corev1.PersistentVolumeClaim{Spec: of("fast")}, "fast", true},
		{"an empty one", corev1.PersistentVolumeClaim{Spec: of("")}, "", true},
		{"of the annotation", corev1.PersistentVolumeClaim{ObjectMeta: annotated("old")}, "old", true},
		{"of both", corev1.PersistentVolumeClaim{ObjectMeta: annotated("old"), Spec: of("fast")}, "old", true},
		{"an empty annotation", corev1.PersistentVolumeClaim{ObjectMeta: annotated(""), Spec: of("fast")}, "", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			class, isSet := volumeclaim.StorageClass(&test.claim)
			if class != test.class || isSet != test.isSet {
				t.Errorf("got %q, %t; want %q, %t", class, isSet, test.class, test.isSet)
			}
		})
	}
}
