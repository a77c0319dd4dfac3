package limitrange_test

import (
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

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

func ExampleAggregate_RawValue() {
	stated, _ := twoRanges().RawValue(corev1.LimitTypeContainer, corev1.ResourceCPU, limitrange.DefaultRequest)
	given, _ := twoRanges().Value(corev1.LimitTypeContainer, corev1.ResourceCPU, limitrange.DefaultRequest)
	fmt.Println(stated.Amount.String(), "is stated,", given.Amount.String(), "is within the bounds")
	_, ok := twoRanges().RawValue(corev1.LimitTypePod, corev1.ResourceMemory, limitrange.Max)
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
	item := corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Min: cpus("100m"), Default: cpus("2")}
	for _, rules := range []limitrange.DefaultingRules{limitrange.ServerRules, limitrange.TektonRules} {
		completed := limitrange.WithDefaults(item, rules)
		fmt.Printf("%q %v\n", rules, completed.DefaultRequest.Cpu())
	}
	// Output:
	// "" 2
	// "tekton" 100m
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

// admitted is a pod in a namespace whose default limit is less than it requests.
func admitted() limitrange.Admission {
	policy := limitrange.Compile([]*corev1.LimitRange{rangeOf("team-defaults", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Default: cpus("1")})}, computeresources.Gates{})
	return policy.Admit(podWith(corev1.Container{Name: "app", Resources: corev1.ResourceRequirements{Requests: cpus("2")}}))
}

func ExampleAdmission() {
	a := admitted()
	fmt.Println("limit:", a.Spec.Containers[0].Resources.Limits.Cpu())
	fmt.Println("set:", a.Defaults)
	fmt.Println("invalid:", a.Invalid.Err())
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
	policy := limitrange.Compile([]*corev1.LimitRange{rangeOf("bounds", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Min: cpus("100m")})}, computeresources.Gates{})
	return policy.Validate(podWith(corev1.Container{Name: "app", Resources: corev1.ResourceRequirements{Requests: cpus("50m")}}))[0]
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

func ExampleViolations() {
	policy := limitrange.Compile([]*corev1.LimitRange{rangeOf("bounds", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Max: cpus("1")})}, computeresources.Gates{})
	violations := policy.Validate(podWith(corev1.Container{Name: "app", Resources: corev1.ResourceRequirements{Limits: cpus("2")}}))
	fmt.Println(len(violations), violations.Err())
	// Output: 1 maximum cpu usage per Container is 1, but limit is 2
}

func ExampleViolations_Err() {
	policy := limitrange.Compile([]*corev1.LimitRange{rangeOf("bounds", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Max: cpus("1")})}, computeresources.Gates{})
	err := policy.Validate(podWith(corev1.Container{Name: "app"})).Err()
	var violation *limitrange.Violation
	fmt.Println(errors.As(err, &violation), violation.Ref, violation.Cause)
	// Output: true container app no limit
}

func ExampleViolations_ErrorList() {
	policy := limitrange.Compile([]*corev1.LimitRange{rangeOf("bounds", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Max: cpus("1")})}, computeresources.Gates{})
	violations := policy.Validate(podWith(corev1.Container{Name: "app"}))
	for _, err := range violations.ErrorList(field.NewPath("spec", "template", "spec")) {
		fmt.Println(err.Field)
	}
	// Output: spec.template.spec.containers[0].resources.limits[cpu]
}

func ExampleViolation_Field() {
	policy := limitrange.Compile([]*corev1.LimitRange{rangeOf("bounds", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Max: cpus("1")})}, computeresources.Gates{})
	violations := policy.Validate(podWith(corev1.Container{Name: "app"}))
	fmt.Println(violations[0].Field(nil).Type)
	// Output: Required value
}

func ExampleConflicts() {
	conflicts := limitrange.AggregateOf([]*corev1.LimitRange{rangeOf("a", corev1.LimitRangeItem{
		Type: corev1.LimitTypePod, Min: cpus("2"), Max: cpus("1"),
	})}).Conflicts()
	fmt.Println(len(conflicts), conflicts[0].Cause)
	// Output: 1 min is above max
}

func ExampleConflicts_Err() {
	conflicts := limitrange.AggregateOf([]*corev1.LimitRange{rangeOf("a", corev1.LimitRangeItem{
		Type: corev1.LimitTypePod, Min: cpus("2"), Max: cpus("1"),
	})}).Conflicts()
	fmt.Println(conflicts.Err())
	// Output: Pod cpu: min is above max: min 2 of LimitRange team/a, max 1 of LimitRange team/a
}

func ExampleConflicts_ErrorList() {
	conflicts := limitrange.AggregateOf([]*corev1.LimitRange{rangeOf("a", corev1.LimitRangeItem{
		Type: corev1.LimitTypePod, Min: cpus("2"), Max: cpus("1"),
	})}).Conflicts()
	fmt.Println(conflicts.ErrorList(nil)[0].Type)
	// Output: Forbidden
}

func ExampleConflict_Field() {
	conflict := limitrange.Conflict{Cause: limitrange.RequestAboveLimit, Ref: computeresources.Ref{Kind: computeresources.App, Name: "app"}, Resource: corev1.ResourceCPU}
	fmt.Println(conflict.Field(nil).Field)
	// Output: spec.containers[0].resources
}

func ExampleProblems() {
	problems := limitrange.Compile(nil, computeresources.Gates{}).Admit(podWith(corev1.Container{
		Name: "app", Resources: corev1.ResourceRequirements{Requests: cpus("2"), Limits: cpus("1")},
	})).Problems()
	for _, p := range problems {
		fmt.Println(p)
	}
	// Output: container app: request cpu 2 is above its limit 1: raise the limit or lower the request
}

func ExampleProblems_Err() {
	problems := limitrange.Compile(nil, computeresources.Gates{}).Admit(podWith(corev1.Container{Name: "app"})).Problems()
	fmt.Println(problems.Err())
	// Output: <nil>
}

func ExampleProblems_ErrorList() {
	problems := limitrange.Compile(nil, computeresources.Gates{}).Admit(podWith(corev1.Container{
		Name: "app", Resources: corev1.ResourceRequirements{Requests: cpus("2"), Limits: cpus("1")},
	})).Problems()
	fmt.Println(problems.ErrorList(field.NewPath("spec", "template", "spec"))[0].Field)
	// Output: spec.template.spec.containers[0].resources.requests
}

func ExampleProblem_Field() {
	problems := limitrange.Compile(nil, computeresources.Gates{}).Admit(podWith(corev1.Container{
		Name: "app", Resources: corev1.ResourceRequirements{Requests: cpus("2"), Limits: cpus("1")},
	})).Problems()
	fmt.Println(problems[0].Field(nil).Field)
	// Output: spec.containers[0].resources.requests
}

func ExampleOptions() {
	// A cluster without PodLevelResources does not keep spec.resources.
	policy := limitrange.Compile(nil, computeresources.Gates{IgnorePodLevel: true})
	spec := podWith(corev1.Container{Name: "app"})
	spec.Resources = &corev1.ResourceRequirements{Requests: cpus("1")}
	fmt.Println(policy.Admit(spec).Spec.Resources)
	// Output: nil
}

// Of two LimitRanges that a pod breaks, the API server names one.
func ExampleViolations_Reported() {
	policy := limitrange.Compile([]*corev1.LimitRange{
		rangeOf("team", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Max: cpus("1")}),
		rangeOf("platform", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Max: cpus("2")}),
	}, computeresources.Gates{})
	violations := policy.Validate(podWith(corev1.Container{Name: "app", Resources: corev1.ResourceRequirements{Limits: cpus("3")}}))
	fmt.Println(len(violations), violations.Reported().Err())
	// Output: 2 maximum cpu usage per Container is 2, but limit is 3
}

func ExamplePolicy_ApplyAdmission() {
	policy := limitrange.Compile([]*corev1.LimitRange{
		rangeOf("team", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, DefaultRequest: cpus("100m")}),
	}, computeresources.Gates{})
	spec := podWith(corev1.Container{Name: "app"})
	admission := policy.ApplyAdmission(spec)
	fmt.Println(admission.Admitted(), spec.Containers[0].Resources.Requests.Cpu())
	// Output: true 100m
}
