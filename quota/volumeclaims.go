package quota

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/volumeclaim"
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
	class, _ := volumeclaim.StorageClass(claim)
	ofClass := corev1.ResourceName(class + storageClassInfix)
	if class != "" {
		dst[ofClass+corev1.ResourcePersistentVolumeClaims] = units(1)
	}
	storage, ok := claim.Spec.Resources.Requests[corev1.ResourceStorage]
	if !ok {
		return
	}
	storage = storage.DeepCopy()
	storage.RoundUp(0)
	if allocated, ok := claim.Status.AllocatedResources[corev1.ResourceStorage]; ok && allocated.Cmp(storage) > 0 {
		storage = allocated.DeepCopy()
		storage.RoundUp(0)
	}
	dst[corev1.ResourceRequestsStorage] = storage
	if class != "" {
		dst[ofClass+corev1.ResourceRequestsStorage] = storage.DeepCopy()
	}
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
