package limitrange_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/limitrange"
)

// twoRanges are of a platform, which bounds pods and claims, and of a team that lives there.
func twoRanges() limitrange.Aggregate {
	return limitrange.AggregateOf(
		[]*corev1.LimitRange{namespaceRange("platform",
			corev1.LimitRangeItem{Type: corev1.LimitTypePod, Max: cpu("16")},
			corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Min: cpu("100m"), Max: cpu("4")}),
			namespaceRange("team", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Max: cpu("2"), DefaultRequest: cpu("50m")})},
	)
}

func ExampleAggregate_Types() {
	fmt.Println(twoRanges().Types())
	// Output: [Container Pod]
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

func ExampleAggregate_Stated() {
	stated, _ := twoRanges().Stated(corev1.LimitTypeContainer, corev1.ResourceCPU, limitrange.DefaultRequest)
	given, _ := twoRanges().Value(corev1.LimitTypeContainer, corev1.ResourceCPU, limitrange.DefaultRequest)
	fmt.Println(stated.Amount.String(), "is stated,", given.Amount.String(), "is within the bounds")
	_, ok := twoRanges().Stated(corev1.LimitTypePod, corev1.ResourceMemory, limitrange.Max)
	fmt.Println("a bound on the memory of pods:", ok)
	// Output:
	// 50m is stated, 100m is within the bounds
	// a bound on the memory of pods: false
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

func ExampleDefaultingRules() {
	item := corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Min: cpu("100m"), Default: cpu("2")}
	for _, rules := range []limitrange.DefaultingRules{limitrange.ServerRules, limitrange.TektonRules} {
		completed := limitrange.WithDefaults(item, rules)
		fmt.Println(rules, completed.DefaultRequest.Cpu())
	}
	// Output:
	// server 2
	// tekton 100m
}

func ExampleConflict() {
	conflicts := limitrange.AggregateOf(
		[]*corev1.LimitRange{namespaceRange("defaults", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Default: cpu("4")}),
			namespaceRange("bounds", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Max: cpu("2")})},
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
		[]*corev1.LimitRange{namespaceRange("a", corev1.LimitRangeItem{Type: corev1.LimitTypePod, Min: cpu("2")}),
			namespaceRange("b", corev1.LimitRangeItem{Type: corev1.LimitTypePod, Max: cpu("1")})},
	).Conflicts()
	fmt.Println(conflicts[0].Cause, conflicts[0].Cause == limitrange.MinAboveMax)
	// Output: min is above max true
}

// admitted is a pod in a namespace whose default limit is less than it requests.
func admitted() limitrange.Admission {
	policy := limitrange.Compile([]*corev1.LimitRange{namespaceRange("team-defaults", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Default: cpu("1")})}, limitrange.Options{})
	return policy.Admit(podOf(corev1.Container{Name: "app", Resources: corev1.ResourceRequirements{Requests: cpu("2")}}))
}

func ExampleAdmission() {
	a := admitted()
	fmt.Println("limit:", a.Spec.Containers[0].Resources.Limits.Cpu())
	fmt.Println("set:", a.Defaults)
	fmt.Println("invalid:", a.Invalid.ToAggregate())
	// Output:
	// limit: 1
	// set: [container app: set the cpu limit to 1 (LimitRange team/team-defaults)]
	// invalid: spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1
}

func ExampleAdmission_Admitted() {
	fmt.Println(admitted().Admitted())
	// Output: false
}

func ExampleAdmission_Problems() {
	for _, p := range admitted().Problems() {
		fmt.Println(p)
	}
	// Output:
	// container app: request cpu 2 is above the default limit 1 from LimitRange team/team-defaults: set a limit or lower the request
}

// violation is that of a container with too small a request.
func violation() limitrange.Violation {
	policy := limitrange.Compile([]*corev1.LimitRange{namespaceRange("bounds", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Min: cpu("100m")})}, limitrange.Options{})
	return policy.Validate(podOf(corev1.Container{Name: "app", Resources: corev1.ResourceRequirements{Requests: cpu("50m")}}))[0]
}

func ExampleViolationCause() {
	v := violation()
	fmt.Println(v.Bound, v.Cause, v.Cause == limitrange.RequestOut)
	// Output: min request out of bounds true
}

func ExampleViolation_Diagnosis() {
	fmt.Println(violation())
	fmt.Println(violation().Diagnosis())
	// Output:
	// minimum cpu usage per Container is 100m, but request is 50m
	// container app: request cpu 50m is below the minimum 100m of LimitRange team/bounds: raise the request
}
