package steps_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/internal/testkit"
)

// What Tekton's transformer does with a pod of two steps, resource by resource: it sets requests of
// cpu, memory and ephemeral-storage that are missing or zero, and touches nothing else.
func TestTektonOptionsByResource(t *testing.T) {
	of := func(name, requests, limits string) *corev1.PodSpec {
		c := stepOf(name, "step-a", requests, limits)
		return pod(c, step("step-b", "7", ""))
	}
	item := func(name, request, limit, least string) corev1.LimitRangeItem {
		list := func(amount string) corev1.ResourceList {
			if amount == "" {
				return nil
			}
			return testkit.List(name, amount)
		}
		return bounded(list(request), list(limit), list(least), nil, nil)
	}
	for _, test := range []struct {
		name string
		spec *corev1.PodSpec
		item corev1.LimitRangeItem
		want string // of step-a, "" for none
	}{
		{"cpu", of("cpu", "", ""), item("cpu", "1", "", ""), "set the cpu request to 500m"},
		{"cpu, rounded up to milli-units before it is divided", of("cpu", "", ""), item("cpu", "1500001n", "", ""), "set the cpu request to 1m"},
		{"cpu, rounded down after it is divided", of("cpu", "", ""), item("cpu", "2000001n", "", ""), "set the cpu request to 1m"},
		{"cpu, whole milli-units", of("cpu", "", ""), item("cpu", "3m", "", ""), "set the cpu request to 1m"},
		{"cpu, a part of zero", of("cpu", "", ""), item("cpu", "1m", "", ""), ""},
		{"cpu, the minimum", of("cpu", "", ""), item("cpu", "1", "", "700m"), "set the cpu request to 700m"},
		{"cpu, the minimum alone", of("cpu", "", ""), item("cpu", "", "", "700m"), "set the cpu request to 700m"},
		{"cpu, a default limit alone", of("cpu", "", ""), item("cpu", "", "1", ""), ""},
		{"cpu, above the limit of the step", of("cpu", "", "100m"), item("cpu", "1", "", ""), "set the cpu request to 500m"},
		{"cpu, set", of("cpu", "1m", ""), item("cpu", "1", "", ""), ""},
		{"cpu, zero", of("cpu", "0", ""), item("cpu", "1", "", ""), "change the cpu request from 0 to 500m"},
		{"cpu, below zero", of("cpu", "-1", ""), item("cpu", "1", "", ""), ""},
		{"memory", of("memory", "", ""), item("memory", "1Gi", "", ""), "set the memory request to 512Mi"},
		{"memory, rounded up to bytes before it is divided", of("memory", "", ""), item("memory", "3500m", "", ""), "set the memory request to 2"},
		{"ephemeral-storage", of("ephemeral-storage", "", ""), item("ephemeral-storage", "3", "", ""), "set the ephemeral-storage request to 1"},
		{"GPUs with a limit, as users write them", of("nvidia.com/gpu", "", "2"), item("nvidia.com/gpu", "1", "1", ""), ""},
		{"GPUs without a limit", of("nvidia.com/gpu", "", ""), item("nvidia.com/gpu", "2", "2", "1"), ""},
		{"huge pages", of("hugepages-2Mi", "", ""), item("hugepages-2Mi", "4Mi", "4Mi", "2Mi"), ""},
		{"storage", of("storage", "", ""), item("storage", "4", "4", "2"), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			changes, conflicts := steps.Fill(test.spec, test.item, steps.TektonStep, steps.TektonOptions())
			var got, want []string
			for _, c := range changes {
				if c.Ref.Name == "step-a" {
					got = append(got, c.String())
				}
			}
			if test.want != "" {
				want = []string{"container step-a: " + test.want}
			}
			if len(got) != len(want) || len(got) > 0 && got[0] != want[0] {
				t.Errorf("%v, want %v", got, want)
			}
			if len(conflicts) > 0 {
				t.Errorf("conflicts %v", conflicts)
			}
		})
	}
}

// Tekton rounds the default away from zero to whole units and divides it with Go's integer division,
// which rounds toward zero. It sets the larger of that and the minimum, which it does not round, if
// it is above zero. The same at the task level, without a minimum.
func TestTektonOptionsEqualTekton(t *testing.T) {
	unset, below := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		quarters := rapid.Int64Range(-40, 40)
		request, least, n := quarters.Draw(t, "default"), quarters.Draw(t, "minimum"), rapid.Int64Range(1, 5).Draw(t, "steps")
		list := func(quarters int64) corev1.ResourceList {
			return corev1.ResourceList{"memory": *resource.NewMilliQuantity(quarters*250, resource.BinarySI)}
		}
		rounded := (max(request, -request) + 3) / 4
		if request < 0 {
			rounded = -rounded
		}
		var spec corev1.PodSpec
		for range n {
			spec.Containers = append(spec.Containers, testkit.Container("step-a", nil, nil))
		}

		changes, _ := steps.Fill(&spec, bounded(list(request), nil, list(least), nil, nil), steps.TektonStep, steps.TektonOptions())
		want := max(rounded/n*4, least, 0)
		for _, c := range apply(t, &spec, changes).Containers {
			testkit.Equal(t, c.Resources.Requests.Memory().MilliValue(), want*250, "Fill")
		}
		if want == 0 {
			unset++
			if len(changes) > 0 {
				t.Fatalf("Fill sets %v", sentences(changes))
			}
		}

		task := requirements(list(request), nil)
		changes, _ = steps.TaskLevel(&spec, steps.TaskRun{ComputeResources: &task}, steps.TektonStep, steps.TektonOptions().Division)
		for _, c := range apply(t, &spec, changes).Containers {
			testkit.Equal(t, c.Resources.Requests.Memory().Value(), rounded/n, "TaskLevel")
		}
		if rounded < 0 && rounded%n != 0 {
			below++
		}
	})
	if !testing.Short() && (unset == 0 || below == 0) {
		t.Errorf("%d requests were not set, %d amounts below zero had a remainder", unset, below)
	}
}

// Tekton collects the names of overrides without the empty ones, and reports a duplicate by its index
// in that list: here 1.
// See docs/decisions/affinity.md#paths-of-task-errors.
func TestDivergenceIndexOfADuplicateName(t *testing.T) {
	run := steps.TaskRun{StepOverrides: []steps.Override{{Name: "a"}, {}, {Name: "a"}}}
	got := testkit.Strings(steps.ValidateTaskRun(run, nil))
	want := []string{"stepSpecs[1].name: Required value", `stepSpecs[2].name: Duplicate value: "a"`}
	testkit.NoDiff(t, got, want)
}

// If a task has only limits, and its steps have requests, Tekton removes these and sets none, so each
// step requests the limit of the whole task: 8 CPU for two steps instead of 4.
// See docs/decisions/affinity.md#limits-of-a-task-are-divided.
func TestDivergenceLimitsOfTheTaskAlone(t *testing.T) {
	task := requirements(nil, cpu("4"))
	changes, _ := steps.TaskLevel(pod(step("step-a", "1", ""), step("step-b", "", "")), steps.TaskRun{ComputeResources: &task}, steps.TektonStep, division.Options{})
	want := []string{
		"container step-a: change the cpu request from 1 to 2", "container step-a: set the cpu limit to 4",
		"container step-b: set the cpu request to 2", "container step-b: set the cpu limit to 4",
	}
	expect(t, want, nil, changes, nil)
}

// Tekton does not treat empty, non-nil lists as unset: then limits do not replace requests, and two empty
// lists remove the requirements of the steps.
// See docs/decisions/affinity.md#empty-task-lists-are-missing.
func TestDivergenceEmptyTaskLevelLists(t *testing.T) {
	for _, test := range []struct {
		name string
		task corev1.ResourceRequirements
		want []string
	}{
		{"empty requests", requirements(corev1.ResourceList{}, cpu("2")), []string{"container step-a: change the cpu request from 1 to 2", "container step-a: set the cpu limit to 2"}},
		{"both", requirements(corev1.ResourceList{}, corev1.ResourceList{}), nil},
	} {
		changes, _ := steps.TaskLevel(pod(step("step-a", "1", "")), steps.TaskRun{ComputeResources: &test.task}, steps.TektonStep, division.Options{})
		expect(t, test.want, nil, changes, nil)
	}
}

// Of two overrides for one step, Tekton takes the last. Its webhook rejects them.
// See docs/decisions/affinity.md#two-overrides-of-a-step.
func TestDivergenceTwoOverridesOfAStep(t *testing.T) {
	run := steps.TaskRun{StepOverrides: []steps.Override{
		{Name: "step-a", Resources: requirements(cpu("1"), nil)},
		{Name: "step-a", Resources: requirements(testkit.List("memory", "1Gi"), nil)},
	}}
	changes, _ := steps.TaskLevel(pod(step("step-a", "", "")), run, steps.TektonStep, division.Options{})
	expect(t, []string{"container step-a: set the cpu request to 1", "container step-a: set the memory request to 1Gi"}, nil, changes, nil)
}
