package limitrange_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"
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
		others := testkit.LimitRanges(q).Draw(t, "other ranges")
		claimed := &corev1.PersistentVolumeClaimSpec{Resources: corev1.VolumeResourceRequirements{Requests: testkit.ResourceList(q).Draw(t, "claim")}}
		// Each call uses a new policy.
		for _, ask := range []func(p *limitrange.Policy) any{
			func(p *limitrange.Policy) any { return p.Validate(spec) },
			func(p *limitrange.Policy) any { return p.ValidateClaim(claimed) },
			func(p *limitrange.Policy) any { admitted := p.Admit(spec); return &admitted },
			func(p *limitrange.Policy) any { own := spec.DeepCopy(); return []any{p.ApplyDefaults(own), own} },
		} {
			fresh := limitrange.Compile(ranges, computeresources.Gates{})
			testkit.Contract(t, func() any { return ask(fresh) }, ranges, fresh, spec, claimed)
		}
		testkit.Contract(t, func() any {
			own := spec.DeepCopy()
			admitted := limitrange.Compile(ranges, computeresources.Gates{}).ApplyAdmission(own)
			return &admitted
		}, ranges, spec)
		testkit.Contract(t, func() any { return limitrange.Compile(ranges, computeresources.Gates{}) }, ranges)
		testkit.Contract(t, func() any { own := limitrange.AggregateOf(ranges); return &own }, ranges)
		testkit.Contract(t, func() any {
			ambiguities := limitrange.Ambiguities(ranges)
			return []any{ambiguities, fmt.Sprint(ambiguities)}
		}, ranges)
		for _, a := range limitrange.Ambiguities(ranges) {
			testkit.Contract(t, func() any { return a.String() }, a)
		}

		a, b, policy := limitrange.AggregateOf(ranges), limitrange.AggregateOf(others), limitrange.Compile(ranges, computeresources.Gates{})
		testkit.Contract(t, func() any {
			item := a.Item(container)
			all := []any{a.Values(), a.Types(), a.Conflicts(), a.Merge(b).Values(), &item, limitrange.AggregateOf(ranges).Values()}
			for _, bound := range []limitrange.Bound{limitrange.Min, limitrange.Max, limitrange.Ratio, limitrange.DefaultLimit, limitrange.DefaultRequest} {
				v, _ := a.Value(container, "cpu", bound)
				s, _ := a.RawValue(container, "memory", bound)
				all = append(all, []limitrange.BoundValue{v, s})
			}
			return all
		}, ranges, a, b)
		admission := policy.Admit(spec)
		testkit.Contract(t, func() any { return admission.Violations.Reported() }, admission.Violations)
		for _, v := range admission.Violations {
			testkit.Contract(t, func() any { p := v.Diagnosis(); return &p }, v)
			testkit.Contract(t, func() any { return v.String() }, v)
			testkit.Contract(t, func() any { return (&v).Error() }, &v)
			break
		}
		testkit.Contract(t, func() any {
			own := spec.DeepCopy()
			admitted := policy.Admit(spec)
			return []any{
				limitrange.Compile(ranges, computeresources.Gates{}).Validate(spec), policy.Validate(spec), policy.ValidateClaim(claimed), &admitted,
				policy.ApplyDefaults(own), own, admission.Problems(), []string{limitrange.Annotation(admission.Defaults)},
			}
		}, ranges, policy, spec, claimed, admission)
		testkit.Contract(t, func() any {
			words := []string{fmt.Sprint(admission.Admitted())}
			for _, c := range a.Conflicts() {
				words = append(words, c.String())
			}
			for _, v := range a.Values() {
				words = append(words, v.String())
			}
			conflicts, problems := a.Conflicts(), admission.Problems()
			for _, errs := range []field.ErrorList{conflicts.ErrorList(nil), problems.ErrorList(nil), admission.Violations.ErrorList(nil)} {
				words = append(words, messagesOf(errs)...)
			}
			words = append(words, fmt.Sprint(conflicts.Err(), problems.Err(), admission.Violations.Err()))
			for i := range conflicts {
				words = append(words, conflicts[i].Error(), conflicts[i].Field(nil).Field)
			}
			for i := range problems {
				words = append(words, problems[i].String(), problems[i].Error(), problems[i].Field(nil).Field)
			}
			for i := range admission.Violations {
				words = append(words, admission.Violations[i].Error(), admission.Violations[i].Field(nil).Field)
			}
			for _, d := range admission.Defaults {
				words = append(words, d.String())
			}
			return words
		}, a, &admission)
		for _, lr := range ranges {
			testkit.Contract(t, func() any {
				all := []any{limitrange.ValidateObject(lr)}
				if lr != nil {
					for _, item := range lr.Spec.Limits {
						server, tekton := limitrange.WithDefaults(item, limitrange.ServerRules), limitrange.WithDefaults(item, limitrange.TektonRules)
						all = append(all, &server, &tekton)
					}
				}
				return all
			}, lr)
		}
	})
}

// Aggregates and policies share no memory with the ranges.
func TestRangesMayChangeAfterwards(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := quantities(t)
		ranges, spec := testkit.LimitRanges(q).Draw(t, "ranges"), testkit.SpecWith(q).Draw(t, "spec")
		a, policy := limitrange.AggregateOf(ranges), limitrange.Compile(ranges, computeresources.Gates{})
		before := testkit.Fingerprint([]any{a.Values(), policy.Admit(spec)})
		testkit.Scramble(ranges)
		if after := testkit.Fingerprint([]any{a.Values(), policy.Admit(spec)}); after != before {
			t.Fatalf("changed with the ranges\nfrom %s\nto   %s", before, after)
		}
	})
}

// Merge is commutative, associative and idempotent, with the empty aggregate as identity, and AggregateOf
// is a homomorphism; this includes sources and formats.
func TestAggregatesAreASemilattice(t *testing.T) {
	equal := func(t *rapid.T, law string, x, y limitrange.Aggregate) {
		if diff := cmp.Diff(written(x), written(y)); diff != "" {
			t.Fatalf("%s:\n%s", law, diff)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		q := quantities(t)
		draw := func(label string) []*corev1.LimitRange { return testkit.LimitRanges(q).Draw(t, label) }
		xs, ys, zs := draw("x"), draw("y"), draw("z")
		x, y, z := limitrange.AggregateOf(xs), limitrange.AggregateOf(ys), limitrange.AggregateOf(zs)
		equal(t, "commutative", x.Merge(y), y.Merge(x))
		equal(t, "associative", x.Merge(y).Merge(z), x.Merge(y.Merge(z)))
		equal(t, "idempotent", x.Merge(x), x)
		equal(t, "identity", x.Merge(limitrange.Aggregate{}), x)
		equal(t, "identity", limitrange.Aggregate{}.Merge(x), x)
		equal(t, "homomorphism", limitrange.AggregateOf(append(slices.Clone(xs), ys...)), x.Merge(y))
		equal(t, "order", limitrange.AggregateOf(append(slices.Clone(ys), xs...)), x.Merge(y))
	})
}

// written are the formatted values and conflicts of an aggregate, with sources: 1 and 1000m have different
// representations, but are formatted equally.
func written(a limitrange.Aggregate) (all []string) {
	for _, v := range a.Values() {
		all = append(all, fmt.Sprintf("%v, %s, %s", v, v.Source.Field, v.Amount.Format))
	}
	for _, c := range a.Conflicts() {
		all = append(all, c.String())
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
		if got := len(a.Values()); got != len(want) {
			t.Fatalf("%d values, want %d", got, len(want))
		}
		for k, q := range want {
			v, stated := a.RawValue(k.limitType, k.name, k.bound)
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
		admit := func(order []*corev1.LimitRange) string {
			a := limitrange.Compile(order, computeresources.Gates{}).Admit(spec)
			return testkit.Fingerprint([]any{written(limitrange.AggregateOf(order)), a, a.Problems()})
		}
		want := admit(ranges)
		for range 3 {
			if got := admit(rapid.Permutation(ranges).Draw(t, "order")); got != want {
				t.Fatalf("in one order\n%s\nin another\n%s", want, got)
			}
		}
	})
}

// There is one problem for each error and each violation, and each error is reported once.
func TestProblemsLoseNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := quantities(t)
		a := limitrange.Compile(testkit.LimitRanges(q).Draw(t, "ranges"), computeresources.Gates{}).Admit(testkit.SpecWith(q).Draw(t, "spec"))
		problems := a.Problems()
		if len(problems) != len(a.Invalid)+len(a.Violations) {
			t.Fatalf("%d problems, of %d errors and %d violations\n%v\n%v", len(problems), len(a.Invalid), len(a.Violations), problems, a.Invalid)
		}
		if a.Admitted() != (len(problems) == 0) {
			t.Fatal("admitted with problems, or rejected without")
		}
		var want, got []string
		for _, err := range a.Invalid.ErrorList(nil) {
			want = append(want, err.Error())
		}
		for _, p := range problems {
			switch {
			case p.Violation == nil && p.Invalid == nil:
				t.Fatalf("%v is about nothing", p)
			case p.Invalid != nil:
				got = append(got, p.Invalid.Error())
			}
			if strings.Contains(p.String(), "unknown") {
				t.Fatal(p)
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("errors (-want +got):\n%s", diff)
		}
	})
}

// Completing is idempotent; amounts that were set remain; after Tekton's rules, the server's rules add at
// most default requests that follow default limits.
func TestCompleteIsIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for _, lr := range testkit.LimitRanges(quantities(t)).Draw(t, "ranges") {
			if lr == nil {
				continue
			}
			for _, item := range lr.Spec.Limits {
				for _, rules := range []limitrange.DefaultingRules{limitrange.ServerRules, limitrange.TektonRules} {
					once := limitrange.WithDefaults(item, rules)
					if diff := cmp.Diff(once, limitrange.WithDefaults(once, rules)); diff != "" {
						t.Fatalf("%v:\n%s", rules, diff)
					}
					for _, lists := range [][2]corev1.ResourceList{{item.Default, once.Default}, {item.DefaultRequest, once.DefaultRequest}, {item.Min, once.Min}, {item.Max, once.Max}, {item.MaxLimitRequestRatio, once.MaxLimitRequestRatio}} {
						for name, q := range lists[0].DeepCopy() {
							if rules == limitrange.ServerRules {
								q.RoundUp(resource.Milli)
							}
							if got := lists[1][name]; got.Cmp(q) != 0 {
								t.Fatalf("%v: %s is %s, was %s", rules, name, got.String(), q.String())
							}
						}
					}
					for _, name := range slices.Sorted(maps.Keys(once.Default)) {
						if _, stated := once.DefaultRequest[name]; item.Type == container && !stated && (rules == limitrange.ServerRules || hasKey(item.Min, name)) {
							t.Fatalf("%v: no default request of %s", rules, name)
						}
					}
				}
			}
		}
	})
}

func hasKey(list corev1.ResourceList, name corev1.ResourceName) bool {
	_, stated := list[name]
	return stated
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
			admission := policy.Admit(in.Spec)
			answers := []any{aggregate.Values(), aggregate.Conflicts(), policy.ValidateClaim(in.Claim), policy.Validate(in.Spec), admission.Spec, admission.Defaulted, admission.Defaults, admission.Violations}
			for _, p := range admission.Problems() {
				answers = append(answers, p.String())
			}
			for _, lr := range in.Ranges {
				answers = append(answers, fmt.Sprint(limitrange.ValidateObject(lr)))
			}
			return answers
		})
	})
}
