package podvolumes

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Volumes are the volumes of a pod, with the objects that they refer to when they are read.
type Volumes struct {
	objects  Objects
	pod      *corev1.Pod
	all      Verdict         // of each node
	onePod   map[string]bool // the claims that only one pod may use at a time
	bound    []boundVolume
	unbound  []unboundClaim // they bind on first use
	zones    []zoneLabel
	hasDisks bool
	attached attached
}

// Of returns the volumes of a pod, and nil if no plugin looks at any of them.
func Of(pod *corev1.Pod, objects Objects) *Volumes {
	if pod == nil || !slices.ContainsFunc(pod.Spec.Volumes, Concern) {
		return nil
	}
	v := &Volumes{objects: objects, pod: pod, onePod: map[string]bool{}}
	for i := range pod.Spec.Volumes {
		v.hasDisks = v.hasDisks || isDisk(&pod.Spec.Volumes[i])
	}
	claims := v.claims()
	v.readClaims(claims)
	v.readAttached(claims)
	return v
}

// Concern reports whether a plugin looks at a volume of a pod: it uses a claim, or is a disk or share that the plugins
// know.
func Concern(volume corev1.Volume) bool {
	return hasClaim(&volume) || isDisk(&volume) || isMigratable(&volume)
}

// BindsOnFirstUse reports whether a claim of the pod is bound once the pod is placed, and TakesVolumes whether it may
// be bound to a volume that exists.
func (v *Volumes) BindsOnFirstUse() bool { return len(v.unbound) > 0 }
func (v *Volumes) TakesVolumes() bool {
	return slices.ContainsFunc(v.unbound, func(u unboundClaim) bool { return len(u.reserved)+len(u.available.all) > 0 })
}

// ExcludesItself reports whether two such pods cannot be on one node because of a disk.
func (v *Volumes) ExcludesItself() bool { return v.conflictsWith(v.pod) }

// IsLimited reports whether the pods on a node may keep the pod off it, and IsLimitedElsewhere whether those on any
// other node may.
func (v *Volumes) IsLimited() bool          { return v.hasDisks || len(v.onePod) > 0 }
func (v *Volumes) IsLimitedElsewhere() bool { return len(v.onePod) > 0 }

// AreProvisioned reports whether a volume is being provisioned for a claim of the pod, which only one node can use
// until it exists.
func (v *Volumes) AreProvisioned() bool {
	return slices.ContainsFunc(v.unbound, func(u unboundClaim) bool { return u.isSelected })
}

// OfAllNodes returns why the pod may not be on any node, whatever nodes and pods there are.
//
// Source: PreFilter of the plugins.
func (v *Volumes) OfAllNodes() Verdict { return v.all }

func hasClaim(volume *corev1.Volume) bool {
	return volume.PersistentVolumeClaim != nil || volume.Ephemeral != nil
}

// ClaimName returns the name of the claim that a volume of a pod uses, and "" if it uses none.
//
// Source: VolumeClaimName of k8s.io/component-helpers/storage/ephemeral.
func ClaimName(pod *corev1.Pod, volume *corev1.Volume) string {
	switch {
	case volume.PersistentVolumeClaim != nil:
		return volume.PersistentVolumeClaim.ClaimName
	case volume.Ephemeral != nil:
		return pod.Name + "-" + volume.Name
	}
	return ""
}

// EphemeralClaim returns the claim that a controller creates for a generic ephemeral volume of a pod, before the API
// server sets defaults. It is nil for other volumes.
//
// Source: handleVolume of k8s.io/kubernetes/pkg/controller/volume/ephemeral.
func EphemeralClaim(pod *corev1.Pod, volume *corev1.Volume) *corev1.PersistentVolumeClaim {
	if volume.PersistentVolumeClaim != nil || volume.Ephemeral == nil || volume.Ephemeral.VolumeClaimTemplate == nil {
		return nil
	}
	template := volume.Ephemeral.VolumeClaimTemplate.DeepCopy()
	isController, blocksDeletion := true, true
	claim := &corev1.PersistentVolumeClaim{Spec: template.Spec}
	claim.Namespace, claim.Name = pod.Namespace, ClaimName(pod, volume)
	claim.Annotations, claim.Labels = template.Annotations, template.Labels
	claim.OwnerReferences = []metav1.OwnerReference{{
		APIVersion: "v1", Kind: "Pod", Name: pod.Name, UID: pod.UID,
		Controller: &isController, BlockOwnerDeletion: &blocksDeletion,
	}}
	return claim
}
