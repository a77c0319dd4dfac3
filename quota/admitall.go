package quota

import corev1 "k8s.io/api/core/v1"

// AdmitAll decides whether quotas admit the creation of objects, one after the other, and returns what Admit
// decides on each, and copies of the quotas with the usage of all that are admitted. Objects that are not
// admitted do not count for those after them: their Failures are those in the quotas at their turn. So it
// admits as many of equal objects as fit, and a smaller object may be admitted after a larger one is not.
// The quotas after it are in their order, as those of Assessment.After.
//
// It only looks at quotas. Namespace.Create of package admit also applies defaults and LimitRanges.
//
// Cost: that of Admit for each object, and one copy of the quotas.
func AdmitAll(objects []Object, quotas []*corev1.ResourceQuota, opts AdmitOptions) (decisions []Assessment, after []*corev1.ResourceQuota) {
	after = copies(quotas)
	decisions = make([]Assessment, len(objects))
	for i := range objects {
		decisions[i] = Admit(Object{}, objects[i], after, opts)
		if len(decisions[i].Failures) == 0 {
			decisions[i].addTo(after)
		}
	}
	return decisions, after
}
