package quota

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// UnknownNames returns the names in spec.hard of a quota that no kind of object uses, sorted: those
// that the quota controller ignores, so that status.used never has them, and that limit nothing. Of
// names that are valid, such are nvidia.com/gpu without requests. before it, and
// limits.hugepages-2Mi. Any count/… is taken for known, whether or not the cluster has such
// objects. A nil quota has none.
//
// Source: CalculateUsage of k8s.io/apiserver/pkg/quota/v1.
func UnknownNames(quota *corev1.ResourceQuota) []corev1.ResourceName {
	return namesWithout(quota, isObjectResource)
}

// Unevaluated returns the names in spec.hard of a quota that none of these objects may use, by its
// kind, sorted: a decision about the objects says nothing about them. Those of UnknownNames are
// always among them. A nil quota has none.
func Unevaluated(quota *corev1.ResourceQuota, objects []Object) []corev1.ResourceName {
	return namesWithout(quota, func(name corev1.ResourceName) bool {
		return isObjectResource(name) && slices.ContainsFunc(objects, func(o Object) bool { return o.MatchesResource(name) })
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
