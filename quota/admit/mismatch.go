package admit

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
)

// isForeign reports whether an object names another namespace, and adds the refusal.
//
// Source: EnsureObjectNamespaceMatchesRequestNamespace of k8s.io/apiserver/pkg/registry/rest.
func (d *decision) isForeign(obj APIObject) bool {
	if d.namespace.name == "" || obj.GetNamespace() == "" || obj.GetNamespace() == d.namespace.name {
		return false
	}
	mismatch := field.Invalid(field.NewPath("metadata", "namespace"), obj.GetNamespace(),
		"the namespace of the provided object does not match the namespace sent on the request")
	d.Object = obj.DeepCopyObject().(APIObject)
	d.Refusals = []*Refusal{{
		Path:       mismatch.Field,
		What:       "the object names namespace " + obj.GetNamespace() + ", but is sent to " + d.namespace.name,
		Remedy:     "leave the namespace out, or send the object to its own",
		BadRequest: computeresources.FieldErrorOf(mismatch),
	}}
	return true
}

// nameOf returns the namespace of the LimitRanges and quotas: the first one that any of them names,
// or an empty string.
func nameOf(ranges []*corev1.LimitRange, quotas []*corev1.ResourceQuota) string {
	for _, lr := range ranges {
		if lr.Namespace != "" {
			return lr.Namespace
		}
	}
	for _, q := range quotas {
		if q.Namespace != "" {
			return q.Namespace
		}
	}
	return ""
}
