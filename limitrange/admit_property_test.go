package limitrange_test

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
)

// Both ways of validation, with integers and with quantities, agree with the reference implementation.
func TestValidateEqualsSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := quantities(t)
		ranges, spec := testkit.LimitRanges(q).Draw(t, "ranges"), testkit.SpecWith(q).Draw(t, "spec")
		var got []string
		for _, v := range limitrange.Compile(ranges, computeresources.Gates{}).Validate(spec) {
			v.Request, v.Limit = plain(v.Request), plain(v.Limit)
			got = append(got, v.Error())
		}
		want := slowViolations(spec, ranges)
		slices.Sort(got)
		slices.Sort(want)
		testkit.NoDiff(t, got, want)
	})
}

// The other cause beside a missing amount is what the server reports once that amount is at the bound.
func TestAlsoIsWhatRemains(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := quantities(t)
		policy := limitrange.Compile(testkit.LimitRanges(q).Draw(t, "ranges"), computeresources.Gates{})
		spec := withContainers(corev1.Container{Name: "app", Resources: corev1.ResourceRequirements{
			Requests: testkit.ResourceList(q).Draw(t, "requests"), Limits: testkit.ResourceList(q).Draw(t, "limits"),
		}})
		for _, v := range policy.Validate(spec) {
			missing := v.Bound == limitrange.Max && v.Cause == limitrange.NoLimit || v.Bound == limitrange.Min && v.Cause == limitrange.NoRequest
			var want limitrange.ViolationCause
			if missing {
				filled := spec.DeepCopy()
				r := &filled.Containers[0].Resources
				if r.Requests == nil {
					r.Requests = corev1.ResourceList{}
				}
				if r.Limits == nil {
					r.Limits = corev1.ResourceList{}
				}
				if v.Bound == limitrange.Max {
					r.Limits[v.Resource] = v.Enforced.DeepCopy()
				} else {
					r.Requests[v.Resource] = v.Enforced.DeepCopy()
				}
				for _, left := range policy.Validate(filled) {
					if left.Type == v.Type && left.Bound == v.Bound && left.Resource == v.Resource && left.Source == v.Source {
						want = left.Cause
					}
				}
			}
			testkit.Equal(t, v.Also, want, &v, "also")
		}
	})
}

// plain formats a quantity like the reference implementation.
func plain(q *resource.Quantity) *resource.Quantity {
	if q == nil {
		return nil
	}
	p := resource.MustParse(testkit.Exact(*q).FloatString(12))
	return &p
}

// A pod passes all ranges exactly when it passes each, and exactly when it passes the one
// LimitRange that is their aggregate.
func TestAggregateRejectsWhatAnyRejects(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := quantities(t)
		ranges, spec := testkit.LimitRanges(q).Draw(t, "ranges"), testkit.SpecWith(q).Draw(t, "spec")
		storage := &corev1.PersistentVolumeClaimSpec{Resources: corev1.VolumeResourceRequirements{Requests: testkit.ResourceList(q).Draw(t, "claim")}}
		each, eachClaim := 0, 0
		for _, lr := range ranges {
			each += len(limitrange.Compile([]*corev1.LimitRange{lr}, computeresources.Gates{}).Validate(spec))
			eachClaim += len(limitrange.Compile([]*corev1.LimitRange{lr}, computeresources.Gates{}).ValidateClaim(storage))
		}
		all := limitrange.Compile(ranges, computeresources.Gates{})
		if got := len(all.Validate(spec)); got != each {
			t.Fatalf("%d violations of all, %d of each", got, each)
		}
		if got := len(all.ValidateClaim(storage)); got != eachClaim {
			t.Fatalf("%d violations by a claim of all, %d of each", got, eachClaim)
		}
		a := limitrange.AggregateOf(ranges)
		one := limitrange.Compile([]*corev1.LimitRange{limitRange("virtual", a.Item(container), a.Item(pod), a.Item(claim))}, computeresources.Gates{})
		if found := one.Validate(spec); (len(found) == 0) != (each == 0) {
			t.Fatalf("the aggregate finds %v, the ranges %v", found, all.Validate(spec))
		}
		if found := one.ValidateClaim(storage); (len(found) == 0) != (eachClaim == 0) {
			t.Fatalf("the aggregate finds %v, the ranges %v", found, all.ValidateClaim(storage))
		}
	})
}

// After applying defaults, there are no further defaults; amounts that were set are unchanged; and
// everything that was set is a default of the named source.
func TestApplyDefaultsIsIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := quantities(t)
		ranges, spec := testkit.LimitRanges(q).Draw(t, "ranges"), testkit.SpecWith(q).Draw(t, "spec")
		policy := limitrange.Compile(ranges, computeresources.Gates{})
		before := spec.DeepCopy()
		set := policy.ApplyDefaults(spec)
		after := spec.DeepCopy()
		testkit.NoDiff(t, policy.ApplyDefaults(spec), nil, "left to apply")
		testkit.Equal(t, testkit.Fingerprint(after), testkit.Fingerprint(spec.DeepCopy()), "applying again changes the pod")
		for _, d := range set {
			list, now := d.List.Of(requirements(before, d.Ref)), d.List.Of(requirements(after, d.Ref))
			if _, stated := list[d.Resource]; stated {
				t.Fatalf("%v was stated", d)
			}
			if got := now[d.Resource]; got.Cmp(*d.To) != 0 {
				t.Fatalf("%v was set to %s", d, got.String())
			}
			now = now.DeepCopy()
			delete(now, d.Resource)
		}
		missing := 0
		for range computeresources.Containers(before) {
			missing++
		}
		if missing == 0 && len(set) > 0 {
			t.Fatalf("%v", set)
		}
		for ref, c := range computeresources.Containers(before) {
			now := requirements(after, ref)
			for name, q := range c.Resources.Requests {
				if got := now.Requests[name]; got.Cmp(q) != 0 {
					t.Fatalf("%v: request %s has changed", ref, name)
				}
			}
			for name, q := range c.Resources.Limits {
				if got := now.Limits[name]; got.Cmp(q) != 0 {
					t.Fatalf("%v: limit %s has changed", ref, name)
				}
			}
		}
	})
}

func requirements(spec *corev1.PodSpec, ref computeresources.Ref) *corev1.ResourceRequirements {
	if ref.Kind == computeresources.App {
		return &spec.Containers[ref.Index].Resources
	}
	return &spec.InitContainers[ref.Index].Resources
}
