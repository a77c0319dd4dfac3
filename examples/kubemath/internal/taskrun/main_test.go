package taskrun

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
)

type outcome = golden.Result

func runWith(stdin string, args ...string) outcome { return golden.Run(Run, stdin, args...) }

func TestGolden(t *testing.T) {
	golden.Outputs(t, Run, "testdata/golden", 2, map[string][]string{
		"samples.txt":    nil,
		"explain.txt":    {"-explain", "-init", "prepare"},
		"more.txt":       {"-f", "testdata/more.yaml", "-n", "team", "-init", "prepare"},
		"impossible.txt": {"-f", "testdata/impossible.yaml", "-init", "prepare"},
		"pods.txt":       {"-f", "samples/8-sources.yaml", "-o", "yaml"},
	})
}

// Manifests in the styles that people use, one file or directory for each: their pods are written, or the reason is given.
func TestManifestsAsPeopleWriteThem(t *testing.T) {
	const written = "testdata/written"
	entries, err := os.ReadDir(written)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, entry := range entries {
		got := runWith("", "-no-render", "-f", filepath.Join(written, entry.Name()))
		fmt.Fprintf(&all, "# %s: exit code %d\n%s%s\n", entry.Name(), got.Code, got.Stderr, got.Stdout)
	}
	golden.Compare(t, "testdata/golden/written.txt", strings.ReplaceAll(all.String(), written+"/", ""))
}

// object returns an object of a kind with a name and further fields.
func object(apiVersion, kind, name, fields string) string {
	return "---\napiVersion: " + apiVersion + "\nkind: " + kind + "\nmetadata: {name: " + name + "}\n" + fields + "\n"
}

func taskRun(spec string) string {
	return object("tekton.dev/v1", "TaskRun", "run", "spec: {"+spec+"}")
}

func TestVerdicts(t *testing.T) {
	quota := func(spec string) string { return object("v1", "ResourceQuota", "q", "spec: {"+spec+"}") }
	limits := func(item string) string {
		return object("v1", "LimitRange", "l", "spec: {limits: [{type: Container, "+item+"}]}")
	}
	config := func(name, text string) string {
		return object("v1", "ConfigMap", name, "data:\n  default-container-resource-requirements: |\n    "+text)
	}
	pod := object("v1", "Pod", "p", "spec: {containers: [{name: a}]}")
	run := taskRun("taskSpec: {steps: [{name: a}]}")
	urgent := "scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: In, values: [high]}]}"
	for _, test := range []struct {
		name, manifests string
		code            int
		want            string // a part of what is written
	}{
		{"admitted", run, 0, "admitted, BestEffort\n"},
		{"nothing", "# nothing", 1, "the input has no run of a known task, and no Pod\n"},
		{"unreadable", run + "---\na: [", 1, "document 2: invalid YAML"},
		{"bad amount", taskRun("taskSpec: {steps: [{computeResources: {limits: {cpu: 1e999999999}}}]}"), 1, `spec.taskSpec.steps[0].computeResources.limits[cpu]: "1e999999999" is out of range`},
		{"no steps", taskRun("taskSpec: {}"), 2, "spec.taskSpec.steps: Required value: a task has at least one"},
		{"the same step twice", taskRun("taskSpec: {steps: [{name: a}, {name: a}]}"), 2, `spec.taskSpec.steps[1].name: Duplicate value: "a"`},
		{"the same sidecar twice", object("tekton.dev/v1", "Task", "t", "spec: {steps: [{}], sidecars: [{name: a}, {name: a}]}") + run, 2, `Task t: spec.sidecars[1].name: Duplicate value: "a"`},
		{"neither task", taskRun(""), 2, "expected exactly one of taskRef and taskSpec"},
		{"both tasks", taskRun("taskRef: {name: t}, taskSpec: {steps: [{}]}"), 2, "expected exactly one of taskRef and taskSpec"},
		{"by a quota", quota("hard: {pods: 0}") + run, 2, "rejected: pods is forbidden: exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0"},
		{"by Tekton", taskRun("taskSpec: {steps: [{name: a}]}, stepSpecs: [{name: b}]"), 2, `rejected: spec.stepSpecs[0].name: Not found: "b"`},
		{"by the ratio that its parts break", limits("default: {cpu: 1}, maxLimitRequestRatio: {cpu: 1}") + taskRun("taskSpec: {steps: [{}, {}]}"), 2, "rejected: "},
		{"an invalid LimitRange", limits("min: {cpu: 2}, max: {cpu: 1}") + run, 2, "LimitRange l: spec.limits[0].min[cpu]: Invalid value"},
		{"a deadline", quota("hard: {pods: 0}, scopes: [Terminating]") + run, 2, "exceeded quota"},
		{"a pod without a deadline", quota("hard: {pods: 0}, scopes: [Terminating]") + pod, 0, "admitted"},
		{"a priority class", quota("hard: {pods: 0}, "+urgent) + taskRun("podTemplate: {priorityClassName: high}, taskSpec: {steps: [{}]}"), 2, "exceeded quota"},
		{"of all tasks", quota("hard: {pods: 0}, "+urgent) + object("tekton.dev/v1", "PipelineRun", "p", "spec: {taskRunTemplate: {podTemplate: {priorityClassName: high}}, "+
			"pipelineSpec: {tasks: [{name: a, taskSpec: {steps: [{}]}}]}}"), 2, "exceeded quota"},
		{"Tekton's configuration", config("config-defaults", "step-a: {requests: {cpu: 70m}}") + run, 0, "step a  cpu  request  70m  ConfigMap config-defaults"},
		{"another ConfigMap", config("other", "step-a: {requests: {cpu: 70m}}") + run, 0, "no container sets an amount"},
		{"a configuration that is a list", config("config-defaults", "[]") + run, 1, "data.default-container-resource-requirements: "},
		{"a configuration with a bad amount", config("config-defaults", "step-a: {requests: {cpu: x}}") + run, 1, `"x" is not a quantity such as 500m or 2Gi`},
		{"Guaranteed", taskRun("taskSpec: {steps: [{computeResources: {limits: {cpu: 1, memory: 1Gi}}}]}"), 0, "  admitted, Guaranteed\n\n"},
		{"cannot be Guaranteed", limits("max: {cpu: 1}") + taskRun("taskSpec: {steps: [{name: a, computeResources: {limits: {cpu: 2}}}]}"), 2, "cannot be Guaranteed:\n    cpu: no amount satisfies all of: Container cpu max 1"},
		{"a pod is not Tekton's", config("config-defaults", "a: {requests: {cpu: 70m}}") + pod, 0, "no container sets an amount"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := runWith(test.manifests, "-f", "-", "-explain")
			if got.Code != test.code || !strings.Contains(got.Stderr+got.Stdout, test.want) {
				t.Errorf("exit code %d, want %d and %q:\n%s%s", got.Code, test.code, test.want, got.Stderr, got.Stdout)
			}
		})
	}
}

// A cluster of 1.33 drops pod-level resources, so nothing is said of them.
func TestRelease(t *testing.T) {
	for release, want := range map[string]bool{"1.33": false, "1.34": true} {
		out := runWith("", "-kubernetes", release).Stdout
		if got := strings.Contains(out, "with requirements at the pod level"); got != want {
			t.Errorf("%s: the pod level in the answer: %v, want %v", release, got, want)
		}
	}
}
