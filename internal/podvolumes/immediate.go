package podvolumes

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubemath/kubemath/internal/volumeclaim"
)

// VolumeFor returns the volume to which the controller of volumes binds a claim, whatever pods use it, and nil if there
// is none or the claim is bound already. A claim that binds on first use is only bound to a volume that names it. Of
// volumes that are as good, the first in VolumesOf is bound. A volume that names the claim has to be of its class.
//
// Source: syncUnboundClaim and findByClaim of k8s.io/kubernetes/pkg/controller/volume/persistentvolume.
func (o *Objects) VolumeFor(claim *corev1.PersistentVolumeClaim) *corev1.PersistentVolume {
	if metav1.HasAnnotation(claim.ObjectMeta, bindCompleted) || claim.DeletionTimestamp != nil {
		return nil
	}
	if claim.Spec.VolumeName != "" {
		return o.namedBy(claim)
	}
	u := withoutClass(claim)
	className := u.class.Name
	volumes := slices.DeleteFunc(slices.Clone(o.volumesOf(className)), func(v *corev1.PersistentVolume) bool {
		return !u.suits(v) || !u.hasModes(v)
	})
	slices.SortStableFunc(volumes, func(a, b *corev1.PersistentVolume) int {
		return cmp.Or(cmp.Compare(len(modesOf(a)), len(modesOf(b))), u.preference(a, b))
	})
	isDelayed := bindsOnFirstUse(o.class(className))
	i := slices.IndexFunc(volumes, func(v *corev1.PersistentVolume) bool {
		return v.Spec.ClaimRef != nil || !isDelayed && u.isAvailable(v)
	})
	if i < 0 {
		return nil
	}
	return volumes[i]
}

// withoutClass returns a claim that is not bound, of whose class only the name is known.
func withoutClass(claim *corev1.PersistentVolumeClaim) unboundClaim {
	u := unboundClaim{claim: claim, class: &storagev1.StorageClass{}}
	u.class.Name, _ = volumeclaim.StorageClass(claim)
	return u
}

// modesOf returns the access modes of a volume, each once.
func modesOf(volume *corev1.PersistentVolume) []corev1.PersistentVolumeAccessMode {
	return slices.Compact(slices.Sorted(slices.Values(volume.Spec.AccessModes)))
}

// preference orders volumes that suit a claim: those that name it first, then the smallest.
func (u *unboundClaim) preference(a, b *corev1.PersistentVolume) int {
	namesA, namesB := a.Spec.ClaimRef != nil, b.Spec.ClaimRef != nil
	switch {
	case namesA && !namesB:
		return -1
	case namesB && !namesA:
		return 1
	}
	x, y := a.Spec.Capacity[corev1.ResourceStorage], b.Spec.Capacity[corev1.ResourceStorage]
	return x.Cmp(y)
}

// isAvailable reports whether a volume that suits a claim can be bound to it although it does not name the claim.
func (u *unboundClaim) isAvailable(volume *corev1.PersistentVolume) bool {
	return volume.Status.Phase == corev1.VolumeAvailable && u.selector().Matches(labels.Set(volume.Labels))
}

// namedBy returns the volume that a claim names if it can be bound to it.
//
// Source: checkVolumeSatisfyClaim.
func (o *Objects) namedBy(claim *corev1.PersistentVolumeClaim) *corev1.PersistentVolume {
	volume := o.volume(claim.Spec.VolumeName)
	if volume == nil {
		return nil
	}
	u := withoutClass(claim)
	isForClaim := IsFor(volume.Spec.ClaimRef, claim)
	if isForClaim || u.suits(volume) && u.hasModes(volume) {
		return volume
	}
	return nil
}
