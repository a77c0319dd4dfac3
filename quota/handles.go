package quota

// Handles reports whether quotas look at the creation of an object, or of the part of it that
// opts.Subresource names: at objects of every kind, and at no part of them. Admit admits whatever
// they do not look at, and changes nothing.
//
// Source: Handles of the evaluators of k8s.io/kubernetes/pkg/quota/v1/evaluator/core and of
// k8s.io/apiserver/pkg/quota/v1/generic.
func Handles(object Object, opts AdmitOptions) bool {
	return !object.none() && opts.Subresource == ""
}

// HandlesUpdate reports whether quotas look at an update of an object: old is the object as it is
// stored, object as it is to be. They look at updates of services, PersistentVolumeClaims and
// ResourceClaims, at the status of PersistentVolumeClaims, at pods if they are resized (subresource
// resize), or if they become, or cease to be, Terminating, and at nothing else. AdmitUpdate admits
// whatever they do not look at, and changes nothing.
//
// Source: that of Handles.
func HandlesUpdate(old, object Object, opts AdmitOptions) bool {
	switch {
	case object.pod != nil:
		return opts.Subresource == "resize" || opts.Subresource == "" && old.pod != nil && hasDeadline(old.pod) != hasDeadline(object.pod)
	case object.volumeClaim != nil:
		return opts.Subresource == "" || opts.Subresource == "status"
	case object.service != nil, object.resourceClaim != nil:
		return opts.Subresource == ""
	}
	return false
}
