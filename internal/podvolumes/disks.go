package podvolumes

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// isDisk reports whether a volume is a disk that VolumeRestrictions knows.
//
// Source: needsRestrictionsCheck of volumerestrictions.
func isDisk(v *corev1.Volume) bool {
	return v.GCEPersistentDisk != nil || v.AWSElasticBlockStore != nil || v.RBD != nil || v.ISCSI != nil
}

// conflictsWith reports whether the pod and another cannot be on one node, because both use a disk that only one of
// them may use, unless both only read it.
//
// Source: satisfyVolumeConflicts of volumerestrictions.
func (v *Volumes) conflictsWith(other *corev1.Pod) bool {
	for i := range v.pod.Spec.Volumes {
		for j := range other.Spec.Volumes {
			if isSameDisk(&v.pod.Spec.Volumes[i], &other.Spec.Volumes[j]) {
				return true
			}
		}
	}
	return false
}

// isSameDisk reports whether two volumes are one disk that both cannot use. Two pods cannot even read a disk of AWS.
//
// Source: isVolumeConflict of volumerestrictions.
func isSameDisk(a, b *corev1.Volume) bool {
	if a, b := a.GCEPersistentDisk, b.GCEPersistentDisk; a != nil && b != nil {
		if a.PDName == b.PDName && !(a.ReadOnly && b.ReadOnly) {
			return true
		}
	}
	if a, b := a.AWSElasticBlockStore, b.AWSElasticBlockStore; a != nil && b != nil {
		if a.VolumeID == b.VolumeID {
			return true
		}
	}
	if a, b := a.ISCSI, b.ISCSI; a != nil && b != nil {
		if a.IQN == b.IQN && !(a.ReadOnly && b.ReadOnly) {
			return true
		}
	}
	if a, b := a.RBD, b.RBD; a != nil && b != nil {
		isOneImage := a.RBDPool == b.RBDPool && a.RBDImage == b.RBDImage
		isOneMonitor := slices.ContainsFunc(a.CephMonitors, func(m string) bool { return slices.Contains(b.CephMonitors, m) })
		return isOneImage && isOneMonitor && !(a.ReadOnly && b.ReadOnly)
	}
	return false
}

// onePodUses returns how many volumes of a pod use a claim of this pod that only one pod may use at a time.
//
// Source: calPreFilterState of volumerestrictions, PodPVCKeys of k8s.io/kubernetes/pkg/scheduler/framework.
func (v *Volumes) onePodUses(other *corev1.Pod) (uses int) {
	if other.Namespace != v.pod.Namespace {
		return 0
	}
	for i := range other.Spec.Volumes {
		if of := other.Spec.Volumes[i].PersistentVolumeClaim; of != nil && v.onePod[of.ClaimName] {
			uses++
		}
	}
	return uses
}
