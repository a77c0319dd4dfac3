package quota

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
)

// Matches reports whether a quota concerns an object: it names a resource that objects of
// this kind are charged for, the object is within all of its scopes, and not known to be
// in another namespace. What a quota names is what its status says, or its spec as long as
// it has no status.
//
// A selector that is none is an error, unless the object is out of the question anyway.
// A nil quota concerns nothing.
//
// Source: generic.Matches of k8s.io/apiserver/pkg/quota/v1/generic.
func (o Object) Matches(quota *corev1.ResourceQuota) (bool, error) {
	if quota == nil || o.outside(quota) || !o.anyCharged(hardOf(quota)) {
		return false, nil
	}
	within, err := o.within(quota)
	return len(within) == len(quota.Spec.Scopes)+selectorLen(quota) && err == nil, err
}

// hardOf returns the limits of a quota that are in force: those that its status repeats, or
// those of the spec of a quota without a status.
func hardOf(quota *corev1.ResourceQuota) corev1.ResourceList {
	if len(quota.Status.Hard) > 0 {
		return quota.Status.Hard
	}
	return quota.Spec.Hard
}

func (o *Object) anyCharged(names corev1.ResourceList) bool {
	for name := range names {
		if o.Charges(name) {
			return true
		}
	}
	return false
}

// within returns those scopes of a quota that an object is in.
func (o *Object) within(quota *corev1.ResourceQuota) ([]corev1.ScopedResourceSelectorRequirement, error) {
	return o.inScopes(Scopes(quota))
}

func (o *Object) inScopes(scopes []corev1.ScopedResourceSelectorRequirement) ([]corev1.ScopedResourceSelectorRequirement, error) {
	var within []corev1.ScopedResourceSelectorRequirement
	for _, scope := range scopes {
		in, err := o.InScope(scope)
		if err != nil {
			return nil, fmt.Errorf("error on matching scope %v: %w", scope, err)
		}
		if in {
			within = append(within, scope)
		}
	}
	return within, nil
}

func selectorLen(quota *corev1.ResourceQuota) int {
	if quota.Spec.ScopeSelector == nil {
		return 0
	}
	return len(quota.Spec.ScopeSelector.MatchExpressions)
}
