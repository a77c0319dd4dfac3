package admit

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/quantity"
)

// Objects are sent and stored as text. What is read from it may have another format than amounts that a
// program computed, and the messages of the server have the format of what it read.

// roundTripCopy returns a copy of an object, with amounts as they are read from their text. Other objects
// than pods and PersistentVolumeClaims are copied as they are.
func roundTripCopy(obj APIObject) APIObject {
	own := obj.DeepCopyObject().(APIObject)
	switch own := own.(type) {
	case *corev1.Pod:
		roundTripSpec(&own.Spec)
		for _, statuses := range [][]corev1.ContainerStatus{own.Status.ContainerStatuses, own.Status.InitContainerStatuses} {
			for i := range statuses {
				roundTrip(&statuses[i].AllocatedResources)
				if r := statuses[i].Resources; r != nil {
					roundTrip(&r.Requests, &r.Limits)
				}
			}
		}
	case *corev1.PersistentVolumeClaim:
		roundTripClaim(own)
	}
	return own
}

// roundTrip changes amounts to what is read from their text. Lists without amounts are not written, so
// nil is read.
func roundTrip(lists ...*corev1.ResourceList) {
	for _, list := range lists {
		quantity.RereadAll(*list)
		if len(*list) == 0 {
			*list = nil
		}
	}
}

// roundTripSpec is roundTrip for a pod spec.
func roundTripSpec(spec *corev1.PodSpec) {
	for _, c := range computeresources.Containers(spec) {
		roundTrip(&c.Resources.Requests, &c.Resources.Limits)
	}
	if spec.Resources != nil {
		roundTrip(&spec.Resources.Requests, &spec.Resources.Limits)
	}
	roundTrip(&spec.Overhead)
}

// roundTripClaim is roundTrip for a PersistentVolumeClaim, whose spec the API server rounds.
func roundTripClaim(claim *corev1.PersistentVolumeClaim) {
	roundTrip(&claim.Spec.Resources.Requests, &claim.Spec.Resources.Limits, &claim.Status.AllocatedResources,
		&claim.Status.Capacity)
	quantity.RoundUpAll(claim.Spec.Resources.Requests)
	quantity.RoundUpAll(claim.Spec.Resources.Limits)
}
