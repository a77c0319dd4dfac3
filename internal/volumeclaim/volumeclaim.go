// Package volumeclaim reads what a PersistentVolumeClaim asks for, in one way for quotas and admission.
package volumeclaim

import corev1 "k8s.io/api/core/v1"

// StorageClass returns the StorageClass of a claim, and whether the claim sets one, which may be empty: that of the
// old annotation, if there is one, otherwise that of the spec.
//
// Source: GetPersistentVolumeClaimClass of k8s.io/kubernetes/pkg/apis/core/v1/helper.
func StorageClass(claim *corev1.PersistentVolumeClaim) (name string, isSet bool) {
	name, isSet = claim.Annotations[corev1.BetaStorageClassAnnotation]
	if isSet || claim.Spec.StorageClassName == nil {
		return name, isSet
	}
	return *claim.Spec.StorageClassName, true
}
