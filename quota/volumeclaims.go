package quota

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

const (
	countVolumeClaims corev1.ResourceName = "count/persistentvolumeclaims"

	// storageClassInfix is between the name of a storage class and the resource that is limited for that
	// class.
	storageClassInfix = ".storageclass.storage.k8s.io/"
)

func isVolumeClaimResource(name corev1.ResourceName) bool {
	switch name {
	case countVolumeClaims, corev1.ResourcePersistentVolumeClaims, corev1.ResourceRequestsStorage:
		return true
	}
	return strings.HasSuffix(string(name), storageClassInfix+string(corev1.ResourcePersistentVolumeClaims)) ||
		strings.HasSuffix(string(name), storageClassInfix+string(corev1.ResourceRequestsStorage))
}

func volumeClaimUsageInto(dst corev1.ResourceList, claim *corev1.PersistentVolumeClaim) {
	dst[countVolumeClaims] = units(1)
	dst[corev1.ResourcePersistentVolumeClaims] = units(1)
	class := storageClass(claim)
	if class != "" {
		dst[ofStorageClass(class, corev1.ResourcePersistentVolumeClaims)] = units(1)
	}
	if storage, ok := claimedStorage(claim); ok {
		dst[corev1.ResourceRequestsStorage] = storage
		if class != "" {
			dst[ofStorageClass(class, corev1.ResourceRequestsStorage)] = storage.DeepCopy()
		}
	}
}

func ofStorageClass(class string, name corev1.ResourceName) corev1.ResourceName {
	return corev1.ResourceName(class+storageClassInfix) + name
}

// storageClass returns the class of a claim: that of the annotation of old, if there is
// one, even if it is empty.
func storageClass(claim *corev1.PersistentVolumeClaim) string {
	if class, ok := claim.Annotations[corev1.BetaStorageClassAnnotation]; ok {
		return class
	}
	if claim.Spec.StorageClassName != nil {
		return *claim.Spec.StorageClassName
	}
	return ""
}

// claimedStorage returns the storage request of a claim, or its allocated storage if that is larger, in
// whole bytes, and whether it has a request.
func claimedStorage(claim *corev1.PersistentVolumeClaim) (resource.Quantity, bool) {
	requested, ok := claim.Spec.Resources.Requests[corev1.ResourceStorage]
	if !ok {
		return resource.Quantity{}, false
	}
	storage := wholeBytes(requested)
	if allocated, ok := claim.Status.AllocatedResources[corev1.ResourceStorage]; ok && allocated.Cmp(storage) > 0 {
		storage = wholeBytes(allocated)
	}
	return storage, true
}

// wholeBytes returns q, with a fraction of a byte rounded away from zero.
func wholeBytes(q resource.Quantity) resource.Quantity {
	whole := q.DeepCopy()
	whole.RoundUp(0)
	return whole
}

// volumeAttributesClasses returns the current, requested and pending classes of a claim, each once.
func volumeAttributesClasses(claim *corev1.PersistentVolumeClaim) []string {
	var names []string
	add := func(name string) {
		if name != "" {
			names = append(names, name)
		}
	}
	if name := claim.Spec.VolumeAttributesClassName; name != nil {
		add(*name)
	}
	if name := claim.Status.CurrentVolumeAttributesClassName; name != nil {
		add(*name)
	}
	if status := claim.Status.ModifyVolumeStatus; status != nil {
		add(status.TargetVolumeAttributesClassName)
	}
	return names
}
