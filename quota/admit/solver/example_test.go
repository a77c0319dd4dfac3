package solver_test

import (
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

func cpu(amount string) corev1.ResourceList {
	return corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(amount)}
}

// exampleSpec is a pod with a sidecar. One of its containers requests 300m of CPU.
func exampleSpec() *corev1.PodSpec {
	always := corev1.ContainerRestartPolicyAlways
	return &corev1.PodSpec{
		InitContainers: []corev1.Container{{Name: "proxy", RestartPolicy: &always}},
		Containers: []corev1.Container{
			{Name: "app", Resources: corev1.ResourceRequirements{Requests: cpu("300m")}},
			{Name: "worker"},
		},
	}
}

// rangeOf is a LimitRange of these items.
func rangeOf(name string, items ...corev1.LimitRangeItem) *corev1.LimitRange {
	lr := &corev1.LimitRange{Spec: corev1.LimitRangeSpec{Limits: items}}
	lr.Name = name
	return lr
}

// quotaOf is a ResourceQuota of one resource.
func quotaOf(name corev1.ResourceName, hard, used string) *corev1.ResourceQuota {
	q := &corev1.ResourceQuota{Status: corev1.ResourceQuotaStatus{
		Hard: corev1.ResourceList{name: resource.MustParse(hard)}, Used: corev1.ResourceList{name: resource.MustParse(used)},
	}}
	q.Name = "compute"
	return q
}

// exampleInput requires 100m for each container, and 1 CPU for the pod.
func exampleInput() solver.Input {
	return solver.Input{
		LimitRanges: []*corev1.LimitRange{rangeOf("team",
			corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Min: cpu("100m")},
			corev1.LimitRangeItem{Type: corev1.LimitTypePod, Min: cpu("1")},
		)},
		Quotas: []*corev1.ResourceQuota{quotaOf(corev1.ResourceRequestsCPU, "4", "2500m")},
	}
}

func ExampleSolve() {
	solution, err := solver.Solve(exampleSpec(), exampleInput())
	fmt.Println(err)
	for _, part := range solution.Parts {
		fmt.Println(part.Ref, part.Requests.Cpu())
	}
	// Output:
	// <nil>
	// sidecar proxy 100m
	// container app 300m
	// container worker 600m
}

func ExampleContradicted() {
	// Three replicas have to fit.
	in := exampleInput()
	in.Replicas = 3
	fmt.Println(solver.Contradicted(exampleSpec(), in))
	in.Replicas = 1
	fmt.Println(solver.Contradicted(exampleSpec(), in))
	// Output:
	// [cpu] <nil>
	// [] <nil>
}

func ExampleApply() {
	spec := exampleSpec()
	changes, err := solver.Apply(spec, exampleInput())
	fmt.Println(err, changes)
	fmt.Println(spec.Containers[1].Resources.Requests.Cpu())
	changes, err = solver.Apply(spec, exampleInput())
	fmt.Println(err, changes)
	// Output:
	// <nil> [sidecar proxy: set the cpu request to 100m container worker: set the cpu request to 600m]
	// 600m
	// <nil> []
}

func ExampleInput() {
	// Three replicas have to fit.
	in := exampleInput()
	in.Replicas = 3
	_, err := solver.Solve(exampleSpec(), in)
	fmt.Println(err)
	in.Quotas[0].Status.Hard = corev1.ResourceList{corev1.ResourceRequestsCPU: resource.MustParse("6")}
	solution, err := solver.Solve(exampleSpec(), in)
	fmt.Println(err, solution.Changes)
	// Output:
	// cpu: no amount satisfies all of: Pod cpu min 1 of LimitRange team; requests.cpu remaining 1500m of ResourceQuota compute
	// <nil> [sidecar proxy: set the cpu request to 100m container worker: set the cpu request to 600m]
}

func ExampleFloor() {
	// With measured usage as a floor, a container with only a maximum does not get zero.
	worker := computeresources.Ref{Kind: computeresources.App, Index: 1, Name: "worker"}
	solution, _ := solver.Solve(exampleSpec(), solver.Input{
		LimitRanges: []*corev1.LimitRange{rangeOf("team", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Max: cpu("2"), MaxLimitRequestRatio: cpu("4")})},
		Floors:      []solver.Floor{{Ref: worker, Requests: cpu("430m"), Source: computeresources.Source{Kind: "usage"}}},
	})
	for _, change := range solution.Changes {
		fmt.Println(change)
	}
	// Output:
	// sidecar proxy: set the cpu request to 1m
	// sidecar proxy: set the cpu limit to 1m
	// container app: set the cpu limit to 300m
	// container worker: set the cpu request to 430m
	// container worker: set the cpu limit to 430m
}

func ExampleConflictError() {
	in := exampleInput()
	in.Quotas[0].Status.Used = corev1.ResourceList{corev1.ResourceRequestsCPU: resource.MustParse("3650m")}
	_, err := solver.Solve(exampleSpec(), in)
	var unsolvable *solver.ConflictError
	if errors.As(err, &unsolvable) {
		for _, c := range unsolvable.Conflicts {
			fmt.Println(c.Resource, !c.NotSmallest)
			for _, constraint := range c.Values {
				fmt.Println("-", constraint)
			}
		}
	}
	// Output:
	// cpu true
	// - Pod cpu min 1 of LimitRange team
	// - requests.cpu remaining 350m of ResourceQuota compute
}

func ExampleSolve_conflict() {
	_, err := solver.Solve(exampleSpec(), solver.Input{LimitRanges: []*corev1.LimitRange{
		rangeOf("small", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Max: cpu("1")}),
		rangeOf("large", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Min: cpu("2")}),
	}})
	var unsolvable *solver.ConflictError
	errors.As(err, &unsolvable)
	fmt.Println(unsolvable.Conflicts[0])
	// Output:
	// cpu: no amount satisfies all of: Container cpu min 2 of LimitRange large; Container cpu max 1 of LimitRange small
}

func ExampleApply_rounding() {
	spec := &corev1.PodSpec{Containers: []corev1.Container{
		{Name: "app", Resources: corev1.ResourceRequirements{Requests: cpu("100500u"), Limits: cpu("1")}},
	}}
	changes, _ := solver.Apply(spec, solver.Input{})
	fmt.Println(changes[0])
	// Output:
	// container app: change the cpu request from 100500u to 101m
}

func ExampleRightSize() {
	spec := &corev1.PodSpec{Containers: []corev1.Container{
		{Name: "app", Resources: corev1.ResourceRequirements{Requests: cpu("500m"), Limits: cpu("1")}},
		{Name: "worker", Resources: corev1.ResourceRequirements{Requests: cpu("200m"), Limits: cpu("200m")}},
	}}
	// A vertical autoscaler recommends more than fits into the namespace.
	vpa := computeresources.Source{Kind: "VerticalPodAutoscaler", Name: "shop"}
	sized, err := solver.RightSize(spec, []solver.Recommendation{
		{Ref: computeresources.Ref{Name: "app"}, Requests: cpu("2"), Max: cpu("1500m"), Source: vpa},
		{Ref: computeresources.Ref{Name: "worker"}, Requests: cpu("500m"), Source: vpa},
	}, solver.Input{LimitRanges: []*corev1.LimitRange{
		rangeOf("team", corev1.LimitRangeItem{Type: corev1.LimitTypePod, Max: cpu("3")}),
	}})
	fmt.Println(err)
	for _, change := range sized.Changes {
		fmt.Println(change)
	}
	for _, capped := range sized.Capped {
		fmt.Println("-", capped)
	}
	fmt.Println(computeresources.ApplyChanges(spec, sized.Changes))
	// Output:
	// <nil>
	// container app: change the cpu request from 500m to 1333m (LimitRange team)
	// container app: change the cpu limit from 1 to 2666m (ratio)
	// container worker: change the cpu request from 200m to 334m (LimitRange team)
	// container worker: change the cpu limit from 200m to 334m (ratio)
	// - container app: change the cpu request from 2 to 1333m (LimitRange team)
	// - container worker: change the cpu request from 500m to 334m (LimitRange team)
	// <nil>
}
