package podvolumes

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/volumeclaim"
)

// bindCompleted is the annotation of a claim that is bound to the volume that it names.
const bindCompleted = "pv.kubernetes.io/bind-completed"

// podClaim is a claim that a volume of the pod uses.
type podClaim struct {
	*corev1.PersistentVolumeClaim        // nil if it is not found
	name                          string // of the claim
	isEphemeral                   bool   // it is created for the pod
}

// claims returns the claims of the pod, in the order of its volumes.
func (v *Volumes) claims() (claims []podClaim) {
	for i := range v.pod.Spec.Volumes {
		volume := &v.pod.Spec.Volumes[i]
		if !hasClaim(volume) {
			continue
		}
		name := ClaimName(v.pod, volume)
		claims = append(claims, podClaim{v.objects.claim(v.pod.Namespace, name), name, volume.PersistentVolumeClaim == nil})
	}
	return claims
}

// readClaims reads the claims of the pod, and says why it may not be on any node. The plugins look at the claims one
// after another: VolumeRestrictions, VolumeBinding, VolumeZone.
func (v *Volumes) readClaims(claims []podClaim) {
	refusals := []string{v.notFound(claims), v.notUsable(claims), v.notBound(claims), v.withoutVolume(claims)}
	if i := slices.IndexFunc(refusals, func(reason string) bool { return reason != "" }); i >= 0 {
		v.all.refuse(refusals[i])
	}
}

// notFound returns why a claim that is not ephemeral is missing, and reads which claims only one pod may use.
//
// Source: readWriteOncePodPVCsForPod of volumerestrictions.
func (v *Volumes) notFound(claims []podClaim) string {
	for _, claim := range claims {
		if claim.PersistentVolumeClaim == nil && v.objects.lacks(PersistentVolumeClaim) {
			v.all.dependOn(PersistentVolumeClaim)
			continue
		}
		if claim.isEphemeral {
			continue
		}
		if claim.PersistentVolumeClaim == nil {
			return fmt.Sprintf("persistentvolumeclaim %q not found", claim.name)
		}
		if slices.Contains(claim.Spec.AccessModes, corev1.ReadWriteOncePod) {
			v.onePod[claim.name] = true
		}
	}
	return ""
}

// notUsable returns why a claim cannot be used.
//
// Source: podHasPVCs of volumebinding.
func (v *Volumes) notUsable(claims []podClaim) string {
	for _, claim := range claims {
		switch {
		case claim.PersistentVolumeClaim == nil && v.objects.lacks(PersistentVolumeClaim):
		case claim.PersistentVolumeClaim == nil: // of an ephemeral volume: notFound refuses others
			return fmt.Sprintf("waiting for ephemeral volume controller to create the persistentvolumeclaim %q", claim.name)
		case claim.Status.Phase == corev1.ClaimLost:
			return fmt.Sprintf("persistentvolumeclaim %q bound to non-existent persistentvolume %q",
				claim.name, claim.Spec.VolumeName)
		case claim.DeletionTimestamp != nil:
			return fmt.Sprintf("persistentvolumeclaim %q is being deleted", claim.name)
		case claim.isEphemeral && !metav1.IsControlledBy(claim, v.pod):
			return fmt.Sprintf("PVC %s/%s was not created for pod %s/%s (pod is not owner)",
				v.pod.Namespace, claim.name, v.pod.Namespace, v.pod.Name)
		}
	}
	return ""
}

// notBound says whether a claim should have been bound before the pod is scheduled, and reads all others.
//
// Source: GetPodVolumeClaims of volumebinding.
func (v *Volumes) notBound(claims []podClaim) (reason string) {
	for _, claim := range claims {
		if claim.PersistentVolumeClaim == nil {
			continue
		}
		if claim.Spec.VolumeName != "" && metav1.HasAnnotation(claim.ObjectMeta, bindCompleted) {
			v.bound = append(v.bound, v.boundTo(claim))
			continue
		}
		className, _ := volumeclaim.StorageClass(claim.PersistentVolumeClaim)
		class := v.objects.class(className)
		switch {
		case claim.Spec.VolumeName == "" && bindsOnFirstUse(class):
			v.unbound = append(v.unbound, v.unboundOf(claim.PersistentVolumeClaim, class))
		case claim.Spec.VolumeName == "" && className != "" && class == nil && v.objects.lacks(StorageClass):
			v.all.dependOn(StorageClass)
		case v.objects.BindsSoon && claim.Spec.VolumeName == "" && provisions(class):
			v.all.dependOn(PersistentVolume)
		case v.objects.BindsSoon && v.mayBeBound(claim):
		default:
			reason = UnboundImmediate
		}
	}
	slices.SortStableFunc(v.unbound, compareUnbound)
	return reason
}

// mayBeBound reports whether a claim that binds immediately may be bound because of objects that are not known: another
// volume, or a class that is the default.
func (v *Volumes) mayBeBound(claim podClaim) bool {
	_, hasClass := volumeclaim.StorageClass(claim.PersistentVolumeClaim)
	switch {
	case v.objects.lacks(PersistentVolume):
		v.all.dependOn(PersistentVolume)
	case claim.Spec.VolumeName == "" && !hasClass && v.objects.lacks(StorageClass):
		v.all.dependOn(StorageClass)
	default:
		return false
	}
	return true
}

// bindsOnFirstUse reports whether the claims of a class are bound when a pod uses them. Classes bind immediately by
// default.
func bindsOnFirstUse(class *storagev1.StorageClass) bool {
	return class != nil && valueOr(class.VolumeBindingMode, "") == storagev1.VolumeBindingWaitForFirstConsumer
}

// withoutVolume returns why the volume of a claim is missing, and reads the zones of the others. VolumeZone ignores
// ephemeral volumes.
//
// Source: getPVbyPod of volumezone.
func (v *Volumes) withoutVolume(claims []podClaim) string {
	for _, bound := range v.bound {
		switch {
		case bound.volume == nil && v.objects.lacks(PersistentVolume):
			v.all.dependOn(PersistentVolume)
		case bound.isEphemeral:
		case bound.volume == nil:
			return fmt.Sprintf("persistentvolume %q not found", bound.name)
		default:
			v.zones = append(v.zones, zonesOf(bound.volume)...)
		}
	}
	return ""
}
