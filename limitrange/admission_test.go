package limitrange_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
)

func TestAdmit(t *testing.T) {
	policy := limitrange.Compile([]*corev1.LimitRange{limitRange("defaults", corev1.LimitRangeItem{
		Type: container, Default: list("cpu", "1"), DefaultRequest: list("cpu", "500m"), Max: list("cpu", "2"),
	})}, computeresources.Gates{})
	spec := withContainers(testkit.Container("app", nil, list("memory", "1Gi")), testkit.Container("big", nil, list("cpu", "3")))
	before := spec.DeepCopy()
	a := policy.Admit(spec)
	if diff := cmp.Diff(before, spec); diff != "" {
		t.Errorf("the spec has changed:\n%s", diff)
	}
	want := withContainers(
		testkit.Container("app", list("memory", "1Gi", "cpu", "500m"), list("memory", "1Gi", "cpu", "1")),
		testkit.Container("big", list("cpu", "3"), list("cpu", "3")),
	)
	if diff := cmp.Diff(want, a.Spec); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]computeresources.Change{
		{Ref: app(0, "app"), List: computeresources.Requests, Resource: "memory", To: ptr("1Gi")},
		{Ref: app(1, "big"), List: computeresources.Requests, Resource: "cpu", To: ptr("3")},
	}, a.Defaulted); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(a.Defaults) != 2 || a.Defaults[1].String() != "container app: set the cpu limit to 1 (LimitRange team/defaults)" {
		t.Errorf("%v", a.Defaults)
	}
	if len(a.Invalid) > 0 || len(a.Violations) != 1 || a.Violations[0].Error() != "maximum cpu usage per Container is 2, but limit is 3" {
		t.Errorf("%v, %v", a.Invalid, a.Violations)
	}
	if a.Admitted() {
		t.Error("admitted")
	}
	if a := policy.Admit(withContainers(spec.Containers[0])); !a.Admitted() || len(a.Problems()) > 0 {
		t.Errorf("%v", a.Problems())
	}
	if a := policy.Admit(nil); !a.Admitted() || a.Spec == nil {
		t.Errorf("nil: %+v", a)
	}
	if a := (limitrange.Admission{}); !a.Admitted() || a.Problems() != nil {
		t.Errorf("zero value: %+v", a.Problems())
	}
	if a := (*limitrange.Policy)(nil).Admit(withContainers(testkit.Container("app", list("cpu", "2"), list("cpu", "1")))); a.Admitted() || len(a.Invalid) != 1 || a.Violations != nil {
		t.Errorf("without LimitRanges: %+v", a)
	}
}

// A pod-level limit that follows from a container's default limit is set only when the server reads the
// stored pod: admission does not see it.
func TestAdmitStoresBeforeItReads(t *testing.T) {
	policy := limitrange.Compile([]*corev1.LimitRange{limitRange("defaults", corev1.LimitRangeItem{
		Type: container, Default: list("hugepages-2Mi", "2Mi"), DefaultRequest: list("hugepages-2Mi", "2Mi", "cpu", "100m"),
	})}, computeresources.Gates{})
	spec := withContainers(testkit.Container("app", list("ephemeral-storage", "0.0005"), nil))
	spec.Resources = &corev1.ResourceRequirements{Requests: list("memory", "1Gi"), Limits: list("memory", "2Gi")}
	a := policy.Admit(spec)
	want := withContainers(testkit.Container("app", list("ephemeral-storage", "1m", "hugepages-2Mi", "2Mi", "cpu", "100m"), list("hugepages-2Mi", "2Mi")))
	want.Resources = spec.Resources.DeepCopy()
	if diff := cmp.Diff(want, a.Spec); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
	computeresources.ApplyRequestDefaults(a.Spec, computeresources.Gates{})
	want.Resources = &corev1.ResourceRequirements{
		Requests: list("memory", "1Gi", "cpu", "100m", "hugepages-2Mi", "2Mi"), Limits: list("memory", "2Gi", "hugepages-2Mi", "2Mi"),
	}
	if diff := cmp.Diff(want, a.Spec); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
}

func TestProblems(t *testing.T) {
	item := func(item corev1.LimitRangeItem) corev1.LimitRangeItem { item.Type = container; return item }
	always := corev1.ContainerRestartPolicyAlways
	tests := []struct {
		name   string
		ranges []*corev1.LimitRange
		spec   *corev1.PodSpec
		want   []string
	}{
		{
			"above the default limit",
			[]*corev1.LimitRange{{ObjectMeta: named("team-defaults"), Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{item(corev1.LimitRangeItem{Default: list("cpu", "1")})}}}},
			withContainers(testkit.Container("app", list("cpu", "2"), nil)),
			[]string{"container app: request cpu 2 is above the default limit 1 from LimitRange team-defaults: set a limit or lower the request"},
		},
		{
			"above the limit", nil,
			&corev1.PodSpec{
				InitContainers: []corev1.Container{testkit.Container("setup", list("cpu", "2", "memory", "1"), list("cpu", "1", "memory", "1"))},
				Containers:     []corev1.Container{testkit.Container("app", list("memory", "2Gi", "cpu", "2"), list("cpu", "1", "memory", "1Gi"))},
			},
			[]string{
				"init container setup: request cpu 2 is above its limit 1: raise the limit or lower the request",
				"container app: request cpu 2 is above its limit 1: raise the limit or lower the request",
				"container app: request memory 2Gi is above its limit 1Gi: raise the limit or lower the request",
			},
		},
		{
			"defaults reversed",
			[]*corev1.LimitRange{limitRange("a", item(corev1.LimitRangeItem{Default: list("cpu", "1")})), limitRange("b", item(corev1.LimitRangeItem{DefaultRequest: list("cpu", "2")}))},
			withContainers(testkit.Container("app", nil, nil)),
			[]string{"container app: the default request cpu 2 from LimitRange team/b is above the default limit 1 from LimitRange team/a: set both"},
		},
		{
			"a resource that cannot be overcommitted",
			[]*corev1.LimitRange{limitRange("a", item(corev1.LimitRangeItem{Default: list("example.com/gpu", "2")}))},
			withContainers(testkit.Container("app", list("example.com/gpu", "1"), nil), testkit.Container("b", list("example.com/gpu", "3"), list("example.com/gpu", "1"))),
			[]string{
				"container app: request example.com/gpu 1 is below the default limit 2 from LimitRange team/a: set both to the same amount",
				"container b: request example.com/gpu 3 is above its limit 1: set both to the same amount",
			},
		},
		{
			"otherwise invalid", nil,
			withContainers(testkit.Container("app", list("cpu", "-1", "example.com/gpu", "1"), nil)),
			[]string{
				`spec.containers[0].resources.requests[cpu]: Invalid value: "-1": must be greater than or equal to 0`,
				"spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources",
			},
		},
		{
			"the pod level", nil,
			&corev1.PodSpec{
				Containers: []corev1.Container{testkit.Container("app", list("cpu", "3"), nil)},
				Resources:  &corev1.ResourceRequirements{Requests: list("cpu", "2"), Limits: list("cpu", "1")},
			},
			[]string{
				"pod: request cpu 2 is above its limit 1: raise the limit or lower the request",
				`spec.resources.requests[cpu]: Invalid value: "2": must be greater than or equal to aggregate container requests of 3`,
			},
		},
		{
			"defaults out of bounds",
			[]*corev1.LimitRange{
				limitRange("a", item(corev1.LimitRangeItem{Default: list("cpu", "4"), DefaultRequest: list("cpu", "100m")})),
				limitRange("b", item(corev1.LimitRangeItem{Max: list("cpu", "2"), Min: list("cpu", "200m"), MaxLimitRequestRatio: list("cpu", "10")})),
			},
			&corev1.PodSpec{
				InitContainers: []corev1.Container{{Name: "proxy", RestartPolicy: &always}},
				Containers:     []corev1.Container{testkit.Container("app", list("cpu", "1"), nil)},
			},
			[]string{
				"sidecar proxy: the default request cpu 100m from LimitRange team/a is below the minimum 200m of LimitRange team/b: set a request",
				"sidecar proxy: the default limit cpu 4 from LimitRange team/a is above the maximum 2 of LimitRange team/b: set a limit",
				"sidecar proxy: the default limit cpu 4 from LimitRange team/a is 40 times the default request 100m from LimitRange team/a, but LimitRange team/b allows 10 times: request at least 400m, or set a limit of at most 1",
				"container app: the default limit cpu 4 from LimitRange team/a is above the maximum 2 of LimitRange team/b: set a limit",
			},
		},
		{
			"a default request above the maximum",
			[]*corev1.LimitRange{limitRange("a", item(corev1.LimitRangeItem{DefaultRequest: list("cpu", "4"), Max: list("cpu", "2")}))},
			withContainers(testkit.Container("app", nil, nil)),
			[]string{"container app: no cpu limit, and the default request cpu 4 from LimitRange team/a is above the maximum 2 of LimitRange team/a: set a limit of at most 2"},
		},
		{
			"a request that follows the limit",
			[]*corev1.LimitRange{limitRange("b", item(corev1.LimitRangeItem{Min: list("cpu", "200m")}))},
			withContainers(testkit.Container("app", nil, list("cpu", "100m"))),
			[]string{"container app: request cpu 100m, which follows the limit, is below the minimum 200m of LimitRange team/b: raise the limit"},
		},
		{
			"requests beside others that follow the limit",
			[]*corev1.LimitRange{limitRange("b", item(corev1.LimitRangeItem{Min: list("cpu", "200m")}))},
			withContainers(
				testkit.Container("app", nil, list("cpu", "1")),
				testkit.Container("other", list("cpu", "100m"), list("cpu", "1", "memory", "1Gi")),
			),
			[]string{"container other: request cpu 100m is below the minimum 200m of LimitRange team/b: raise the request"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := limitrange.Compile(test.ranges, computeresources.Gates{}).Admit(test.spec)
			var got []string
			for _, p := range a.Problems() {
				got = append(got, p.String())
				if (p.Violation == nil) == (p.Invalid == nil) {
					t.Errorf("%v: violation %v, invalid %v", p, p.Violation, p.Invalid)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The remedy for a request above the limit depends on which of the two is a default. The server sets
// requests to limits before defaults, so only an Admission that is built by hand has a default request
// and a limit of the author.
func TestRemedyOfMismatch(t *testing.T) {
	spec := withContainers(testkit.Container("app", list("cpu", "2"), list("cpu", "1")))
	of := func(list computeresources.List) computeresources.Change {
		return computeresources.Change{Ref: app(0, "app"), List: list, Resource: "cpu", To: ptr("1"), Source: sourceIn("a", 0)}
	}
	for _, test := range []struct {
		name     string
		defaults []computeresources.Change
		want     string
	}{
		{"neither", nil, "raise the limit or lower the request"},
		{"a default request", []computeresources.Change{of(computeresources.Requests)}, "set a request or raise the limit"},
		{"a default limit", []computeresources.Change{of(computeresources.Limits)}, "set a limit or lower the request"},
		{"both", []computeresources.Change{of(computeresources.Requests), of(computeresources.Limits)}, "set both"},
	} {
		a := limitrange.Admission{Spec: spec, Defaults: test.defaults, Invalid: computeresources.Validate(nil, spec, computeresources.Gates{})}
		problems := a.Problems()
		if len(problems) != 1 || problems[0].Remedy != test.want {
			t.Errorf("%s by default: %v, want the remedy %s", test.name, problems, test.want)
		}
	}
}

func TestProblemsAreTyped(t *testing.T) {
	policy := limitrange.Compile(
		[]*corev1.LimitRange{limitRange("a", corev1.LimitRangeItem{Type: container, Default: list("cpu", "4", "memory", "1"), DefaultRequest: list("cpu", "1")}),
			limitRange("b", corev1.LimitRangeItem{Type: container, Max: list("cpu", "2")})}, computeresources.Gates{},
	)
	problems := policy.Admit(withContainers(testkit.Container("app", list("memory", "2"), nil))).Problems()
	if len(problems) != 2 {
		t.Fatalf("%v", problems)
	}
	for i, want := range []struct {
		resource corev1.ResourceName
		defaults []string
		message  string
	}{
		{"memory", []string{"container app: set the memory limit to 1 (LimitRange team/a)"}, `spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to memory limit of 1`},
		{"cpu", []string{"container app: set the cpu request to 1 (LimitRange team/a)", "container app: set the cpu limit to 4 (LimitRange team/a)"}, "maximum cpu usage per Container is 2, but limit is 4"},
	} {
		p := problems[i]
		var defaults []string
		for _, d := range p.Defaults {
			defaults = append(defaults, d.String())
		}
		message := ""
		if p.Violation != nil {
			message = p.Violation.Error()
		} else {
			message = p.Invalid.Error()
		}
		if p.Ref != app(0, "app") || p.Resource != want.resource || message != want.message || p.What == "" || p.Remedy == "" {
			t.Errorf("%+v: %s", p, message)
		}
		if diff := cmp.Diff(want.defaults, defaults); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// One request, in two containers or of two resources, is above the limit: each problem has
// the error that is about it.
func TestProblemsHaveTheirOwnErrors(t *testing.T) {
	spec := withContainers(
		testkit.Container("a", list("cpu", "2", "memory", "2"), list("cpu", "1", "memory", "1")),
		testkit.Container("b", list("cpu", "2"), list("cpu", "1")),
	)
	var got []string
	for _, p := range (*limitrange.Policy)(nil).Admit(spec).Problems() {
		got = append(got, p.Invalid.Error())
	}
	if diff := cmp.Diff([]string{
		`spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1`,
		`spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to memory limit of 1`,
		`spec.containers[1].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1`,
	}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A problem that is only an error of the server also names its part of the pod.
func TestProblemsNameTheirPart(t *testing.T) {
	always := corev1.ContainerRestartPolicyAlways
	spec := &corev1.PodSpec{
		InitContainers: []corev1.Container{
			testkit.Container("setup", list("cpu", "-1"), nil),
			{Name: "proxy", RestartPolicy: &always, Resources: corev1.ResourceRequirements{Requests: list("example.com/gpu", "1")}},
		},
		Containers: []corev1.Container{
			testkit.Container("valid", list("cpu", "1"), nil),
			testkit.Container("app", list("ephemeral-storage", "-1"), list("cpu", "3")),
		},
		Resources: &corev1.ResourceRequirements{Requests: list("cpu", "1"), Limits: list("cpu", "2")},
	}
	type part struct {
		Ref   computeresources.Ref
		Field string
	}
	var got []part
	for _, p := range (*limitrange.Policy)(nil).Admit(spec).Problems() {
		got = append(got, part{p.Ref, p.Invalid.Field(nil).Field})
	}
	pod := computeresources.Ref{Kind: computeresources.Pod}
	if diff := cmp.Diff([]part{
		{computeresources.Ref{Kind: computeresources.Init, Name: "setup"}, "spec.initContainers[0].resources.requests[cpu]"},
		{computeresources.Ref{Kind: computeresources.Sidecar, Index: 1, Name: "proxy"}, "spec.initContainers[1].resources.limits"},
		{app(1, "app"), "spec.containers[1].resources.requests[ephemeral-storage]"},
		{pod, "spec.resources.requests[cpu]"},
		{app(1, "app"), "spec.resources.containers[1][cpu].limits"},
	}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
