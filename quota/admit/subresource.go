package admit

import (
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// isUnserved reports whether a request is for a subresource, which the object does not have, and adds the refusal.
func (d *decision) isUnserved(obj APIObject, subresource string) bool {
	if subresource == "" {
		return false
	}
	d.Object = obj.DeepCopyObject().(APIObject)
	d.Refusals = []*Refusal{{
		What:   "no " + d.Subject.Kind.Kind + " has the subresource " + subresource,
		Remedy: "update the object itself, or the subresource resize of a pod", Subresource: subresource,
	}}
	return true
}

const notFound = 404

// unserved returns the answer to a path that the API server does not serve, as clients read it.
func (s Subject) unserved(message string) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: notFound, Reason: metav1.StatusReasonNotFound, Message: message,
		Details: &metav1.StatusDetails{Group: s.Resource.Group, Kind: s.Resource.Resource, Name: s.Name},
	}}
}
