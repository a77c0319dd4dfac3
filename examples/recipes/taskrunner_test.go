package recipes_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// prepare sets the requests of the steps of a task: what the run requires of the task, divided, and
// then the default requests of a LimitRange, divided too.
func prepare(spec *corev1.PodSpec, run steps.TaskRun, item corev1.LimitRangeItem) error {
	changes, conflicts := steps.TaskLevel(spec, run, steps.TektonStep, division.Options{})
	if err := conflicts.Err(); err != nil {
		return err
	}
	if err := computeresources.ApplyChanges(spec, changes); err != nil {
		return err
	}
	changes, conflicts = steps.Fill(spec, item, steps.TektonStep, steps.Options{})
	if err := conflicts.Err(); err != nil {
		return err
	}
	return computeresources.ApplyChanges(spec, changes)
}

// Example_taskRunner divides 1 CPU and 1Gi over three steps, and finds what two pipelines request
// at their peaks.
func Example_taskRunner() {
	build := &corev1.PodSpec{Containers: []corev1.Container{{Name: "step-fetch"}, {Name: "step-test"}, {Name: "step-push"}}}
	err := prepare(build,
		steps.TaskRun{ComputeResources: &corev1.ResourceRequirements{
			Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1")},
		}},
		corev1.LimitRangeItem{
			Type:           corev1.LimitTypeContainer,
			DefaultRequest: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("1Gi")},
		})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range build.Containers {
		fmt.Println(c.Name, resourcelist.String(c.Resources.Requests))
	}
	fmt.Println("the scheduler reserves", resourcelist.String(computeresources.SpecRequests(build, computeresources.Options{})))

	printPeak([]affinity.Task{
		{Name: "clone", Requests: cpuOf(1000)},
		{Name: "unit", Requests: cpuOf(2000), RunAfter: []string{"clone"}},
		{Name: "lint", Requests: cpuOf(3000), RunAfter: []string{"clone"}},
		{Name: "image", Requests: cpuOf(1000), RunAfter: []string{"unit", "lint"}},
	})

	// 38 tasks of 0m, 10m, 20m … each of which waits for the one four places before it.
	var window []affinity.Task
	for i := range 38 {
		task := affinity.Task{Name: fmt.Sprint("t", i), Requests: cpuOf(int64(i) * 10)}
		if i >= 4 {
			task.RunAfter = []string{fmt.Sprint("t", i-4)}
		}
		window = append(window, task)
	}
	printPeak(window)
	// Output:
	// step-fetch cpu=334m,memory=357913942
	// step-test cpu=333m,memory=357913941
	// step-push cpu=333m,memory=357913941
	// the scheduler reserves cpu=1,memory=1Gi
	// 5 CPU by [lint unit]
	// 1420m CPU by [t34 t35 t36 t37]
}

func printPeak(tasks []affinity.Task) {
	demand, err := peak.DemandOf(&affinity.Run{Tasks: tasks}, peak.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	cpu, _ := demand.Peak(corev1.ResourceCPU)
	fmt.Println(cpu.Amount.String(), "CPU by", cpu.Tasks)
}

func cpuOf(milli int64) corev1.ResourceList {
	return corev1.ResourceList{corev1.ResourceCPU: resourcelist.Quantity(corev1.ResourceCPU, milli)}
}
