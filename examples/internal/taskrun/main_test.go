package taskrun

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/terminal"
	"github.com/kubemath/kubemath/internal/golden"
	"github.com/kubemath/kubemath/internal/testkit"
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
	testkit.OK(t, err)
	var all strings.Builder
	for _, entry := range entries {
		got := runWith("", "-no-render", "-f", filepath.Join(written, entry.Name()))
		fmt.Fprintf(&all, "# %s: exit code %d\n%s%s\n", entry.Name(), got.Code, got.Stderr, got.Stdout)
	}
	golden.Compare(t, "testdata/golden/written.txt", strings.ReplaceAll(all.String(), written+"/", ""))
}

// Odd names, and runs that are not what they seem: all that is said of them.
func TestOddRuns(t *testing.T) {
	got := runWith("", "-f", "testdata/odd.yaml", "-explain", "-init", "i\x1b")
	golden.Compare(t, "testdata/golden/odd.txt", got.Stderr+got.Stdout)
	testkit.Equal(t, got.Code, 2, "exit code")
}

// object returns an object of a kind with a name and further fields.
func object(apiVersion, kind, name, fields string) string {
	return "---\napiVersion: " + apiVersion + "\nkind: " + kind + "\nmetadata: {name: " + name + "}\n" + fields + "\n"
}

func taskRunOf(spec string) string {
	return object("tekton.dev/v1", "TaskRun", "run", "spec: {"+spec+"}")
}

func inTeam(objects string) string {
	return strings.ReplaceAll(objects, "metadata: {", "metadata: {namespace: team, ")
}

func quotaOf(spec string) string { return object("v1", "ResourceQuota", "q", "spec: {"+spec+"}") }

func limitsOf(item string) string {
	return object("v1", "LimitRange", "l", "spec: {limits: [{type: Container, "+item+"}]}")
}

func TestVerdicts(t *testing.T) {
	config := func(name, text string) string {
		return object("v1", "ConfigMap", name, "data:\n  default-container-resource-requirements: |\n    "+text)
	}
	pod := object("v1", "Pod", "p", "spec: {containers: [{name: a}]}")
	run := taskRunOf("taskSpec: {steps: [{name: a}]}")
	urgent := "scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: In, values: [high]}]}"
	for _, test := range []struct {
		name, manifests string
		code            int
		want            string // a part of what is written
	}{
		{"a Task of the same namespace", inTeam(limitsOf("default: {cpu: 1}") + object("tekton.dev/v1", "StepAction", "s", "spec: {script: x}") + object("tekton.dev/v1", "Task", "t", "spec: {steps: [{ref: {name: s}}]}")), 0, "  init container place-scripts  cpu  request  1  LimitRange team/l"},
		{"a Pipeline of the same namespace", inTeam(object("tekton.dev/v1", "Task", "t", "spec: {steps: [{computeResources: {requests: {cpu: 1}}}]}") + object("tekton.dev/v1", "Pipeline", "p", "spec: {tasks: [{name: a, taskRef: {name: t}}]}")), 0, "Pipeline team/p, over time"},
		{"a Task beside a pod of a TaskRun", object("tekton.dev/v1", "Task", "t", "spec: {steps: [{}]}") + strings.Replace(pod, "{name: p}", "{name: p, labels: {tekton.dev/taskRun: run}}", 1), 1, "the input has no run of a known task, and no Pod"},
		{"a Task beside a PipelineRun", object("tekton.dev/v1", "Task", "t", "spec: {steps: [{}]}") + object("tekton.dev/v1", "PipelineRun", "p", "spec: {pipelineRef: {resolver: hub}}"), 1, "the input has no run of a known task, and no Pod"},
		{"admitted", run, 0, "admitted, BestEffort\n"},
		{"nothing", "# nothing", 1, "the input has no run of a known task, and no Pod\n"},
		{"unreadable", run + "---\na: [", 1, "document 2: invalid YAML"},
		{"bad amount", taskRunOf("taskSpec: {steps: [{computeResources: {limits: {cpu: 1e999999999}}}]}"), 1, `spec.taskSpec.steps[0].computeResources.limits[cpu]: "1e999999999" is out of range`},
		{"no steps", taskRunOf("taskSpec: {}"), 2, "spec.taskSpec.steps: Required value: a task has at least one"},
		{"the same step twice", taskRunOf("taskSpec: {steps: [{name: a}, {name: a}]}"), 2, `spec.taskSpec.steps[1].name: Duplicate value: "a"`},
		{"the same sidecar twice", object("tekton.dev/v1", "Task", "t", "spec: {steps: [{}], sidecars: [{name: a}, {name: a}]}") + run, 2, `Task t: spec.sidecars[1].name: Duplicate value: "a"`},
		{"neither task", taskRunOf(""), 2, "expected exactly one of taskRef and taskSpec"},
		{"where there is neither", taskRunOf(""), 2, "document 1: TaskRun run: spec: expected exactly one of taskRef and taskSpec"},
		{"a custom task", taskRunOf("taskRef: {apiVersion: example.com/v1, kind: Wait, name: w}"), 1, "a custom task, Wait of example.com/v1, and not considered"},
		{"a kind without a version is a Task", taskRunOf("taskRef: {apiVersion: example.com/v1, name: w}"), 1, "spec: Task w is not in the input"},
		{"a Task of another namespace", strings.Replace(object("tekton.dev/v1", "Task", "t", "spec: {steps: [{}]}"), "{name: t}", "{name: t, namespace: other}", 1) + taskRunOf("taskRef: {name: t}"), 1, "spec: Task t is not in the input"},
		{"a quota of another namespace", strings.Replace(quotaOf("hard: {pods: 0}"), "{name: q}", "{name: q, namespace: other}", 1) + run, 0, "admitted, BestEffort\n"},
		{"a LimitRange of another namespace", strings.Replace(limitsOf("default: {cpu: 1}"), "{name: l}", "{name: l, namespace: other}", 1) + run, 0, "admitted, BestEffort\n"},
		{"the class of a task before that of all", quotaOf("hard: {pods: 0}, "+urgent) + object("tekton.dev/v1", "PipelineRun", "p", "spec: {taskRunTemplate: {podTemplate: {priorityClassName: low}}, "+
			"taskRunSpecs: [{pipelineTaskName: a, podTemplate: {priorityClassName: high}}, {pipelineTaskName: b}], pipelineSpec: {tasks: [{name: a, taskSpec: {steps: [{}]}}, {name: b, taskSpec: {steps: [{}]}}]}}"), 2, "exceeded quota"},
		{"the last settings of a task", object("tekton.dev/v1", "PipelineRun", "p", "spec: {taskRunSpecs: [{pipelineTaskName: a, computeResources: {requests: {cpu: 1}}}, {pipelineTaskName: a}], pipelineSpec: {tasks: [{name: a, taskSpec: {steps: [{}]}}]}}"), 0, "admitted, BestEffort\n"},
		{"the settings of another task", object("tekton.dev/v1", "PipelineRun", "p", "spec: {taskRunSpecs: [{pipelineTaskName: b, computeResources: {requests: {cpu: 1}}}], pipelineSpec: {tasks: [{name: a, taskSpec: {steps: [{}]}}, {name: b, taskSpec: {steps: [{}]}}]}}"), 0, "admitted, BestEffort\n"},
		{"a task in finally", object("tekton.dev/v1", "PipelineRun", "p", "spec: {pipelineSpec: {tasks: [{name: a, taskSpec: {steps: [{}]}}], finally: [{name: f, taskSpec: {steps: [{}]}}]}}"), 0, "PipelineRun default/p, task f\n"},
		{"prepare needs a limit, too", quotaOf("hard: {limits.cpu: 9}") + taskRunOf("taskSpec: {steps: [{name: a, computeResources: {limits: {cpu: 1}}}]}"), 2, "specify limits.cpu for: prepare"},
		{"neither Pipeline", object("tekton.dev/v1", "PipelineRun", "p", "spec: {}"), 2, "expected exactly one of pipelineRef and pipelineSpec"},
		{"both tasks", taskRunOf("taskRef: {name: t}, taskSpec: {steps: [{}]}"), 2, "expected exactly one of taskRef and taskSpec"},
		{"by a quota", quotaOf("hard: {pods: 0}") + run, 2, "rejected: TaskRun Pod exceeded available resources: pods \"run-pod\" is forbidden: exceeded quota:"},
		{"by Tekton", taskRunOf("taskSpec: {steps: [{name: a}]}, stepSpecs: [{name: b}]"), 2, `rejected: spec.stepSpecs[0].name: Not found: "b"`},
		{"settings of no task", object("tekton.dev/v1", "PipelineRun", "run", "spec: {pipelineSpec: {tasks: [{name: a, taskSpec: {steps: [{}]}}]}, taskRunSpecs: [{pipelineTaskName: a}, {pipelineTaskName: b}]}"), 2,
			`PipelineRun run: spec.taskRunSpecs[1].pipelineTaskName: Not found: "b"`},
		{"by Tekton, with advice for the steps that are there", taskRunOf("taskSpec: {steps: [{name: a}]}, stepSpecs: [{name: b}]"), 2, "limits:\n    stepSpecs        a        cpu 1m, memory 12Mi\n"},
		{"by the ratio that its parts break", limitsOf("default: {cpu: 1}, maxLimitRequestRatio: {cpu: 1}") + taskRunOf("taskSpec: {steps: [{}, {}]}"), 2, "rejected: "},
		{"an invalid LimitRange", limitsOf("min: {cpu: 2}, max: {cpu: 1}") + run, 2, "LimitRange l: spec.limits[0].min[cpu]: Invalid value"},
		{"a deadline", quotaOf("hard: {pods: 0}, scopes: [Terminating]") + run, 2, "exceeded quota"},
		{"a pod without a deadline", quotaOf("hard: {pods: 0}, scopes: [Terminating]") + pod, 0, "admitted"},
		{"a priority class", quotaOf("hard: {pods: 0}, "+urgent) + taskRunOf("podTemplate: {priorityClassName: high}, taskSpec: {steps: [{}]}"), 2, "exceeded quota"},
		{"of all tasks", quotaOf("hard: {pods: 0}, "+urgent) + object("tekton.dev/v1", "PipelineRun", "p", "spec: {taskRunTemplate: {podTemplate: {priorityClassName: high}}, "+
			"pipelineSpec: {tasks: [{name: a, taskSpec: {steps: [{}]}}]}}"), 2, "exceeded quota"},
		{"Tekton's configuration", config("config-defaults", "step-a: {requests: {cpu: 70m}}") + run, 0, "step a  cpu  request  70m  ConfigMap config-defaults"},
		{"a ConfigMap of the name without the key", config("config-defaults", "step-a: {requests: {cpu: 70m}}") +
			strings.Replace(object("v1", "ConfigMap", "config-defaults", "data: {default-timeout-minutes: '9'}"), "name:", "namespace: other, name:", 1) + run, 0,
			"step a  cpu  request  70m  ConfigMap config-defaults"},
		{"another ConfigMap", config("other", "step-a: {requests: {cpu: 70m}}") + run, 0, "no container sets an amount"},
		{"a configuration that is a list", config("config-defaults", "[]") + run, 1, "data.default-container-resource-requirements: "},
		{"a configuration with a bad amount", config("config-defaults", "step-a: {requests: {cpu: x}}") + run, 1, `"x" is not a quantity such as 500m or 2Gi`},
		{"Guaranteed", config("config-defaults", "prepare: {limits: {cpu: 100m, memory: 64Mi}}") + taskRunOf("taskSpec: {steps: [{computeResources: {limits: {cpu: 1, memory: 1Gi}}}]}"), 0, "  admitted, Guaranteed\n\n"},
		{"cannot be Guaranteed", limitsOf("max: {cpu: 1}") + taskRunOf("taskSpec: {steps: [{name: a, computeResources: {limits: {cpu: 2}}}]}"), 2, "cannot be Guaranteed:\n    cpu: no amount satisfies all of: Container cpu max 1"},
		{"two claims", object("tekton.dev/v1", "PipelineRun", "p", "spec: {workspaces: [{name: a, persistentVolumeClaim: {claimName: c}}, {name: b, persistentVolumeClaim: {claimName: d}}], "+
			"pipelineSpec: {workspaces: [{name: a}, {name: b}], tasks: [{name: t, workspaces: [{name: a}, {name: b}], taskSpec: {steps: [{}]}}]}}"), 2, "rejected: tasks[0].workspaces: Forbidden: more than one PersistentVolumeClaim"},
		{"an amount that is taken away", taskRunOf("computeResources: {limits: {cpu: 1}}, taskSpec: {steps: [{computeResources: {requests: {memory: 1Gi}}}]}"), 0, "requests[memory], not 1Gi\n"},
		{"a Task alone", object("tekton.dev/v1", "Task", "t", "spec: {steps: [{name: a, computeResources: {requests: {cpu: 1}}}]}"), 0, "step a  cpu  request  1  the task\n"},
		{"a Pipeline alone", object("tekton.dev/v1", "Pipeline", "p", "spec: {tasks: [{name: a, taskSpec: {steps: [{name: a, computeResources: {requests: {cpu: 1}}}]}}]}"), 0, "step a  cpu  request  1  the task\n"},
		{"a task that may fail, after two tries", object("tekton.dev/v1", "PipelineRun", "p", "spec: {pipelineSpec: {tasks: [{name: a, retries: 2, onError: continue, taskSpec: {steps: [{}]}}]}}"), 0, "onError counts only if the pod is refused, of a\n"},
		{"the first of two invalid tasks", object("tekton.dev/v1", "PipelineRun", "p", "spec: {taskRunSpecs: [{pipelineTaskName: a, stepSpecs: [{name: x}]}, {pipelineTaskName: b, stepSpecs: [{name: z}]}], "+
			"pipelineSpec: {tasks: [{name: a, taskSpec: {steps: [{}]}}, {name: b, taskSpec: {steps: [{}]}}]}}"), 2, "over time\n  from -, document 1\n\n  rejected: spec.taskRunSpecs[0].stepSpecs[0].name: Not found: \"x\"\n"},
		{"a live pod under a full quota", quotaOf("hard: {pods: 0}") + taskRunOf("taskSpec: {steps: [{name: a}]}") +
			strings.Replace(pod, "{name: p}", "{name: run-pod, labels: {tekton.dev/taskRun: run}}", 1), 0, "  runs as pod run-pod, BestEffort\n\nEND"},
		{"a pending pod under a full quota", quotaOf("hard: {pods: 0}") + taskRunOf("taskSpec: {steps: [{name: a}]}") +
			strings.Replace(pod, "{name: p}", "{name: run-pod, labels: {tekton.dev/taskRun: run}}", 1) + "status: {phase: Pending}\n", 0, "  runs as pod run-pod, BestEffort\n\nEND"},
		{"a pod that has ended", quotaOf("hard: {pods: 0}") + taskRunOf("taskSpec: {steps: [{name: a}]}") +
			strings.Replace(pod, "{name: p}", "{name: run-pod, labels: {tekton.dev/taskRun: run}}", 1) + "status: {phase: Failed}\n", 2, "exceeded quota:"},
		{"a live pod has no defaults of a LimitRange", limitsOf("default: {cpu: 1}") + taskRunOf("taskSpec: {steps: [{name: a}]}") +
			strings.Replace(pod, "{name: p}", "{name: run-pod, labels: {tekton.dev/taskRun: run}}", 1), 0, "no container sets an amount, and there are no defaults\n  runs as pod run-pod, BestEffort\n\nEND"},
		{"the most of a LimitRange is its default", limitsOf("max: {cpu: 1}") + run, 0, "cpu  limit    1  LimitRange default/l, spec.limits[0]\n"},
		{"a pod with amounts of its own", object("v1", "Pod", "p", "spec: {resources: {requests: {cpu: 3}}, containers: [{name: a}]}"), 0, "  pod  cpu  request  3  the pod\n"},
		{"a pod without containers", object("v1", "Pod", "p", "spec: {}"), 2, "Pod p: spec.containers: Required value"},
		{"what the webhook rejects before what the controller refuses", object("tekton.dev/v1", "PipelineRun", "p", "spec: {workspaces: [{name: a, persistentVolumeClaim: {claimName: c}}, {name: b, persistentVolumeClaim: {claimName: d}}], "+
			"taskRunSpecs: [{pipelineTaskName: t, stepSpecs: [{name: x}]}], pipelineSpec: {workspaces: [{name: a}, {name: b}], tasks: [{name: t, workspaces: [{name: a}, {name: b}], taskSpec: {steps: [{}]}}]}}"), 2,
			"task t\n  from -, document 1\n\n  no container sets an amount, and there are no defaults\n  rejected: spec.taskRunSpecs[0].stepSpecs[0].name: Not found: \"x\""},
		{"a pod of another controller", strings.Replace(pod, "{name: p}", "{name: p, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: r, uid: u, controller: true}]}", 1), 0, "Pod default/p\n"},
		{"a pod is not Tekton's", config("config-defaults", "a: {requests: {cpu: 70m}}") + pod, 0, "no container sets an amount"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := runWith(test.manifests, "-f", "-", "-explain")
			if got.Code != test.code || !strings.Contains(got.Stderr+got.Stdout+"END", test.want) {
				t.Errorf("exit code %d, want %d and %q:\n%s%s", got.Code, test.code, test.want, got.Stderr, got.Stdout)
			}
		})
	}
}

// Runs that are not selected are not written.
func TestSelected(t *testing.T) {
	all := taskRunOf("taskSpec: {steps: [{}]}") + strings.Replace(object("tekton.dev/v1", "TaskRun", "own", oneTask), "{name: own}", "{name: own, labels: {team: x}}", 1)
	if got := runWith(all, "-f", "-", "-l", "team=x").Stdout; !strings.HasPrefix(got, "TaskRun default/own\n") || strings.Contains(got, "default/run") {
		t.Error(got)
	}
}

// A TaskRun is written with its PipelineRun, but alone if that is not selected, or its tasks are not known. What a resolver has
// fetched for one that has begun is in the status.
func TestTaskRunsOfPipelineRuns(t *testing.T) {
	const stored = "status: {taskSpec: {steps: [{name: s, computeResources: {requests: {cpu: 3}}}]}}\n"
	child := object("tekton.dev/v1", "TaskRun", "p-a", "spec: {taskRef: {resolver: hub}}\n"+stored)
	child = strings.Replace(child, "{name: p-a}", "{name: p-a, labels: {team: x, tekton.dev/pipelineRun: p, tekton.dev/pipelineTask: a}}", 1)
	of := func(status string) string {
		return object("tekton.dev/v1", "PipelineRun", "p", "spec: {pipelineRef: {resolver: hub}}\nstatus: {"+status+"}\n") + "---\n" + child
	}
	const begun = "pipelineSpec: {tasks: [{name: a, taskRef: {resolver: hub}}]}"
	for name, test := range map[string]struct {
		input string
		args  []string
		want  []string
	}{
		"begun":             {of(begun), nil, []string{"PipelineRun default/p, task a", "PipelineRun default/p, over time"}},
		"not selected":      {of(begun), []string{"-l", "team=x"}, []string{"TaskRun default/p-a"}},
		"of another name":   {strings.Replace(of(begun), "{name: p}", "{name: q}", 1), nil, []string{"TaskRun default/p-a", "PipelineRun default/q, over time"}},
		"tasks not fetched": {of(""), nil, []string{"TaskRun default/p-a"}},
	} {
		out := runWith(test.input, append([]string{"-f", "-"}, test.args...)...).Stdout
		var titles []string
		for line := range strings.Lines(out) {
			if strings.Contains(line, "Run default/") {
				titles = append(titles, strings.TrimSuffix(line, "\n"))
			}
		}
		slices.Sort(titles)
		slices.Sort(test.want)
		testkit.NoDiff(t, titles, test.want, name)
		testkit.Equal(t, strings.Count(out, "  counted") == 1 && strings.Contains(out, " 3 "), true, name, "what it requests")
	}
}

// In a narrow terminal, the columns of a resource stay together.
func TestNarrow(t *testing.T) {
	o, err := parse([]string{"-f", "-"}, io.Discard, io.Discard)
	testkit.OK(t, err)
	in := read(&o, &command.Session{Stdin: strings.NewReader(taskRunOf("taskSpec: {steps: [{name: a, computeResources: {limits: {cpu: 1, ephemeral-storage: 2Gi, memory: 1Gi}}}]}"))})
	s := &command.Session{Text: &terminal.Text{Columns: 60}, Stderr: io.Discard}
	in.write(s, &o, in.runs[0])
	const want = "TaskRun default/run\n  from -, document 1\n\n" +
		"                          cpu           ephemeral-storage\n" +
		"               request  limit  request              limit\n" +
		"  init container prepare\n" +
		"                     -      -        -                  -\n" +
		"  step a             1      1      2Gi                2Gi\n" +
		"  counted            1      1      2Gi                2Gi\n" +
		"  at the peak        1      -      2Gi                  -\n\n" +
		"                        memory\n" +
		"               request   limit\n" +
		"  init container prepare\n" +
		"                     -       -\n" +
		"  step a           1Gi     1Gi\n" +
		"  counted          1Gi     1Gi\n" +
		"  at the peak      1Gi       -\n" +
		"  admitted, Burstable\n"
	if got := s.String(); !strings.HasPrefix(got, want) {
		t.Errorf("%s", got)
	}
}

// A cluster of 1.33 drops pod-level resources, so nothing is said of them.
func TestRelease(t *testing.T) {
	for release, want := range map[string]bool{"1.33": false, "1.34": true} {
		out := runWith("", "-kubernetes", release).Stdout
		testkit.Equal(t, strings.Contains(out, "with requirements at the pod level"), want, release, "the pod level in the answer")
	}
}

// Rows are containers as the author of the task names them, with what the task, its template and the run set.
func TestRows(t *testing.T) {
	task := taskRunOf("stepSpecs: [{name: b, computeResources: {requests: {cpu: 300m}}}], sidecarSpecs: [{name: s, computeResources: {limits: {cpu: 2}}}], " +
		"taskSpec: {stepTemplate: {computeResources: {requests: {memory: 64Mi}}}, steps: [{computeResources: {requests: {cpu: 100m}}}, {name: b}], sidecars: [{name: s}]}")
	got := runWith(task, "-f", "-", "-init", "prepare")
	const want = "TaskRun default/run\n  from -, document 1\n\n" +
		"                                     cpu           memory\n" +
		"                          request  limit  request   limit\n" +
		"  init container prepare        -      -        -       -\n" +
		"  step unnamed-0             100m      -     64Mi       -\n" +
		"  step b                     300m      -     64Mi       -\n" +
		"  sidecar s                     2      2        -       -\n" +
		"  counted                   2400m      2    128Mi       -\n" +
		"  at the peak               2300m      -     64Mi       -\n" +
		"  admitted, Burstable\n"
	if !strings.HasPrefix(got.Stdout, want) || got.Code != 0 {
		t.Errorf("exit code %d:\n%s%s", got.Code, got.Stdout, got.Stderr)
	}
}

// Names are printed without control characters, wherever they are.
func TestPrintableNames(t *testing.T) {
	input := object("tekton.dev/v1", "TaskRun", `"r\u001b"`, `spec: {stepSpecs: [{name: "n\u001b"}], taskSpec: {steps: [{name: "s\u001b", computeResources: {limits: {cpu: 2}}}], sidecars: [{name: "c\u001b", computeResources: {limits: {cpu: 2}}}]}}`) +
		object("tekton.dev/v1", "TaskRun", `"l\u001b"`, oneTask) + object("v1", "Pod", `"d\u001b", labels: {tekton.dev/taskRun: "l\u001b"}`, "spec: {containers: [{name: c}]}") +
		object("tekton.dev/v1", "PipelineRun", `"p\u001b"`, twoTasks)
	file := filepath.Join(t.TempDir(), "f\x1b.yaml")
	testkit.OK(t, os.WriteFile(file, []byte(input), 0o600))
	for _, args := range [][]string{nil, {"-explain"}} {
		got := runWith("", append([]string{"-f", file}, args...)...)
		for _, want := range []string{`TaskRun default/r\x1b`, `f\x1b.yaml, document 1`, `n\x1b`, `step s\x1b`, `sidecar c\x1b`, `runs as pod d\x1b, BestEffort`, `PipelineRun default/p\x1b, task a`, `PipelineRun default/p\x1b, over time`} {
			if !strings.Contains(got.Stdout+got.Stderr, want) || strings.ContainsRune(got.Stdout+got.Stderr, '\x1b') {
				t.Errorf("%q: no %s, or a control character:\n%s%q", args, want, got.Stdout, got.Stderr)
			}
		}
	}
}

// The help names the exit codes, and what the flags mean.
func TestHelp(t *testing.T) {
	help := runWith("", "-h").Stderr
	for _, want := range []string{"What the steps of Tekton's runs request, and what becomes of their pods.\n\nusage: kubemath tekton [flags]\n",
		"  1  invalid arguments, or some input could not be read, or there was no run\n  2  a run would be rejected, wait or fail, by Tekton or by the API server\n",
		"  -tekton string  the release of Tekton, such as v1.13.0, which alone sets\n", "  -coschedule FLAG  the FLAG; default: that of the input\n"} {
		if !strings.Contains(help, want) {
			t.Errorf("no %q in\n%s", want, help)
		}
	}
}

// An unknown flag is no input.
func TestUnknownFlag(t *testing.T) {
	golden.Refuses(t, Run, 1, "flag provided but not defined: -nonsense", "-nonsense")
	golden.Refuses(t, Run, 1, "kubemath: -explain is for text: -o yaml has the pods alone", "-explain", "-o", "yaml")
}

// Names of resources are printed without control characters.
func TestPrintableResources(t *testing.T) {
	for _, args := range [][]string{nil, {"-explain"}} {
		got := runWith(taskRunOf(`taskSpec: {steps: [{computeResources: {limits: {cpu: 1, memory: 1Gi, "a\u001b/b": 1}}}]}`), append([]string{"-f", "-", "-init", "prepare"}, args...)...)
		amounts, _, _ := strings.Cut(got.Stdout, "rejected")
		if strings.ContainsRune(got.Stdout, '\x1b') || strings.Contains(amounts, `\u001b`) || !strings.Contains(amounts, `a\x1b/b`) {
			t.Errorf("%q", got.Stdout)
		}
	}
}

// A rejection is what the status of the TaskRun says, with the name of its pod, and that of a pod what the API server says.
func TestRejections(t *testing.T) {
	full, small := quotaOf("hard: {pods: 0}"), limitsOf("max: {cpu: 1}")
	const big = "steps: [{computeResources: {limits: {cpu: 2}}}]"
	ofRun := func(name, spec string) string { return object("tekton.dev/v1", "PipelineRun", name, "spec: "+spec) }
	for _, test := range []struct{ name, manifests, want string }{
		{"by a quota", full + taskRunOf("taskSpec: {steps: [{}]}"), `TaskRun Pod exceeded available resources: pods "run-pod" is forbidden: exceeded quota:`},
		{"after two tries", full + taskRunOf("taskSpec: {steps: [{}]}") + "status: {retriesStatus: [{}, {}]}\n", `pods "run-pod-retry2" is forbidden`},
		{"by a LimitRange", small + taskRunOf("taskSpec: {"+big+"}"), `failed to create task run pod "run": pods "run-pod" is forbidden: maximum cpu usage per Container is 1, but limit is 2. Maybe invalid TaskSpec`},
		{"with a reference", small + object("tekton.dev/v1", "Task", "t", "spec: {"+big+"}") + taskRunOf("taskRef: {name: t}"), "Maybe missing or invalid Task default/t"},
		{"of two claims, before the pod", limitsOf("default: {cpu: 1}, maxLimitRequestRatio: {cpu: 1}") + ofRun("build", "{workspaces: [{name: a, persistentVolumeClaim: {claimName: c}}, {name: b, persistentVolumeClaim: {claimName: d}}], "+
			"pipelineSpec: {workspaces: [{name: a}, {name: b}], tasks: [{name: t, workspaces: [{name: a}, {name: b}], taskSpec: {steps: [{}, {}]}}]}}"),
			`rejected: tasks[0].workspaces: Forbidden: more than one PersistentVolumeClaim is bound: c by workspace "a", d by workspace "b" PipelineRun`},
		{"of a pod", full + object("v1", "Pod", "p", "spec: {containers: [{name: c}]}"), `rejected: pods "p" is forbidden: exceeded quota`},
		{"of a task of a PipelineRun", small + ofRun("build", "{pipelineSpec: {tasks: [{name: a, taskSpec: {"+big+"}}]}}"), `failed to create task run pod "build-a": pods "build-a-pod" is forbidden`},
		{"of a task with a reference", small + object("tekton.dev/v1", "Task", "t", "spec: {"+big+"}") + ofRun("build", "{pipelineSpec: {tasks: [{name: a, taskRef: {name: t}}]}}"), "Maybe missing or invalid Task default/t"},
		{"of a matrix", small + ofRun("build", "{pipelineSpec: {tasks: [{name: a, matrix: {params: [{name: x, value: [u, v]}]}, taskSpec: {"+big+"}}]}}"), `pods "build-a-0-pod" is forbidden`},
		{"of a run with a long name", small + ofRun("pipeline-run-0123456789-0123456789-0123456789-0123456789", "{pipelineSpec: {tasks: [{name: a, matrix: {params: [{name: x, value: [u, v]}]}, taskSpec: {"+big+"}}]}}"),
			`task run pod "pipeline-run-0123456789-0123456789-0123456789-0123456789-a-0"`},
		{"of a task with a long name", full + ofRun("mypipelinerun", "{pipelineSpec: {tasks: [{name: longtask-0123456789-0123456789-0123456789-0123456789-0123456789, taskSpec: {steps: [{}]}}]}}"),
			`longtask-0123456789-0123456789-0123456789-0123456789-0123456789: pods "mypipelineruna56c4ee0aab148495fdbacf8360152f9847f6be0af0ab6-pod"`},
	} {
		got := runWith(test.manifests, "-f", "-")
		if text := strings.Join(strings.Fields(got.Stdout), " "); got.Code != 2 || !strings.Contains(text, test.want) {
			t.Errorf("%s: exit code %d, want %q:\n%s%s", test.name, got.Code, test.want, got.Stderr, got.Stdout)
		}
	}
}

// A pod that is written has the name that Tekton gives it, that of a TaskRun that runs its own.
func TestPodNames(t *testing.T) {
	live := strings.Replace(object("v1", "Pod", "own", "spec: {containers: [{name: step-a}]}"), "{name: own}", "{name: own, labels: {tekton.dev/taskRun: run}}", 1)
	for manifests, want := range map[string]string{
		taskRunOf("taskSpec: {steps: [{}]}"):        "name: run-pod\n",
		taskRunOf("taskSpec: {steps: [{}]}") + live: "name: own\n",
		object("tekton.dev/v1", "PipelineRun", "p", "spec: {pipelineSpec: {tasks: [{name: a, taskSpec: {steps: [{}]}}]}}"): "name: p-a-pod\n",
		object("v1", "Pod", "p", "spec: {containers: [{name: c}]}"):                                                        "name: p\n",
	} {
		if got := runWith(manifests, "-f", "-", "-o", "yaml"); !strings.Contains(got.Stdout, want+"  namespace: default\n") {
			t.Errorf("no %q in\n%s%s", want, got.Stdout, got.Stderr)
		}
	}
}
