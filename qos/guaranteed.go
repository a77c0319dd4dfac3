package qos

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/release"
)

// Unset is a resource for which a part of a pod has neither a request nor a limit above zero.
type Unset struct {
	Ref      computeresources.Ref `json:"ref,omitzero"`       // the container, or the pod for its pod-level resources
	Resource corev1.ResourceName  `json:"resource,omitempty"` // cpu or memory
}

// String returns what to do about it: "container app: set the cpu request and limit to the same
// amount".
func (u Unset) String() string {
	return fmt.Sprintf("%v: set the %s request and limit to the same amount", u.Ref, u.Resource)
}

// GuaranteedChanges returns the changes that make a pod Guaranteed: for each container and
// resource, request and limit have to be equal and above zero. The request is set to the limit, so
// that the container may use as much as before. If there is no limit above zero, the limit is set
// to the request. If neither is above zero, only the author of the pod can choose an amount: such
// resources are returned as unset. Both results are in the order of computeresources.Containers,
// cpu before memory.
//
// Up to 1.36, a resource is not changed if the sums of its requests and of its limits over all containers are
// equal. If spec.resources decides on the class, only pod-level resources have to change. The pod is Guaranteed
// after the changes are applied (computeresources.ApplyChanges) and the unset amounts are chosen.
// Both results are empty if the pod is Guaranteed already, and for a pod without containers or a
// nil spec, which cannot be Guaranteed. Of the gates, those of Class count.
func GuaranteedChanges(
	spec *corev1.PodSpec, kubernetes computeresources.Kubernetes,
) (changes []computeresources.Change, unset []Unset) {
	if Class(spec, kubernetes) == corev1.PodQOSGuaranteed {
		return nil, nil
	}
	for b := range blockers(spec, release.Rules(kubernetes)) {
		change := computeresources.Change{Ref: b.ref, Resource: b.name}
		switch {
		case positive(b.limit):
			change.List, change.From, change.To = computeresources.Requests, quantity.Clone(b.request), quantity.Clone(b.limit)
		case positive(b.request):
			change.List, change.From, change.To = computeresources.Limits, quantity.Clone(b.limit), quantity.Clone(b.request)
		default:
			unset = append(unset, Unset{b.ref, b.name})
			continue
		}
		changes = append(changes, change)
	}
	return changes, unset
}
