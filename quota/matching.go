package quota

import (
	"fmt"
	"iter"

	corev1 "k8s.io/api/core/v1"
)

// Matches reports whether a quota counts an object: the quota has a resource that objects of this
// kind may use, the object is within all scopes of the quota, and it is not known to be in another
// namespace. The resources of a quota are those of its status, or of its spec if it has no status.
//
// An invalid selector is an error, unless the quota does not count the object for another reason:
// it has no resource that objects of this kind may use, or it is in another namespace. A nil quota
// counts nothing.
//
// Source: generic.Matches of k8s.io/apiserver/pkg/quota/v1/generic.
func (o Object) Matches(quota *corev1.ResourceQuota) (bool, error) {
	if quota == nil {
		return false, nil
	}
	m := o.match(quota)
	if !m.named {
		return false, nil
	}
	return m.inAll, m.err
}

// match is how a quota applies to an object, before any amounts are compared. The quota counts the object if named
// and inAll are set. It is the zero value for a quota in another namespace.
type match struct {
	// hard are the limits in force: those of the status, or those of the spec of a quota
	// without a status.
	hard corev1.ResourceList
	// named reports whether hard has a resource that objects of this kind may use.
	named bool

	// within are the scopes of the quota that the object is within. inAll reports whether these are
	// all scopes of the quota.
	within []corev1.ResourceQuotaScope
	inAll  bool
	// err is the error of the first invalid scope. There are no scopes then.
	err error
}

// match returns how a quota applies to the object. It allocates only for the names of scopes.
func (o *Object) match(quota *corev1.ResourceQuota) match {
	if o.meta != nil && o.meta.GetNamespace() != "" && quota.Namespace != "" && o.meta.GetNamespace() != quota.Namespace {
		return match{}
	}
	m := match{hard: inForce(quota), inAll: true}
	for range o.matching(m.hard) {
		m.named = true
		break
	}
	for scope := range scopes(quota) {
		in, err := o.matchScope(scope)
		if err != nil {
			m.within, m.inAll, m.err = nil, false, err
			break
		}
		if in {
			m.within = append(m.within, scope.ScopeName)
		}
		m.inAll = m.inAll && in
	}
	return m
}

// inForce returns the limits of a quota that count.
func inForce(quota *corev1.ResourceQuota) corev1.ResourceList {
	if len(quota.Status.Hard) == 0 {
		return quota.Spec.Hard
	}
	return quota.Status.Hard
}

// matching yields the names of limits that objects of this kind may use, in any order.
func (o *Object) matching(hard corev1.ResourceList) iter.Seq[corev1.ResourceName] {
	return func(yield func(corev1.ResourceName) bool) {
		for name := range hard {
			if o.matchesResource(name) && !yield(name) {
				return
			}
		}
	}
}

// matchScope is inScope with an error that quotes the scope, as the API server does.
func (o *Object) matchScope(scope corev1.ScopedResourceSelectorRequirement) (bool, error) {
	in, err := o.inScope(scope)
	if err != nil {
		return false, fmt.Errorf("error on matching scope %v: %w", scope, err)
	}
	return in, nil
}
