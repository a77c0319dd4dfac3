package admit

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/quantity"
)

// Objects are sent and stored as text. What is read from it may have another format than amounts that a
// program computed, and the messages of the server have the format of what it read.

// rereadCopy returns a copy of an object, with amounts as they are read from their text. Other objects
// than pods and PersistentVolumeClaims are copied as they are.
func rereadCopy(obj APIObject) APIObject {
	own := obj.DeepCopyObject().(APIObject)
	switch own := own.(type) {
	case *corev1.Pod:
		rereadSpec(&own.Spec)
		for _, statuses := range [][]corev1.ContainerStatus{own.Status.ContainerStatuses, own.Status.InitContainerStatuses} {
			for i := range statuses {
				reread(statuses[i].AllocatedResources)
				if r := statuses[i].Resources; r != nil {
					reread(r.Requests, r.Limits)
				}
			}
		}
	case *corev1.PersistentVolumeClaim:
		rereadClaim(own)
	}
	return own
}

// reread changes amounts to what is read from their text.
func reread(lists ...corev1.ResourceList) {
	for _, list := range lists {
		quantity.RereadAll(list)
	}
}

// rereadSpec is reread for a pod spec.
func rereadSpec(spec *corev1.PodSpec) {
	for _, c := range computeresources.Containers(spec) {
		reread(c.Resources.Requests, c.Resources.Limits)
	}
	if spec.Resources != nil {
		reread(spec.Resources.Requests, spec.Resources.Limits)
	}
	reread(spec.Overhead)
}

// rereadClaim is reread for a PersistentVolumeClaim.
func rereadClaim(claim *corev1.PersistentVolumeClaim) {
	reread(claim.Spec.Resources.Requests, claim.Spec.Resources.Limits, claim.Status.AllocatedResources, claim.Status.Capacity)
}
