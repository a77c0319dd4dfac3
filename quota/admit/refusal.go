package admit

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota"
)

// Refusal is one reason why an object is not admitted, in words for its author: a *Refusal is an error
// with What and the Remedy. Message is the message of the API server.
type Refusal struct {
	// Ref is the container, or the pod for pod-level resources and sums. It is zero if the refusal
	// concerns the whole object, as for quotas and claims.
	Ref computeresources.Ref `json:"ref,omitzero"`
	// Resource is the resource. It is empty if there are several.
	Resource corev1.ResourceName `json:"resource,omitempty"`
	// Path is the field of the object that has to change, such as
	// spec.template.spec.containers[0].resources.limits[cpu] of a Deployment.
	Path string `json:"path"`
	// Source is the LimitRange or ResourceQuota that refuses the object, with the field in it, or
	// the LimitRange whose default makes the object invalid. It is zero if what the object itself
	// sets is invalid.
	Source computeresources.Source `json:"source,omitzero"`
	// What is wrong, and the Remedy: one sentence each, without a full stop.
	What   string `json:"what"`
	Remedy string `json:"remedy,omitempty"`
	// Defaults are the defaults of LimitRanges that contribute to the problem. The author of the
	// object did not write them.
	Defaults []computeresources.Change `json:"defaults,omitempty"`

	// Exactly one of these is set, and has the message of the API server: a subresource that the object does not have,
	// another namespace than that of the request, a validation error, a violated bound of a LimitRange, what the node
	// of a resized pod does not support, what a quota lacks, or what another admission plugin forbids.

	Subresource string                          `json:"subresource,omitempty"`
	BadRequest  *computeresources.FieldError    `json:"badRequest,omitempty"` // the message is its Detail
	Invalid     *computeresources.FieldError    `json:"invalid,omitempty"`    // see Amount and Resize
	Violation   *limitrange.Violation           `json:"violation,omitempty"`
	Node        *computeresources.ResizeProblem `json:"node,omitempty"`
	Failure     *quota.Failure                  `json:"failure,omitempty"`
	Forbidden   string                          `json:"forbidden,omitempty"`

	// Amount and Resize have the cause if the resources of a pod or a resize are Invalid. Otherwise
	// they are nil.

	Amount *computeresources.InvalidResource `json:"amount,omitempty"`
	Resize *computeresources.ResizeProblem   `json:"resize,omitempty"`
}

// Error returns the refusal in words: "container app: request cpu 50m is below the minimum 100m
// of LimitRange shop/bounds: raise the request".
func (r *Refusal) Error() string {
	if r == nil {
		return "<nil>"
	}
	if r.Remedy == "" {
		return r.What
	}
	return r.What + ": " + r.Remedy
}

// Message returns the message of the API server for this refusal, without the prefix with the name
// of the object that Decision.Err adds. It is empty for a zero Refusal.
func (r *Refusal) Message() string {
	switch {
	case r == nil:
		return ""
	case r.Subresource != "":
		return "the server could not find the requested resource"
	case r.BadRequest != nil:
		return r.BadRequest.Detail
	case r.Invalid != nil:
		return r.Invalid.Field(nil).Error()
	case r.Violation != nil:
		return r.Violation.Error()
	case r.Node != nil:
		return r.Node.Error()
	case r.Failure != nil:
		return r.Failure.Error()
	}
	return r.Forbidden
}

// Field returns the refusal as an error at its Path, or at path if that is not nil. The detail is
// what Error returns.
func (r *Refusal) Field(path *field.Path) *field.Error {
	if r == nil {
		return nil
	}
	err := &field.Error{Type: field.ErrorTypeForbidden, Field: r.Path, BadValue: "", Detail: r.Error()}
	switch {
	case r.BadRequest != nil:
		err.Type, err.BadValue = r.BadRequest.Type, r.BadRequest.Field(nil).BadValue
	case r.Invalid != nil:
		err.Type, err.BadValue = r.Invalid.Type, r.Invalid.Field(nil).BadValue
	case r.Violation != nil:
		of := r.Violation.Field(nil)
		err.Type, err.BadValue = of.Type, of.BadValue
	}
	if path != nil {
		err.Field = path.String()
	}
	return err
}
