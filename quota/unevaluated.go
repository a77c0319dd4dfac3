package quota

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// UnknownNames returns the names in spec.hard of a quota that no kind of object uses, sorted. The
// quota controller ignores them: they are never in status.used, and limit nothing. Some of them are
// valid names: nvidia.com/gpu without the prefix requests., for example, or limits.hugepages-2Mi.
// Any name with the prefix count/ is assumed to be known, whether or not the cluster has such
// objects. A nil quota has none.
//
// Source: CalculateUsage of k8s.io/apiserver/pkg/quota/v1.
func UnknownNames(quota *corev1.ResourceQuota) []corev1.ResourceName {
	return namesWithout(quota, isObjectResource)
}

// Unevaluated returns the names in spec.hard of a quota that objects of these kinds never use,
// sorted. A decision on the objects does not depend on them. They include the UnknownNames. A nil
// quota has none.
func Unevaluated(quota *corev1.ResourceQuota, objects []Object) []corev1.ResourceName {
	return namesWithout(quota, func(name corev1.ResourceName) bool {
		return slices.ContainsFunc(objects, func(o Object) bool { return o.MatchesResource(name) })
	})
}

// namesWithout returns the names in spec.hard that are not known, sorted.
func namesWithout(quota *corev1.ResourceQuota, known func(corev1.ResourceName) bool) (names []corev1.ResourceName) {
	if quota == nil {
		return nil
	}
	for name := range quota.Spec.Hard {
		if !known(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
