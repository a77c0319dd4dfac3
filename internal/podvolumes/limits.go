package podvolumes

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/kubemath/kubemath/internal/volumeclaim"
)

// attached is what the drivers of a node attach for a pod.
type attached struct {
	volumes int
	drivers []string // that may attach some of them
	byAny   bool     // any driver may
}

// readAttached reads which drivers may attach the volumes of the pod. Volumes that no driver attaches, such as local
// ones and NFS, count towards no limit.
//
// Source: filterAttachableVolumes of k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodevolumelimits.
func (v *Volumes) readAttached(claims []podClaim) {
	for i := range v.pod.Spec.Volumes {
		if volume := &v.pod.Spec.Volumes[i]; isMigratable(volume) {
			v.attached.add("", true)
		}
	}
	for _, claim := range claims {
		v.attached.add(v.driverOf(claim))
	}
}

// add counts a volume, which a driver may attach, or any.
func (a *attached) add(driver string, byAny bool) {
	if driver == "" && !byAny {
		return
	}
	a.volumes++
	a.drivers, a.byAny = append(a.drivers, driver), a.byAny || byAny
}

// driverOf returns the driver that attaches the volume of a claim, which may be any. It is empty if there is none.
//
// Source: getCSIDriverInfo and getCSIDriverInfoFromSC of nodevolumelimits.
func (v *Volumes) driverOf(claim podClaim) (driver string, isAny bool) {
	switch {
	case claim.PersistentVolumeClaim == nil:
		return "", true
	case claim.Spec.VolumeName != "":
		volume := v.objects.volume(claim.Spec.VolumeName)
		if volume == nil {
			return "", true
		}
		return driverOfVolume(volume)
	}
	className, _ := volumeclaim.StorageClass(claim.PersistentVolumeClaim)
	class := v.objects.class(className)
	switch {
	case class == nil:
		return "", className != ""
	case !provisions(class):
		return "", false
	}
	return class.Provisioner, strings.HasPrefix(class.Provisioner, "kubernetes.io/")
}

func driverOfVolume(volume *corev1.PersistentVolume) (driver string, isAny bool) {
	s := &volume.Spec.PersistentVolumeSource
	if s.CSI != nil {
		return s.CSI.Driver, false
	}
	return "", s.AWSElasticBlockStore != nil || s.GCEPersistentDisk != nil || s.Cinder != nil || s.AzureDisk != nil ||
		s.AzureFile != nil || s.VsphereVolume != nil || s.PortworxVolume != nil
}

// MayReachLimit reports whether NodeVolumeLimits may refuse node i with the pods that it has now: a driver that may
// attach a volume of the pod has a limit there, which the volumes of all pods would exceed if the driver attached each
// of them, or it may have one. Attachments of volumes that no pod on the node uses are left out.
//
// Source: Filter of k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodevolumelimits.
func (n *Nodes) MayReachLimit(i int) bool {
	a := &n.volumes.attached
	if a.volumes == 0 || n.nodes[i] == nil {
		return false
	}
	node := n.volumes.objects.csiNode(n.nodes[i].Name)
	if node == nil {
		return n.volumes.objects.lacks(CSINode)
	}
	isLimited := func(driver storagev1.CSINodeDriver) bool {
		return driver.Allocatable != nil && driver.Allocatable.Count != nil &&
			(a.byAny || slices.Contains(a.drivers, driver.Name)) && int(*driver.Allocatable.Count) < a.volumes+n.attachable(i)
	}
	return slices.ContainsFunc(node.Spec.Drivers, isLimited)
}

// attachable returns how many volumes of the pods on a node a driver may attach.
func (n *Nodes) attachable(i int) (count int) {
	for _, pod := range n.pods(i) {
		for j := range pod.Spec.Volumes {
			if volume := &pod.Spec.Volumes[j]; hasClaim(volume) || isMigratable(volume) {
				count++
			}
		}
	}
	return count
}
