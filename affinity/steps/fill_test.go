package steps_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/qos"
	"github.com/kubemath/kubemath/quota/admit"
)

// bounded builds an item; nil lists are not set.
func bounded(defaultRequest, defaultLimit, least, most, ratio corev1.ResourceList) corev1.LimitRangeItem {
	return corev1.LimitRangeItem{
		Type: corev1.LimitTypeContainer, DefaultRequest: defaultRequest, Default: defaultLimit,
		Min: least, Max: most, MaxLimitRequestRatio: ratio,
	}
}

func pod(containers ...corev1.Container) *corev1.PodSpec {
	return &corev1.PodSpec{Containers: containers}
}

// step builds a container; empty amounts are not set.
func step(name, request, limit string) corev1.Container { return stepOf("cpu", name, request, limit) }

func stepOf(resource, name, request, limit string) corev1.Container {
	of := func(amount string) corev1.ResourceList {
		if amount == "" {
			return nil
		}
		return testkit.List(resource, amount)
	}
	return testkit.Container(name, of(request), of(limit))
}

// cpu builds a list of one entry, or none.
func cpu(amount string) corev1.ResourceList {
	if amount == "" {
		return nil
	}
	return testkit.List("cpu", amount)
}

func gpu(amount string) corev1.ResourceList { return testkit.List("nvidia.com/gpu", amount) }

type filling struct {
	name      string
	spec      *corev1.PodSpec
	item      corev1.LimitRangeItem
	opts      steps.Options
	changes   []string
	conflicts []string
}

func TestFill(t *testing.T) {
	document := bounded(cpu("1"), cpu("2"), cpu("300m"), cpu("3"), nil)
	single := steps.Options{SingleRange: true}
	stepsOnly, uncapped := steps.Options{StepsOnly: true}, steps.Options{Unchecked: true}
	truncated := steps.Options{Division: division.Options{Truncated: true}}
	toEach := steps.Options{Division: division.Options{ToEach: true}}
	odd := document
	odd.Type = corev1.LimitTypePod
	untyped := document
	untyped.Type = ""
	three := func(item corev1.LimitRangeItem, opts steps.Options, want ...string) filling {
		return filling{spec: pod(step("step-a", "", ""), step("step-b", "", ""), step("step-c", "", "")), item: item, opts: opts, changes: want}
	}
	named := func(name string, f filling) filling { f.name = name; return f }
	a := entry{"container step-a", "cpu", "request"}
	b := entry{"container step-b", "cpu", "request"}
	c := entry{"container step-c", "cpu", "request"}

	for _, test := range []filling{
		{"two steps", pod(step("step-a", "", ""), step("step-b", "", "")), document, steps.Options{}, []string{a.set("500m"), b.set("500m")}, nil},
		{"two steps and a sidecar", pod(step("step-a", "", ""), step("step-b", "", ""), step("sidecar-c", "", "")), document, steps.Options{},
			[]string{a.set("500m"), b.set("500m"), "container sidecar-c: set the cpu request to 1"}, nil},
		{"a native sidecar that is left to the LimitRanger", &corev1.PodSpec{InitContainers: []corev1.Container{testkit.Sidecar("log", nil, nil)}, Containers: []corev1.Container{step("step-a", "", "")}}, document, stepsOnly, []string{a.set("1")}, nil},
		{"a sidecar that is left to the LimitRanger", pod(step("step-a", "", ""), step("sidecar-c", "", "")), document, stepsOnly, []string{a.set("1")}, nil},
		{"requests that are set do not change", pod(step("step-a", "200m", "2"), step("step-b", "1", "4")), document, steps.Options{}, nil, nil},
		{"a request that is set does not change the part of others", pod(step("step-a", "200m", ""), step("step-b", "", "")), document, steps.Options{}, []string{b.set("500m")}, nil},
		{"zero is missing", pod(step("step-a", "0", ""), step("step-b", "-1", "")), document, steps.Options{}, []string{a.change("0", "500m"), b.change("-1", "500m")}, nil},
		{"zero is missing, and Tekton keeps what is below it", pod(step("step-a", "0", ""), step("step-b", "-1", "")), document, uncapped, []string{a.change("0", "500m")}, nil},
		{"init containers and native sidecars get the default whole", &corev1.PodSpec{
			InitContainers: []corev1.Container{step("step-init", "", ""), testkit.Sidecar("proxy", nil, nil)},
			Containers:     []corev1.Container{step("step-a", "", "")},
		}, document, steps.Options{}, []string{"init container step-init: set the cpu request to 1", "sidecar proxy: set the cpu request to 1", a.set("1")}, nil},
		{"no steps", pod(step("a", "", "")), document, steps.Options{}, []string{"container a: set the cpu request to 1"}, nil},
		{"no containers", pod(), document, steps.Options{}, nil, nil},
		{"no spec", nil, document, steps.Options{}, nil, nil},
		{"a LimitRange item of another type", pod(step("step-a", "", "")), odd, steps.Options{}, nil, nil},
		{"no type", pod(step("step-a", "", "")), untyped, steps.Options{}, []string{a.set("1")}, nil},
		{"no bounds", pod(step("step-a", "", "")), corev1.LimitRangeItem{}, steps.Options{}, nil, nil},

		named("exact", three(bounded(cpu("1"), nil, nil, nil, nil), steps.Options{}, a.set("334m"), b.set("333m"), c.set("333m"))),
		named("truncated", three(bounded(cpu("1"), nil, nil, nil, nil), truncated, a.set("333m"), b.set("333m"), c.set("333m"))),
		named("truncated, and not rounded up first", three(bounded(cpu("5999999n"), nil, nil, nil, nil), truncated, a.set("1m"), b.set("1m"), c.set("1m"))),
		named("at least the minimum", three(bounded(cpu("1"), nil, cpu("400m"), nil, nil), steps.Options{}, a.set("400m"), b.set("400m"), c.set("400m"))),
		named("a minimum just above some", three(bounded(cpu("1"), nil, cpu("334m"), nil, nil), steps.Options{}, a.set("334m"), b.set("334m"), c.set("334m"))),
		named("a minimum just below all", three(bounded(cpu("1"), nil, cpu("333m"), nil, nil), steps.Options{}, a.set("334m"), b.set("333m"), c.set("333m"))),
		named("the minimum for default", three(bounded(nil, nil, cpu("300m"), nil, nil), steps.Options{}, a.set("300m"), b.set("300m"), c.set("300m"))),
		named("a default below the minimum", three(bounded(cpu("100m"), nil, cpu("300m"), nil, nil), steps.Options{}, a.set("300m"), b.set("300m"), c.set("300m"))),
		named("a default above the maximum", three(bounded(cpu("9"), nil, nil, cpu("3"), nil), steps.Options{}, a.set("1"), b.set("1"), c.set("1"))),
		named("a default above the maximum, uncapped", three(bounded(cpu("9"), nil, nil, cpu("2"), nil), uncapped, a.set("3"), b.set("3"), c.set("3"))),
		named("a default of zero", three(bounded(cpu("0"), nil, cpu("300m"), nil, nil), steps.Options{}, a.set("300m"), b.set("300m"), c.set("300m"))),
		named("a negative default", three(bounded(cpu("-1"), nil, nil, nil, nil), steps.Options{})),
		named("only a default limit", three(bounded(nil, cpu("1"), nil, nil, nil), steps.Options{})),
		named("a minimum of zero", three(bounded(nil, nil, cpu("0"), nil, nil), steps.Options{})),
		named("a negative minimum", three(bounded(cpu("3"), nil, cpu("-1"), nil, nil), steps.Options{}, a.set("1"), b.set("1"), c.set("1"))),
		named("parts of nothing", three(bounded(cpu("2m"), nil, nil, nil, nil), steps.Options{}, a.set("1m"), b.set("1m"), c.set("0"))),
		named("a maximum of zero", three(bounded(cpu("2"), nil, nil, cpu("0"), nil), steps.Options{}, a.set("0"), b.set("0"), c.set("0"))),

		{"a part is reduced to the limit of its step", pod(step("step-a", "", "100m"), step("step-b", "", "")), bounded(cpu("1"), nil, nil, nil, nil), steps.Options{}, []string{a.set("100m"), b.set("500m")}, nil},
		{"a part above the limit of its step, uncapped", pod(step("step-a", "", "100m")), bounded(cpu("1"), nil, nil, nil, nil), uncapped, []string{a.set("1")}, nil},
		{"no more than the default limit", pod(step("step-a", "", "")), bounded(cpu("1"), cpu("500m"), nil, nil, nil), steps.Options{}, []string{a.set("500m")}, nil},
		{"no request with a limit of zero", pod(step("step-a", "", "0"), step("step-b", "0", "0")), bounded(cpu("1"), nil, nil, nil, nil), steps.Options{}, nil, nil},
		{"a limit of zero, uncapped", pod(step("step-a", "", "0")), bounded(cpu("1"), nil, nil, nil, nil), uncapped, []string{a.set("1")}, nil},
		{"a limit of zero below the minimum", pod(step("step-a", "", "0")), document, steps.Options{}, nil, []string{"container step-a cpu: the limit is below min: limit 0, min 300m"}},
		{"a limit of the minimum", pod(step("step-a", "", "300m")), document, steps.Options{}, []string{a.set("300m")}, nil},
		{"a limit below the minimum", pod(step("step-a", "", "200m")), document, steps.Options{}, nil, []string{"container step-a cpu: the limit is below min: limit 200m, min 300m"}},
		{"a limit below the minimum, uncapped", pod(step("step-a", "", "200m")), document, uncapped, []string{a.set("1")}, nil},
		{"a sidecar below the minimum, uncapped", pod(step("c", "", "")), bounded(cpu("100m"), nil, cpu("300m"), nil, nil), uncapped, []string{"container c: set the cpu request to 300m"}, nil},

		{"near enough to the limit", pod(step("step-a", "", "2")), bounded(cpu("1"), nil, nil, nil, cpu("2")), steps.Options{}, []string{a.set("1")}, nil},
		{"too far below the limit", pod(step("step-a", "", "2"), step("step-b", "", "")), bounded(cpu("1"), nil, nil, nil, cpu("3")), steps.Options{}, []string{a.set("667m"), b.set("500m")}, nil},
		{"a ratio to a default limit that is not known", pod(step("step-a", "", ""), step("step-b", "", "")), bounded(cpu("1"), cpu("2"), nil, nil, cpu("8")), steps.Options{}, nil, []string{"container step-a cpu: no request suits every limit that the container may get: defaultRequest 1", "container step-b cpu: no request suits every limit that the container may get: defaultRequest 1"}},
		{"too far below the default limit of the only LimitRange", pod(step("step-a", "", ""), step("step-b", "", "")), bounded(cpu("1"), cpu("2"), nil, nil, cpu("3")), single, []string{a.set("667m"), b.set("667m")}, nil},
		{"no more than the default limit of the only LimitRange", pod(step("step-a", "", "")), bounded(cpu("1"), cpu("500m"), nil, cpu("8"), cpu("2")), single, []string{a.set("500m")}, nil},
		{"near enough to the maximum", pod(step("step-a", "", ""), step("step-b", "", "")), bounded(cpu("1"), cpu("1"), nil, cpu("2"), cpu("4")), steps.Options{}, []string{a.set("500m"), b.set("500m")}, nil},
		{"too far below the maximum, and not above the default limit", pod(step("step-a", "", ""), step("step-b", "", "")), bounded(cpu("1"), cpu("1"), nil, cpu("4"), cpu("4")), steps.Options{}, []string{a.set("1"), b.set("1")}, nil},
		{"too far below the maximum, or above the default limit", pod(step("step-a", "", ""), step("step-b", "", "")), bounded(cpu("1"), cpu("1"), nil, cpu("5"), cpu("4")), steps.Options{}, nil, []string{"container step-a cpu: no request suits every limit that the container may get: defaultRequest 1", "container step-b cpu: no request suits every limit that the container may get: defaultRequest 1"}},
		{"too far below the maximum", pod(step("step-a", "", ""), step("step-b", "", "")), bounded(cpu("1"), nil, nil, cpu("2"), cpu("3")), steps.Options{}, []string{a.set("667m"), b.set("667m")}, nil},
		{"too far below the limit, uncapped", pod(step("step-a", "", "2"), step("step-b", "", "")), bounded(cpu("1"), nil, nil, nil, cpu("3")), uncapped, []string{a.set("500m"), b.set("500m")}, nil},
		{"a part of zero with a ratio", pod(step("step-a", "", "2m"), step("step-b", "", "4m")), bounded(cpu("1m"), nil, nil, nil, cpu("2")), steps.Options{}, []string{a.set("1m"), b.set("2m")}, nil},
		{"a ratio that a limit above the maximum keeps from", pod(step("step-a", "", "10")), bounded(cpu("1"), nil, nil, cpu("2"), cpu("4")), steps.Options{}, nil, []string{"container step-a cpu: the limit requires a request above max: limit 10, max 2"}},
		{"a limit above the maximum that is not in the way", pod(step("step-a", "", "8")), bounded(cpu("1"), nil, nil, cpu("2"), cpu("4")), steps.Options{}, []string{a.set("2")}, nil},

		{"a minimum above the maximum", pod(step("step-a", "", ""), step("step-b", "1", "")), bounded(cpu("1"), nil, cpu("2"), cpu("1500m"), nil), steps.Options{}, nil, []string{"container step-a cpu: min is above max: min 2, max 1500m"}},
		{"a maximum below zero", pod(step("step-a", "", "")), bounded(cpu("1"), nil, nil, cpu("-1"), nil), steps.Options{StepsOnly: true}, nil, []string{"container step-a cpu: max is below zero: max -1"}},
		{"a ratio below one", pod(step("step-a", "", "")), bounded(cpu("1"), nil, nil, nil, cpu("999m")), steps.Options{}, nil, []string{"container step-a cpu: no request and limit within the bounds meet the ratio: maxLimitRequestRatio 999m"}},
		{"a ratio of one", pod(step("step-a", "", "3")), bounded(cpu("1"), nil, nil, nil, cpu("1")), steps.Options{}, []string{a.set("3")}, nil},
		{"a ratio under a maximum of zero", pod(step("step-a", "", "")), bounded(cpu("1"), nil, nil, cpu("0"), cpu("2")), steps.Options{}, nil, []string{"container step-a cpu: no request and limit within the bounds meet the ratio: maxLimitRequestRatio 2, max 0"}},

		{"no GPUs without a limit", pod(step("step-a", "", ""), step("step-b", "", "")), bounded(gpu("1"), nil, nil, nil, nil), steps.Options{}, nil, []string{"container step-b nvidia.com/gpu: no request suits every limit that the container may get: defaultRequest 1"}},
		{"no GPUs to each without a limit", pod(step("step-a", "", ""), step("step-b", "", "")), bounded(gpu("1"), nil, nil, nil, nil), toEach, nil, nil},
		{"no GPUs, as Tekton", pod(step("step-a", "", ""), stepOf("nvidia.com/gpu", "step-b", "", "2")), bounded(gpu("1"), nil, gpu("1"), nil, nil), steps.TektonOptions(), nil, nil},
		{"a default limit of GPUs is not known", pod(step("step-a", "", ""), step("step-b", "", "")), bounded(gpu("2"), gpu("2"), gpu("1"), gpu("2"), nil), steps.Options{}, nil, []string{"container step-b nvidia.com/gpu: no request suits every limit that the container may get: defaultRequest 2"}},
		{"a minimum of GPUs above the maximum", pod(step("step-a", "", "")), bounded(gpu("1"), nil, gpu("2"), gpu("1"), nil), steps.Options{}, nil, []string{"container step-a nvidia.com/gpu: min is above max: min 2, max 1"}},
		{"a minimum of GPUs above the maximum, of two steps", pod(step("step-a", "", ""), step("step-b", "", "")), bounded(gpu("1"), nil, gpu("2"), gpu("1"), nil), steps.Options{}, nil,
			[]string{"container step-a nvidia.com/gpu: min is above max: min 2, max 1", "container step-b nvidia.com/gpu: min is above max: min 2, max 1"}},
		{"no GPUs for a step with a limit of zero", pod(stepOf("nvidia.com/gpu", "step-a", "", "1"), stepOf("nvidia.com/gpu", "step-b", "", "0")), bounded(gpu("1"), nil, nil, nil, nil), steps.Options{}, []string{"container step-a: set the nvidia.com/gpu request to 1"}, nil},
		{"GPUs are requested as they are limited", pod(stepOf("nvidia.com/gpu", "step-a", "", "3"), step("step-b", "", "")), bounded(gpu("1"), nil, nil, nil, nil), steps.Options{}, []string{"container step-a: set the nvidia.com/gpu request to 3"}, []string{"container step-b nvidia.com/gpu: no request suits every limit that the container may get: defaultRequest 1"}},
		{"no GPUs for a step without a part", pod(step("step-a", "", ""), stepOf("nvidia.com/gpu", "step-b", "", "2")), bounded(gpu("1"), nil, nil, nil, nil), steps.Options{}, nil, nil},
		{"only the resources in Only", pod(step("step-a", "", "")), bounded(testkit.List("cpu", "1", "memory", "1Gi"), nil, testkit.List("storage", "1"), nil, nil), steps.Options{Only: []corev1.ResourceName{"cpu", "example.com/x"}}, []string{a.set("1")}, nil},
		{"no resource counts", pod(step("step-a", "", "")), document, steps.Options{Only: []corev1.ResourceName{}}, nil, nil},
		{"no part of zero, uncapped", pod(step("step-a", "", ""), step("step-b", "", "")), bounded(cpu("1m"), nil, nil, nil, nil), uncapped, []string{a.set("1m")}, nil},
		{"a limit of GPUs above the maximum", pod(stepOf("nvidia.com/gpu", "step-a", "", "3")), bounded(gpu("1"), nil, nil, gpu("2"), nil), steps.Options{}, nil, []string{"container step-a nvidia.com/gpu: the limit requires a request above max: limit 3, max 2"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			changes, conflicts := steps.Fill(test.spec, test.item, steps.TektonStep, test.opts)
			expect(t, test.changes, test.conflicts, changes, conflicts)
		})
	}
}

func TestFillSortsResources(t *testing.T) {
	item := bounded(testkit.List("memory", "1Gi", "cpu", "1", "ephemeral-storage", "1Gi"), nil, nil, nil, nil)
	changes, _ := steps.Fill(pod(step("step-a", "", "")), item, steps.TektonStep, steps.Options{})
	want := []string{"container step-a: set the cpu request to 1", "container step-a: set the ephemeral-storage request to 1Gi", "container step-a: set the memory request to 1Gi"}
	expect(t, want, nil, changes, nil)
}

func TestTektonOptions(t *testing.T) {
	want := steps.Options{
		Division: division.Options{Truncated: true, RoundUp: true}, StepsOnly: true, Unchecked: true, AsTekton: true,
		Only: []corev1.ResourceName{"cpu", "memory", "ephemeral-storage"},
	}
	got := steps.TektonOptions()
	testkit.NoDiff(t, got, want)
	got.Only[0] = "memory"
	if again := steps.TektonOptions(); again.Only[0] != "cpu" {
		t.Error("the resources are shared")
	}
}

// Without a predicate, no container is a step.
func TestFillWithoutPredicate(t *testing.T) {
	changes, _ := steps.Fill(pod(step("step-a", "", ""), step("step-b", "", "")), bounded(cpu("1"), nil, nil, nil, nil), nil, steps.Options{})
	want := []string{"container step-a: set the cpu request to 1", "container step-b: set the cpu request to 1"}
	expect(t, want, nil, changes, nil)
}

func TestConflictFields(t *testing.T) {
	tests := []struct {
		item   corev1.LimitRangeItem
		limit  string
		cause  limitrange.ConflictCause
		values []string
	}{
		{bounded(cpu("1"), nil, cpu("2"), cpu("1"), nil), "", limitrange.MinAboveMax, []string{"min 2", "max 1"}},
		{bounded(cpu("1"), nil, nil, cpu("-2"), nil), "", limitrange.MaxBelowZero, []string{"max -2"}},
		{bounded(cpu("1"), nil, nil, nil, cpu("500m")), "", limitrange.RatioUnreachable, []string{"maxLimitRequestRatio 500m"}},
		{bounded(cpu("1"), nil, nil, cpu("0"), cpu("3")), "", limitrange.RatioUnreachable, []string{"maxLimitRequestRatio 3", "max 0"}},
		{bounded(cpu("1"), nil, cpu("500m"), nil, nil), "400m", limitrange.LimitBelowMin, []string{"limit 400m", "min 500m"}},
		{bounded(cpu("1"), nil, nil, cpu("2"), cpu("2")), "8", limitrange.LimitAboveMax, []string{"limit 8", "max 2"}},
	}
	for _, test := range tests {
		_, conflicts := steps.Fill(pod(step("x", "1", ""), step("step-a", "", test.limit)), test.item, steps.TektonStep, steps.Options{})
		if len(conflicts) != 1 {
			t.Errorf("%v: %v", test.cause, conflicts)
			continue
		}
		c := conflicts[0]
		ref := computeresources.Ref{Kind: computeresources.App, Index: 1, Name: "step-a"}
		if c.Cause != test.cause || c.Type != corev1.LimitTypeContainer || c.Resource != "cpu" || c.Ref != ref {
			t.Errorf("%+v", c)
		}
		var values []string
		for _, v := range c.Values {
			values = append(values, fmt.Sprintf("%v %s", v.Bound, v.Amount.String()))
			inPod := v.Bound == limitrange.Request || v.Bound == limitrange.Limit
			if v.Resource != "cpu" || inPod != (v.Ref == ref) || inPod != (v.Type == "") {
				t.Errorf("%+v", v)
			}
		}
		testkit.NoDiff(t, values, test.values, test.cause)
	}
}

// If the API server stores a pod unchanged in a namespace, it also stores the pod after Fill,
// with all its validation and any order of the LimitRanges.
func TestFillIsAdmittedWhereUntouchedWas(t *testing.T) {
	admitted, several := 0, 0 // cases, and the most LimitRanges of one
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.SampledFrom(slices.Sorted(maps.Keys(ascending))), 1, 4, rapid.ID).Draw(t, "resources")
		slices.Sort(names)
		ranges, spec, isStep := ordinaryRanges(names).Draw(t, "ranges"), ordinarySpecs(names).Draw(t, "spec"), predicates(t)
		opts := steps.Options{
			Division: divisions(t), StepsOnly: rapid.Bool().Draw(t, "steps only"),
			SingleRange: len(ranges) == 1 && rapid.Bool().Draw(t, "single"),
		}
		changes, conflicts := steps.Fill(spec, limitrange.AggregateOf(ranges).Item(corev1.LimitTypeContainer), isStep, opts)
		filled := apply(t, spec, changes)
		for _, order := range orders(ranges) {
			namespace, err := admit.Compile(order, nil, admit.Options{})
			if err != nil {
				continue // the API server stores no such LimitRange
			}
			if !namespace.Create(podOf(spec), admit.Attributes{}).Admitted() {
				continue
			}
			if after := namespace.Create(podOf(filled), admit.Attributes{}); !after.Admitted() {
				t.Fatalf("rejected after %v, with %v conflicts: %v", sentences(changes), sentences(conflicts), after.Err())
			}
			if len(changes) > 0 {
				admitted++
				several = max(several, len(ranges))
			}
		}
	})
	if !testing.Short() && (admitted == 0 || several < 2) {
		t.Errorf("%d pods were filled in and admitted, at most under %d LimitRanges", admitted, several)
	}
}

func podOf(spec *corev1.PodSpec) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ci", Name: "build"}, Spec: *spec}
}

// "Compute Resources in Tekton" says that LimitRanges with default requests and limits can make the pod
// of a task Guaranteed. With two steps or more, the default request is divided, and the default limit is
// not, so no request is equal to its limit.
// See docs/decisions/affinity.md#guaranteed-by-defaults.
func TestDivergenceGuaranteedByDefaults(t *testing.T) {
	defaults := testkit.List("cpu", "1", "memory", "1Gi")
	item := bounded(defaults, defaults, nil, nil, nil)
	policy := limitrange.Compile([]*corev1.LimitRange{rangeOf("defaults", item)}, computeresources.Kubernetes{})
	applied := func(spec *corev1.PodSpec, changes []computeresources.Change) {
		testkit.OK(t, computeresources.ApplyChanges(spec, changes))
	}
	fills := map[string]func(*corev1.PodSpec) ([]computeresources.Change, computeresources.Problems[*limitrange.Conflict]){
		"Fill": func(spec *corev1.PodSpec) ([]computeresources.Change, computeresources.Problems[*limitrange.Conflict]) {
			return steps.Fill(spec, item, steps.TektonStep, steps.Options{})
		},
		"Fit": func(spec *corev1.PodSpec) ([]computeresources.Change, computeresources.Problems[*limitrange.Conflict]) {
			return steps.Fit(spec, item, steps.TektonStep, division.Options{})
		},
		"Tekton": func(spec *corev1.PodSpec) ([]computeresources.Change, computeresources.Problems[*limitrange.Conflict]) {
			return steps.Fill(spec, item, steps.TektonStep, steps.TektonOptions())
		},
	}
	for name, fill := range fills {
		for _, test := range []struct {
			containers []corev1.Container
			want       corev1.PodQOSClass
		}{
			{[]corev1.Container{step("step-a", "", "")}, corev1.PodQOSGuaranteed},
			{[]corev1.Container{step("step-a", "", ""), step("sidecar-b", "", "")}, corev1.PodQOSGuaranteed},
			{[]corev1.Container{step("step-a", "", ""), step("step-b", "", "")}, corev1.PodQOSBurstable},
		} {
			spec := pod(test.containers...)
			changes, conflicts := fill(spec)
			if len(conflicts) > 0 {
				t.Fatalf("%s: %v", name, sentences(conflicts))
			}
			applied(spec, changes)
			policy.ApplyDefaults(spec)
			testkit.Equal(t, qos.Class(spec, computeresources.Kubernetes{}), test.want, name, len(test.containers), "containers")
			more, unset := qos.GuaranteedChanges(spec, computeresources.Kubernetes{})
			applied(spec, more)
			if got := qos.Class(spec, computeresources.Kubernetes{}); len(unset) > 0 || got != corev1.PodQOSGuaranteed {
				t.Errorf("%s, %d containers: %s after qos.GuaranteedChanges, %v unset", name, len(test.containers), got, unset)
			}
		}
	}
}
