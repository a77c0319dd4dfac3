package podvolumes

import (
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
	attaches bool // the volumes may count towards the limits of a node
}

// Of returns the volumes of a pod, and nil if no plugin looks at any of them.
func Of(pod *corev1.Pod, objects Objects) *Volumes {
	if pod == nil {
		return nil
	}
	v := &Volumes{objects: objects, pod: pod, onePod: map[string]bool{}}
	for i := range pod.Spec.Volumes {
		volume := &pod.Spec.Volumes[i]
		v.hasDisks = v.hasDisks || isDisk(volume)
		v.attaches = v.attaches || hasClaim(volume) || isMigratable(volume)
	}
	if !v.hasDisks && !v.attaches {
		return nil
	}
	v.readClaims(v.claims())
	return v
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
