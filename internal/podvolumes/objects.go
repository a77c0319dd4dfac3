package podvolumes

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
)

// Kind is a kind of object that volumes of pods refer to.
type Kind string

// The kinds of objects.
const (
	PersistentVolumeClaim Kind = "PersistentVolumeClaim"
	PersistentVolume      Kind = "PersistentVolume"
	StorageClass          Kind = "StorageClass"
	CSINode               Kind = "CSINode"
	CSIDriver             Kind = "CSIDriver"
	CSIStorageCapacity    Kind = "CSIStorageCapacity"
)

// Objects find the objects of a cluster. Each function returns nil if there is no such object; a nil function finds
// none. They are as the API server stores them, but a class without a binding mode binds immediately.
type Objects struct {
	Claim         func(namespace, name string) *corev1.PersistentVolumeClaim
	Volume        func(name string) *corev1.PersistentVolume
	VolumesOf     func(class string) []*corev1.PersistentVolume // of a class; of equal volumes the first is bound
	Class         func(name string) *storagev1.StorageClass
	CSINode       func(node string) *storagev1.CSINode
	CSIDriver     func(name string) *storagev1.CSIDriver
	CapacitiesFor func(class string) []*storagev1.CSIStorageCapacity // the first that is large enough is scored

	Incomplete []Kind // the kinds of which the cluster may have more objects

	// BindsSoon says that claims are bound, or volumes provisioned for them, before the pod is placed. Until then, the
	// scheduler refuses the pod. Which nodes can use a volume that is provisioned is unknown.
	BindsSoon bool
}

// lacks reports whether the cluster may have objects of a kind that cannot be found.
func (o *Objects) lacks(kind Kind) bool { return slices.Contains(o.Incomplete, kind) }

func (o *Objects) claim(namespace, name string) *corev1.PersistentVolumeClaim {
	if o.Claim == nil {
		return nil
	}
	return o.Claim(namespace, name)
}

func (o *Objects) volume(name string) *corev1.PersistentVolume { return find(o.Volume, name) }

func (o *Objects) class(name string) *storagev1.StorageClass { return find(o.Class, name) }

func (o *Objects) csiNode(name string) *storagev1.CSINode { return find(o.CSINode, name) }

func (o *Objects) csiDriver(name string) *storagev1.CSIDriver { return find(o.CSIDriver, name) }

func (o *Objects) volumesOf(class string) []*corev1.PersistentVolume { return find(o.VolumesOf, class) }

func (o *Objects) capacitiesFor(class string) []*storagev1.CSIStorageCapacity {
	return find(o.CapacitiesFor, class)
}

func find[T any](by func(name string) T, name string) (found T) {
	if by == nil {
		return found
	}
	return by(name)
}
