package steps_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
)

// listed returns the containers of a pod by kind and name.
func listed(spec *corev1.PodSpec) (all []string) {
	for ref, c := range computeresources.Containers(spec) {
		all = append(all, fmt.Sprint(ref.Kind, " ", c.Name))
	}
	return all
}

func TestTektonContainers(t *testing.T) {
	in := func(dir string) *corev1.PodSpec {
		spec := pod(step("step-a", "", ""))
		spec.Containers[0].WorkingDir = dir
		return spec
	}
	scripts, results := steps.TaskRun{Scripts: true}, steps.TaskRun{Results: true}
	native := steps.Tekton{ResultsSidecar: true, NativeSidecars: true}
	sidecarWithDir := pod(step("step-a", "", ""), step("sidecar-x", "", ""))
	sidecarWithDir.Containers[1].WorkingDir = "src"
	there := pod(step("step-a", "", ""), step("sidecar-tekton-log-results", "", ""))
	there.InitContainers = []corev1.Container{step("place-scripts", "", "")}
	own := pod(step("step-a", "", ""))
	own.InitContainers = []corev1.Container{step("own", "", "")}
	for _, test := range []struct {
		name string
		spec *corev1.PodSpec
		runs []steps.TaskRun
		in   steps.Tekton
		want string
	}{
		{"prepare, always", in(""), nil, steps.Tekton{}, "init container prepare, container step-a"},
		{"scripts of the earlier of two runs", in(""), []steps.TaskRun{scripts, {}}, steps.Tekton{}, "init container prepare, init container place-scripts, container step-a"},
		{"a relative directory", in("src"), []steps.TaskRun{scripts}, steps.Tekton{}, "init container prepare, init container place-scripts, init container working-dir-initializer, container step-a"},
		{"a directory below the workspace", in("/workspace/src"), nil, steps.Tekton{}, "init container prepare, init container working-dir-initializer, container step-a"},
		{"a directory that is not clean", in("/tmp/../workspace/src/"), nil, steps.Tekton{}, "init container prepare, init container working-dir-initializer, container step-a"},
		{"the workspace itself", in("/workspace"), nil, steps.Tekton{}, "init container prepare, container step-a"},
		{"another directory", in("/workspaces/src"), nil, steps.Tekton{}, "init container prepare, container step-a"},
		{"a directory of a sidecar", sidecarWithDir, nil, steps.Tekton{}, "init container prepare, container step-a, container sidecar-x"},
		{"results by termination message", in(""), []steps.TaskRun{results}, steps.Tekton{}, "init container prepare, container step-a"},
		{"results by logs", in(""), []steps.TaskRun{results}, steps.Tekton{ResultsSidecar: true}, "init container prepare, container step-a, container sidecar-tekton-log-results"},
		{"no results", in(""), []steps.TaskRun{scripts}, steps.Tekton{ResultsSidecar: true}, "init container prepare, init container place-scripts, container step-a"},
		{"results by a native sidecar", own, []steps.TaskRun{results}, native, "init container prepare, init container own, sidecar sidecar-tekton-log-results, container step-a"},
		{"what is there already", there, []steps.TaskRun{{Scripts: true, Results: true}}, native, "init container prepare, init container place-scripts, container step-a, container sidecar-tekton-log-results"},
		{"a pod of a cluster", in("src"), []steps.TaskRun{scripts}, steps.Tekton{Complete: true}, "container step-a"},
		{"a pod without steps", pod(step("a", "", "")), []steps.TaskRun{scripts}, steps.Tekton{}, "container a"},
		{"nothing", nil, nil, steps.Tekton{}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := steps.TektonContainers(test.spec, test.runs, test.in)
			testkit.Equal(t, strings.Join(listed(got), ", "), test.want)
			again := steps.TektonContainers(got, test.runs, test.in)
			testkit.NoDiff(t, again, got, "again")
		})
	}
}

func TestTektonContainersContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := wholeInputs().Draw(t, "input")
		testkit.Contract(t, func() any { return steps.TektonContainers(in.Spec, in.Runs, steps.Tekton{ResultsSidecar: true}) }, in.Spec, in.Runs)
	})
}

// Only v1.13.0 sets amounts, which the configuration replaces.
func TestAmountsOfTekton(t *testing.T) {
	spec := pod(step("step-a", "1", ""))
	spec.Containers[0].WorkingDir = "src"
	run := steps.TaskRun{Scripts: true, Results: true}
	for _, test := range []struct {
		release  string
		defaults map[string]corev1.ResourceRequirements
		want     []string
	}{
		{"", nil, []string{"step-a cpu request 1 -> 1 ()"}},
		{"v1.13.1", nil, []string{"step-a cpu request 1 -> 1 ()"}},
		{"v1.12.0", nil, []string{"step-a cpu request 1 -> 1 ()"}},
		{"v1.13.0", map[string]corev1.ResourceRequirements{"prepare": requirements(cpu("70m"), nil), "place-scripts": requirements(testkit.List("memory", "1Gi"), nil)}, []string{
			"prepare cpu request - -> 70m (ConfigMap config-defaults default-container-resource-requirements[prepare])",
			"place-scripts memory request - -> 1Gi (ConfigMap config-defaults default-container-resource-requirements[place-scripts])",
			"working-dir-initializer cpu request - -> 10m (Tekton v1.13.0)", "working-dir-initializer cpu limit - -> 10m (Tekton v1.13.0)",
			"working-dir-initializer memory request - -> 16Mi (Tekton v1.13.0)", "working-dir-initializer memory limit - -> 16Mi (Tekton v1.13.0)",
			"step-a cpu request 1 -> 1 ()",
			"sidecar-tekton-log-results cpu request - -> 50m (Tekton v1.13.0)", "sidecar-tekton-log-results cpu limit - -> 50m (Tekton v1.13.0)",
			"sidecar-tekton-log-results memory request - -> 32Mi (Tekton v1.13.0)", "sidecar-tekton-log-results memory limit - -> 32Mi (Tekton v1.13.0)",
		}},
		{"1.13.0", nil, []string{
			"prepare cpu request - -> 10m (Tekton 1.13.0)", "prepare cpu limit - -> 10m (Tekton 1.13.0)",
			"prepare memory request - -> 32Mi (Tekton 1.13.0)", "prepare memory limit - -> 32Mi (Tekton 1.13.0)",
			"place-scripts cpu request - -> 100m (Tekton 1.13.0)", "place-scripts cpu limit - -> 100m (Tekton 1.13.0)",
			"place-scripts memory request - -> 32Mi (Tekton 1.13.0)", "place-scripts memory limit - -> 32Mi (Tekton 1.13.0)",
		}},
	} {
		p := steps.WholePod(spec, []steps.TaskRun{run}, steps.Environment{
			ContainerDefaults: test.defaults, Tekton: steps.Tekton{Release: test.release, ResultsSidecar: true},
		}, steps.TektonOptions())
		got := explained(p)
		testkit.NoDiff(t, got[:min(len(got), len(test.want))], test.want, test.release)
		testkit.Equal(t, len(got) > 1, strings.HasSuffix(test.release, "1.13.0"))
	}
}

// An amount that a container has already is the task's.
func TestAmountsOfTektonAreForNewContainers(t *testing.T) {
	spec := pod(step("step-a", "", ""))
	spec.InitContainers = []corev1.Container{step("prepare", "1", "1")}
	p := steps.WholePod(spec, nil, steps.Environment{Tekton: steps.Tekton{Release: "v1.13.0"}}, steps.TektonOptions())
	testkit.NoDiff(t, explained(p), []string{"prepare cpu request 1 -> 1 ()", "prepare cpu limit 1 -> 1 ()"})
}

// So is a limit without a request, which the API server requests as well.
func TestAmountsOfTektonBesideALimit(t *testing.T) {
	spec := pod(step("step-a", "", ""))
	spec.InitContainers = []corev1.Container{step("prepare", "", "1")}
	p := steps.WholePod(spec, nil, steps.Environment{Tekton: steps.Tekton{Release: "v1.13.0"}}, steps.TektonOptions())
	testkit.NoDiff(t, explained(p), []string{"prepare cpu request - -> 1 (API server)", "prepare cpu limit 1 -> 1 ()"})
}

// A run overrides the amounts that Tekton sets for the sidecar of results.
func TestOverrideOfTheResultsSidecar(t *testing.T) {
	run := steps.TaskRun{Results: true, StepPrefix: "step-", SidecarPrefix: "sidecar-",
		SidecarOverrides: []steps.Override{{Name: "tekton-log-results", Resources: requirements(cpu("20m"), nil)}}}
	in := steps.Environment{Tekton: steps.Tekton{Release: "v1.13.0", ResultsSidecar: true}}
	p := steps.WholePod(pod(step("step-a", "", "")), []steps.TaskRun{run}, in, steps.TektonOptions())
	var got []string
	for _, line := range explained(p) {
		if strings.HasPrefix(line, "sidecar-tekton-log-results ") {
			got = append(got, strings.TrimPrefix(line, "sidecar-tekton-log-results "))
		}
	}
	testkit.NoDiff(t, got, []string{
		"cpu request - -> 20m (TaskRun spec.sidecarSpecs[0].computeResources.requests[cpu])", "cpu limit - -> 50m (Tekton v1.13.0)",
		"memory request - -> 32Mi (Tekton v1.13.0)", "memory limit - -> 32Mi (Tekton v1.13.0)",
	})
}

// The containers of Tekton get defaults as all others do, and a quota rejects the pod because of them.
func TestAddedContainersAreAdmitted(t *testing.T) {
	in := environment{adds: true, ResourceQuotas: []*corev1.ResourceQuota{quotaOf(testkit.List("limits.cpu", "4"))}}
	spec := pod(step("step-a", "1", "1"))
	for _, plan := range []func(*corev1.PodSpec, []steps.TaskRun, environment, steps.Options) steps.PodPlan{wholePod, admittedPod} {
		p := plan(spec, []steps.TaskRun{{Scripts: true}}, in, steps.TektonOptions())
		if !strings.Contains(p.Rejected, "must specify limits.cpu for: place-scripts,prepare") {
			t.Error(p.Rejected)
		}
	}
	g, err := guaranteed(spec, []steps.TaskRun{{Scripts: true, StepPrefix: "step-"}}, in, steps.Options{})
	testkit.OK(t, err)
	testkit.Equal(t, g.Pod.Rejected, "")
	names := []string{}
	for name := range g.ContainerDefaults {
		names = append(names, name)
	}
	slices.Sort(names)
	testkit.NoDiff(t, names, []string{"place-scripts", "prepare"})
}

// What TektonOptions do with the requirements of a task, and what is documented.
func TestTaskLevelAsTekton(t *testing.T) {
	list := testkit.List
	two := pod(step("step-a", "", ""), step("step-b", "", ""))
	empty := corev1.ResourceList{}
	for _, test := range []struct {
		name       string
		spec       *corev1.PodSpec
		task       corev1.ResourceRequirements
		as, should string
	}{
		{"a limit is no request if the task has one of something else", two, requirements(list("memory", "1Gi"), cpu("4")), "cpu=8,memory=1Gi", "cpu=4,memory=1Gi"},
		{"limits alone", two, requirements(nil, cpu("4")), "cpu=4", "cpu=4"},
		{"limits alone, if a step has a request", pod(step("step-a", "1", ""), step("step-b", "", "")), requirements(nil, cpu("4")), "cpu=6", "cpu=4"},
		{"empty requests are requests", two, requirements(empty, cpu("4")), "cpu=8", "cpu=4"},
		{"empty lists remove those of the steps", pod(step("step-a", "1", "")), requirements(empty, nil), "", "cpu=1"},
		{"empty limits alone remove them as well", pod(step("step-a", "1", "")), requirements(nil, empty), "", "cpu=1"},
		{"an empty task", pod(step("step-a", "1", "")), requirements(nil, nil), "cpu=1", "cpu=1"},
		{"GPUs", two, requirements(nil, list("nvidia.com/gpu", "1")), "nvidia.com/gpu=1", "nvidia.com/gpu=1"},
		{"memory in bytes", pod(step("step-a", "", ""), step("step-b", "", ""), step("step-c", "", "")), requirements(list("memory", "10", "ephemeral-storage", "8"), nil), "ephemeral-storage=6,memory=9", "ephemeral-storage=8,memory=10"},
	} {
		t.Run(test.name, func(t *testing.T) {
			for want, opts := range map[*string]steps.Options{&test.as: steps.TektonOptions(), &test.should: {}} {
				p := wholePod(test.spec, []steps.TaskRun{{ComputeResources: &test.task, StepPrefix: "step-"}}, environment{}, opts)
				testkit.Equal(t, resourcelist.String(p.Effect.Requests), *want, fmt.Sprint(opts.AsTekton))
			}
		})
	}
	gpu := requirements(nil, list("nvidia.com/gpu", "1"))
	p := wholePod(two, []steps.TaskRun{{ComputeResources: &gpu}}, environment{}, steps.TektonOptions())
	if !strings.Contains(p.Rejected, "must be an integer") {
		t.Error(p.Rejected)
	}
}

// A container without memory is advised to have what a runtime accepts, and less only if it has to be.
func TestGuaranteedMemoryStarts(t *testing.T) {
	memory := func(g steps.GuaranteedPlan) string {
		return g.Run.StepOverrides[0].Resources.Limits.Memory().String() + " " + g.Run.StepOverrides[0].Resources.Requests.Memory().String()
	}
	for _, test := range []struct {
		name  string
		limit string
		in    environment
		want  string
	}{
		{"none", "", environment{}, "12Mi 12Mi"},
		{"a default request", "", environment{LimitRanges: []*corev1.LimitRange{rangeOf("range", bounded(testkit.List("memory", "100Mi"), nil, nil, nil, nil))}}, "100Mi 100Mi"},
		{"its own", "5Mi", environment{}, "5Mi 5Mi"},
		{"a maximum", "", environment{LimitRanges: []*corev1.LimitRange{rangeOf("range", bounded(nil, nil, testkit.List("memory", "1Mi"), testkit.List("memory", "8Mi"), nil))}}, "8Mi 8Mi"},
	} {
		t.Run(test.name, func(t *testing.T) {
			g, err := guaranteed(pod(stepOf("memory", "step-a", "", test.limit)), nil, test.in, steps.Options{})
			testkit.OK(t, err)
			testkit.Equal(t, memory(g), test.want)
		})
	}
}
