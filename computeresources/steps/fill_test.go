package steps_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/computeresources/steps"
	"github.com/kubemath/kubemath/internal/testkit"
)

// bounded builds an item; nil lists are left out.
func bounded(defaultRequest, defaultLimit, least, most, ratio corev1.ResourceList) corev1.LimitRangeItem {
	return corev1.LimitRangeItem{
		Type: corev1.LimitTypeContainer, DefaultRequest: defaultRequest, Default: defaultLimit,
		Min: least, Max: most, MaxLimitRequestRatio: ratio,
	}
}

func pod(containers ...corev1.Container) *corev1.PodSpec {
	return &corev1.PodSpec{Containers: containers}
}

// step builds a container; empty amounts are left out.
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
	name    string
	spec    *corev1.PodSpec
	item    corev1.LimitRangeItem
	opts    steps.Options
	changes []string
	unmet   []string
}

func TestFill(t *testing.T) {
	document := bounded(cpu("1"), cpu("2"), cpu("300m"), cpu("3"), nil)
	single := steps.Options{SingleRange: true}
	stepsOnly, uncapped := steps.Options{StepsOnly: true}, steps.Options{Uncapped: true}
	truncated := steps.Options{Division: division.Options{Method: division.Truncated}}
	toEach := steps.Options{Division: division.Options{Indivisible: division.ToEach}}
	odd := document
	odd.Type = corev1.LimitTypePod
	untyped := document
	untyped.Type = ""
	three := func(item corev1.LimitRangeItem, opts steps.Options, want ...string) filling {
		return filling{spec: pod(step("step-a", "", ""), step("step-b", "", ""), step("step-c", "", "")), item: item, opts: opts, changes: want}
	}
	named := func(name string, f filling) filling { f.name = name; return f }
	a := "container step-a: request cpu "
	b := "container step-b: request cpu "
	c := "container step-c: request cpu "

	for _, test := range []filling{
		{"two steps", pod(step("step-a", "", ""), step("step-b", "", "")), document, steps.Options{}, []string{a + "500m", b + "500m"}, nil},
		{"and a sidecar", pod(step("step-a", "", ""), step("step-b", "", ""), step("sidecar-c", "", "")), document, steps.Options{},
			[]string{a + "500m", b + "500m", "container sidecar-c: request cpu 1"}, nil},
		{"a sidecar that is left to the LimitRanger", pod(step("step-a", "", ""), step("sidecar-c", "", "")), document, stepsOnly, []string{a + "1"}, nil},
		{"stated requests are left alone", pod(step("step-a", "200m", "2"), step("step-b", "1", "4")), document, steps.Options{}, nil, nil},
		{"a stated request does not change the part of others", pod(step("step-a", "200m", ""), step("step-b", "", "")), document, steps.Options{}, []string{b + "500m"}, nil},
		{"zero is missing", pod(step("step-a", "0", ""), step("step-b", "-1", "")), document, steps.Options{}, []string{a + "0 becomes 500m", b + "-1 becomes 500m"}, nil},
		{"init containers and native sidecars get the default whole", &corev1.PodSpec{
			InitContainers: []corev1.Container{step("step-init", "", ""), testkit.Sidecar("proxy", nil, nil)},
			Containers:     []corev1.Container{step("step-a", "", "")},
		}, document, steps.Options{}, []string{"init container step-init: request cpu 1", "sidecar proxy: request cpu 1", a + "1"}, nil},
		{"no steps", pod(step("a", "", "")), document, steps.Options{}, []string{"container a: request cpu 1"}, nil},
		{"no containers", pod(), document, steps.Options{}, nil, nil},
		{"no spec", nil, document, steps.Options{}, nil, nil},
		{"another type", pod(step("step-a", "", "")), odd, steps.Options{}, nil, nil},
		{"no type", pod(step("step-a", "", "")), untyped, steps.Options{}, []string{a + "1"}, nil},
		{"no bounds", pod(step("step-a", "", "")), corev1.LimitRangeItem{}, steps.Options{}, nil, nil},

		named("exact", three(bounded(cpu("1"), nil, nil, nil, nil), steps.Options{}, a+"334m", b+"333m", c+"333m")),
		named("truncated", three(bounded(cpu("1"), nil, nil, nil, nil), truncated, a+"333m", b+"333m", c+"333m")),
		named("at least the minimum", three(bounded(cpu("1"), nil, cpu("400m"), nil, nil), steps.Options{}, a+"400m", b+"400m", c+"400m")),
		named("a minimum just above some", three(bounded(cpu("1"), nil, cpu("334m"), nil, nil), steps.Options{}, a+"334m", b+"334m", c+"334m")),
		named("a minimum just below all", three(bounded(cpu("1"), nil, cpu("333m"), nil, nil), steps.Options{}, a+"334m", b+"333m", c+"333m")),
		named("the minimum for default", three(bounded(nil, nil, cpu("300m"), nil, nil), steps.Options{}, a+"300m", b+"300m", c+"300m")),
		named("a default below the minimum", three(bounded(cpu("100m"), nil, cpu("300m"), nil, nil), steps.Options{}, a+"300m", b+"300m", c+"300m")),
		named("a default above the maximum", three(bounded(cpu("9"), nil, nil, cpu("3"), nil), steps.Options{}, a+"1", b+"1", c+"1")),
		named("a default above the maximum, uncapped", three(bounded(cpu("9"), nil, nil, cpu("2"), nil), uncapped, a+"3", b+"3", c+"3")),
		named("a default of zero", three(bounded(cpu("0"), nil, cpu("300m"), nil, nil), steps.Options{}, a+"300m", b+"300m", c+"300m")),
		named("a negative default", three(bounded(cpu("-1"), nil, nil, nil, nil), steps.Options{})),
		named("only a default limit", three(bounded(nil, cpu("1"), nil, nil, nil), steps.Options{})),
		named("a minimum of zero", three(bounded(nil, nil, cpu("0"), nil, nil), steps.Options{})),
		named("a negative minimum", three(bounded(cpu("3"), nil, cpu("-1"), nil, nil), steps.Options{}, a+"1", b+"1", c+"1")),
		named("parts of nothing", three(bounded(cpu("2m"), nil, nil, nil, nil), steps.Options{}, a+"1m", b+"1m", c+"0")),
		named("a maximum of zero", three(bounded(cpu("2"), nil, nil, cpu("0"), nil), steps.Options{}, a+"0", b+"0", c+"0")),

		{"no more than its limit", pod(step("step-a", "", "100m"), step("step-b", "", "")), bounded(cpu("1"), nil, nil, nil, nil), steps.Options{}, []string{a + "100m", b + "500m"}, nil},
		{"more than its limit, uncapped", pod(step("step-a", "", "100m")), bounded(cpu("1"), nil, nil, nil, nil), uncapped, []string{a + "1"}, nil},
		{"no more than the default limit", pod(step("step-a", "", "")), bounded(cpu("1"), cpu("500m"), nil, nil, nil), steps.Options{}, []string{a + "500m"}, nil},
		{"nothing of what is limited to zero", pod(step("step-a", "", "0"), step("step-b", "0", "0")), bounded(cpu("1"), nil, nil, nil, nil), steps.Options{}, nil, nil},
		{"a limit of zero, uncapped", pod(step("step-a", "", "0")), bounded(cpu("1"), nil, nil, nil, nil), uncapped, []string{a + "1"}, nil},
		{"a limit of zero below the minimum", pod(step("step-a", "", "0")), document, steps.Options{}, nil, []string{"container step-a: cpu limit 0 is below the minimum, 300m"}},
		{"a limit of the minimum", pod(step("step-a", "", "300m")), document, steps.Options{}, []string{a + "300m"}, nil},
		{"a limit below the minimum", pod(step("step-a", "", "200m")), document, steps.Options{}, nil, []string{"container step-a: cpu limit 200m is below the minimum, 300m"}},
		{"a limit below the minimum, uncapped", pod(step("step-a", "", "200m")), document, uncapped, []string{a + "1"}, nil},
		{"a sidecar below the minimum, uncapped", pod(step("c", "", "")), bounded(cpu("100m"), nil, cpu("300m"), nil, nil), uncapped, []string{"container c: request cpu 300m"}, nil},

		{"near enough to the limit", pod(step("step-a", "", "2")), bounded(cpu("1"), nil, nil, nil, cpu("2")), steps.Options{}, []string{a + "1"}, nil},
		{"too far below the limit", pod(step("step-a", "", "2"), step("step-b", "", "")), bounded(cpu("1"), nil, nil, nil, cpu("3")), steps.Options{}, []string{a + "667m", b + "500m"}, nil},
		{"a ratio to a default limit that is not known", pod(step("step-a", "", ""), step("step-b", "", "")), bounded(cpu("1"), cpu("2"), nil, nil, cpu("8")), steps.Options{}, nil, nil},
		{"too far below the default limit of the only LimitRange", pod(step("step-a", "", ""), step("step-b", "", "")), bounded(cpu("1"), cpu("2"), nil, nil, cpu("3")), single, []string{a + "667m", b + "667m"}, nil},
		{"no more than the default limit of the only LimitRange", pod(step("step-a", "", "")), bounded(cpu("1"), cpu("500m"), nil, cpu("8"), cpu("2")), single, []string{a + "500m"}, nil},
		{"near enough to the maximum", pod(step("step-a", "", ""), step("step-b", "", "")), bounded(cpu("1"), cpu("1"), nil, cpu("2"), cpu("4")), steps.Options{}, []string{a + "500m", b + "500m"}, nil},
		{"too far below the maximum, and not above the default limit", pod(step("step-a", "", ""), step("step-b", "", "")), bounded(cpu("1"), cpu("1"), nil, cpu("4"), cpu("4")), steps.Options{}, []string{a + "1", b + "1"}, nil},
		{"too far below the maximum, or above the default limit", pod(step("step-a", "", ""), step("step-b", "", "")), bounded(cpu("1"), cpu("1"), nil, cpu("5"), cpu("4")), steps.Options{}, nil, nil},
		{"too far below the maximum", pod(step("step-a", "", ""), step("step-b", "", "")), bounded(cpu("1"), nil, nil, cpu("2"), cpu("3")), steps.Options{}, []string{a + "667m", b + "667m"}, nil},
		{"too far below, uncapped", pod(step("step-a", "", "2"), step("step-b", "", "")), bounded(cpu("1"), nil, nil, nil, cpu("3")), uncapped, []string{a + "500m", b + "500m"}, nil},
		{"a part of nothing under a ratio", pod(step("step-a", "", "2m"), step("step-b", "", "4m")), bounded(cpu("1m"), nil, nil, nil, cpu("2")), steps.Options{}, []string{a + "1m", b + "2m"}, nil},
		{"a ratio that a limit above the maximum keeps from", pod(step("step-a", "", "10")), bounded(cpu("1"), nil, nil, cpu("2"), cpu("4")), steps.Options{}, nil, []string{"container step-a: cpu limit 10 is above the maximum, 2"}},
		{"a limit above the maximum that is not in the way", pod(step("step-a", "", "8")), bounded(cpu("1"), nil, nil, cpu("2"), cpu("4")), steps.Options{}, []string{a + "2"}, nil},

		{"a minimum above the maximum", pod(step("step-a", "", ""), step("step-b", "1", "")), bounded(cpu("1"), nil, cpu("2"), cpu("1500m"), nil), steps.Options{}, nil, []string{"container step-a: cpu minimum 2 is above the maximum, 1500m"}},
		{"a maximum below zero", pod(step("step-a", "", "")), bounded(cpu("1"), nil, nil, cpu("-1"), nil), steps.Options{StepsOnly: true}, nil, []string{"container step-a: cpu maximum -1 is below zero"}},
		{"a ratio below one", pod(step("step-a", "", "")), bounded(cpu("1"), nil, nil, nil, cpu("999m")), steps.Options{}, nil, []string{"container step-a: cpu limit cannot be less than the request, as the ratio 999m demands"}},
		{"a ratio of one", pod(step("step-a", "", "3")), bounded(cpu("1"), nil, nil, nil, cpu("1")), steps.Options{}, []string{a + "3"}, nil},
		{"a ratio under a maximum of zero", pod(step("step-a", "", "")), bounded(cpu("1"), nil, nil, cpu("0"), cpu("2")), steps.Options{}, nil, []string{"container step-a: cpu ratio 2 demands a request and a limit above zero"}},

		{"no GPUs without a limit", pod(step("step-a", "", ""), step("step-b", "", "")), bounded(gpu("1"), nil, nil, nil, nil), steps.Options{}, nil, nil},
		{"no GPUs to each without a limit", pod(step("step-a", "", ""), step("step-b", "", "")), bounded(gpu("1"), nil, nil, nil, nil), toEach, nil, nil},
		{"no GPUs, as Tekton", pod(step("step-a", "", ""), stepOf("nvidia.com/gpu", "step-b", "", "2")), bounded(gpu("1"), nil, gpu("1"), nil, nil), steps.TektonOptions(), nil, nil},
		{"a default limit of GPUs is not known", pod(step("step-a", "", ""), step("step-b", "", "")), bounded(gpu("2"), gpu("2"), gpu("1"), gpu("2"), nil), steps.Options{}, nil, nil},
		{"a minimum of GPUs above the maximum", pod(step("step-a", "", "")), bounded(gpu("1"), nil, gpu("2"), gpu("1"), nil), steps.Options{}, nil, []string{"container step-a: nvidia.com/gpu minimum 2 is above the maximum, 1"}},
		{"GPUs are requested as they are limited", pod(stepOf("nvidia.com/gpu", "step-a", "", "3"), step("step-b", "", "")), bounded(gpu("1"), nil, nil, nil, nil), steps.Options{}, []string{"container step-a: request nvidia.com/gpu 3"}, nil},
		{"only the resources that count", pod(step("step-a", "", "")), bounded(testkit.List("cpu", "1", "memory", "1Gi"), nil, testkit.List("storage", "1"), nil, nil), steps.Options{Only: []corev1.ResourceName{"cpu", "example.com/x"}}, []string{a + "1"}, nil},
		{"no resource counts", pod(step("step-a", "", "")), document, steps.Options{Only: []corev1.ResourceName{}}, nil, nil},
		{"no part of nothing, uncapped", pod(step("step-a", "", ""), step("step-b", "", "")), bounded(cpu("1m"), nil, nil, nil, nil), uncapped, []string{a + "1m"}, nil},
		{"a limit of GPUs above the maximum", pod(stepOf("nvidia.com/gpu", "step-a", "", "3")), bounded(gpu("1"), nil, nil, gpu("2"), nil), steps.Options{}, nil, []string{"container step-a: nvidia.com/gpu limit 3 is above the maximum, 2"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			changes, unmet := steps.Fill(test.spec, test.item, steps.TektonStep, test.opts)
			expect(t, test.changes, test.unmet, changes, unmet)
		})
	}
}

func TestFillSortsResources(t *testing.T) {
	item := bounded(testkit.List("memory", "1Gi", "cpu", "1", "ephemeral-storage", "1Gi"), nil, nil, nil, nil)
	changes, _ := steps.Fill(pod(step("step-a", "", "")), item, steps.TektonStep, steps.Options{})
	want := []string{"container step-a: request cpu 1", "container step-a: request ephemeral-storage 1Gi", "container step-a: request memory 1Gi"}
	expect(t, want, nil, changes, nil)
}

func TestTektonOptions(t *testing.T) {
	want := steps.Options{
		Division: division.Options{Method: division.Truncated}, StepsOnly: true, Uncapped: true,
		Only: []corev1.ResourceName{"cpu", "memory", "ephemeral-storage"},
	}
	got := steps.TektonOptions()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got.Only[0] = "memory"
	if again := steps.TektonOptions(); again.Only[0] != "cpu" {
		t.Error("the resources are shared")
	}
}

// Without a predicate, no container is a step.
func TestFillWithoutPredicate(t *testing.T) {
	changes, _ := steps.Fill(pod(step("step-a", "", ""), step("step-b", "", "")), bounded(cpu("1"), nil, nil, nil, nil), nil, steps.Options{})
	want := []string{"container step-a: request cpu 1", "container step-b: request cpu 1"}
	expect(t, want, nil, changes, nil)
}

// The fields of what is unmet are those of its constant.
func TestUnmetFields(t *testing.T) {
	zero, one := amount("0"), amount("1")
	tests := []struct {
		item          corev1.LimitRangeItem
		limit         string
		conflict      steps.Cause
		wanted, found string
	}{
		{bounded(cpu("1"), nil, cpu("2"), cpu("1"), nil), "", steps.MinAboveMax, "2", "1"},
		{bounded(cpu("1"), nil, nil, cpu("-2"), nil), "", steps.MaxBelowZero, "-2", zero.String()},
		{bounded(cpu("1"), nil, nil, nil, cpu("500m")), "", steps.RatioBelowOne, "500m", one.String()},
		{bounded(cpu("1"), nil, nil, cpu("0"), cpu("3")), "", steps.RatioOfNothing, "3", "0"},
		{bounded(cpu("1"), nil, cpu("500m"), nil, nil), "400m", steps.LimitBelowMin, "500m", "400m"},
		{bounded(cpu("1"), nil, nil, cpu("2"), cpu("2")), "8", steps.LimitAboveMax, "2", "8"},
	}
	for _, test := range tests {
		_, unmet := steps.Fill(pod(step("x", "1", ""), step("step-a", "", test.limit)), test.item, steps.TektonStep, steps.Options{})
		if len(unmet) != 1 {
			t.Errorf("%v: %v", test.conflict, unmet)
			continue
		}
		u := unmet[0]
		if u.Cause != test.conflict || u.Wanted.String() != test.wanted || u.Found.String() != test.found || u.Resource != "cpu" || u.Ref.Name != "step-a" || u.Ref.Index != 1 {
			t.Errorf("%+v: wanted %s, found %s", u, u.Wanted.String(), u.Found.String())
		}
	}
}
