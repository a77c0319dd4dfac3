package limitrange_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
)

// The generators of the property tests break each bound in every way, and reach every kind of
// conflict.
func TestDrawsReachEveryRule(t *testing.T) {
	testkit.Reached(t, 300, func(t *rapid.T) (reached []string) {
		q := quantities(t)
		ranges, spec := testkit.LimitRanges(q).Draw(t, "ranges"), testkit.SpecWith(q).Draw(t, "spec")
		claim := &corev1.PersistentVolumeClaimSpec{Resources: corev1.VolumeResourceRequirements{Requests: testkit.ResourceList(q).Draw(t, "claim")}}
		policy := limitrange.Compile(ranges, computeresources.Gates{})
		admission := admit(policy, spec)
		for _, v := range append(policy.ValidateClaim(claim), admission.Violations...) {
			reached = append(reached, string(v.Type)+" "+v.Bound.String()+": "+string(v.Cause))
		}
		for _, v := range policy.Validate(spec) {
			if v.Also != "" {
				reached = append(reached, string(v.Type)+" "+v.Bound.String()+": "+string(v.Cause)+", "+string(v.Also))
			}
		}
		for _, c := range limitrange.AggregateOf(ranges).Conflicts() {
			reached = append(reached, "conflict: "+string(c.Cause))
		}
		for _, d := range admission.Defaults {
			reached = append(reached, "default of "+d.List.String())
		}
		for _, i := range admission.Invalid {
			reached = append(reached, "invalid: "+string(i.Cause))
		}
		if len(admission.Invalid)+len(admission.Violations) == 0 {
			reached = append(reached, "admitted")
		}
		return reached
	},
		"Container min: no request", "Container min: request out of bounds", "Container min: limit out of bounds",
		"Container max: no limit", "Container max: request out of bounds", "Container max: limit out of bounds",
		"Container maxLimitRequestRatio: no request", "Container maxLimitRequestRatio: no limit", "Container maxLimitRequestRatio: ratio of limit to request too high",
		"Pod min: no request", "Pod min: request out of bounds", "Pod min: limit out of bounds",
		"Pod max: no limit", "Pod max: request out of bounds", "Pod max: limit out of bounds",
		"Pod maxLimitRequestRatio: no request", "Pod maxLimitRequestRatio: no limit", "Pod maxLimitRequestRatio: ratio of limit to request too high",
		"PersistentVolumeClaim min: no request", "PersistentVolumeClaim min: request out of bounds",
		"PersistentVolumeClaim max: no request", "PersistentVolumeClaim max: request out of bounds",
		"Container min: no request, limit out of bounds", "Container max: no limit, request out of bounds",
		"Pod min: no request, limit out of bounds", "Pod max: no limit, request out of bounds",
		"conflict: min is above max", "conflict: max is below zero", "conflict: the default is out of bounds",
		"conflict: the default request is above the default limit", "conflict: the defaults exceed the ratio",
		"conflict: no request and limit within the bounds meet the ratio",
		"default of request", "default of limit", "admitted",
	)
}
