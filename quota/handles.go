package quota

// Handles reports whether quotas apply to the creation of an object. They apply to objects of every
// kind, and never to a subresource (opts.Subresource). Admit admits everything else, and changes
// nothing.
//
// Source: Handles of the evaluators of k8s.io/kubernetes/pkg/quota/v1/evaluator/core and of
// k8s.io/apiserver/pkg/quota/v1/generic.
func Handles(object Object, opts AdmitOptions) bool {
	return !object.none() && opts.Subresource == ""
}

// HandlesUpdate reports whether quotas apply to an update of an object: old is the stored object,
// and object the updated one. They apply to updates of Services, PersistentVolumeClaims and
// ResourceClaims, to the status of PersistentVolumeClaims, and to pods that are resized
// (subresource resize) or that enter or leave the scope Terminating. AdmitUpdate admits everything
// else, and changes nothing.
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
