package admit

import (
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/quota"
)

// Decision is the answer of the API server to a request for an object in a namespace. It owns its
// memory.
type Decision struct {
	// Object is the object as clients read it after it is stored: with all defaults and, for a pod,
	// with the LimitRanger's annotation and the QoS class in its status. If the object is not
	// admitted, it is the object that was refused. It is nil if there was no object.
	Object APIObject

	// Changes are the amounts that were set, in the order of the server: first requests that follow
	// from limits, whose Source is zero, then the defaults of LimitRanges, and last pod-level
	// amounts that follow from those.
	Changes []computeresources.Change `json:"changes,omitempty"`

	// Classes are the classes from which something was set that the object does not name: the default
	// PriorityClass, the RuntimeClass of overhead, and the default StorageClass. Field is the field of the class.
	Classes []computeresources.Source `json:"classes,omitempty"`

	// Unknown are the classes that the object depends on and that are not in the Options, such as PriorityClass "high".
	// The decision is as if they set and refused nothing.
	Unknown []string `json:"unknown,omitempty"`

	// Refusals are the reasons why the object is not admitted, in the order of the server: classes, then
	// validation errors, then violated bounds of LimitRanges, then the node of a resized pod, then
	// quotas. They are empty if the object is admitted. They are words for its author, and so is the
	// error that Refusals.Err returns; the error that the client of the server gets is Decision.Err.
	Refusals computeresources.Problems[*Refusal] `json:"refusals,omitempty"`

	// Unenforced are limits of quotas that the API server ignores, because the quota controller has
	// not copied them into the status yet: see quota.Assessment. The answer may be another one once
	// it has. They are no refusals.
	Unenforced computeresources.Problems[*quota.Failure] `json:"unenforced,omitempty"`

	// Pods is the decision on the pods of a workload. It is nil for all other objects.
	Pods *Pods `json:"pods,omitempty"`

	// Order is the order of LimitRanges and quotas in which the server makes this decision: the zero
	// value, unless the decision is one of Possible.
	Order Order `json:"order,omitzero"`

	subject   subject
	place     place
	namespace *Namespace
	quotas    quota.Assessment
	resized   *resized // of a Resize
}

// Admitted reports whether the object is stored. The pods of a stored workload may still be
// refused: see Pods.
func (d Decision) Admitted() bool { return len(d.Refusals) == 0 }

// After returns the namespace with the object in it: its usage is added to the status of the
// quotas. If the object is not admitted, nothing is added. The pods of a workload are not added:
// use their own Decision.
//
// Later changes of d.Object do not affect the namespace.
func (d Decision) After() *Namespace {
	if d.namespace == nil || !d.Admitted() {
		return d.namespace
	}
	after := d.quotas.After(d.namespace.quotas, 1)
	if after == nil {
		return d.namespace
	}
	own := *d.namespace
	own.quotas = after
	return &own
}
