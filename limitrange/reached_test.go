package limitrange_test

import (
	"fmt"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
)

// The enumerations. The tests of the architecture compare each list with the constants of its type.
var (
	bounds = []limitrange.Bound{
		limitrange.Min, limitrange.Max, limitrange.Ratio, limitrange.DefaultLimit, limitrange.DefaultRequest,
		limitrange.Remaining, limitrange.Overhead, limitrange.Request, limitrange.Limit,
	}
	violationCauses = []limitrange.ViolationCause{limitrange.NoRequest, limitrange.NoLimit, limitrange.RequestOut, limitrange.LimitOut, limitrange.RatioOut}
	conflictCauses  = []limitrange.ConflictCause{
		limitrange.MinAboveMax, limitrange.MaxBelowZero, limitrange.RatioUnreachable,
		limitrange.DefaultOutOfBounds, limitrange.DefaultsReversed, limitrange.DefaultsExceedRatio,
		// Those of a container or of a whole pod come from packages steps and solver.
		limitrange.LimitBelowMin, limitrange.LimitAboveMax, limitrange.RequestAboveLimit, limitrange.Unsatisfiable, limitrange.LimitNotSet,
	}
)

// rulesOfBounds returns each cause for which a type of object breaks a bound, with what it may also break.
func rulesOfBounds() (rules []string) {
	of := map[limitrange.Bound][]limitrange.ViolationCause{
		limitrange.Min: {limitrange.NoRequest, limitrange.RequestOut, limitrange.LimitOut}, limitrange.Max: {limitrange.NoLimit, limitrange.RequestOut, limitrange.LimitOut},
		limitrange.Ratio: {limitrange.NoRequest, limitrange.NoLimit, limitrange.RatioOut},
	}
	for _, bound := range bounds[:3] {
		for _, of := range of[bound] {
			rules = append(rules, fmt.Sprintf("Container %v: %s", bound, of), fmt.Sprintf("Pod %v: %s", bound, of))
		}
	}
	for _, bound := range bounds[:2] {
		rules = append(rules, fmt.Sprintf("PersistentVolumeClaim %v: no request", bound), fmt.Sprintf("PersistentVolumeClaim %v: request out of bounds", bound))
	}
	return append(rules, "Container min: no request, limit out of bounds", "Container max: no limit, request out of bounds",
		"Pod min: no request, limit out of bounds", "Pod max: no limit, request out of bounds")
}

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
			reached = append(reached, string(v.Type)+" "+v.Bound.String()+": "+string(v.Cause), "cause: "+string(v.Cause))
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
	}, slices.Concat(rulesOfBounds(), testkit.Each("cause: ", violationCauses), testkit.Each("conflict: ", conflictCauses[:6]),
		[]string{"default of request", "default of limit", "admitted"})...)
}
