package computeresources_test

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pod := testkit.Pod().Draw(t, "pod")
		opts := options(pod).Draw(t, "options")
		spec := &pod.Spec
		testkit.Contract(t, func() any { return computeresources.PodRequests(spec, opts) }, pod, opts)
		testkit.Contract(t, func() any { return computeresources.PodLimits(spec, opts) }, pod, opts)
		testkit.Contract(t, func() any { return computeresources.BindingLimits(spec, opts) }, pod, opts)
		testkit.Contract(t, func() any { return computeresources.PodRequestTotals(spec, opts) }, pod, opts)
		testkit.Contract(t, func() any { return computeresources.PodLimitTotals(spec, opts) }, pod, opts)
		testkit.Contract(t, func() any { return computeresources.Validate(spec, nil) }, pod)
		testkit.Contract(t, func() any {
			var all []any
			for ref, err := range computeresources.ValidateParts(spec, nil) {
				all = append(all, ref, err)
			}
			return all
		}, pod)
		used := func() corev1.ResourceList { return testkit.List("cpu", "3", "example.com/left", "1.5Gi") }
		testkit.Contract(t, func() any { return computeresources.PodRequestsInto(used(), spec, opts) }, pod, opts)
		testkit.Contract(t, func() any { return computeresources.PodLimitsInto(used(), spec, opts) }, pod, opts)
		testkit.Contract(t, func() any {
			own := spec.DeepCopy()
			return []any{computeresources.ApplyRequestDefaults(own), own}
		}, pod)
		for _, d := range computeresources.ApplyRequestDefaults(spec.DeepCopy()) {
			testkit.Contract(t, func() any { return d.String() }, d)
		}
		path := field.NewPath("spec", "template")
		testkit.Contract(t, func() any {
			var paths []string
			for ref, c := range computeresources.Containers(spec) {
				paths = append(paths, ref.Path(path).String(), c.Name)
			}
			return paths
		}, pod, path)
	})
}

// The kernels give what the slow twin gives, in all three forms.
func TestEqualsSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pod := testkit.Pod().Draw(t, "pod")
		opts := options(pod).Draw(t, "options")
		leftOver := testkit.List("cpu", "3", "example.com/left", "1.5Gi")

		want := slowRequests(&pod.Spec, opts)
		wantList(t, computeresources.PodRequests(&pod.Spec, opts), want)
		wantList(t, computeresources.PodRequestsInto(leftOver, &pod.Spec, opts), want)
		wantTotals(t, computeresources.PodRequestTotals(&pod.Spec, opts), want)

		want = slowLimits(&pod.Spec, opts)
		wantList(t, computeresources.PodLimits(&pod.Spec, opts), want)
		wantList(t, computeresources.PodLimitsInto(leftOver, &pod.Spec, opts), want)
		wantTotals(t, computeresources.PodLimitTotals(&pod.Spec, opts), want)
	})
}

// So do they for ordinary pods, which plain integers answer.
func TestIntegersEqualSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		quantities := rapid.SampledFrom([]*rapid.Generator[resource.Quantity]{testkit.Ordinary(), testkit.Bytes()}).Draw(t, "quantities")
		spec := testkit.SpecWith(quantities).Draw(t, "spec")
		spec.Resources, spec.Overhead = nil, nil
		var opts computeresources.Options

		want := slowRequests(spec, opts)
		wantList(t, computeresources.PodRequests(spec, opts), want)
		wantTotals(t, computeresources.PodRequestTotals(spec, opts), want)

		want = slowLimits(spec, opts)
		wantList(t, computeresources.PodLimits(spec, opts), want)
		wantTotals(t, computeresources.PodLimitTotals(spec, opts), want)
	})
}

func wantList(t *rapid.T, got corev1.ResourceList, want rats) {
	t.Helper()
	exact := cmp.Comparer(func(a, b *big.Rat) bool { return a.Cmp(b) == 0 })
	if diff := cmp.Diff(want, ratsOf(got), exact); diff != "" {
		t.Fatalf("-slow +kernel:\n%s", diff)
	}
}

func wantTotals(t *rapid.T, got computeresources.Totals, want rats) {
	t.Helper()
	got.Complete = computeresources.Complete{}
	totals := computeresources.Totals{
		MilliCPU:         rounded(want["cpu"], 1000),
		Memory:           rounded(want["memory"], 1),
		EphemeralStorage: rounded(want["ephemeral-storage"], 1),
	}
	if diff := cmp.Diff(totals, got); diff != "" {
		t.Fatalf("-slow +kernel:\n%s", diff)
	}
}

// The limits that bind are those of the API, without the ones that some container does
// not have; and the totals know which.
func TestBindingLimitsAreCompleteLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pod := testkit.Pod().Draw(t, "pod")
		opts := options(pod).Draw(t, "options")
		limits := computeresources.PodLimits(&pod.Spec, opts)
		binding := computeresources.BindingLimits(&pod.Spec, opts)
		complete := computeresources.PodLimitTotals(&pod.Spec, opts).Complete
		for name, limit := range limits {
			bound, binds := binding[name]
			if binds && bound.Cmp(limit) != 0 {
				t.Fatalf("%s: binding limit %s, want the API's, %s", name, bound.String(), limit.String())
			}
			want := true
			switch name {
			case "cpu":
				want = complete.CPU && limit.Sign() > 0
			case "memory":
				want = complete.Memory && limit.Sign() > 0
			case "ephemeral-storage":
				want = complete.EphemeralStorage && limit.Sign() > 0
			}
			if binds != want {
				t.Fatalf("%s: limit binds: %v, want %v", name, binds, want)
			}
		}
		for name := range binding {
			if _, ok := limits[name]; !ok {
				t.Fatalf("%s: a limit binds that the pod does not have", name)
			}
		}
	})
}

// Without a status and pod-level resources, complete means what it says.
func TestCompleteMeansEveryContainer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := testkit.Spec().Draw(t, "spec")
		spec.Resources = nil
		requests, limits := map[corev1.ResourceName]bool{}, map[corev1.ResourceName]bool{}
		for _, name := range testkit.ResourceNames {
			requests[name], limits[name] = true, true
			for _, c := range computeresources.Containers(spec) {
				request, limit := c.Resources.Requests[name], c.Resources.Limits[name]
				requests[name] = requests[name] && request.Sign() > 0
				limits[name] = limits[name] && limit.Sign() > 0
			}
		}
		want := func(each map[corev1.ResourceName]bool) computeresources.Complete {
			return computeresources.Complete{CPU: each["cpu"], Memory: each["memory"], EphemeralStorage: each["ephemeral-storage"]}
		}
		if diff := cmp.Diff(want(requests), computeresources.PodRequestTotals(spec, computeresources.Options{}).Complete); diff != "" {
			t.Fatalf("requests -want +got:\n%s", diff)
		}
		if diff := cmp.Diff(want(limits), computeresources.PodLimitTotals(spec, computeresources.Options{}).Complete); diff != "" {
			t.Fatalf("limits -want +got:\n%s", diff)
		}
	})
}

func TestAppContainersHaveNoOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := testkit.Spec().Draw(t, "spec")
		before := computeresources.PodRequests(spec, computeresources.Options{})
		other := spec.DeepCopy()
		other.Containers = rapid.Permutation(other.Containers).Draw(t, "order")
		after := computeresources.PodRequests(other, computeresources.Options{})
		if diff := cmp.Diff(before, after); diff != "" {
			t.Fatalf("another order of containers, another answer:\n%s", diff)
		}
	})
}

// Raising any request of a container raises no effective request downwards.
func TestRequestsAreMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := testkit.Spec().Draw(t, "spec")
		opts := computeresources.Options{IgnorePodLevel: rapid.Bool().Draw(t, "ignore pod level")}
		var containers []*corev1.Container
		for _, c := range computeresources.Containers(spec) {
			containers = append(containers, c)
		}
		if len(containers) == 0 {
			return
		}
		before := computeresources.PodRequests(spec, opts)
		c := rapid.SampledFrom(containers).Draw(t, "container")
		for name, q := range c.Resources.Requests {
			var raised resource.Quantity
			raised.Add(q)
			raised.Add(testkit.Positive().Draw(t, "more"))
			c.Resources.Requests[name] = raised
		}
		for name, after := range computeresources.PodRequests(spec, opts) {
			if b := before[name]; after.Cmp(b) < 0 {
				t.Fatalf("%s fell from %s to %s", name, b.String(), after.String())
			}
		}
	})
}

// Each default is reported as it was set, none is reported that was not, nothing else
// changes, and there is nothing left to do afterwards.
func TestApplyRequestDefaultsReportsWhatItSets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := testkit.Spec().Draw(t, "spec")
		before := spec.DeepCopy()
		set := computeresources.ApplyRequestDefaults(spec)
		replayed := before.DeepCopy()
		thousandths(replayed)
		for _, d := range set {
			list := listOf(replayed, d)
			if _, stated := (*list)[d.Resource]; stated {
				t.Fatalf("%v was stated already", d)
			}
			if *list == nil {
				*list = corev1.ResourceList{}
			}
			(*list)[d.Resource] = d.Amount
		}
		if diff := cmp.Diff(replayed, spec); diff != "" {
			t.Fatalf("-before, with what is reported; +after:\n%s", diff)
		}
		again := spec.DeepCopy()
		if more := computeresources.ApplyRequestDefaults(again); len(more) > 0 {
			t.Fatalf("applied again, it sets %v", more)
		}
		after := testkit.Fingerprint(spec)
		testkit.Scramble(set)
		if testkit.Fingerprint(spec) != after {
			t.Fatal("the report shares memory with the spec")
		}
	})
}

// Whoever gives a spec to ApplyRequestDefaults may still share quantities with others:
// what is set from a limit must not hold the limit's own decimal.
func TestApplyRequestDefaultsCopies(t *testing.T) {
	spec := &corev1.PodSpec{Containers: []corev1.Container{testkit.Container("app", nil, testkit.List("memory", "1.5Gi"))}}
	computeresources.ApplyRequestDefaults(spec)
	request := spec.Containers[0].Resources.Requests["memory"]
	request.Add(resource.MustParse("1Gi"))
	if limit := spec.Containers[0].Resources.Limits["memory"]; limit.String() != "1536Mi" {
		t.Errorf("adding to the request changed the limit to %s", limit.String())
	}

	shared := resource.MustParse("100n")
	spec = &corev1.PodSpec{Overhead: corev1.ResourceList{"cpu": shared}}
	computeresources.ApplyRequestDefaults(spec)
	if rounded := spec.Overhead["cpu"]; rounded.String() != "1m" || shared.String() != "100n" {
		t.Errorf("rounded to %s, from what is %s now", rounded.String(), shared.String())
	}
}

// thousandths rounds what a pod states as the API does.
func thousandths(spec *corev1.PodSpec) {
	lists := []corev1.ResourceList{spec.Overhead}
	for _, c := range slices.Concat(spec.Containers, spec.InitContainers) {
		lists = append(lists, c.Resources.Requests, c.Resources.Limits)
	}
	if spec.Resources != nil {
		lists = append(lists, spec.Resources.Requests, spec.Resources.Limits)
	}
	for _, list := range lists {
		for name, q := range list {
			q = q.DeepCopy()
			q.RoundUp(resource.Milli)
			list[name] = q
		}
	}
}

// listOf returns the list of a spec that a default belongs to.
func listOf(spec *corev1.PodSpec, d computeresources.Default) *corev1.ResourceList {
	var r *corev1.ResourceRequirements
	switch d.Ref.Kind {
	case computeresources.Pod:
		r = spec.Resources
	case computeresources.App:
		r = &spec.Containers[d.Ref.Index].Resources
	case computeresources.Init, computeresources.Sidecar:
		r = &spec.InitContainers[d.Ref.Index].Resources
	}
	if d.Limit {
		return &r.Limits
	}
	return &r.Requests
}

// A status that says nothing, options that name nothing, and empty lists change nothing about
// an answer, its format included: the answer is the same whichever way it is computed.
func TestSayingNothingChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		quantities := rapid.SampledFrom([]*rapid.Generator[resource.Quantity]{testkit.Ordinary(), testkit.Quantity(), testkit.Unformatted(testkit.Ordinary())}).Draw(t, "quantities")
		spec := testkit.SpecWith(quantities).Draw(t, "spec")
		if rapid.Bool().Draw(t, "nothing but containers") {
			spec.Resources, spec.Overhead = nil, nil
		}
		nothing := corev1.ResourceList{}
		bare := spec.DeepCopy()
		if bare.Resources == nil {
			bare.Resources = &corev1.ResourceRequirements{Requests: nothing, Limits: nothing}
		}
		if bare.Overhead == nil {
			bare.Overhead = nothing
		}
		saying := []struct {
			what string
			spec *corev1.PodSpec
			opts computeresources.Options
		}{
			{"an empty status", spec, computeresources.Options{Status: &corev1.PodStatus{}}},
			{"empty lists in the options", spec, computeresources.Options{MissingRequests: nothing, ClaimedFromNode: nothing}},
			{"options about a status that there is not", spec, computeresources.Options{IgnorePodLevelStatus: true}},
			{"empty lists in the spec", bare, computeresources.Options{}},
			{"quantities that claims take none of", spec, computeresources.Options{ClaimedFromNode: corev1.ResourceList{}}},
		}
		for name, of := range map[string]func(*corev1.PodSpec, computeresources.Options) any{
			"PodRequests": func(s *corev1.PodSpec, o computeresources.Options) any {
				return testkit.Texts(computeresources.PodRequests(s, o))
			},
			"PodLimits": func(s *corev1.PodSpec, o computeresources.Options) any {
				return testkit.Texts(computeresources.PodLimits(s, o))
			},
			"BindingLimits": func(s *corev1.PodSpec, o computeresources.Options) any {
				return testkit.Texts(computeresources.BindingLimits(s, o))
			},
			"PodRequestTotals": func(s *corev1.PodSpec, o computeresources.Options) any {
				return computeresources.PodRequestTotals(s, o)
			},
			"PodLimitTotals": func(s *corev1.PodSpec, o computeresources.Options) any { return computeresources.PodLimitTotals(s, o) },
		} {
			want := of(spec, computeresources.Options{})
			for _, s := range saying {
				if diff := cmp.Diff(want, of(s.spec, s.opts)); diff != "" {
					t.Fatalf("%s with %s (-without +with):\n%s", name, s.what, diff)
				}
			}
		}
	})
}

// Nil lists and maps are as empty ones, in whatever is read.
func TestEmptyIsNil(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pod := testkit.Pod().Draw(t, "pod")
		opts := options(pod).Draw(t, "options")
		opts.Status = nil // whose lists say something by being there
		type input struct {
			Spec *corev1.PodSpec
			Opts computeresources.Options
		}
		testkit.EmptyIsNil(t, input{&pod.Spec, opts}, func(in input) any {
			answers := []any{
				computeresources.PodRequests(in.Spec, in.Opts), computeresources.PodLimits(in.Spec, in.Opts), computeresources.BindingLimits(in.Spec, in.Opts),
				computeresources.PodRequestTotals(in.Spec, in.Opts), computeresources.PodLimitTotals(in.Spec, in.Opts),
				fmt.Sprint(computeresources.Validate(in.Spec, nil)),
			}
			return append(answers, computeresources.ApplyRequestDefaults(in.Spec), in.Spec)
		})
	})
}
