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
		used := slices.ContainsFunc(objects, func(o Object) bool { return o.matchesResource(name) })
		if len(objects) == 0 {
			used = isObjectResource(name)
		}
		for scope := range scopes(quota) { // only pods or claims are in it
			inScope := isPodResource
			if scope.ScopeName == corev1.ResourceQuotaScopeVolumeAttributesClass {
				inScope = isVolumeClaimResource
			}
			used = used && inScope(name)
		}
		if !used {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
