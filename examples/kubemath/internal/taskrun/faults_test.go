package taskrun

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubemath/kubemath/examples/internal/command"
)

// broken is input with something wrong, and what is to be said of it behind the name of
// the file.
type broken struct {
	name, manifests string
	want            []string
}

// with returns an object named x with the given spec.
func with(apiVersion, kind, spec string) string {
	return "apiVersion: " + apiVersion + "\nkind: " + kind + "\nmetadata: {name: x}\nspec: " + spec + "\n"
}

func taskRunWith(spec string) string { return with("tekton.dev/v1", "TaskRun", spec) }

// faults cannot be read.
var faults = []broken{
	{"bad YAML", "a: [", []string{"document 1: invalid YAML: line 1: did not find expected node content"}},
	{"key given twice", "a: 1\na: 2", []string{"document 1: not a Kubernetes object: it has neither apiVersion nor kind"}},
	{"a scalar", "hello", []string{`document 1: not an object: want a mapping with apiVersion and kind`}},
	{"a list", "[]", []string{"document 1: not an object: want a mapping with apiVersion and kind"}},
	{"a number", "1.5", []string{"document 1: not an object: want a mapping with apiVersion and kind"}},
	{"no kind", "apiVersion: v1", []string{"document 1: kind: missing, or not a string"}},
	{"no apiVersion", "kind: Pod", []string{"document 1: Pod: apiVersion: missing, or not a string"}},
	{"kind of a wrong type", "apiVersion: v1\nkind: 1", []string{"document 1: kind: missing, or not a string"}},
	{"metadata of a wrong type", "apiVersion: v1\nkind: Pod\nmetadata: []", []string{"document 1: Pod: metadata: want a mapping, not a list"}},
	{"items of a wrong type", "apiVersion: v1\nkind: List\nitems: {}", []string{"document 1: List: items: not a list"}},
	{"within lists", "apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: List, items: [null]}]", []string{
		"document 1: items[0].items[0]: not an object: want a mapping with apiVersion and kind",
	}},
	{"second document", oneStep + "---\n" + taskRunWith("1"), []string{"document 2: TaskRun x: spec: want a mapping, not 1"}},
	{"bad quantity of a step", taskRunWith("{taskSpec: {steps: [{name: a, computeResources: {limits: {memory: 2Gii}}}]}}"), []string{
		`document 1: TaskRun x: spec.taskSpec.steps[0].computeResources.limits[memory]: "2Gii" is not a quantity such as 500m or 2Gi`,
	}},
	{"bad quantity of a sidecar", taskRunWith("{taskSpec: {sidecars: [{computeResources: {requests: {cpu: ''}}}]}}"), []string{
		`document 1: TaskRun x: spec.taskSpec.sidecars[0].computeResources.requests[cpu]: "" is not a quantity such as 500m or 2Gi`,
	}},
	{"bad quantity of the template", with("tekton.dev/v1beta1", "Task", "{stepTemplate: {resources: {requests: {cpu: 1 m}}}}"), []string{
		`document 1: Task x: spec.stepTemplate.resources.requests[cpu]: "1 m" is not a quantity such as 500m or 2Gi`,
	}},
	{"bad quantities of a run", taskRunWith("{taskRef: {name: t}, computeResources: {requests: {cpu: [1]}}, stepSpecs: [{computeResources: {limits: {cpu: true}}}], " +
		"sidecarSpecs: [{computeResources: {limits: {cpu: {a: 1}}}}]}"), []string{
		"document 1: TaskRun x: spec.stepSpecs[0].computeResources.limits[cpu]: want a quantity such as 500m or 2Gi, not true",
		"document 1: TaskRun x: spec.sidecarSpecs[0].computeResources.limits[cpu]: want a quantity such as 500m or 2Gi, not a mapping",
		"document 1: TaskRun x: spec.computeResources.requests[cpu]: want a quantity such as 500m or 2Gi, not a list",
	}},
	{"absurd quantities", taskRunWith("{taskRef: {name: t}, computeResources: {limits: {a: 1e1000000000, b: '1e-1000000000', c: '" + strings.Repeat("9", 100) + "'}}}"), []string{
		`document 1: TaskRun x: spec.computeResources.limits[a]: "1e1000000000" is not a quantity such as 500m or 2Gi`,
		`document 1: TaskRun x: spec.computeResources.limits[b]: "1e-1000000000" is not a quantity such as 500m or 2Gi`,
		`document 1: TaskRun x: spec.computeResources.limits[c]: "99999999999999999999"... is longer than any quantity`,
	}},
	{"bad quantity of a LimitRange", with("v1", "LimitRange", "{limits: [{type: Container, min: {cpu: a}, max: {cpu: b}, default: {cpu: c}, defaultRequest: {cpu: d}, maxLimitRequestRatio: {cpu: e}}]}"), []string{
		`document 1: LimitRange x: spec.limits[0].min[cpu]: "a" is not a quantity such as 500m or 2Gi`,
		`document 1: LimitRange x: spec.limits[0].max[cpu]: "b" is not a quantity such as 500m or 2Gi`,
		`document 1: LimitRange x: spec.limits[0].default[cpu]: "c" is not a quantity such as 500m or 2Gi`,
		`document 1: LimitRange x: spec.limits[0].defaultRequest[cpu]: "d" is not a quantity such as 500m or 2Gi`,
		`document 1: LimitRange x: spec.limits[0].maxLimitRequestRatio[cpu]: "e" is not a quantity such as 500m or 2Gi`,
	}},
	{"bad quantities of a ResourceQuota", with("v1", "ResourceQuota", "{hard: {pods: a}}") + "status: {hard: {pods: b}, used: {pods: c}}", []string{
		`document 1: ResourceQuota x: spec.hard[pods]: "a" is not a quantity such as 500m or 2Gi`,
		`document 1: ResourceQuota x: status.hard[pods]: "b" is not a quantity such as 500m or 2Gi`,
		`document 1: ResourceQuota x: status.used[pods]: "c" is not a quantity such as 500m or 2Gi`,
	}},
	{"scopes of a wrong type", with("v1", "ResourceQuota", "{scopes: [1]}"), []string{"document 1: ResourceQuota x: spec.scopes[0]: want a string, not 1"}},
	{"scope selector of a wrong type", with("v1", "ResourceQuota", "{scopeSelector: 1}"), []string{
		"document 1: ResourceQuota x: spec.scopeSelector: want a mapping, not a number",
	}},
	{"bad quantities of a Pod", with("v1", "Pod", "{overhead: {cpu: a}, resources: {requests: {cpu: b}}, initContainers: [{resources: {limits: {cpu: c}}}], containers: 1}"), []string{
		`document 1: Pod x: spec.initContainers[0].resources.limits[cpu]: "c" is not a quantity such as 500m or 2Gi`,
		"document 1: Pod x: spec.containers: want a list, not 1",
		`document 1: Pod x: spec.overhead[cpu]: "a" is not a quantity such as 500m or 2Gi`,
		`document 1: Pod x: spec.resources.requests[cpu]: "b" is not a quantity such as 500m or 2Gi`,
	}},
	{"v1beta1 in v1", taskRunWith("{stepOverrides: [{}], sidecarOverrides: [{}], taskSpec: {steps: [{resources: {}}], sidecars: [{resources: {}}], stepTemplate: {resources: {}}}}"), []string{
		"document 1: TaskRun x: spec.stepOverrides: is called stepSpecs in tekton.dev/v1",
		"document 1: TaskRun x: spec.sidecarOverrides: is called sidecarSpecs in tekton.dev/v1",
		"document 1: TaskRun x: spec.taskSpec.steps[0].resources: is called computeResources in tekton.dev/v1",
		"document 1: TaskRun x: spec.taskSpec.sidecars[0].resources: is called computeResources in tekton.dev/v1",
		"document 1: TaskRun x: spec.taskSpec.stepTemplate.resources: is called computeResources in tekton.dev/v1",
	}},
	{"v1 in v1beta1", with("tekton.dev/v1beta1", "TaskRun", "{stepSpecs: [{}], taskRef: {name: t}, stepOverrides: [{computeResources: {}}]}"), []string{
		"document 1: TaskRun x: spec.stepSpecs: is called stepOverrides in tekton.dev/v1beta1",
		"document 1: TaskRun x: spec.stepOverrides[0].computeResources: is called resources in tekton.dev/v1beta1",
	}},
	{"no task", taskRunWith("{}"), []string{"document 1: TaskRun x: spec: expected exactly one, got neither: spec.taskRef, spec.taskSpec"}},
	{"two tasks", taskRunWith("{taskRef: {name: t}, taskSpec: {steps: [{}]}}"), []string{"document 1: TaskRun x: spec: expected exactly one, got both: spec.taskRef, spec.taskSpec"}},
	{"unknown task", taskRunWith("{taskRef: {name: t}}"), []string{`document 1: TaskRun x: spec.taskRef.name: "t" is not a task in the input`}},
	{"task of another namespace", taskRunWith("{taskRef: {name: x}}") + "---\napiVersion: tekton.dev/v1\nkind: Task\nmetadata: {name: x, namespace: other}\nspec: {steps: [{}]}", []string{
		`document 1: TaskRun x: spec.taskRef.name: "x" is not a task in the input`,
	}},
	{"unknown tasks of a PipelineRun", with("tekton.dev/v1", "PipelineRun", "{taskRunSpecs: [{pipelineTaskName: c}, {pipelineTaskName: b}, {pipelineTaskName: b}], pipelineSpec: {tasks: [{name: a, taskRef: {name: t}}]}}"), []string{
		`document 1: PipelineRun x: spec.pipelineSpec.tasks[0].taskRef.name: "t" is not a task in the input`,
		`document 1: PipelineRun x: spec.taskRunSpecs[0].pipelineTaskName: "c" is not a task in the input`,
		`document 1: PipelineRun x: spec.taskRunSpecs[2].pipelineTaskName: "b" is not a task in the input`,
	}},
	{"unknown Pipeline", with("tekton.dev/v1", "PipelineRun", "{pipelineRef: {name: p}, taskRunSpecs: [{pipelineTaskName: a, computeResources: {limits: {cpu: 1}}}]}"), []string{
		`document 1: PipelineRun x: spec.pipelineRef.name: "p" is not a Pipeline in the input`,
		`document 1: PipelineRun x: spec.taskRunSpecs[0].pipelineTaskName: skipped: the task of "a" is unknown, and not compared`,
	}},
	{"unknown task of a Pipeline", with("tekton.dev/v1", "Pipeline", "{tasks: [{name: a, taskRef: {name: t}}]}") + "---\n" +
		with("tekton.dev/v1", "PipelineRun", "{pipelineRef: {name: x}, taskRunSpecs: [{pipelineTaskName: b}]}"), []string{
		`document 2: PipelineRun x: spec.pipelineRef.name: task "a" of Pipeline x: "t" is not a task in the input`,
		`document 2: PipelineRun x: spec.taskRunSpecs[0].pipelineTaskName: "b" is not a task in the input`,
	}},
	{"unreadable Pipeline", with("tekton.dev/v1", "Pipeline", "{tasks: {}}") + "---\n" + with("tekton.dev/v1", "PipelineRun", "{pipelineRef: {name: x}}"), []string{
		"document 1: Pipeline x: spec.tasks: want a list, not a mapping",
		`document 2: PipelineRun x: spec.pipelineRef.name: "x" is not a Pipeline in the input`,
	}},
	{"Pipeline of another namespace", with("tekton.dev/v1", "PipelineRun", "{pipelineRef: {name: x}}") + "---\napiVersion: tekton.dev/v1\nkind: Pipeline\nmetadata: {name: x, namespace: other}\nspec: {}", []string{
		`document 1: PipelineRun x: spec.pipelineRef.name: "x" is not a Pipeline in the input`,
	}},
	{"no Pipeline", with("tekton.dev/v1", "PipelineRun", "{}"), []string{"document 1: PipelineRun x: spec: expected exactly one, got neither: spec.pipelineRef, spec.pipelineSpec"}},
	{"two Pipelines", with("tekton.dev/v1", "PipelineRun", "{pipelineRef: {name: x}, pipelineSpec: {}}"), []string{"document 1: PipelineRun x: spec: expected exactly one, got both: spec.pipelineRef, spec.pipelineSpec"}},
	{"no task of a PipelineRun", with("tekton.dev/v1", "PipelineRun", "{pipelineSpec: {finally: [{name: a}]}}"), []string{
		"document 1: PipelineRun x: spec.pipelineSpec.finally[0]: expected exactly one, got neither: spec.pipelineSpec.finally[0].taskRef, spec.pipelineSpec.finally[0].taskSpec",
	}},
}

// invalidObjects can be read, but would not be stored.
var invalidObjects = []broken{
	{"no steps", taskRunWith("{taskSpec: {}}"), []string{"document 1: TaskRun x: spec.taskSpec.steps: Required value: a task has at least one"}},
	{"names given twice", with("tekton.dev/v1", "Task", "{steps: [{name: a}, {}, {}, {name: a}], sidecars: [{name: a}, {name: a}]}"), []string{
		`document 1: Task x: spec.sidecars[1].name: Duplicate value: "a"`,
		`document 1: Task x: spec.steps[3].name: Duplicate value: "a"`,
	}},
	{"contradictory LimitRange", with("v1", "LimitRange", "{limits: [{type: Container, min: {cpu: 2}, max: {cpu: 1}}]}"), []string{
		`document 1: LimitRange x: spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1`,
		`document 1: LimitRange x: spec.limits[0].defaultRequest[cpu]: Invalid value: "1": min value 2 is greater than default request value 1`,
		`document 1: LimitRange x: spec.limits[0].default[cpu]: Invalid value: "2": min value 2 is greater than default value 1`,
	}},
	{"negative quota", with("v1", "ResourceQuota", "{hard: {cpu: 1, pods: -1, memory: -2}}"), []string{
		`document 1: ResourceQuota x: spec.hard[memory]: Invalid value: "-2": must be greater than or equal to 0`,
		`document 1: ResourceQuota x: spec.hard[pods]: Invalid value: "-1": must be greater than or equal to 0`,
	}},
	{"a quota that selects nothing known", with("v1", "ResourceQuota", "{hard: {pods: 1}, scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: Near}]}}"), []string{
		`document 1: ResourceQuota x: spec.scopeSelector.matchExpressions.operator: Invalid value: "Near": not a valid selector operator`,
	}},
	{"no containers", with("v1", "Pod", "{}"), []string{"document 1: Pod x: spec.containers: Required value"}},
	{"control characters", "apiVersion: v1\nkind: Pod\nmetadata: {name: \"a\\n\\\"b\\e[0m\"}", []string{
		`document 1: Pod a\n\"b\x1b[0m: spec.containers: Required value`,
	}},
}

func TestFaults(t *testing.T) {
	check := func(t *testing.T, b broken, code int) {
		t.Helper()
		got := runWith(b.manifests, "-f", "-")
		var want strings.Builder
		for _, line := range b.want {
			want.WriteString("kubemath: -: " + line + "\n")
		}
		if diff := cmp.Diff(want.String(), got.Stderr); diff != "" || got.Code != code {
			t.Errorf("exit code %d, want %d; (-want +got):\n%s", got.Code, code, diff)
		}
	}
	for _, b := range faults {
		t.Run(b.name, func(t *testing.T) { check(t, b, command.Unread) })
	}
	for _, b := range invalidObjects {
		t.Run(b.name, func(t *testing.T) { check(t, b, command.Rejected) })
	}
}

// Missing objects are reported, but are not errors.
func TestWhatIsNotFetched(t *testing.T) {
	const pipelineRun = "document 1: PipelineRun x: "
	for _, test := range []struct {
		name, manifests string
		want            []string
	}{
		{"a task of a resolver", taskRunWith("{taskRef: {resolver: git}}"), []string{"document 1: TaskRun x: spec.taskRef: skipped: the task of resolver git is not fetched, and not compared"}},
		{"a task of a bundle", with("tekton.dev/v1beta1", "TaskRun", "{taskRef: {name: t, bundle: 'example.com/t:v1'}}"), []string{"document 1: TaskRun x: spec.taskRef: skipped: the task of bundle example.com/t:v1 is not fetched, and not compared"}},
		{"a custom task", with("tekton.dev/v1", "PipelineRun", "{pipelineSpec: {tasks: [{name: a, taskRef: {apiVersion: example.com/v1, kind: Wait, name: w}}]}}"), []string{pipelineRun + "spec.pipelineSpec.tasks[0].taskRef: skipped: Wait w of example.com/v1 is a custom task, and not compared"}},
		{"child runs", with("tekton.dev/v1", "PipelineRun", "{pipelineSpec: {tasks: [{name: a, pipelineRef: {name: p}}], finally: [{name: b, pipelineSpec: {tasks: []}}]}}"), []string{
			pipelineRun + "spec.pipelineSpec.tasks[0]: skipped: is a child run, which is not compared", pipelineRun + "spec.pipelineSpec.finally[0]: skipped: is a child run, which is not compared",
		}},
		{"a Pipeline of a resolver", with("tekton.dev/v1", "PipelineRun", "{pipelineRef: {resolver: hub}}"), []string{pipelineRun + "spec.pipelineRef: skipped: the Pipeline of resolver hub is not fetched, and its tasks are not compared"}},
		{"a Pipeline of a bundle", with("tekton.dev/v1beta1", "PipelineRun", "{pipelineRef: {name: p, bundle: b}}"), []string{pipelineRun + "spec.pipelineRef: skipped: the Pipeline of bundle b is not fetched, and its tasks are not compared"}},
		{"a custom task in the run", with("tekton.dev/v1", "PipelineRun", "{pipelineSpec: {tasks: [{name: a, taskSpec: {apiVersion: example.com/v1, kind: Wait, spec: {for: 1h}}}]}}"), []string{
			pipelineRun + "spec.pipelineSpec.tasks[0].taskSpec: skipped: Wait of example.com/v1 is a custom task, and not compared",
		}},
		{"a Task with an apiVersion", with("tekton.dev/v1", "PipelineRun", "{pipelineSpec: {tasks: [{name: a, taskRef: {apiVersion: tekton.dev/v1, kind: Task, name: t}}]}}"), []string{
			pipelineRun + "spec.pipelineSpec.tasks[0].taskRef: skipped: Task t of tekton.dev/v1 is a custom task for Tekton, since it has an apiVersion, and not compared",
		}},
		{"an empty matrix", with("tekton.dev/v1", "PipelineRun", "{pipelineSpec: {tasks: [{name: a, matrix: {params: [{name: b, value: []}]}, taskSpec: {steps: [{}]}}]}}"), []string{
			pipelineRun + "spec.pipelineSpec.tasks[0].matrix: skipped: has an empty array, so Tekton skips the task",
		}},
		{"a ClusterTask", with("tekton.dev/v1beta1", "TaskRun", "{taskRef: {kind: ClusterTask, name: t}}"), []string{"document 1: TaskRun x: spec.taskRef: skipped: ClusterTask t is not read, and not compared"}},
		{"a resolver within a Pipeline", with("tekton.dev/v1", "PipelineRun", "{pipelineRef: {name: x}}") + "---\n" + with("tekton.dev/v1", "Pipeline", "{finally: [{name: a, taskRef: {resolver: hub}}]}"), []string{
			pipelineRun + `spec.pipelineRef.name: skipped: task "a" of Pipeline x: the task of resolver hub is not fetched, and not compared`,
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var want strings.Builder
			for _, line := range test.want {
				want.WriteString("kubemath: -: " + line + "\n")
			}
			got := runWith(test.manifests, "-f", "-")
			want.WriteString("kubemath: nothing is compared: all runs are skipped, as their tasks are not in the input\n")
			if diff := cmp.Diff(outcome{Code: command.Unread, Stdout: "no runs\n", Stderr: want.String()}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Digests of images, names that are still to be generated, and no UID: none of them is an error.
func TestManifestsAsTheyAreWritten(t *testing.T) {
	digest := strings.Repeat("9e12345678", 6) + "9012"
	got := runWith("apiVersion: tekton.dev/v1\nkind: TaskRun\nmetadata: {generateName: build-}\nspec: {taskSpec: {steps: [{name: a, image: 'sha256:"+digest+"'}]}}", "-f", "-")
	if got.Code != command.OK || got.Stderr != "" || !strings.Contains(got.Stdout, "TaskRun default/build-xxxxx\n") {
		t.Errorf("exit code %d, stderr %q:\n%s", got.Code, got.Stderr, got.Stdout)
	}
}

// A run finds its Pipeline before it and behind it, in other spellings, and in the order of the runs.
func TestPipelinesByName(t *testing.T) {
	const pipeline = "apiVersion: tekton.dev/v1beta1\nkind: Pipeline\nmetadata: {name: x}\n" +
		"spec: {tasks: [{name: a, taskSpec: {steps: [{resources: {requests: {cpu: 1}}}]}}], finally: [{name: b, taskRef: {kind: task, name: x}}]}\n---\n"
	const task = "apiVersion: tekton.dev/v1\nkind: Task\nmetadata: {name: x}\nspec: {steps: [{name: s, computeResources: {requests: {cpu: 2}}}]}\n---\n"
	run := with("tekton.dev/v1", "PipelineRun", "{pipelineRef: {name: x}, taskRunSpecs: [{pipelineTaskName: b, stepSpecs: [{name: s, computeResources: {requests: {cpu: 3}}}]}]}") + "---\n"
	embedded := with("tekton.dev/v1", "PipelineRun", "{taskRunSpecs: [{pipelineTaskName: b, stepSpecs: [{name: s, computeResources: {requests: {cpu: 3}}}]}], "+
		"pipelineSpec: {tasks: [{name: a, taskSpec: {steps: [{computeResources: {requests: {cpu: 1}}}]}}], finally: [{name: b, taskRef: {name: x}}]}}") + "---\n"
	places := regexp.MustCompile(`document \d`)
	for _, manifests := range []string{pipeline + task + run + oneStep, run + task + pipeline + oneStep} {
		got, want := runWith(manifests, "-f", "-"), runWith(embedded+task+oneStep, "-f", "-")
		got.Stdout, want.Stdout = places.ReplaceAllString(got.Stdout, ""), places.ReplaceAllString(want.Stdout, "")
		if diff := cmp.Diff(want, got); diff != "" || strings.Count(got.Stdout, "\nPipelineRun default/x, task ") != 2 {
			t.Errorf("%s\n(-want +got):\n%s", got.Stdout, diff)
		}
	}
}

// The pod template of the run counts for tasks that have none.
func TestPriorityOfPipelineRuns(t *testing.T) {
	const quota = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\n" +
		"spec: {hard: {pods: 0}, scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: In, values: [high]}]}}\n---\n"
	const tasks = "pipelineSpec: {tasks: [{name: a, taskSpec: {steps: [{}]}}]}"
	for _, test := range []struct {
		name, version, spec string
		code                int
	}{
		{"v1", "tekton.dev/v1", "taskRunTemplate: {podTemplate: {priorityClassName: high}}", command.Rejected},
		{"v1beta1", "tekton.dev/v1beta1", "podTemplate: {priorityClassName: high}", command.Rejected},
		{"the task's own", "tekton.dev/v1", "taskRunTemplate: {podTemplate: {priorityClassName: high}}, taskRunSpecs: [{pipelineTaskName: a, podTemplate: {priorityClassName: low}}]", command.OK},
		{"the task's own in v1beta1", "tekton.dev/v1beta1", "taskRunSpecs: [{pipelineTaskName: a, taskPodTemplate: {priorityClassName: high}}]", command.Rejected},
	} {
		if got := runWith(quota+with(test.version, "PipelineRun", "{"+test.spec+", "+tasks+"}"), "-f", "-"); got.Code != test.code {
			t.Errorf("%s: exit code %d, want %d:\n%s%s", test.name, got.Code, test.code, got.Stdout, got.Stderr)
		}
	}
}

// Manifests in a directory are read, and other files are skipped.
func TestDirectories(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"b/run.yaml": taskRunWith("{taskRef: {name: x}}"), "a.yml": with("tekton.dev/v1", "Task", "{steps: [{name: s}]}"),
		"values.yaml": "replicas: 1\n", "README.md": "no manifest", ".hidden.yaml": "a: [",
	} {
		name = filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(content), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	got := runWith("", "-f", dir)
	want := "kubemath: " + dir + "/values.yaml: document 1: skipped: not a Kubernetes object: it has neither apiVersion nor kind\n"
	if got.Code != command.OK || got.Stderr != want || !strings.HasPrefix(got.Stdout, "Namespace default\n\nTaskRun default/x\n  from "+dir+"/b/run.yaml, document 1\n") {
		t.Errorf("exit code %d, stderr %q, stdout:\n%s", got.Code, got.Stderr, got.Stdout)
	}
}

func TestOtherKindsAreSkipped(t *testing.T) {
	got := runWith("apiVersion: apps/v1\nkind: Deployment\nmetadata: {namespace: shop, name: web}", "-f", "-")
	want := outcome{Code: command.Unread, Stdout: "no runs\n", Stderr: "kubemath: -: document 1: Deployment shop/web: skipped: Deployment of apps/v1 is not a kind that is reported\n" +
		"kubemath: nothing is compared: the input has no TaskRun, PipelineRun or Pod that can be read\n"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Objects with the same name are one object, and the last one counts.
func TestObjectsThatAreReplaced(t *testing.T) {
	limitRange := func(cpu string) string {
		return with("v1", "LimitRange", "{limits: [{type: Container, defaultRequest: {cpu: "+cpu+"}}]}") + "---\n"
	}
	quota := func(pods string) string { return with("v1", "ResourceQuota", "{hard: {pods: "+pods+"}}") + "---\n" }
	task := func(step string) string {
		return with("tekton.dev/v1", "Task", "{steps: [{name: "+step+"}]}") + "---\n"
	}
	got := runWith(limitRange("1")+quota("0")+task("a")+limitRange("2")+quota("7")+task("b")+taskRunWith("{taskRef: {name: x}}"), "-f", "-")
	want := runWith(limitRange("2")+quota("7")+task("b")+taskRunWith("{taskRef: {name: x}}"), "-f", "-")
	if got.Code != command.OK || strings.ReplaceAll(got.Stdout, "document 7", "document 4") != want.Stdout {
		t.Errorf("exit code %d:\n%s", got.Code, cmp.Diff(want, got))
	}
	const notes = "kubemath: -: document 1: LimitRange x: skipped: replaced by the one of -, document 4, which has the same name\n" +
		"kubemath: -: document 2: ResourceQuota x: skipped: replaced by the one of -, document 5, which has the same name\n" +
		"kubemath: -: document 3: Task x: skipped: replaced by the one of -, document 6, which has the same name\n"
	if diff := cmp.Diff(notes, got.Stderr); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// An amount of null is zero, as the API server reads it.
func TestNullAmounts(t *testing.T) {
	null, zero := "{taskSpec: {steps: [{computeResources: {limits: {cpu: null}}}]}}", "{taskSpec: {steps: [{computeResources: {limits: {cpu: 0}}}]}}"
	if got, want := runWith(taskRunWith(null), "-f", "-"), runWith(taskRunWith(zero), "-f", "-"); got != want || !strings.Contains(got.Stdout, "  0*  ") {
		t.Errorf("(-want +got):\n%s", cmp.Diff(want, got))
	}
}

// JSON is read like YAML, and null like nothing.
func TestJSON(t *testing.T) {
	got := runWith(`{"apiVersion": "tekton.dev/v1", "kind": "TaskRun", "metadata": {"name": "run", "namespace": null}, `+
		`"spec": {"taskSpec": {"steps": [{"name": "a", "computeResources": null}], "sidecars": null}}}`, "-f", "-")
	if want := runWith(oneStep, "-f", "-"); got.Code != command.OK || got != want {
		t.Errorf("(-want +got):\n%s", cmp.Diff(want, got))
	}
}

const maxFuzzed = 4096

// Every input has an answer, and it is deterministic.
func FuzzRun(f *testing.F) {
	names, err := fs.Glob(samples, "samples/*.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		data, err := samples.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	more, err := os.ReadFile("testdata/more.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(more))
	for _, b := range append(faults, invalidObjects...) {
		f.Add(b.manifests)
	}
	f.Fuzz(func(t *testing.T, manifests string) {
		if len(manifests) > maxFuzzed {
			return // too large to be fast
		}
		first, second := runWith(manifests, "-f", "-", "-init", "prepare"), runWith(manifests, "-f", "-", "-init", "prepare")
		if diff := cmp.Diff(first, second); diff != "" {
			t.Errorf("two answers:\n%s", diff)
		}
		if first.Code > command.Rejected || first.Stdout == "" {
			t.Errorf("exit code %d, stdout %q", first.Code, first.Stdout)
		}
		if first.Code == command.Unread && first.Stderr == "" {
			t.Error("the input is at fault, and nothing is said")
		}
	})
}
