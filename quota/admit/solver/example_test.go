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

// exampleSpec is a pod with a sidecar, and 300m of CPU stated for one of its containers.
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

// exampleProblem asks for 100m of each container, and for 1 CPU of the pod.
func exampleProblem() solver.Input {
	return solver.Input{
		Items: []solver.RangeItem{
			{Source: computeresources.Source{Kind: "LimitRange", Name: "team"}, Item: corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Min: cpu("100m")}},
			{Source: computeresources.Source{Kind: "LimitRange", Name: "team"}, Item: corev1.LimitRangeItem{Type: corev1.LimitTypePod, Min: cpu("1")}},
		},
		Budgets: []solver.Budget{{Source: computeresources.Source{Kind: "ResourceQuota", Name: "compute"}, Remaining: corev1.ResourceList{corev1.ResourceRequestsCPU: resource.MustParse("1500m")}}},
	}
}

func ExampleSolve() {
	solution, err := solver.Solve(exampleSpec(), exampleProblem())
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

func ExampleApply() {
	spec := exampleSpec()
	changes, err := solver.Apply(spec, exampleProblem())
	fmt.Println(err, changes)
	fmt.Println(spec.Containers[1].Resources.Requests.Cpu())
	changes, err = solver.Apply(spec, exampleProblem())
	fmt.Println(err, changes)
	// Output:
	// <nil> [sidecar proxy: set the cpu request to 100m container worker: set the cpu request to 600m]
	// 600m
	// <nil> []
}

func ExampleInput() {
	// A floor of one's own keeps what has only a maximum from becoming nothing.
	solution, _ := solver.Solve(exampleSpec(), solver.Input{Items: []solver.RangeItem{
		{Source: computeresources.Source{Kind: "LimitRange", Name: "team"}, Item: corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Max: cpu("2"), MaxLimitRequestRatio: cpu("4")}},
		{Source: computeresources.Source{Kind: "the operator's floor"}, Item: corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Min: cpu("50m")}},
	}})
	for _, change := range solution.Changes {
		fmt.Println(change)
	}
	// Output:
	// sidecar proxy: set the cpu request to 50m
	// sidecar proxy: set the cpu limit to 50m
	// container app: set the cpu limit to 300m
	// container worker: set the cpu request to 50m
	// container worker: set the cpu limit to 50m
}

func ExampleRangeItem() {
	limits := corev1.LimitRange{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{
		{Type: corev1.LimitTypeContainer, Max: cpu("200m")},
	}}}
	limits.Name = "team"
	var problem solver.Input
	for _, item := range limits.Spec.Limits {
		problem.Items = append(problem.Items, solver.RangeItem{Source: computeresources.Source{Kind: "LimitRange", Name: limits.Name}, Item: item})
	}
	_, err := solver.Solve(exampleSpec(), problem)
	fmt.Println(err)
	// Output:
	// cpu: nothing satisfies all of: Container cpu max 200m of LimitRange team; container app cpu request 300m
}

func ExampleBudget() {
	left := corev1.ResourceList{corev1.ResourcePods: resource.MustParse("0")}
	_, err := solver.Solve(exampleSpec(), solver.Input{Budgets: []solver.Budget{{Source: computeresources.Source{Kind: "ResourceQuota", Name: "compute"}, Remaining: left}}})
	fmt.Println(err)
	// Output:
	// pods: nothing satisfies all of: pods remaining 0 of ResourceQuota compute
}

func ExampleSolution() {
	solution, _ := solver.Solve(exampleSpec(), exampleProblem())
	fmt.Println(len(solution.Parts), "parts,", len(solution.Changes), "changes")
	// Output:
	// 3 parts, 2 changes
}

func ExamplePart() {
	spec := exampleSpec()
	spec.Resources = &corev1.ResourceRequirements{Limits: cpu("2")}
	solution, _ := solver.Solve(spec, exampleProblem())
	for _, part := range solution.Parts {
		fmt.Println(part.Ref, part.Requests.Cpu(), part.Limits.Cpu())
	}
	// Output:
	// sidecar proxy 100m 0
	// container app 300m 0
	// container worker 100m 0
	// pod 1 2
}

func ExampleConflictError() {
	problem := exampleProblem()
	problem.Budgets[0].Remaining = cpu("350m")
	_, err := solver.Solve(exampleSpec(), problem)
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
	// - cpu remaining 350m of ResourceQuota compute
}

func ExampleSolve_conflict() {
	_, err := solver.Solve(exampleSpec(), solver.Input{Items: []solver.RangeItem{
		{Source: computeresources.Source{Kind: "LimitRange", Name: "small"}, Item: corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Max: cpu("1")}},
		{Source: computeresources.Source{Kind: "LimitRange", Name: "large"}, Item: corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Min: cpu("2")}},
	}})
	var unsolvable *solver.ConflictError
	errors.As(err, &unsolvable)
	fmt.Println(unsolvable.Conflicts[0])
	// Output:
	// cpu: nothing satisfies all of: Container cpu min 2 of LimitRange large; Container cpu max 1 of LimitRange small
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

func ExampleInputError() {
	_, err := solver.Solve(nil, solver.Input{Items: []solver.RangeItem{
		{Source: computeresources.Source{Kind: "LimitRange", Name: "team"}, Item: corev1.LimitRangeItem{Type: "Node"}},
	}})
	fmt.Println(err)
	// Output:
	// LimitRange team: type "Node" is not Container, Pod or PersistentVolumeClaim
}
