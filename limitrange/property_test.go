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
		spec.Containers, spec.InitContainers = spec.Containers[:min(8, len(spec.Containers))], spec.InitContainers[:min(8, len(spec.InitContainers))]
		claimed := &corev1.PersistentVolumeClaimSpec{Resources: corev1.VolumeResourceRequirements{Requests: testkit.ResourceList(q).Draw(t, "claim")}}
		testkit.Contract(t, func() any {
			own := limitrange.AggregateOf(ranges)
			all := []any{limitrange.Compile(ranges, computeresources.Gates{}), &own, limitrange.Ambiguities(ranges, nil), limitrange.Ambiguities(ranges, spec)}
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
		a, policy := limitrange.AggregateOf(ranges), limitrange.Compile(ranges, computeresources.Gates{})
		admission, conflicts, ambiguities := admit(policy, spec), a.Conflicts(), limitrange.Ambiguities(ranges, nil)
		testkit.Contract(t, func() any {
			item, own := a.Item(container), spec.DeepCopy()
			all := []any{
				a.Values(), a.Conflicts(), &item, policy.Validate(spec), policy.ValidateClaim(claimed), policy.ApplyDefaults(own), own,
				limitrange.Compile(ranges, computeresources.Gates{}).Validate(spec),
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
			for _, v := range a.Values() {
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

// Aggregates and policies share no memory with the ranges.
func TestRangesMayChangeAfterwards(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := quantities(t)
		ranges, spec := testkit.LimitRanges(q).Draw(t, "ranges"), testkit.SpecWith(q).Draw(t, "spec")
		a, policy := limitrange.AggregateOf(ranges), limitrange.Compile(ranges, computeresources.Gates{})
		before := testkit.Fingerprint([]any{a.Values(), admit(policy, spec)})
		testkit.Scramble(ranges)
		if after := testkit.Fingerprint([]any{a.Values(), admit(policy, spec)}); after != before {
			t.Fatalf("changed with the ranges\nfrom %s\nto   %s", before, after)
		}
	})
}

// An aggregate does not depend on the order of the ranges, nor on how often each is given, nor on whether
// they are aggregated one by one. This includes sources and formats.
func TestAggregatesAreASemilattice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := quantities(t)
		xs, ys := testkit.LimitRanges(q).Draw(t, "x"), testkit.LimitRanges(q).Draw(t, "y")
		want := written(limitrange.AggregateOf(slices.Concat(xs, ys)))
		for law, ranges := range map[string][]*corev1.LimitRange{
			"order": slices.Concat(ys, xs), "repeated": slices.Concat(xs, ys, xs), "none": slices.Concat(nil, xs, []*corev1.LimitRange{nil}, ys),
		} {
			testkit.NoDiff(t, written(limitrange.AggregateOf(ranges)), want, law)
		}
	})
}

// written are the formatted values and conflicts of an aggregate, with sources: 1 and 1000m have different
// representations, but are formatted equally.
func written(a limitrange.Aggregate) (all []string) {
	for _, v := range a.Values() {
		all = append(all, fmt.Sprintf("%v, %s, %s", v, v.Source.Field, v.Amount.Format))
	}
	for _, c := range a.Conflicts() {
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
		testkit.Equal(t, len(a.Values()), len(want))
		for k, q := range want {
			v, stated := asSet(a, k.limitType, k.name, k.bound)
			if !stated || testkit.Exact(v.Amount).Cmp(testkit.Exact(q)) != 0 {
				t.Fatalf("%+v: %v, want %s", k, v, q.String())
			}
		}
	})
}

// The order of the ranges does not change the result, including sources.
func TestTheOrderOfRangesChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ranges, spec := testkit.LimitRanges(testkit.Ordinary()).Draw(t, "ranges"), testkit.SpecWith(testkit.Ordinary()).Draw(t, "spec")
		answers := func(order []*corev1.LimitRange) string {
			return testkit.Fingerprint([]any{written(limitrange.AggregateOf(order)), admit(limitrange.Compile(order, computeresources.Gates{}), spec)})
		}
		want := answers(ranges)
		for range 3 {
			if got := answers(rapid.Permutation(ranges).Draw(t, "order")); got != want {
				t.Fatalf("in one order\n%s\nin another\n%s", want, got)
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
		in := input{testkit.LimitRanges(q).Draw(t, "ranges"), testkit.SpecWith(q).Draw(t, "spec"), claimed}
		testkit.EmptyIsNil(t, in, func(in input) any {
			aggregate, policy := limitrange.AggregateOf(in.Ranges), limitrange.Compile(in.Ranges, computeresources.Gates{})
			admission := admit(policy, in.Spec)
			answers := []any{aggregate.Values(), aggregate.Conflicts(), policy.ValidateClaim(in.Claim), policy.Validate(in.Spec), admission.Spec, admission.Defaulted, admission.Defaults, admission.Violations}
			answers = append(answers, fmt.Sprint(admission.Invalid.Err()))
			for _, lr := range in.Ranges {
				answers = append(answers, fmt.Sprint(limitrange.ValidateObject(lr)))
			}
			return answers
		})
	})
}
