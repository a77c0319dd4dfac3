package limitrange_test

import (
	"errors"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
)

func messagesOf(errs field.ErrorList) (all []string) {
	for _, err := range errs {
		all = append(all, err.Error())
	}
	return all
}

func TestViolationsByField(t *testing.T) {
	policy := limitrange.Compile([]*corev1.LimitRange{
		limitRange("a", corev1.LimitRangeItem{
			Type: container, Min: list("cpu", "200m", "memory", "1Gi"), Max: list("cpu", "1", "ephemeral-storage", "1Gi"),
			MaxLimitRequestRatio: list("cpu", "2"),
		}),
		limitRange("b", corev1.LimitRangeItem{Type: pod, Max: list("cpu", "3")}),
		limitRange("c", corev1.LimitRangeItem{Type: claim, Min: list("storage", "2Gi")}),
	}, computeresources.Gates{})
	spec := withContainers(testkit.Container("app", list("cpu", "100m"), list("cpu", "4")))
	violations := policy.Validate(spec)
	want := []string{
		`spec.containers[0].resources.requests[cpu]: Invalid value: "100m": minimum cpu usage per Container is 200m, but request is 100m`,
		`spec.containers[0].resources.requests[memory]: Required value: minimum memory usage per Container is 1Gi.  No request is specified`,
		`spec.containers[0].resources.limits[cpu]: Invalid value: "4": maximum cpu usage per Container is 1, but limit is 4`,
		`spec.containers[0].resources.limits[ephemeral-storage]: Required value: maximum ephemeral-storage usage per Container is 1Gi.  No limit is specified`,
		`spec.containers[0].resources.limits[cpu]: Invalid value: "4": cpu max limit to request ratio per Container is 2, but provided ratio is 40.000000`,
		`spec: Forbidden: maximum cpu usage per Pod is 3, but limit is 4`,
	}
	testkit.NoDiff(t, messagesOf(violations.ErrorList(nil)), want)
	template := field.NewPath("spec", "template", "spec")
	testkit.Equal(t, violations.ErrorList(template)[0].Field, "spec.template.spec.containers[0].resources.requests[cpu]", "below a template")
	testkit.Equal(t, violations.ErrorList(template)[5].Field, "spec.template.spec", "of the pod below a template")
	ofClaim := policy.ValidateClaim(&corev1.PersistentVolumeClaimSpec{Resources: corev1.VolumeResourceRequirements{Requests: list("storage", "1Gi")}})
	wantOfClaim := []string{`spec.resources.requests[storage]: Invalid value: "1Gi": minimum storage usage per PersistentVolumeClaim is 2Gi, but request is 1Gi`}
	testkit.NoDiff(t, messagesOf(ofClaim.ErrorList(nil)), wantOfClaim)
	testkit.Equal(t, ofClaim[0].Ref, (computeresources.Ref{}), "the part of a claim")
}

func TestConflictsByField(t *testing.T) {
	conflicts := computeresources.Problems[*limitrange.Conflict]{
		{Cause: limitrange.LimitBelowMin, Type: container, Ref: app(1, "app"), Resource: "cpu", Values: []limitrange.BoundValue{
			{Ref: app(1, "app"), Resource: "cpu", Bound: limitrange.Limit, Amount: quantity("1")},
			{Type: container, Resource: "cpu", Bound: limitrange.Min, Amount: quantity("2"), Source: sourceIn("a", 0)},
		}},
		{Cause: limitrange.Unsatisfiable, Resource: "cpu", Values: []limitrange.BoundValue{
			{Type: pod, Resource: "cpu", Bound: limitrange.Max, Amount: quantity("1"), Source: sourceIn("a", 1)},
			{Resource: "requests.cpu", Bound: limitrange.Remaining, Amount: quantity("500m"), Source: computeresources.Source{Kind: "ResourceQuota", Name: "compute"}},
		}},
		{Cause: limitrange.MaxBelowZero, Type: pod, Resource: "memory", Values: []limitrange.BoundValue{
			{Type: pod, Resource: "memory", Bound: limitrange.Max, Amount: quantity("-1")},
		}},
	}
	want := []string{
		"spec.containers[1].resources: Forbidden: container app cpu: the limit is below min: limit 1, min 2 of LimitRange team/a",
		"spec: Forbidden: cpu: no amount satisfies all of: Pod cpu max 1 of LimitRange team/a; requests.cpu remaining 500m of ResourceQuota compute",
		"spec: Forbidden: Pod memory: max is below zero: max -1",
	}
	testkit.NoDiff(t, messagesOf(conflicts.ErrorList(nil)), want)
	err := conflicts.Err()
	var first *limitrange.Conflict
	if !errors.As(err, &first) || first.Resource != "cpu" {
		t.Fatalf("%v holds no conflict", err)
	}
}

// A cluster without pod-level resources does not keep them, and bounds of type Pod apply to
// what the containers need.
func TestIgnorePodLevel(t *testing.T) {
	ranges := []*corev1.LimitRange{limitRange("a", corev1.LimitRangeItem{Type: pod, Max: list("cpu", "1")})}
	of := func(ofPod, ofContainer string) *corev1.PodSpec {
		spec := withContainers(testkit.Container("app", list("cpu", ofContainer), list("cpu", ofContainer)))
		spec.Resources = &corev1.ResourceRequirements{Requests: list("cpu", ofPod), Limits: list("cpu", ofPod)}
		return spec
	}
	with, without := limitrange.Compile(ranges, computeresources.Gates{}), limitrange.Compile(ranges, computeresources.Gates{IgnorePodLevel: true})
	for _, test := range []struct {
		name                  string
		spec                  *corev1.PodSpec
		wantWith, wantWithout int
	}{
		{"pod level above the maximum", of("2", "1"), 1, 0},
		{"pod level above the maximum, in arbitrary precision", of("2", "1.0000000001"), 1, 1},
		{"containers above the maximum", of("1", "2"), 0, 1},
	} {
		if got := with.Validate(test.spec); len(got) != test.wantWith {
			t.Errorf("%s: %v, want %d", test.name, got, test.wantWith)
		}
		if got := without.Validate(test.spec); len(got) != test.wantWithout {
			t.Errorf("%s, ignored: %v, want %d", test.name, got, test.wantWithout)
		}
	}
}

func TestTextOfBounds(t *testing.T) {
	names := []string{"min", "max", "maxLimitRequestRatio", "default", "defaultRequest", "remaining", "overhead", "request", "limit"}
	for i, want := range bounds {
		text, err := want.MarshalText()
		var got limitrange.Bound
		if err != nil || string(text) != names[i] || want.String() != names[i] || got.UnmarshalText(text) != nil || got != want {
			t.Errorf("bound %d: %q, %v, read as %v, want %s", want, text, err, got, names[i])
		}
	}
	for undefined, want := range map[limitrange.Bound]string{0: "unspecified", 99: "unknown"} {
		testkit.Equal(t, undefined.String(), want, "Bound of", undefined)
	}
	if text, err := limitrange.Bound(99).MarshalText(); err == nil {
		t.Errorf("an undefined bound: %q", text)
	}
}
