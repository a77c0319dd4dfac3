package limitrange_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
)

// quantities are of the whole range, or of manifests, where bounds are often met.
func quantities(t *rapid.T) *rapid.Generator[resource.Quantity] {
	if rapid.IntRange(0, 2).Draw(t, "whole range") == 0 {
		return testkit.Quantity()
	}
	return testkit.Ordinary()
}

func TestContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := quantities(t)
		ranges, spec := testkit.LimitRanges(q).Draw(t, "ranges"), testkit.SpecWith(q).Draw(t, "spec")
		testkit.Few(spec)
		claimed := &corev1.PersistentVolumeClaimSpec{Resources: corev1.VolumeResourceRequirements{Requests: testkit.ResourceList(q).Draw(t, "claim")}}
		testkit.Contract(t, func() any {
			own := limitrange.AggregateOf(ranges)
			all := []any{limitrange.Compile(ranges, computeresources.Kubernetes{}), own, limitrange.Ambiguities(ranges, nil), limitrange.Ambiguities(ranges, spec)}
			for _, lr := range ranges {
				all = append(all, limitrange.ValidateObject(lr))
				if lr != nil {
					for _, item := range lr.Spec.Limits {
						stored := limitrange.WithDefaults(item)
						all = append(all, &stored)
					}
				}
			}
			return all
		}, ranges)
		a, policy := limitrange.AggregateOf(ranges), limitrange.Compile(ranges, computeresources.Kubernetes{})
		admission, conflicts, ambiguities := admit(policy, spec), limitrange.Conflicts(ranges), limitrange.Ambiguities(ranges, nil)
		testkit.Contract(t, func() any {
			item, own := a.Item(container), spec.DeepCopy()
			all := []any{
				limitrange.Conflicts(ranges), &item, policy.Validate(nil, spec), policy.ValidateClaim(nil, claimed), policy.ApplyDefaults(own), own,
				limitrange.Compile(ranges, computeresources.Kubernetes{}).Validate(nil, spec),
			}
			for _, bound := range bounds {
				v, _ := a.Value(container, "cpu", bound)
				all = append(all, []limitrange.BoundValue{v})
			}
			return all
		}, ranges, a, policy, spec, claimed)
		testkit.Contract(t, func() any {
			all := []any{limitrange.Annotation(admission.Defaults), fmt.Sprint(conflicts.Err(), admission.Violations.Err(), admission.Defaults), conflicts.ErrorList(nil)}
			for _, ambiguity := range ambiguities {
				all = append(all, ambiguity.String())
			}
			for _, v := range a.Values {
				all = append(all, v.String())
			}
			for _, c := range conflicts {
				all = append(all, c.Error(), c.Field(nil))
			}
			for _, v := range admission.Violations {
				all = append(all, v.Error(), v.Field(nil))
			}
			return all
		}, a, &admission, conflicts, ambiguities)
	})
}

// An aggregate does not depend on the order of the ranges, nor on how often each is given, nor on whether
// they are aggregated one by one. This includes sources and formats.
func TestAggregatesAreASemilattice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := quantities(t)
		xs, ys := testkit.LimitRanges(q).Draw(t, "x"), testkit.LimitRanges(q).Draw(t, "y")
		want := written(slices.Concat(xs, ys))
		for law, ranges := range map[string][]*corev1.LimitRange{
			"order": slices.Concat(ys, xs), "repeated": slices.Concat(xs, ys, xs), "none": slices.Concat(nil, xs, []*corev1.LimitRange{nil}, ys),
		} {
			testkit.NoDiff(t, written(ranges), want, law)
		}
	})
}

// written are the formatted values and conflicts of LimitRanges, with sources: 1 and 1000m have different
// representations, but are formatted equally.
func written(ranges []*corev1.LimitRange) (all []string) {
	for _, v := range limitrange.AggregateOf(ranges).Values {
		all = append(all, fmt.Sprintf("%v, %s, %s", v, v.Source.Field, v.Amount.Format))
	}
	for _, c := range limitrange.Conflicts(ranges) {
		all = append(all, c.Error())
	}
	return all
}

// The value of each bound is the extreme of all values that are set.
func TestAggregateEqualsSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ranges := testkit.LimitRanges(quantities(t)).Draw(t, "ranges")
		type key struct {
			limitType corev1.LimitType
			name      corev1.ResourceName
			bound     limitrange.Bound
		}
		want := map[key]resource.Quantity{}
		note := func(k key, list corev1.ResourceList) {
			for name, q := range list.DeepCopy() {
				k.name = name
				known, stated := want[k]
				greater := testkit.Exact(q).Cmp(testkit.Exact(known.DeepCopy())) > 0
				if !stated || greater == (k.bound == limitrange.Min) {
					want[k] = q
				}
			}
		}
		for _, lr := range ranges {
			if lr == nil {
				continue
			}
			for _, item := range lr.Spec.Limits {
				note(key{item.Type, "", limitrange.Min}, item.Min)
				note(key{item.Type, "", limitrange.Max}, item.Max)
				note(key{item.Type, "", limitrange.Ratio}, item.MaxLimitRequestRatio)
				note(key{item.Type, "", limitrange.DefaultLimit}, item.Default)
				note(key{item.Type, "", limitrange.DefaultRequest}, item.DefaultRequest)
			}
		}
		a := limitrange.AggregateOf(ranges)
		testkit.Equal(t, len(a.Values), len(want))
		for k, q := range want {
			v, stated := asSet(a, k.limitType, k.name, k.bound)
			if !stated || testkit.Exact(v.Amount).Cmp(testkit.Exact(q)) != 0 {
				t.Fatalf("%+v: %v, want %s", k, v, q.String())
			}
		}
	})
}

// WithDefaults is idempotent; amounts that were set remain, rounded; a default limit has a default request.
func TestWithDefaultsIsIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for _, lr := range testkit.LimitRanges(quantities(t)).Draw(t, "ranges") {
			if lr == nil {
				continue
			}
			for _, item := range lr.Spec.Limits {
				once := limitrange.WithDefaults(item)
				testkit.NoDiff(t, limitrange.WithDefaults(once), once)
				for _, lists := range [][2]corev1.ResourceList{{item.Default, once.Default}, {item.DefaultRequest, once.DefaultRequest}, {item.Min, once.Min}, {item.Max, once.Max}, {item.MaxLimitRequestRatio, once.MaxLimitRequestRatio}} {
					for name, q := range lists[0].DeepCopy() {
						q.RoundUp(resource.Milli)
						if got := lists[1][name]; got.Cmp(q) != 0 {
							t.Fatalf("%s is %s, was %s", name, got.String(), q.String())
						}
					}
				}
				for _, name := range slices.Sorted(maps.Keys(once.Default)) {
					if _, stated := once.DefaultRequest[name]; item.Type == container && !stated {
						t.Fatalf("no default request of %s", name)
					}
				}
			}
		}
	})
}

// Nil and empty lists and maps are treated the same everywhere in the input.
func TestEmptyIsNil(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := quantities(t)
		type input struct {
			Ranges []*corev1.LimitRange
			Spec   *corev1.PodSpec
			Claim  *corev1.PersistentVolumeClaimSpec
		}
		claimed := &corev1.PersistentVolumeClaimSpec{Resources: corev1.VolumeResourceRequirements{Requests: testkit.ResourceList(q).Draw(t, "claim")}}
		in := input{testkit.LimitRanges(q).Draw(t, "ranges"), testkit.Few(testkit.SpecWith(q).Draw(t, "spec")), claimed}
		testkit.EmptyIsNil(t, in, func(in input) any {
			aggregate, policy := limitrange.AggregateOf(in.Ranges), limitrange.Compile(in.Ranges, computeresources.Kubernetes{})
			admission := admit(policy, in.Spec)
			answers := []any{aggregate.Values, limitrange.Conflicts(in.Ranges), policy.ValidateClaim(nil, in.Claim), policy.Validate(nil, in.Spec), admission.Spec, admission.Defaulted, admission.Defaults, admission.Violations}
			answers = append(answers, fmt.Sprint(admission.Invalid.Err()))
			for _, lr := range in.Ranges {
				answers = append(answers, fmt.Sprint(limitrange.ValidateObject(lr)))
			}
			return answers
		})
	})
}

// Both ways of validation, with integers and with quantities, agree with the reference implementation.
func TestValidateEqualsSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := quantities(t)
		ranges, spec := testkit.LimitRanges(q).Draw(t, "ranges"), testkit.SpecWith(q).Draw(t, "spec")
		var got []string
		for _, v := range limitrange.Compile(ranges, computeresources.Kubernetes{}).Validate(nil, spec) {
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
		policy := limitrange.Compile(testkit.LimitRanges(q).Draw(t, "ranges"), computeresources.Kubernetes{})
		spec := withContainers(corev1.Container{Name: "app", Resources: corev1.ResourceRequirements{
			Requests: testkit.ResourceList(q).Draw(t, "requests"), Limits: testkit.ResourceList(q).Draw(t, "limits"),
		}})
		for _, v := range policy.Validate(nil, spec) {
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
				for _, left := range policy.Validate(nil, filled) {
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
			each += len(limitrange.Compile([]*corev1.LimitRange{lr}, computeresources.Kubernetes{}).Validate(nil, spec))
			eachClaim += len(limitrange.Compile([]*corev1.LimitRange{lr}, computeresources.Kubernetes{}).ValidateClaim(nil, storage))
		}
		all := limitrange.Compile(ranges, computeresources.Kubernetes{})
		if got := len(all.Validate(nil, spec)); got != each {
			t.Fatalf("%d violations of all, %d of each", got, each)
		}
		if got := len(all.ValidateClaim(nil, storage)); got != eachClaim {
			t.Fatalf("%d violations by a claim of all, %d of each", got, eachClaim)
		}
		a := limitrange.AggregateOf(ranges)
		one := limitrange.Compile([]*corev1.LimitRange{limitRange("virtual", a.Item(container), a.Item(pod), a.Item(claim))}, computeresources.Kubernetes{})
		if found := one.Validate(nil, spec); (len(found) == 0) != (each == 0) {
			t.Fatalf("the aggregate finds %v, the ranges %v", found, all.Validate(nil, spec))
		}
		if found := one.ValidateClaim(nil, storage); (len(found) == 0) != (eachClaim == 0) {
			t.Fatalf("the aggregate finds %v, the ranges %v", found, all.ValidateClaim(nil, storage))
		}
	})
}

// After applying defaults, there are no further defaults; amounts that were set are unchanged; and
// everything that was set is a default of the named source.
func TestApplyDefaultsIsIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := quantities(t)
		ranges, spec := testkit.LimitRanges(q).Draw(t, "ranges"), testkit.SpecWith(q).Draw(t, "spec")
		policy := limitrange.Compile(ranges, computeresources.Kubernetes{})
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

// surroundings are LimitRanges, and the lists of a controller's configuration.
type surroundings struct {
	Ranges []*corev1.LimitRange
	Config []corev1.ResourceList
}

func TestSharedLists(t *testing.T) {
	draw := func(t *rapid.T) (corev1.PodSpec, surroundings) {
		q := quantities(t)
		return *testkit.Few(testkit.SpecWith(q).Draw(t, "spec")), surroundings{
			Ranges: testkit.LimitRanges(q).Draw(t, "ranges"),
			Config: []corev1.ResourceList{testkit.ResourceList(q).Draw(t, "config")},
		}
	}
	t.Run("ApplyDefaults", func(t *testing.T) {
		testkit.Applies(t, draw, func(spec *corev1.PodSpec, others surroundings) any {
			return limitrange.Compile(others.Ranges, computeresources.Kubernetes{}).ApplyDefaults(spec)
		})
	})
}

// For any request, limit and bounds of one container: the violations are those of the slow twin,
// and giving the range twice changes nothing in the aggregate.
func FuzzAdmit(f *testing.F) {
	f.Add("100m", "1", "200m", "2", "1.5", "1", "500m")
	f.Add("1.5Gi", "", "1", "1536Mi", "1", "", "2Gi")
	f.Add("-1", "0", "1n", "1E", "16.1", "9223372036854775807", "1")
	f.Add("9223372036854776", "1500m", "", "", "2", "", "")
	f.Fuzz(func(t *testing.T, request, limit, min, max, ratio, defaultLimit, defaultRequest string) {
		parse := func(s string) corev1.ResourceList {
			if q, ok := testkit.Parse(s); ok {
				return corev1.ResourceList{"memory": q}
			}
			return nil
		}
		// The slow twin knows small ratios only.
		ratios := parse(ratio)
		if q := ratios["memory"]; q.AsApproximateFloat64() > 1e6 || q.AsApproximateFloat64() < -1e6 {
			ratios = nil
		}
		item := corev1.LimitRangeItem{
			Type: container, Min: parse(min), Max: parse(max), MaxLimitRequestRatio: ratios, Default: parse(defaultLimit), DefaultRequest: parse(defaultRequest),
		}
		podItem := item
		podItem.Type, podItem.Default, podItem.DefaultRequest = pod, nil, nil
		lr := limitRange("a", item, podItem)
		a := admit(limitrange.Compile([]*corev1.LimitRange{lr}, computeresources.Kubernetes{}), withContainers(testkit.Container("app", parse(request), parse(limit))))
		var got []string
		for _, v := range a.Violations {
			v.Request, v.Limit = plain(v.Request), plain(v.Limit)
			got = append(got, v.Error())
		}
		want := slowViolations(a.Spec, []*corev1.LimitRange{lr})
		slices.Sort(got)
		slices.Sort(want)
		testkit.NoDiff(t, got, want, "violations")
		once, twice := []*corev1.LimitRange{lr}, []*corev1.LimitRange{lr, lr}
		testkit.NoDiff(t, written(twice), written(once), "given twice")
	})
}

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
		rules = append(rules, fmt.Sprintf("PersistentVolumeClaim %v: NoRequest", bound), fmt.Sprintf("PersistentVolumeClaim %v: RequestOut", bound))
	}
	return append(rules, "Container min: NoRequest, LimitOut", "Container max: NoLimit, RequestOut",
		"Pod min: NoRequest, LimitOut", "Pod max: NoLimit, RequestOut")
}

// The generators of the property tests break each bound in every way, and reach every kind of
// conflict.
func TestDrawsReachEveryRule(t *testing.T) {
	testkit.Reached(t, 300, func(t *rapid.T) (reached []string) {
		q := quantities(t)
		ranges, spec := testkit.LimitRanges(q).Draw(t, "ranges"), testkit.SpecWith(q).Draw(t, "spec")
		claim := &corev1.PersistentVolumeClaimSpec{Resources: corev1.VolumeResourceRequirements{Requests: testkit.ResourceList(q).Draw(t, "claim")}}
		policy := limitrange.Compile(ranges, computeresources.Kubernetes{})
		admission := admit(policy, spec)
		for _, v := range append(policy.ValidateClaim(nil, claim), admission.Violations...) {
			reached = append(reached, string(v.Type)+" "+v.Bound.String()+": "+string(v.Cause), "cause: "+string(v.Cause))
		}
		for _, v := range policy.Validate(nil, spec) {
			if v.Also != "" {
				reached = append(reached, string(v.Type)+" "+v.Bound.String()+": "+string(v.Cause)+", "+string(v.Also))
			}
		}
		for _, c := range limitrange.Conflicts(ranges) {
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
