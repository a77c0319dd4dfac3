package steps_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/steps"
	"github.com/kubemath/kubemath/internal/testkit"
)

func amount(s string) *resource.Quantity {
	q := resource.MustParse(s)
	return &q
}

// sentences are changes, or what is unmet, in words.
func sentences[T interface{ String() string }](all []T) []string {
	var out []string
	for _, one := range all {
		out = append(out, one.String())
	}
	return out
}

// expect compares an answer in words.
func expect(t *testing.T, wantChanges, wantUnmet []string, changes []steps.Change, unmet []steps.Unmet) {
	t.Helper()
	if diff := cmp.Diff(wantChanges, sentences(changes)); diff != "" {
		t.Errorf("changes: -want +got:\n%s", diff)
	}
	if diff := cmp.Diff(wantUnmet, sentences(unmet)); diff != "" {
		t.Errorf("unmet: -want +got:\n%s", diff)
	}
}

func TestTektonStep(t *testing.T) {
	tests := []struct {
		kind computeresources.Kind
		name string
		want bool
	}{
		{computeresources.App, "step-build", true},
		{computeresources.App, "step-", true},
		{computeresources.App, "step", false},
		{computeresources.App, "sidecar-step-build", false},
		{computeresources.App, "Step-build", false},
		{computeresources.App, "", false},
		{computeresources.Init, "step-build", false},
		{computeresources.Sidecar, "step-build", false},
	}
	for _, test := range tests {
		c := &corev1.Container{Name: test.name}
		if got := steps.TektonStep(computeresources.Ref{Kind: test.kind, Name: test.name}, c); got != test.want {
			t.Errorf("%v %q: %v", test.kind, test.name, got)
		}
	}
}

func TestChangeInWords(t *testing.T) {
	ref := computeresources.Ref{Kind: computeresources.App, Name: "step-a"}
	tests := []struct {
		change steps.Change
		want   string
	}{
		{steps.Change{Ref: ref, Resource: "cpu", To: amount("500m")}, "container step-a: request cpu 500m"},
		{steps.Change{Ref: ref, Resource: "cpu", From: amount("200m"), To: amount("300m")}, "container step-a: request cpu 200m becomes 300m"},
		{steps.Change{Ref: ref, Resource: "memory", From: amount("1.5Gi")}, "container step-a: request memory 1536Mi removed"},
		{steps.Change{Ref: ref, Limit: true, Resource: "cpu", From: amount("4"), To: amount("3")}, "container step-a: limit cpu 4 becomes 3"},
		{steps.Change{Ref: computeresources.Ref{Kind: computeresources.Init, Name: "prepare"}, Limit: true, Resource: "cpu", To: amount("0")}, "init container prepare: limit cpu 0"},
	}
	for _, test := range tests {
		if got := test.change.String(); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

func TestUnmetInWords(t *testing.T) {
	tests := []struct {
		conflict steps.Cause
		want     string
	}{
		{steps.MinAboveMax, "sidecar proxy: cpu minimum 2 is above the maximum, 1500m"},
		{steps.MaxBelowZero, "sidecar proxy: cpu maximum 2 is below zero"},
		{steps.RatioBelowOne, "sidecar proxy: cpu limit cannot be less than the request, as the ratio 2 demands"},
		{steps.RatioOfNothing, "sidecar proxy: cpu ratio 2 demands a request and a limit above zero"},
		{steps.LimitBelowMin, "sidecar proxy: cpu limit 1500m is below the minimum, 2"},
		{steps.LimitAboveMax, "sidecar proxy: cpu limit 1500m is above the maximum, 2"},
		{steps.RequestAboveLimit, "sidecar proxy: cpu request 1500m is above the limit, 2"},
		{99, "sidecar proxy: cpu: unknown cause 99"},
	}
	for _, test := range tests {
		u := steps.Unmet{
			Ref: computeresources.Ref{Kind: computeresources.Sidecar, Name: "proxy"}, Resource: "cpu",
			Cause: test.conflict, Wanted: *amount("2"), Found: *amount("1.5"),
		}
		if got := u.String(); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

func TestApplyChanges(t *testing.T) {
	spec := &corev1.PodSpec{
		InitContainers: []corev1.Container{testkit.Sidecar("proxy", nil, testkit.List("cpu", "1"))},
		Containers:     []corev1.Container{testkit.Container("step-a", testkit.List("cpu", "1", "memory", "1Gi"), nil), testkit.Container("step-b", nil, nil)},
	}
	half := amount("1.5Gi")
	changes := []steps.Change{
		{Ref: computeresources.Ref{Kind: computeresources.Sidecar, Name: "proxy"}, Limit: true, Resource: "cpu", From: amount("1"), To: amount("2")},
		{Ref: computeresources.Ref{Kind: computeresources.App, Name: "step-a"}, Resource: "cpu", From: amount("1")},
		{Ref: computeresources.Ref{Kind: computeresources.App, Name: "step-a"}, Limit: true, Resource: "memory"}, // is not there
		{Ref: computeresources.Ref{Kind: computeresources.App, Index: 1, Name: "step-b"}, Resource: "memory", To: half},
		{Ref: computeresources.Ref{Kind: computeresources.App, Index: 1, Name: "step-b"}, Limit: true, Resource: "cpu", To: amount("3")},
		{Ref: computeresources.Ref{Kind: computeresources.App, Index: 1, Name: "step-b"}, Limit: true, Resource: "cpu", To: amount("4")}, // the last one stays
	}
	if err := steps.ApplyChanges(spec, changes); err != nil {
		t.Fatal(err)
	}
	half.Add(*amount("1")) // which is not the spec's
	want := &corev1.PodSpec{
		InitContainers: []corev1.Container{testkit.Sidecar("proxy", nil, testkit.List("cpu", "2"))},
		Containers:     []corev1.Container{testkit.Container("step-a", testkit.List("memory", "1Gi"), nil), testkit.Container("step-b", testkit.List("memory", "1.5Gi"), testkit.List("cpu", "4"))},
	}
	if diff := cmp.Diff(want, spec); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if err := steps.ApplyChanges(nil, nil); err != nil {
		t.Errorf("no changes of no spec: %v", err)
	}
}

func TestApplyChangesToContainersThatAreNotThere(t *testing.T) {
	ref := func(kind computeresources.Kind, index int, name string) computeresources.Ref {
		return computeresources.Ref{Kind: kind, Index: index, Name: name}
	}
	spec := func() *corev1.PodSpec {
		return &corev1.PodSpec{
			InitContainers: []corev1.Container{testkit.Container("init", nil, nil)},
			Containers:     []corev1.Container{testkit.Container("a", nil, nil), testkit.Container("b", nil, nil)},
		}
	}
	tests := []struct {
		name string
		spec *corev1.PodSpec
		ref  computeresources.Ref
		want string
	}{
		{"other name", spec(), ref(computeresources.App, 1, "c"), "steps: container c, at index 1, is not in the pod spec"},
		{"other index", spec(), ref(computeresources.App, 0, "b"), "steps: container b, at index 0, is not in the pod spec"},
		{"beyond the end", spec(), ref(computeresources.App, 2, "b"), "steps: container b, at index 2, is not in the pod spec"},
		{"before the start", spec(), ref(computeresources.App, -1, "a"), "steps: container a, at index -1, is not in the pod spec"},
		{"beyond the init containers", spec(), ref(computeresources.Init, 1, "b"), "steps: init container b, at index 1, is not in the pod spec"},
		{"the pod", spec(), ref(computeresources.Pod, 0, "init"), "steps: pod, at index 0, is not in the pod spec"},
		{"nil", nil, ref(computeresources.App, 0, "a"), "steps: container a, at index 0, is not in the pod spec"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			before := testkit.Fingerprint(test.spec)
			err := steps.ApplyChanges(test.spec, []steps.Change{
				{Ref: ref(computeresources.App, 0, "a"), Resource: "cpu", To: amount("1")},
				{Ref: test.ref, Resource: "cpu", To: amount("1")},
			})
			if err == nil || err.Error() != test.want {
				t.Errorf("error %v, want %s", err, test.want)
			}
			if testkit.Fingerprint(test.spec) != before {
				t.Error("half of it was written")
			}
		})
	}
}

func TestUnknownKindIsNoStep(t *testing.T) {
	c := &corev1.Container{Name: "step-a"}
	if steps.TektonStep(computeresources.Ref{Kind: 99, Name: c.Name}, c) {
		t.Error("an unknown kind of container is a step")
	}
}
