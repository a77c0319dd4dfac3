package qos

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/quantity"
)

// Unset is a resource of which a part of a pod neither requests nor limits more than zero.
type Unset struct {
	Ref      computeresources.Ref // the container, or the pod for its pod-level resources
	Resource corev1.ResourceName  // cpu or memory
}

// String returns what to do about it: "container app: choose an amount of cpu, for request and
// limit".
func (u Unset) String() string {
	return fmt.Sprintf("%v: choose an amount of %s, for request and limit", u.Ref, u.Resource)
}

// GuaranteedChanges returns what has to change to make a pod Guaranteed: for each container and
// resource whose request and limit are not the same amount above zero, the change that makes
// them so. The request becomes the limit, so that the container keeps what it may use; the
// limit becomes the request where there is no limit above zero. Where neither is above zero,
// any amount will do, and only the author knows which: those are returned as unset. Both come
// in the order of computeresources.Containers, cpu before memory.
//
// A resource whose requests and limits add up to the same over all containers is left alone.
// If spec.resources is set, only that has to change. Once the changes are applied
// (computeresources.ApplyChanges) and amounts are chosen for what is unset, the pod is
// Guaranteed. Nothing is returned if it is already, and for a pod without containers or a nil
// spec, which cannot be.
func GuaranteedChanges(spec *corev1.PodSpec, opts Options) (changes []computeresources.Change, unset []Unset) {
	spec = opts.counted(spec)
	if Class(spec, Options{}) == corev1.PodQOSGuaranteed {
		return nil, nil
	}
	for b := range blockers(spec) {
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
