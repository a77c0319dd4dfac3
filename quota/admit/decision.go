package admit

import (
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/quota"
)

// Decision is what becomes of an object in a namespace. It owns all it holds.
type Decision struct {
	// Object is the object as clients read it once it is stored: with all defaults, and of a pod
	// with the annotation of the LimitRanger and the class in its status. If the object is not
	// admitted, it is the one that was refused. It is nil if there was no object.
	Object APIObject

	// Changes are the amounts that were set, in the order of the server: first requests that
	// follow from limits, whose Source is zero, then the defaults of LimitRanges. A pod whose
	// pod-level amounts follow from such defaults has those last.
	Changes []computeresources.Change

	// Refusals are why the object is not admitted, in the order of the server: what is invalid,
	// then the bounds of LimitRanges that are broken, then the node of a resized pod, then quotas.
	// It is empty if it is admitted.
	Refusals Refusals

	// Pods is what becomes of the pods of a workload, and nil for any other object.
	Pods *Pods

	subject   subject
	place     place
	namespace *Namespace
	quotas    quota.Assessment
}

// Admitted reports whether the object is stored. Of a workload, its pods may be refused all the
// same: see Pods.
func (d Decision) Admitted() bool { return len(d.Refusals) == 0 }

// After returns the namespace with the object in it: what it uses is added to the status of the
// quotas. If the object is not admitted, they are as they were. Pods of a workload are not added:
// their own Decision does.
//
// The namespace does not change if d.Object does.
func (d Decision) After() *Namespace {
	if d.namespace == nil || !d.Admitted() {
		return d.namespace
	}
	after := d.quotas.After(d.namespace.quotas)
	if after == nil {
		return d.namespace
	}
	return &Namespace{name: d.namespace.name, policy: d.namespace.policy, quotas: after, opts: d.namespace.opts}
}
