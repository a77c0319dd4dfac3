package quota_test

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

var exactRats = cmp.Comparer(func(a, b *big.Rat) bool { return a.Cmp(b) == 0 })

// drawn is an object, and the values that it was created from.
type drawn struct {
	object quota.Object
	of     any
}

// objects draws objects of all kinds, in the namespace shop.
func objects(quantities *rapid.Generator[resource.Quantity]) *rapid.Generator[drawn] {
	return rapid.Custom(func(t *rapid.T) drawn {
		meta := func(m *metav1.ObjectMeta) {
			m.Namespace = "shop"
			m.ResourceVersion = rapid.SampledFrom([]string{"1", ""}).Draw(t, "version")
		}
		switch rapid.IntRange(0, 9).Draw(t, "kind") { // half of them are pods
		case 5, 6:
			claim := testkit.VolumeClaim(quantities).Draw(t, "claim")
			meta(&claim.ObjectMeta)
			return drawn{quota.PersistentVolumeClaim(claim), claim}
		case 1:
			service := testkit.Service().Draw(t, "service")
			meta(&service.ObjectMeta)
			return drawn{quota.Service(service), service}
		case 2:
			claim := testkit.ResourceClaim().Draw(t, "claim")
			meta(&claim.ObjectMeta)
			pod := testkit.QuotaPod(quantities).Draw(t, "owner")
			pod.Namespace, pod.UID = "shop", "1"
			opts := quota.ResourceClaimOptions{ExtendedResources: map[string]corev1.ResourceName{"gold": "example.com/gpu"}, Pod: quota.Pod(pod, testkit.Now(), quota.PodOptions{})}
			return drawn{quota.ResourceClaim(claim, opts), []any{claim, pod}}
		case 3:
			m := &metav1.ObjectMeta{Name: "x"}
			meta(m)
			return drawn{quota.Counted(schema.GroupResource{Group: "apps", Resource: "deployments"}, m), m}
		default:
			pod := testkit.QuotaPod(quantities).Draw(t, "pod")
			meta(&pod.ObjectMeta)
			return drawn{quota.Pod(pod, testkit.Now(), quota.PodOptions{}), pod}
		}
	})
}

// namesFor returns the names that an object uses, and some of all names.
func namesFor(o quota.Object) []corev1.ResourceName {
	return append(resourcelist.ResourceNames(o.Usage()), "pods", "cpu", "services", "misspelled", "count/other", "requests.storage")
}

func quotasFor(o quota.Object, quantities *rapid.Generator[resource.Quantity]) *rapid.Generator[[]*corev1.ResourceQuota] {
	return rapid.Custom(func(t *rapid.T) (quotas []*corev1.ResourceQuota) {
		for _, name := range []string{"a", "b", "c"}[:3-rapid.IntRange(0, 3).Draw(t, "left out")] {
			quotas = append(quotas, testkit.ResourceQuota(name, namesFor(o), quantities).Draw(t, "quota"))
		}
		return quotas
	})
}

func TestContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, old := objects(testkit.Quantity()).Draw(t, "object"), objects(testkit.Quantity()).Draw(t, "old")
		o := d.object
		quotas := quotasFor(o, testkit.Quantity()).Draw(t, "quotas")
		scope := testkit.Scope().Draw(t, "scope")
		names := testkit.QuotaNames()
		opts := quota.AdmitOptions{Limited: []quota.LimitedResource{{Resource: "pods", MatchContains: []string{"cpu"}, MatchScopes: []corev1.ScopedResourceSelectorRequirement{scope}}}}
		opts.Subresource = rapid.SampledFrom([]string{"", "resize", "status"}).Draw(t, "subresource")

		testkit.Contract(t, func() any { return o.Usage() }, d.of)
		for _, q := range quotas {
			testkit.Contract(t, func() any { usage, err := o.UsageIn(q); return []any{usage, err} }, d.of, q)
		}
		testkit.Contract(t, func() any { return o.UsageInto(testkit.List("cpu", "3", "left", "1.5Gi")) }, d.of)
		testkit.Contract(t, func() any {
			switch of := d.of.(type) { // each creates an Object that reads its argument
			case *corev1.Pod:
				return quota.Pod(of, testkit.Now(), quota.PodOptions{}).Usage()
			case *corev1.PersistentVolumeClaim:
				return quota.PersistentVolumeClaim(of).Usage()
			case *corev1.Service:
				return quota.Service(of).Usage()
			case *metav1.ObjectMeta:
				return quota.Counted(schema.GroupResource{Resource: "secrets"}, of).Usage()
			default:
				all := of.([]any)
				return quota.ResourceClaim(all[0].(*resourcev1.ResourceClaim), quota.ResourceClaimOptions{
					Claims:            []*resourcev1.ResourceClaim{all[0].(*resourcev1.ResourceClaim)},
					ExtendedResources: map[string]corev1.ResourceName{"gold": "example.com/gpu"},
					Pod:               quota.Pod(all[1].(*corev1.Pod), testkit.Now(), quota.PodOptions{}),
				}).Usage()
			}
		}, d.of)
		extended := "example.com/gpu"
		classes := []*resourcev1.DeviceClass{nil, {Spec: resourcev1.DeviceClassSpec{ExtendedResourceName: &extended}}}
		testkit.Contract(t, func() any { return quota.ExtendedResources(classes) }, classes)
		testkit.Contract(t, func() any {
			return []any{quota.Admit(quota.Object{}, o, nil, opts).Applies, quota.Admit(old.object, o, nil, opts).Applies}
		}, d.of, old.of)
		testkit.Contract(t, func() any { return o.Key() }, d.of)
		testkit.Contract(t, func() any { in, err := inScope(o, scope); return []any{in, err} }, d.of, scope)
		testkit.Contract(t, func() any { return o.MissingRequired(names) }, d.of, names)
		for i := range quotas {
			testkit.Contract(t, func() any { return quota.Scopes(quotas[i]) }, quotas)
			testkit.Contract(t, func() any { matched, err := o.Matches(quotas[i]); return []any{matched, err} }, d.of, quotas)
			testkit.Contract(t, func() any { s, err := quota.CalculateUsage([]quota.Object{o, o}, quotas[i]); return []any{s, err} }, d.of, quotas)
			hard, used := quotas[i].Status.Hard, quotas[i].Status.Used
			testkit.Contract(t, func() any { return quota.FailuresOf(o.Usage(), used, hard, "q") }, hard, used)
			testkit.Contract(t, func() any { return quota.WithinHard(used, used, hard) }, hard, used)
			testkit.Contract(t, func() any { return quota.ValidateObject(nil, quotas[i], computeresources.Kubernetes{}) }, quotas)
			testkit.Contract(t, func() any { return quota.ValidateObject(quotas[0], quotas[i], computeresources.Kubernetes{}) }, quotas)
			testkit.Contract(t, func() any {
				return [][]corev1.ResourceName{quota.Unevaluated(quotas[i], nil), quota.Unevaluated(quotas[i], []quota.Object{o})}
			}, d.of, quotas)
			checkUnknownNames(t, quotas[i])
		}
		testkit.Contract(t, func() any {
			v := quota.Admit(quota.Object{}, o, quotas, opts)
			return []any{v, v.After(quotas, 1)}
		}, d.of, quotas, opts)
		testkit.Contract(t, func() any {
			v := quota.Admit(old.object, o, quotas, opts)
			return []any{v, v.After(quotas, 1)}
		}, d.of, old.of, quotas, opts)
		failures := quota.Admit(quota.Object{}, o, quotas, opts).Failures
		for _, f := range failures {
			testkit.Contract(t, func() any { return f.Error() }, f)
			testkit.Contract(t, func() any { return f.Shortfall() }, f)
			testkit.Contract(t, func() any { return f.Field(field.NewPath("spec")) }, f)
		}
	})
}

// The status of a quota without scopes has a usage for every name but those that are unknown. With scopes, more are.
func checkUnknownNames(t *rapid.T, q *corev1.ResourceQuota) {
	status, _ := quota.CalculateUsage(nil, q)
	want := slices.DeleteFunc(resourcelist.ResourceNames(q.Spec.Hard), func(name corev1.ResourceName) bool {
		_, used := status.Used[name]
		return used
	})
	plain := q.DeepCopy()
	plain.Spec.Scopes, plain.Spec.ScopeSelector = nil, nil
	if got := quota.Unevaluated(plain, nil); !slices.Equal(got, want) {
		t.Fatalf("unknown names %v, without usage %v", got, want)
	}
	for _, name := range want {
		if !slices.Contains(quota.Unevaluated(q, nil), name) {
			t.Fatalf("with scopes, %s is not unknown", name)
		}
	}
}

func TestPodUsageEqualsSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		quantities := rapid.SampledFrom([]*rapid.Generator[resource.Quantity]{testkit.Quantity(), testkit.Ordinary(), testkit.Bytes()}).Draw(t, "quantities")
		pod := &corev1.Pod{Spec: *testkit.SpecWith(quantities).Draw(t, "spec")}
		object := quota.Pod(pod, testkit.Now(), quota.PodOptions{})
		want := slowPodUsage(&pod.Spec)
		testkit.NoDiff(t, ratsOf(object.Usage()), want, exactRats)
		reused := testkit.List("left", "1", "cpu", "1.5")
		testkit.NoDiff(t, ratsOf(object.UsageInto(reused)), want, exactRats, "into a used list")
	})
}

func TestFitsEqualsSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		quantities := rapid.SampledFrom([]*rapid.Generator[resource.Quantity]{testkit.Quantity(), testkit.Ordinary(), testkit.Bytes()}).Draw(t, "quantities")
		lists := testkit.ResourceList(quantities)
		hard, used, requested := lists.Draw(t, "hard"), lists.Draw(t, "used"), lists.Draw(t, "requested")
		want := slowExceeded(hard, used, requested)
		if got := quota.WithinHard(requested, used, hard); got != (len(want) == 0) {
			t.Fatalf("Fits = %v, exceeded are %v", got, want)
		}
		got := exceeded(requested, used, hard)
		if len(got) != len(want) || !slices.IsSorted(got) {
			t.Fatalf("Exceeded = %v, want %v", got, want)
		}
		for _, name := range got {
			if !want[name] {
				t.Fatalf("Exceeded = %v, want %v", got, want)
			}
		}
	})
}

// Usage is additive: the usage of two sets of objects together is the sum of both usages.
func TestCalculateUsageEqualsSlowAndIsAdditive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var some, others []quota.Object
		names := testkit.QuotaNames()
		for _, d := range rapid.SliceOfN(objects(testkit.Quantity()), 0, 6).Draw(t, "objects") {
			names = append(names, namesFor(d.object)...)
			if rapid.Bool().Draw(t, "others") {
				others = append(others, d.object)
			} else {
				some = append(some, d.object)
			}
		}
		q := testkit.ResourceQuota("q", names, testkit.Quantity()).Draw(t, "quota")
		first, err := quota.CalculateUsage(some, q)
		second, err2 := quota.CalculateUsage(others, q)
		all, err3 := quota.CalculateUsage(slices.Concat(some, others), q)
		if (err == nil && err2 == nil) != (err3 == nil) {
			t.Fatalf("errors %v, %v, %v", err, err2, err3)
		}
		if !resourcelist.Equals(all.Used, resourcelist.Add(first.Used, second.Used)) {
			t.Fatalf("used %v, and %v + %v", all.Used, first.Used, second.Used)
		}
		want := slowCalculateUsage(q, slices.Concat(some, others))
		for name, got := range ratsOf(all.Used) {
			if want[name] == nil {
				want[name] = new(big.Rat)
			}
			if got.Cmp(want[name]) != 0 {
				t.Fatalf("%s: %v, want %v", name, got, want[name])
			}
		}
		for name := range want {
			if _, ok := all.Used[name]; !ok {
				t.Fatalf("%s is not among %v", name, all.Used)
			}
		}
	})
}

// Nil and empty lists and maps are treated the same everywhere in the input.
func TestEmptyIsNil(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pod := testkit.QuotaPod(testkit.Quantity()).Draw(t, "pod")
		pod.Namespace = "shop"
		object := quota.Pod(pod, testkit.Now(), quota.PodOptions{})
		type input struct {
			Pod     *corev1.Pod
			Quotas  []*corev1.ResourceQuota
			Limited []quota.LimitedResource
		}
		in := input{pod, quotasFor(object, testkit.Ordinary()).Draw(t, "quotas"), []quota.LimitedResource{{Resource: "pods", MatchContains: []string{"cpu"}}}}
		testkit.EmptyIsNil(t, in, func(in input) any {
			object := quota.Pod(in.Pod, testkit.Now(), quota.PodOptions{})
			after, failures := admit(quota.Object{}, object, in.Quotas, quota.AdmitOptions{Limited: in.Limited})
			answers := []any{object.Usage(), object.MissingRequired(namesFor(object)), after, messages(failures)}
			for i := range in.Quotas {
				matched, err := object.Matches(in.Quotas[i])
				status, countErr := quota.CalculateUsage([]quota.Object{object}, in.Quotas[i])
				answers = append(answers, quota.Scopes(in.Quotas[i]), matched, fmt.Sprint(err), status, fmt.Sprint(countErr))
			}
			return answers
		})
	})
}
