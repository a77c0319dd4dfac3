package admit

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
)

// NamespaceMismatch is the refusal of an object that names another namespace than that of the
// request, which is the namespace of the LimitRanges and quotas. They do not apply to it.
type NamespaceMismatch struct {
	Object    string `json:"object"`    // the namespace that the object names
	Namespace string `json:"namespace"` // that of the request
}

// Error returns the message of the API server, which answers 400 BadRequest.
func (m *NamespaceMismatch) Error() string {
	return "the namespace of the provided object does not match the namespace sent on the request"
}

// isForeign reports whether an object names another namespace, and adds the refusal.
//
// Source: EnsureObjectNamespaceMatchesRequestNamespace of k8s.io/apiserver/pkg/registry/rest.
func (d *Decision) isForeign(obj APIObject) bool {
	if d.namespace == nil || d.namespace.name == "" || obj.GetNamespace() == "" || obj.GetNamespace() == d.namespace.name {
		return false
	}
	m := &NamespaceMismatch{Object: obj.GetNamespace(), Namespace: d.namespace.name}
	d.Object = obj.DeepCopyObject().(APIObject)
	d.Refusals = []*Refusal{{
		Path:     "metadata.namespace",
		What:     "the object names namespace " + m.Object + ", but is sent to " + m.Namespace,
		Remedy:   "leave the namespace out, or send the object to its own",
		Mismatch: m,
	}}
	return true
}

// isMismatch reports whether isForeign has refused the object.
func (d *Decision) isMismatch() bool { return len(d.Refusals) > 0 && d.Refusals[0].Mismatch != nil }

// withNamespace sets the namespace of the request if the object has none.
func withNamespace[O APIObject](obj O, ns *Namespace) O {
	if obj.GetNamespace() == "" && ns.name != "" {
		obj.SetNamespace(ns.name)
	}
	return obj
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

// appendForeign adds an error for each object that names another namespace than the others.
func appendForeign(found []*InvalidObject, name string, source computeresources.Source) []*InvalidObject {
	if source.Namespace == "" || source.Namespace == name {
		return found
	}
	source.Field = "metadata.namespace"
	return append(found, &InvalidObject{Source: source, Value: source.Namespace, Detail: "other objects are of namespace " + name})
}
