package quota

// applies reports what Assessment.Applies does.
//
// Source: Handles of the evaluators of k8s.io/kubernetes/pkg/quota/v1/evaluator/core and of
// k8s.io/apiserver/pkg/quota/v1/generic.
func applies(old, object *Object, subresource string) bool {
	if old.none() {
		return !object.none() && subresource == ""
	}
	switch {
	case object.usage != nil:
		return true
	case object.pod != nil:
		return subresource == "resize" || subresource == "" && old.pod != nil &&
			hasDeadline(old.pod) != hasDeadline(object.pod)
	case object.volumeClaim != nil:
		return subresource == "" || subresource == "status"
	case object.service != nil, object.resourceClaim != nil:
		return subresource == ""
	}
	return false
}
