package admit

import (
	"encoding/json"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/quota"
)

// Decision is the answer of the API server to a request for an object in a namespace. It is plain data, and owns its
// memory.
type Decision struct {
	// Subject is how messages refer to the object. It is zero if there was no object.
	Subject Subject `json:"subject,omitzero"`

	// Object is the object as clients read it after it is stored: with all defaults and, for a pod,
	// with the LimitRanger's annotation and the QoS class in its status. If the object is not
	// admitted, it is the object that was refused. It is nil if there was no object.
	//
	// An object that is read from JSON has its type of k8s.io/api if the package documentation names its kind, and is
	// an *unstructured.Unstructured otherwise.
	Object APIObject `json:"object,omitempty"`

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
	// quotas. They are empty if the object is admitted. They, and the error of Refusals.Err, are
	// for the author of the object. The client of the server gets the error of Decision.Err.
	Refusals computeresources.Problems[*Refusal] `json:"refusals,omitempty"`

	// Unenforced are limits of quotas that the API server ignores, because the quota controller has
	// not copied them into the status yet: see quota.Assessment. The answer may be another one once
	// it has. They are no refusals.
	Unenforced computeresources.Problems[*quota.Failure] `json:"unenforced,omitempty"`

	// Increases are what the object adds to the usage of quotas. They are empty if quotas do not admit it.
	Increases []quota.Increase `json:"increases,omitempty"`

	// Pods is the decision on the pods of a workload. It is nil for all other objects.
	Pods *Pods `json:"pods,omitempty"`

	// Order is the order of LimitRanges and quotas in which the server makes this decision: the zero
	// value, unless the decision is one of Namespace.Possible.
	Order Order `json:"order,omitzero"`
}

// Admitted reports whether the object is stored. The pods of a stored workload may still be
// refused: see Pods.
func (d Decision) Admitted() bool { return len(d.Refusals) == 0 }

// UnmarshalJSON reads a decision that was marshaled: see Object.
func (d *Decision) UnmarshalJSON(text []byte) error {
	type plain Decision
	read := struct {
		*plain
		Object json.RawMessage `json:"object"`
	}{plain: (*plain)(d)}
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	var err error
	d.Object, err = readObject(read.Object, d.Subject.Kind)
	return err
}

// After returns the namespace with the object of a decision of this namespace in it: its usage is added to the status
// of the quotas. If the object is not admitted, nothing is added. The pods of a workload are not added: they are
// requests of their own.
func (n *Namespace) After(d Decision) *Namespace {
	if !d.Admitted() {
		return n
	}
	return n.with(d.Increases, 1)
}

// with returns the namespace with n objects that increase the usage of quotas.
func (n *Namespace) with(increases []quota.Increase, objects int64) *Namespace {
	if n == nil || len(increases) == 0 {
		return n
	}
	own := *n
	own.quotas = quota.Assessment{Increases: increases}.After(n.quotas, objects)
	return &own
}

// decision is a decision in progress.
type decision struct {
	Decision
	namespace *Namespace // not nil
	place     place      // of the paths in refusals
}

// newDecision returns a decision on an object that may be missing.
func (n *Namespace) newDecision(in place) decision {
	if n == nil {
		n = &Namespace{}
	}
	return decision{Decision: Decision{Order: Order{Defaults: n.order}}, namespace: n, place: in}
}

// isUnread reports whether the object is refused for where it is sent to, before it is read.
func (d *decision) isUnread() bool {
	return len(d.Refusals) > 0 && (d.Refusals[0].BadRequest != nil || d.Refusals[0].Subresource != "")
}
