package limitrange_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/limitrange"
)

func cpus(amount string) corev1.ResourceList {
	return corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(amount)}
}

func rangeOf(name string, items ...corev1.LimitRangeItem) *corev1.LimitRange {
	return &corev1.LimitRange{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: name}, Spec: corev1.LimitRangeSpec{Limits: items}}
}

func podWith(containers ...corev1.Container) *corev1.PodSpec {
	return &corev1.PodSpec{Containers: containers}
}

// twoRanges are of a platform, which bounds pods and claims, and of a team that lives there.
func twoRanges() limitrange.Aggregate {
	return limitrange.AggregateOf(
		[]*corev1.LimitRange{rangeOf("platform",
			corev1.LimitRangeItem{Type: corev1.LimitTypePod, Max: cpus("16")},
			corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Min: cpus("100m"), Max: cpus("4")}),
			rangeOf("team", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Max: cpus("2"), DefaultRequest: cpus("50m")})},
	)
}

// Two teams of one namespace do not agree. Pods get either, as it happens.
func ExampleAmbiguities() {
	for _, a := range limitrange.Ambiguities([]*corev1.LimitRange{
		rangeOf("backend", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Default: cpus("1"), DefaultRequest: cpus("100m")}),
		rangeOf("frontend", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Default: cpus("500m"), DefaultRequest: cpus("0.1")}),
	}) {
		fmt.Println(a)
	}
	// Output: Container cpu default: 1 of LimitRange team/backend, 500m of LimitRange team/frontend
}

func ExampleAmbiguity() {
	a := limitrange.Ambiguity{Resource: "cpu", Bound: limitrange.DefaultLimit, Values: []limitrange.BoundValue{
		{Bound: limitrange.DefaultLimit, Amount: resource.MustParse("1"), Source: computeresources.Source{Kind: "LimitRange", Name: "a"}},
		{Bound: limitrange.DefaultLimit, Amount: resource.MustParse("2"), Source: computeresources.Source{Kind: "LimitRange", Name: "b"}},
	}}
	fmt.Println(a)
	// Output: Container cpu default: 1 of LimitRange a, 2 of LimitRange b
}

func ExampleAggregate_Values() {
	for _, v := range twoRanges().Values() {
		fmt.Println(v)
	}
	// Output:
	// Container cpu min 100m of LimitRange team/platform
	// Container cpu max 2 of LimitRange team/team
	// Container cpu defaultRequest 50m of LimitRange team/team
	// Pod cpu max 16 of LimitRange team/platform
}

func ExampleBound() {
	for _, b := range []limitrange.Bound{limitrange.Min, limitrange.Max, limitrange.Ratio, limitrange.DefaultLimit, limitrange.DefaultRequest} {
		fmt.Println(b)
	}
	// Output:
	// min
	// max
	// maxLimitRequestRatio
	// default
	// defaultRequest
}

func ExampleBoundValue() {
	v, _ := twoRanges().Value(corev1.LimitTypeContainer, corev1.ResourceCPU, limitrange.Max)
	fmt.Println(v.Type, v.Resource, v.Bound, v.Amount.String(), "by", v.Source, "at", v.Source.Field)
	// Output: Container cpu max 2 by LimitRange team/team at spec.limits[0]
}

func ExampleConflict() {
	conflicts := limitrange.AggregateOf(
		[]*corev1.LimitRange{rangeOf("defaults", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Default: cpus("4")}),
			rangeOf("bounds", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Max: cpus("2")})},
	).Conflicts()
	for _, v := range conflicts[0].Values {
		fmt.Println(v)
	}
	// Output:
	// Container cpu default 4 of LimitRange team/defaults
	// Container cpu max 2 of LimitRange team/bounds
}

func ExampleConflictCause() {
	conflicts := limitrange.AggregateOf(
		[]*corev1.LimitRange{rangeOf("a", corev1.LimitRangeItem{Type: corev1.LimitTypePod, Min: cpus("2")}),
			rangeOf("b", corev1.LimitRangeItem{Type: corev1.LimitTypePod, Max: cpus("1")})},
	).Conflicts()
	fmt.Println(conflicts[0].Cause, conflicts[0].Cause == limitrange.MinAboveMax)
	// Output: min is above max true
}

// violation is that of a container with too small a request.
func violation() *limitrange.Violation {
	policy := limitrange.Compile([]*corev1.LimitRange{rangeOf("bounds", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Min: cpus("100m")})}, computeresources.Gates{})
	return policy.Validate(podWith(corev1.Container{Name: "app", Resources: corev1.ResourceRequirements{Requests: cpus("50m")}}))[0]
}

func ExampleViolationCause() {
	v := violation()
	fmt.Println(v.Bound, v.Cause, v.Cause == limitrange.RequestOut)
	// Output: min request out of bounds true
}

func ExampleViolation_Field() {
	policy := limitrange.Compile([]*corev1.LimitRange{rangeOf("bounds", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Max: cpus("1")})}, computeresources.Gates{})
	violations := policy.Validate(podWith(corev1.Container{Name: "app"}))
	fmt.Println(violations[0].Field(nil).Type)
	// Output: Required value
}

func ExampleConflict_Field() {
	conflict := limitrange.Conflict{Cause: limitrange.RequestAboveLimit, Ref: computeresources.Ref{Kind: computeresources.App, Name: "app"}, Resource: corev1.ResourceCPU}
	fmt.Println(conflict.Field(nil).Field)
	// Output: spec.containers[0].resources
}

func ExampleOptions() {
	// A cluster without PodLevelResources ignores spec.resources.
	ranges := []*corev1.LimitRange{rangeOf("bounds", corev1.LimitRangeItem{Type: corev1.LimitTypePod, Max: cpus("1")})}
	spec := podWith(corev1.Container{Name: "app", Resources: corev1.ResourceRequirements{Limits: cpus("1")}})
	spec.Resources = &corev1.ResourceRequirements{Limits: cpus("2")}
	fmt.Println(limitrange.Compile(ranges, computeresources.Gates{}).Validate(spec).Err())
	fmt.Println(limitrange.Compile(ranges, computeresources.Gates{IgnorePodLevel: true}).Validate(spec).Err())
	// Output:
	// maximum cpu usage per Pod is 1, but limit is 2
	// <nil>
}
