package whatif

import (
	"cmp"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/podvolumes"
)

// asAvailable returns a volume as the controller of volumes makes it available if it is new.
//
// Source: syncVolume of k8s.io/kubernetes/pkg/controller/volume/persistentvolume.
func asAvailable(volume *corev1.PersistentVolume) *corev1.PersistentVolume {
	if phase := volume.Status.Phase; phase != "" && phase != corev1.VolumePending {
		return volume
	}
	own := volume.DeepCopy()
	own.Status.Phase = corev1.VolumeAvailable
	return own
}

// bindClaims binds the claims that the controller of volumes binds, whatever pods use them, by namespace and name.
func (d *draft) bindClaims() {
	if len(d.indexOfVolumes().volumes) == 0 {
		return
	}
	for _, namespace := range slices.Sorted(maps.Keys(d.spaces)) {
		var claims []key
		for k, it := range d.spaces[namespace].items.All {
			if _, ok := it.object.(*corev1.PersistentVolumeClaim); ok {
				claims = append(claims, k)
			}
		}
		slices.SortFunc(claims, key.compare)
		for _, k := range claims {
			d.bindClaim(namespace, k)
		}
	}
}

// bindClaim binds a claim if the controller of volumes does.
func (d *draft) bindClaim(namespace string, k key) {
	it := d.itemOf(namespace, k)
	if it == nil || it.isGuess {
		return
	}
	claim, ok := it.object.(*corev1.PersistentVolumeClaim)
	if !ok {
		return
	}
	objects := d.volumeObjects()
	if volume := objects.VolumeFor(claim); volume != nil {
		d.follow(podvolumes.Binding{Claim: claim, Volume: volume}, "")
	}
}

// follow makes a claim and a volume what they are once a pod is on a node.
func (d *draft) follow(b podvolumes.Binding, node string) {
	claim, volume := b.After(node)
	namespace, k := placeOf(claim)
	d.item(namespace, k).object = claim
	if volume != nil {
		_, k := placeOf(volume)
		d.item("", k).object = volume
		d.indexOfVolumes().replace(volume)
	}
}

// bindVolumes binds the claims of a pod that gets a node, and returns what is unknown about the pod then.
func (d *draft) bindVolumes(p *pod, node string) (unknown []string) {
	if p.Shape.Volumes() == nil {
		return p.unknown
	}
	unknown = p.unknown
	if d.places.DependsOnUnknown(p.Shape, node) {
		unknown = append(slices.Clip(unknown), volumesField)
	}
	bindings := d.places.Bindings(p.Shape, node)
	for _, b := range bindings {
		d.follow(b, node)
	}
	if len(bindings) > 0 {
		d.reshapeVolumes(func(other *pod) bool { return isConcerned(other, bindings) })
	}
	return unknown
}

// isConcerned reports whether bindings may matter to a pod with volumes: one of its claims is bound, or a volume that
// it might have used.
func isConcerned(p *pod, bindings []podvolumes.Binding) bool {
	return slices.ContainsFunc(bindings, func(b podvolumes.Binding) bool {
		namespace, _ := placeOf(b.Claim)
		return b.Volume != nil || p.Namespace == namespace && usesClaim(p.Object, b.Claim.Name)
	})
}

func usesClaim(pod *corev1.Pod, claim string) bool {
	return slices.ContainsFunc(pod.Spec.Volumes, func(v corev1.Volume) bool {
		return podvolumes.ClaimName(pod, &v) == claim
	})
}

// reshapeVolumes is reshapeIf for pods with volumes.
func (d *draft) reshapeVolumes(isConcerned func(p *pod) bool) (found bool) {
	return d.reshapeIf(func(p *pod) bool { return p.Shape.Volumes() != nil && isConcerned(p) })
}

// volumesChanged binds claims, and has pods that wait look again, after an object has come, has changed or is gone.
func (d *draft) volumesChanged(namespace string, k key) {
	if !isOfVolumes(k.kind) {
		return
	}
	isConcerned := func(*pod) bool { return true }
	if k.kind == string(podvolumes.PersistentVolumeClaim) {
		d.bindClaim(namespace, k)
		isConcerned = func(p *pod) bool { return p.Namespace == namespace && usesClaim(p.Object, k.name) }
	} else {
		d.volumeIndex = nil
		d.bindClaims()
	}
	if d.reshapeVolumes(isConcerned) {
		d.places.Free()
	}
}

// releaseVolume releases the volume of a claim that is deleted: it is deleted as well, or is kept for no other claim.
//
// Source: reclaimVolume of k8s.io/kubernetes/pkg/controller/volume/persistentvolume.
func (d *draft) releaseVolume(claim *corev1.PersistentVolumeClaim) {
	k := key{string(podvolumes.PersistentVolume), claim.Spec.VolumeName}
	it := d.item("", k)
	if claim.Spec.VolumeName == "" || it == nil {
		return
	}
	volume, ok := it.object.(*corev1.PersistentVolume)
	if !ok || !podvolumes.IsFor(volume.Spec.ClaimRef, claim) {
		return
	}
	if volume.Spec.PersistentVolumeReclaimPolicy == corev1.PersistentVolumeReclaimDelete {
		d.space("").items.Set(k, nil)
	} else {
		released := volume.DeepCopy()
		released.Status.Phase = corev1.VolumeReleased
		released.Spec.ClaimRef.UID = cmp.Or(claim.UID, "deleted") // which no other claim of its name has
		it.object = released
	}
	d.volumeIndex = nil
}
