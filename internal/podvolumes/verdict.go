package podvolumes

import "slices"

// Why a pod may not be on a node, in the words of the scheduler. Preemption can help with the first two.
const (
	DiskConflict   = "node(s) had no available disk"
	OnePodConflict = "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode" +
		" already in-use by another pod"
	NodeConflict     = "node(s) didn't match PersistentVolume's node affinity"
	BindConflict     = "node(s) didn't find available persistent volumes to bind"
	NotEnoughStorage = "node(s) did not have enough free storage"
	VolumeNotFound   = "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)"
	ZoneConflict     = "node(s) had no available volume zone"
)

// UnboundImmediate is why a pod may not be on any node before the claims that bind immediately are bound. For a claim
// that was just created, that is a matter of seconds.
const UnboundImmediate = "pod has unbound immediate PersistentVolumeClaims"

// Verdict is whether the volumes of a pod can be used on a node, or on any. The zero value allows it.
type Verdict struct {
	Reasons       []string // why not, of the first plugin that refuses
	IsPreemptable bool     // preemption of other pods can help
	Unknown       []Kind   // no plugin refuses as far as is known, and objects of these kinds decide; sorted
}

// refuses reports whether the pod may not be there.
func (v *Verdict) refuses() bool { return len(v.Reasons) > 0 }

// refuse sets the reasons, which make what is unknown irrelevant.
func (v *Verdict) refuse(reasons ...string) { *v = Verdict{Reasons: reasons} }

// dependOn adds kinds that decide.
func (v *Verdict) dependOn(kinds ...Kind) {
	unknown := slices.Concat(v.Unknown, kinds)
	slices.Sort(unknown)
	v.Unknown = slices.Compact(unknown)
}
