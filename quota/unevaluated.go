package quota

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// Unevaluated returns the names in spec.hard of a quota that objects of these kinds never use,
// sorted. A decision on the objects does not depend on them. Without objects, it returns the names
// that objects of no kind use, which limit nothing: the quota controller ignores them. Some of them are valid names:
// nvidia.com/gpu without the prefix requests., for example, or limits.hugepages-2Mi. Others limit nothing because of
// the scopes of the quota: count/configmaps next to a scope for pods. Any name with the prefix count/ is assumed to be
// known, whether or not the cluster has such objects. A nil quota has none.
//
// Source: MatchingResources of the evaluators of k8s.io/kubernetes/pkg/quota/v1/evaluator/core, and
// CalculateUsage of k8s.io/apiserver/pkg/quota/v1.
func Unevaluated(quota *corev1.ResourceQuota, objects []Object) (names []corev1.ResourceName) {
	if quota == nil {
		return nil
	}
	for name := range quota.Spec.Hard {
		used := slices.ContainsFunc(objects, func(o Object) bool { return o.matchesResource(name) && o.mayBeWithin(quota) })
		if len(objects) == 0 {
			used = isObjectResource(name)
			for scope := range scopes(quota) {
				used = used && isResourceInScope(scope.ScopeName, name)
			}
		}
		if !used {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// mayBeWithin reports whether objects of this kind may be within all scopes of a quota.
func (o *Object) mayBeWithin(quota *corev1.ResourceQuota) bool {
	for scope := range scopes(quota) {
		isOfClaims := scope.ScopeName == corev1.ResourceQuotaScopeVolumeAttributesClass
		if isOfClaims && o.volumeClaim == nil || !isOfClaims && o.pod == nil {
			return false
		}
	}
	return true
}

// isResourceInScope reports whether objects that may be within a scope, which are claims or pods, use a resource.
func isResourceInScope(scope corev1.ResourceQuotaScope, name corev1.ResourceName) bool {
	if scope == corev1.ResourceQuotaScopeVolumeAttributesClass {
		return isVolumeClaimResource(name)
	}
	return isPodResource(name)
}
