package taskrun

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/testkit"
)

// in returns an object in a namespace, with more metadata.
func in(namespace, metadata, object string) string {
	return strings.Replace(object, "metadata: {", "metadata: {namespace: "+namespace+", "+metadata, 1)
}

// expect runs the subcommand with some input, and checks its exit code and parts of what it writes.
func expect(t *testing.T, manifests string, code int, parts []string, args ...string) {
	t.Helper()
	got := runWith(manifests, append([]string{"-f", "-"}, args...)...)
	testkit.Equal(t, got.Code, code, "exit code")
	for _, part := range parts {
		if !strings.Contains(got.Stderr+got.Stdout, part) {
			t.Errorf("no %q", part)
		}
	}
	if t.Failed() {
		t.Log(got.Stderr + got.Stdout)
	}
}

const (
	twoTasks = "spec: {pipelineSpec: {tasks: [{name: a, taskSpec: {steps: [{}]}}, {name: b, runAfter: [a], taskSpec: {steps: [{}]}}]}}"
	oneTask  = "spec: {taskSpec: {steps: [{name: a}]}}"
	ended    = "\nstatus: {conditions: [{type: Succeeded, status: 'True'}]}"
	ofTaskA  = "labels: {tekton.dev/pipelineRun: p, tekton.dev/pipelineTask: a}, "
)

// A task that begins when another one has ended is not rejected by what that one uses.
func TestTasksUnderWay(t *testing.T) {
	full := object("v1", "ResourceQuota", "q", "spec: {hard: {pods: 1}}\nstatus: {hard: {pods: 1}, used: {pods: 1}}")
	run := object("tekton.dev/v1", "PipelineRun", "p", twoTasks)
	a := in("default", ofTaskA, object("tekton.dev/v1", "TaskRun", "p-a", oneTask))
	pod := in("default", "labels: {tekton.dev/taskRun: p-a}, ", object("v1", "Pod", "p-a-pod", "spec: {containers: [{name: step-a}]}"))
	expect(t, full+run+a+pod, 0, []string{"task b\n", "  1  a\n  2  b\n", "at most 1 pod at once"})
	expect(t, full+run, 2, []string{"forbidden: exceeded quota:"})
}

// A run that is completed has the defaults that its pod had, and is not judged by quotas.
func TestCompletedTaskRun(t *testing.T) {
	limits := object("v1", "LimitRange", "l", "spec: {limits: [{type: Container, defaultRequest: {cpu: 1}}]}")
	none := object("v1", "ResourceQuota", "q", "spec: {hard: {pods: 0}}")
	expect(t, limits+none+object("tekton.dev/v1", "TaskRun", "run", oneTask+ended), 0,
		[]string{"step a                  cpu  request  1  LimitRange default/l", "is completed, Burstable"}, "-explain")
}

// What exists of a run is in its own namespace.
func TestNamesakes(t *testing.T) {
	run := object("tekton.dev/v1", "PipelineRun", "p", twoTasks)
	done := object("tekton.dev/v1", "TaskRun", "p-a", oneTask+ended)
	expect(t, run+in("default", ofTaskA, done), 0, []string{"  1  b\n"})
	expect(t, run+in("other", ofTaskA, done), 0, []string{"  1  a\n  2  b\n", "TaskRun other/p-a\n"})

	const claim = "spec: {workspaces: [{name: w, persistentVolumeClaim: {claimName: c}}], " +
		"pipelineSpec: {workspaces: [{name: w}], tasks: [{name: a, workspaces: [{name: w}], taskSpec: {steps: [{}]}}]}}"
	run = object("tekton.dev/v1", "PipelineRun", "p", claim)
	two := object("v1", "ResourceQuota", "q", "spec: {hard: {pods: 2}}\nstatus: {hard: {pods: 2}, used: {pods: 1}}")
	_, after, _ := strings.Cut(runWith(run, "-f", "-").Stdout, "share the node of ")
	name, _, _ := strings.Cut(after, ",")
	placeholder := object("v1", "Pod", name, "spec: {containers: [{name: affinity-assistant}]}")
	expect(t, run+two+in("default", "", placeholder), 0, []string{"at most 2 pods at once"})
	expect(t, run+two+in("default", "", placeholder)+"status: {phase: Failed}\n", 2, []string{"exceeded quota: q"})
	expect(t, run+two+in("other", "", placeholder), 2, []string{"exceeded quota: q"})
	another := object("v1", "Pod", strings.TrimSuffix(name, "-0")+"-1", "spec: {containers: [{name: affinity-assistant}]}")
	expect(t, run+two+in("default", "", another), 2, []string{"exceeded quota: q"})
}

// Placeholders have the template of Tekton's configuration.
func TestTemplateOfPlaceholders(t *testing.T) {
	urgent := object("v1", "ResourceQuota", "q", "spec: {hard: {pods: 0}, scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: In, values: [high]}]}}")
	config := object("v1", "ConfigMap", "config-defaults", "data: {default-affinity-assistant-pod-template: 'priorityClassName: high'}")
	run := object("tekton.dev/v1", "PipelineRun", "p", "spec: {workspaces: [{name: w, persistentVolumeClaim: {claimName: c}}], "+
		"pipelineSpec: {workspaces: [{name: w}], tasks: [{name: a, workspaces: [{name: w}], taskSpec: {steps: [{}]}}]}}")
	expect(t, urgent+run, 0, []string{"  1  a"})
	expect(t, urgent+config+run, 2, []string{"waits: affinity-assistant-", "-0\" is forbidden: exceeded"})
}

// A flag of the command is used instead of the one of the input: only per workspace, a task may not have two claims.
func TestFlagBeforeConfiguration(t *testing.T) {
	run := object("tekton.dev/v1", "PipelineRun", "p", "spec: {workspaces: [{name: v, persistentVolumeClaim: {claimName: c}}, {name: w, persistentVolumeClaim: {claimName: d}}], "+
		"pipelineSpec: {workspaces: [{name: v}, {name: w}], tasks: [{name: a, workspaces: [{name: v}, {name: w}], taskSpec: {steps: [{}]}}]}}")
	config := object("v1", "ConfigMap", "feature-flags", "data: {coschedule: pipelineruns}")
	expect(t, config+run, 0, []string{"admitted"})
	expect(t, config+run, 2, []string{"more than one PersistentVolumeClaim"}, "-coschedule", "workspaces")
	expect(t, run, 0, []string{"admitted"}, "-coschedule", "pipelineruns")
	expect(t, run, 1, []string{"sometimes"}, "-coschedule", "sometimes")
}

// Tasks of finally are counted on their own.
func TestPathOfFinally(t *testing.T) {
	run := object("tekton.dev/v1", "PipelineRun", "p", "spec: {pipelineSpec: {tasks: [{name: a, taskSpec: {steps: [{}]}}], finally: [{name: f, taskRef: {name: x}}]}}")
	expect(t, run, 1, []string{"spec.pipelineSpec.finally[0]: Task x is not in the input", "not all of its tasks are known"})
	tasks := "{tasks: [{name: a, taskRef: {name: x}}]}"
	now := object("tekton.dev/v1", "Pipeline", "q", "spec: "+tasks)
	expect(t, now+object("tekton.dev/v1", "PipelineRun", "p", "spec: {pipelineRef: {name: q}}"), 1, []string{"Pipeline q: spec.tasks[0]: Task x is not in the input"})
	// What a run has stored counts, whatever its Pipeline is now.
	stored := object("tekton.dev/v1", "PipelineRun", "p", "spec: {pipelineRef: {name: q}}\nstatus: {pipelineSpec: "+tasks+"}")
	expect(t, now+stored, 1, []string{"status.pipelineSpec.tasks[0]: Task x is not in the input"})
}

// A pod counts less if it counts half as much of a resource, or less.
func TestCountsLess(t *testing.T) {
	for _, test := range []struct {
		a, b []string
		want bool
	}{
		{[]string{"cpu", "1"}, []string{"cpu", "2"}, true},
		{[]string{"cpu", "1001m"}, []string{"cpu", "2"}, false},
		{nil, []string{"cpu", "1"}, true},
		{[]string{"cpu", "0"}, []string{"cpu", "0"}, false},
		{[]string{"cpu", "2"}, []string{"cpu", "1"}, false},
		{[]string{"cpu", "9", "memory", "1Gi"}, []string{"cpu", "9", "memory", "2Gi"}, true},
	} {
		testkit.Equal(t, countsLess(testkit.List(test.a...), testkit.List(test.b...)), test.want, test.a, test.b)
	}
}

// A pod that runs is written as it is, with the name of a pod of its TaskRun.
func TestWhatRuns(t *testing.T) {
	run := object("tekton.dev/v1", "TaskRun", "run", oneTask)
	pod := in("default", "labels: {tekton.dev/taskRun: run}, ", object("v1", "Pod", "run-pod", "spec: {containers: [{name: step-a, resources: {requests: {cpu: 7}}}]}"))
	expect(t, run+pod, 0, []string{"  step a             7      -\n", "runs as pod run-pod, Burstable"})
	expect(t, run+pod, 0, []string{"  name: run-pod\n"}, "-o", "yaml")
	zero := strings.Replace(pod, "requests: {cpu: 7}", "requests: {cpu: 0}, limits: {memory: 0}", 1)
	expect(t, run+zero, 0, []string{"  step a             0      -        0       0\n  counted            0      -        0       0\n"})
}

// What has failed has ended, and its run fails.
func TestWhatHasFailed(t *testing.T) {
	failed := strings.Replace(ended, "True", "False", 1)
	expect(t, object("tekton.dev/v1", "TaskRun", "run", oneTask+failed), 0, []string{"  has failed, BestEffort"})
	expect(t, object("tekton.dev/v1", "PipelineRun", "p", twoTasks+failed), 0, []string{"\n  has failed\n"})
	expect(t, object("tekton.dev/v1", "PipelineRun", "p", twoTasks+ended), 0, []string{"over time\n  from -, document 1\n\n  is completed\n"})
	a := in("default", ofTaskA, object("tekton.dev/v1", "TaskRun", "p-a", oneTask+failed))
	expect(t, object("tekton.dev/v1", "PipelineRun", "p", twoTasks)+a, 0, []string{"over time\n  from -, document 1\n\n  it fails\n"})
}

// A Task is written only if there is no run, not even one that Tekton rejects.
func TestTaskBesideARun(t *testing.T) {
	task := object("tekton.dev/v1", "Task", "t", "spec: {steps: [{name: a}]}")
	expect(t, task, 0, []string{"Task default/t\n"})
	expect(t, task+object("tekton.dev/v1", "TaskRun", "run", "spec: {}"), 2, []string{"the input has no run of a known task, and no Pod"})
}

// Flags count for tasks of a PipelineRun as well.
func TestFlagsForTasks(t *testing.T) {
	run := object("tekton.dev/v1", "PipelineRun", "p", twoTasks)
	expect(t, run, 0, []string{"config-defaults  mesh       cpu 1m, memory 12Mi\n"}, "-init", "mesh", "-explain", "-tekton", "v1.13.0")
	expect(t, run, 0, []string{"init container prepare  cpu     request  10m   Tekton v1.13.0\n"}, "-explain", "-tekton", "v1.13.0")
}

// A pod that is rejected although it is Guaranteed is told why it cannot be.
func TestRejectedAndGuaranteed(t *testing.T) {
	quota := object("v1", "ResourceQuota", "q", "spec: {hard: {limits.cpu: 500m}}")
	config := object("v1", "ConfigMap", "config-defaults", "data: {default-container-resource-requirements: 'prepare: {limits: {cpu: 100m, memory: 64Mi}}'}")
	run := object("tekton.dev/v1", "TaskRun", "run", "spec: {taskSpec: {steps: [{computeResources: {limits: {cpu: 1, memory: 1Gi}}}]}}")
	expect(t, config+run, 0, []string{"admitted, Guaranteed"}, "-explain")
	expect(t, quota+config+run, 2, []string{"rejected: ", "cannot be Guaranteed:\n    cpu: no amount satisfies all of: "}, "-explain")
}

// A Pipeline without a run is answered as if it were run.
func TestPipelineAlone(t *testing.T) {
	expect(t, object("tekton.dev/v1", "Pipeline", "p", "spec: {tasks: [{name: a, taskSpec: {steps: [{}]}}]}"), 0, []string{"Pipeline default/p, task a\n", "Pipeline default/p, over time\n"})
}

// The answer depends on Tekton's configuration, which -n does not leave out even if it cannot be read.
func TestUnreadableConfiguration(t *testing.T) {
	for name, want := range map[string]string{"config-defaults": "ConfigMap tekton/config-defaults: data: want a mapping, not text\n", "other": "-n default leaves out the objects of tekton\n"} {
		input := strings.Replace(object("v1", "ConfigMap", name, "data: text"), "name:", "namespace: tekton, name:", 1) + object("tekton.dev/v1", "TaskRun", "r", oneTask)
		if got := runWith(input, "-f", "-", "-n", "default"); !strings.HasSuffix(got.Stderr, want) || strings.Count(got.Stderr, "\n") != 1 || (got.Code == 1) != (name == "config-defaults") {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// The status of a TaskRun of another namespace, or of another name, is not that of a task.
func TestStatusOfATask(t *testing.T) {
	run := object("tekton.dev/v1", "PipelineRun", "p", twoTasks)
	for _, other := range []string{in("other", ofTaskA, object("tekton.dev/v1", "TaskRun", "p-a", oneTask+ended)), object("tekton.dev/v1", "TaskRun", "p-c", oneTask+ended)} {
		got := runWith(other+run, "-f", "-")
		if _, of, _ := strings.Cut(got.Stdout, "PipelineRun default/p, task a\n"); got.Code != 0 || strings.Contains(of, "is completed") {
			t.Errorf("%+v", got)
		}
	}
}

// Of a run with a task that Tekton refuses, nothing is said over time.
func TestInvalidTaskOfARun(t *testing.T) {
	run := object("tekton.dev/v1", "PipelineRun", "p", "spec: {pipelineSpec: {tasks: [{name: a, taskSpec: {steps: [{}]}}, {name: b, taskSpec: {steps: [{resources: {requests: {cpu: 1}}}]}}]}}")
	if got := runWith(run, "-f", "-"); got.Code != 2 || !strings.Contains(got.Stdout, "not all of its tasks are known\n") || strings.Contains(got.Stdout, "  1  a") {
		t.Errorf("%+v", got)
	}
}

// What would help a pod is not said of one that Tekton does not create.
func TestNoAdviceWithoutAPod(t *testing.T) {
	const workspaces = "workspaces: [{name: a, persistentVolumeClaim: {claimName: c}}, {name: b, persistentVolumeClaim: {claimName: d}}], "
	run := func(workspaces, settings, ofPipeline, ofTask string) string {
		return quotaOf("hard: {limits.cpu: 10}") + object("tekton.dev/v1", "PipelineRun", "p", "spec: {"+workspaces+"taskRunSpecs: [{pipelineTaskName: a, "+settings+"computeResources: {limits: {cpu: 1}}}], "+
			"pipelineSpec: {"+ofPipeline+"tasks: [{name: a, "+ofTask+"taskSpec: {steps: [{}, {}]}}]}}")
	}
	const advice = "  with requirements at the pod level, it would be admitted\n"
	expect(t, run("", "", "", ""), 2, []string{advice})
	for _, manifests := range []string{run("", "stepSpecs: [{name: x}], ", "", ""), run(workspaces, "", "workspaces: [{name: a}, {name: b}], ", "workspaces: [{name: a}, {name: b}], ")} {
		if got := runWith(manifests, "-f", "-"); got.Code != 2 || strings.Contains(got.Stdout, advice) {
			t.Errorf("exit code %d:\n%s%s", got.Code, got.Stderr, got.Stdout)
		}
	}
}

// Each ConfigMap of Tekton is read from the cluster, even if another one is not there.
func TestConfigurationOfTheCluster(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program that takes the place of kubectl is a shell script")
	}
	dir := t.TempDir()
	script := "#!/bin/sh\ncase \"$*\" in\n" +
		"*'configmap config-defaults'*) echo 'Error from server (NotFound): configmaps \"config-defaults\" not found' >&2; exit 1 ;;\n" +
		"*'configmap feature-flags'*) echo '{apiVersion: v1, kind: ConfigMap, metadata: {name: feature-flags, namespace: tekton-pipelines}, data: {coschedule: disabled}}' ;;\n" +
		"*taskruns*) cat <<'EOF'\n" + object("tekton.dev/v1", "PipelineRun", "p", "spec: {workspaces: [{name: w, persistentVolumeClaim: {claimName: c}}], "+
		"pipelineSpec: {workspaces: [{name: w}], tasks: [{name: a, workspaces: [{name: w}], taskSpec: {steps: [{}]}}]}}") + "EOF\n;;\nesac\n"
	testkit.OK(t, os.WriteFile(filepath.Join(dir, "kubectl"), []byte(script), 0o700))
	t.Setenv("PATH", dir+":/usr/bin:/bin")
	got := runWith("", "-n", "default")
	if got.Code != 0 || !strings.Contains(got.Stderr, "Tekton's ConfigMap config-defaults is not considered") || !strings.Contains(got.Stdout, "over time\n") || strings.Contains(got.Stdout, "share the node") {
		t.Errorf("%+v", got)
	}
}

// StepActions are read from the cluster, too. Tekton before v0.54 has none, and what may not be listed is named.
func TestStepActionsOfTheCluster(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program that takes the place of kubectl is a shell script")
	}
	limits := object("v1", "ResourceQuota", "q", "spec: {hard: {limits.cpu: 9}}")
	config := object("v1", "ConfigMap", "config-defaults", "data:\n  default-container-resource-requirements: '{prepare: {limits: {cpu: 1}}}'")
	run := taskRunOf("taskSpec: {steps: [{name: a, ref: {name: act}, computeResources: {limits: {cpu: 1}}}]}")
	for _, test := range []struct {
		name, kubectl string
		code          int
		want, never   string
	}{
		{"there", "echo '{apiVersion: tekton.dev/v1, kind: StepAction, metadata: {name: act}, spec: {script: x}}'", 2, "specify limits.cpu for: place-scripts", "place-scripts,prepare"},
		{"not there", "echo \"error: the server doesn't have a resource type \\\"stepactions\\\"\" >&2; exit 1", 0, "StepAction act is not in the input", "resource type"},
		{"forbidden", "echo 'Error from server (Forbidden): stepactions.tekton.dev is forbidden: User \"u\" cannot list resource \"stepactions\" in API group' >&2; exit 1", 0, "you may not list stepactions, which are left out", "Forbidden"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			script := "#!/bin/sh\ncase \"$*\" in\n*stepactions*) " + test.kubectl + " ;;\n*taskruns*) cat <<'EOF'\n" + limits + config + run + "EOF\n;;\nesac\n"
			testkit.OK(t, os.WriteFile(filepath.Join(dir, "kubectl"), []byte(script), 0o700))
			t.Setenv("PATH", dir+":/usr/bin:/bin")
			got := runWith("", "-n", "default")
			if text := got.Stderr + got.Stdout; got.Code != test.code || !strings.Contains(text, test.want) || strings.Contains(text, test.never) {
				t.Errorf("%+v", got)
			}
		})
	}
}

// A run that others leave no room waits until it times out.
func TestStuck(t *testing.T) {
	full := object("v1", "ResourceQuota", "q", "spec: {hard: {pods: 1}}\nstatus: {hard: {pods: 1}, used: {pods: 1}}")
	one := object("v1", "ResourceQuota", "q", "spec: {hard: {pods: 1}}") + object("tekton.dev/v1", "PipelineRun", "p", strings.Replace(twoTasks, "runAfter: [a], ", "", 1))
	expect(t, one, 2, []string{"  1  a  waits: b\n"})
	if got := runWith(one, "-f", "-", "-o", "yaml"); got.Code != 2 || strings.Contains(got.Stdout, "waits") {
		t.Errorf("as YAML: %+v", got)
	}
	expect(t, full+object("tekton.dev/v1", "PipelineRun", "p", twoTasks), 2, []string{"  it waits until it times out, unless others free the quota\n"})
}

// The TaskRuns of others come before those of a run.
func TestFollow(t *testing.T) {
	other, done := object("tekton.dev/v1", "TaskRun", "a-first", oneTask), in("default", ofTaskA, object("tekton.dev/v1", "TaskRun", "p-a", oneTask+ended))
	expect(t, other+object("tekton.dev/v1", "PipelineRun", "p", twoTasks)+done, 0, []string{"  1  b\n", "  is completed, BestEffort"})
	// The pod of a task that has ended may still be there.
	run, pod := object("tekton.dev/v1", "PipelineRun", "p", twoTasks), in("default", "labels: {tekton.dev/taskRun: p-a}, ", object("v1", "Pod", "p-a-pod", "spec: {containers: [{name: step-a}]}"))
	expect(t, run+done+pod, 0, []string{"over time\n  from -, document 1\n\n  1  b\n"})
	failed := strings.Replace(done, "True", "False", 1)
	expect(t, run+failed+pod, 0, []string{"over time\n  from -, document 1\n\n  it fails\n"})
	goesOn := strings.Replace(run, "{name: a, ", "{name: a, onError: continue, ", 1)
	expect(t, goesOn+failed, 0, []string{"onError counts only if the pod is refused, of a\n  1  b\n  at most 1 pod at once, which request nothing\n\n"})
	expect(t, run+strings.Replace(done, ", tekton.dev/pipelineTask: a", "", 1), 0, []string{"  1  a\n  2  b\n"})
	for _, tries := range []string{"retriesStatus: [{}], ", "retriesStatus: [{}, {}], "} { // the last one decides
		again := func(taskRun string) string { return strings.Replace(taskRun, "status: {", "status: {"+tries, 1) }
		expect(t, run+again(failed), 0, []string{"task a\n", "  has failed, BestEffort\n", "over time\n  from -, document 1\n\n  it fails\n"})
		expect(t, run+again(done), 0, []string{"  is completed, BestEffort\n", "  1  b\n"})
		expect(t, run+again(strings.Replace(done, "True", "Unknown", 1)), 0, []string{"  1  a\n  2  b\n"})
		expect(t, again(failed), 0, []string{"TaskRun default/p-a\n", "  has failed, BestEffort\n"})
	}
}

// What a task's when, onError and retries decide is in the timeline; what only a pod that runs decides is named.
func TestConditionsAndErrors(t *testing.T) {
	small := limitsOf("max: {cpu: 1}")
	const one, big = "taskSpec: {steps: [{}]}", "taskSpec: {steps: [{computeResources: {limits: {cpu: 2}}}]}"
	const never, unknown = "when: [{input: a, operator: in, values: [b]}]", "when: [{input: $(tasks.a.results.r), operator: in, values: [b]}]"
	for _, test := range []struct {
		name, tasks string
		code        int
		want, never string
	}{
		{"a task that is skipped", "[{name: a, " + never + ", " + one + "}, {name: b, runAfter: [a], " + one + "}]", 0,
			"task a: its when does not let it run, so Tekton skips it 1 b cpu 1 at most 1 pod", "task a admitted"},
		{"a task that is skipped, of an unknown Task", "[{name: a, " + never + ", taskRef: {name: x}}, {name: b, " + one + "}]", 1, "not all of its tasks are known", "1 b"},
		{"what runs after an empty matrix", "[{name: a, matrix: {params: [{name: x, value: []}]}, " + one + "}, {name: b, runAfter: [a], " + one + "}, {name: c, " + one + "}]", 0,
			"task b: it runs after a, which is skipped, so Tekton skips it 1 c cpu 1 at most", "2 b"},
		{"a matrix that is too large", "[{name: a, matrix: {params: [{name: x, value: [" + strings.Repeat("v, ", 299) + "v]}]}, " + one + "}, {name: b, " + one + "}]", 2, "not all of its tasks are known", "1 b"},
		{"a condition that only the run decides", "[{name: a, " + one + "}, {name: b, " + unknown + ", " + one + "}]", 0, "task b: whether its when lets it run is unknown, so it is taken to run 1 a cpu 1 2 b cpu 1", "skips"},
		{"a refused task that lets the run go on", "[{name: a, onError: continue, " + big + "}, {name: b, runAfter: [a], " + one + "}]", 2, "1 b fails: a", "it fails"},
		{"a refused task", "[{name: a, " + big + "}, {name: b, runAfter: [a], " + one + "}]", 2, "1 fails: a", "onError"},
		{"a refused task whose result is used", "[{name: a, onError: continue, " + big + "}, {name: b, params: [{name: x, value: $(tasks.a.results.r)}], " + one + "}]", 2,
			"1 fails: a, b", "1 b"},
		{"onError of a task that is skipped", "[{name: a, onError: continue, " + never + ", " + one + "}, {name: b, " + one + "}]", 0, "1 b cpu 1", "onError counts"},
		{"retries", "[{name: a, retries: 1, " + one + "}, {name: b, retries: 2, " + one + "}]", 0, "pods that run are taken to succeed: retries are not considered, of a, b", "onError"},
		{"onError", "[{name: a, onError: continue, " + one + "}, {name: b, onError: stopAndFail, " + one + "}]", 0, "onError counts only if the pod is refused, of a 1 a, b", "retries"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := runWith(small+object("tekton.dev/v1", "PipelineRun", "p", "spec: {pipelineSpec: {tasks: "+test.tasks+"}}"), "-f", "-")
			text := strings.Join(strings.Fields(got.Stdout), " ")
			if got.Code != test.code || !strings.Contains(text, test.want) || strings.Contains(text, test.never) {
				t.Errorf("exit code %d, want %d, %q and not %q:\n%s%s", got.Code, test.code, test.want, test.never, got.Stderr, got.Stdout)
			}
		})
	}
}

// What a webhook rejects has no pods. Its message has the path of the entry.
func TestRejectedPipelineRun(t *testing.T) {
	entries := "spec: {taskRunSpecs: [{pipelineTaskName: a}, {pipelineTaskName: b, computeResources: {requests: {cpu: 1}}, " +
		"stepSpecs: [{name: s, computeResources: {requests: {cpu: 1}}}]}], "
	tasks := strings.Replace(twoTasks, "name: b, runAfter: [a], taskSpec: {steps: [{}]}", "name: b, taskSpec: {steps: [{name: s}]}", 1)
	run := object("tekton.dev/v1", "PipelineRun", "p", strings.Replace(tasks, "spec: {", entries, 1))
	const message = "  rejected: spec.taskRunSpecs[1].stepSpecs[0].computeResources: Forbidden: expected exactly one,"
	expect(t, run, 2, []string{"task a\n", "admitted, BestEffort", "task b\n", message, "p, over time\n  from -, document 1\n\n" + message})
	if got := runWith(run, "-f", "-"); strings.Contains(got.Stdout, "at most") {
		t.Errorf("a run that is rejected has pods over time:\n%s", got.Stdout)
	}
}

// A matrix is done when all of its runs have ended; what it includes counts.
func TestMatrixUnderWay(t *testing.T) {
	tasks := "spec: {pipelineSpec: {tasks: [{name: a, matrix: {params: [{name: x, value: ['1', '2']}], include: [{params: [{name: x, value: '3'}]}]}, " +
		"taskSpec: {steps: [{}]}}, {name: b, runAfter: [a], taskSpec: {steps: [{}]}}]}}"
	run := object("tekton.dev/v1", "PipelineRun", "p", tasks)
	first := in("default", ofTaskA, object("tekton.dev/v1", "TaskRun", "p-a-0", oneTask+ended))
	second := in("default", ofTaskA, object("tekton.dev/v1", "TaskRun", "p-a-1", oneTask+strings.Replace(ended, "True", "False", 1)))
	expect(t, run, 0, []string{"  1  3 × a\n  2  b\n", "at most 3 pods at once"})
	expect(t, run+first, 0, []string{"task a\n", "  admitted, BestEffort\n", "  1  2 × a\n  2  b\n", "at most 2 pods at once"})
	if got := runWith(run+first, "-f", "-").Stdout; strings.Contains(got, "is completed") {
		t.Errorf("a matrix of which one run has ended is completed:\n%s", got)
	}
	// Two pods that live have 5 and 7 CPUs, and the third one is created beside them.
	live := func(i, cpu string) string {
		return in("default", ofTaskA, object("tekton.dev/v1", "TaskRun", "p-a-"+i, oneTask)) + in("default", "labels: {tekton.dev/taskRun: p-a-"+i+"}, ",
			object("v1", "Pod", "p-a-"+i+"-pod", "spec: {containers: [{name: step-a, resources: {requests: {cpu: "+cpu+"}}}]}"))
	}
	expect(t, run+live("0", "5")+live("1", "7"), 0, []string{"  1  3 × a  ", "at most 3 pods at once, which request cpu 12\n"})
	expect(t, run+first+second, 0, []string{"  1  a\n  at most 1 pod at once", "it fails\n"})
	expect(t, run+second+first, 0, []string{"  1  a\n  at most 1 pod at once", "it fails\n"})
}

// OverTime is what the subcommand writes about PipelineRuns, without titles and notes.
func TestOverTime(t *testing.T) {
	run := object("tekton.dev/v1", "PipelineRun", "p", twoTasks)
	failed := object("tekton.dev/v1", "PipelineRun", "q", twoTasks+strings.Replace(ended, "True", "False", 1))
	got, err := OverTime(strings.NewReader(run+failed+object("tekton.dev/v1", "TaskRun", "t", oneTask)), "disabled")
	if err != nil || len(got) != 2 {
		t.Fatal(err, got)
	}
	for name, want := range map[string]string{"p": "  1  a\n  2  b\n  at most 1 pod at once, which request nothing\n\n", "q": "  has failed\n\n"} {
		testkit.Equal(t, strings.ReplaceAll(got[types.NamespacedName{Namespace: "default", Name: name}], "    \n", "\n"), want, name)
	}
	if _, err := OverTime(strings.NewReader(run), "sometimes"); err == nil {
		t.Error("an unknown flag is accepted")
	}
	expect(t, failed, 0, []string{"default/q, over time", "  has failed\n"})
	expect(t, object("tekton.dev/v1", "PipelineRun", "q", twoTasks+ended), 0, []string{"  is completed\n"})
	if got := runWith(run, "-f", "-", "-o", "yaml"); got.Code != 0 || strings.Contains(got.Stdout, "over time") {
		t.Errorf("not YAML alone: %s", got.Stdout)
	}
}

// A run that has failed may wait for its finally as well. What is over is not rejected, and has ended although a pod of it lives.
func TestEndsOfRuns(t *testing.T) {
	const big = "taskSpec: {steps: [{computeResources: {limits: {cpu: 2}}}]}"
	none := object("v1", "ResourceQuota", "q", "spec: {hard: {pods: 0}}")
	run := object("tekton.dev/v1", "PipelineRun", "p", "spec: {pipelineSpec: {tasks: [{name: a, "+big+"}], finally: [{name: f, taskSpec: {steps: [{}]}}]}}")
	retried := object("tekton.dev/v1", "PipelineRun", "p", "spec: {pipelineSpec: {tasks: [{name: a, taskSpec: {steps: [{}]}}], finally: [{name: f, retries: 1, taskSpec: {steps: [{}]}}]}}")
	expect(t, retried, 0, []string{"retries are not considered, of f\n"})
	expect(t, limitsOf("max: {cpu: 1}")+none+run, 2, []string{"  1    waits: f  fails: a", "  it waits until it times out, unless others free the quota\n"})

	entries := "spec: {taskRunSpecs: [{pipelineTaskName: a, computeResources: {requests: {cpu: 1}}, stepSpecs: [{name: s, computeResources: {requests: {cpu: 1}}}]}], "
	invalid := strings.Replace(twoTasks, "spec: {", entries, 1)
	for fields, want := range map[string]string{invalid + ended: "  is completed\n\n", invalid: "  rejected: spec.taskRunSpecs[0].stepSpecs[0]"} {
		got, err := OverTime(strings.NewReader(object("tekton.dev/v1", "PipelineRun", "p", fields)), "disabled")
		if text := got[types.NamespacedName{Namespace: "default", Name: "p"}]; err != nil || !strings.HasPrefix(text, want) {
			t.Errorf("%v, %q, want %q", err, text, want)
		}
	}
	pod := in("default", "labels: {tekton.dev/taskRun: run}, ", object("v1", "Pod", "run-pod", "spec: {containers: [{name: step-a}]}\nstatus: {phase: Running}"))
	expect(t, object("tekton.dev/v1", "TaskRun", "run", oneTask+ended)+pod, 0, []string{"  is completed, BestEffort\n"})
}

// The kubelets say the release: 1.33 does not count the pod level of a pod that lives.
func TestReleaseOverTime(t *testing.T) {
	run := object("tekton.dev/v1", "PipelineRun", "p", twoTasks)
	a := in("default", ofTaskA, object("tekton.dev/v1", "TaskRun", "p-a", oneTask))
	pod := in("default", "labels: {tekton.dev/taskRun: p-a}, ", object("v1", "Pod", "p-a-pod",
		"spec: {resources: {requests: {cpu: 3}}, containers: [{name: step-a, resources: {requests: {cpu: 2}}}]}"))
	node := object("v1", "Node", "n1", "status: {nodeInfo: {kubeletVersion: v1.33.4}}")
	for input, want := range map[string]string{run + a + pod: "which request cpu 3\n", run + a + pod + node: "which request cpu 2\n"} {
		got, err := OverTime(strings.NewReader(input), "disabled")
		if text := got[types.NamespacedName{Namespace: "default", Name: "p"}]; err != nil || !strings.Contains(text, want) {
			t.Errorf("%v, no %q in %q", err, want, text)
		}
		expect(t, input, 0, []string{want})
	}
}

// A cluster is asked for Tekton's configuration, for all that runs refer to, and for what judges them.
func TestCluster(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program that takes the place of kubectl is a shell script")
	}
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	script := "#!/bin/sh\necho \"$*\" >> " + log + "\ncase \"$*\" in\n*config-defaults*) echo 'no configuration' >&2; exit 1;;\n*taskruns*) echo '" +
		`{"apiVersion": "tekton.dev/v1", "kind": "TaskRun", "metadata": {"name": "r", "namespace": "team"}, "spec": {"taskSpec": {"steps": [{"ref": {"name": "s"}}]}}}` + "';;\n*stepactions*) echo '" +
		`{"apiVersion": "tekton.dev/v1", "kind": "StepAction", "metadata": {"name": "s", "namespace": "team"}, "spec": {}}` + "';;\n*) echo '{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": []}';;\nesac\n"
	testkit.OK(t, os.WriteFile(filepath.Join(dir, "kubectl"), []byte(script), 0o700))
	t.Setenv("PATH", dir)
	got := runWith("", "-n", "team")
	asked, err := os.ReadFile(log)
	testkit.OK(t, err)
	testkit.NoDiff(t, strings.Split(string(asked), "\n"), []string{
		"get taskruns.tekton.dev,pipelineruns.tekton.dev,pipelines.tekton.dev,tasks.tekton.dev,limitranges,resourcequotas,pods --output=json --namespace=team",
		"get stepactions.tekton.dev --output=json --namespace=team",
		"get configmap config-defaults --namespace=tekton-pipelines --output=json", "get configmap feature-flags --namespace=tekton-pipelines --output=json", "version --output=json", ""})
	testkit.Equal(t, got.Stderr, "kubemath: Tekton's ConfigMap config-defaults is not considered: no configuration\n")
	if got.Code != 0 || !strings.HasPrefix(got.Stdout, "TaskRun team/r\n") {
		t.Errorf("%+v", got)
	}
}

// A cluster that kubectl does not reach is asked once.
func TestClusterOutOfReach(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program that takes the place of kubectl is a shell script")
	}
	dir := t.TempDir()
	testkit.OK(t, os.WriteFile(filepath.Join(dir, "kubectl"), []byte("#!/bin/sh\necho 'Unable to connect to the server: EOF' >&2\nexit 1\n"), 0o700))
	t.Setenv("PATH", dir)
	testkit.NoDiff(t, runWith("", "-A"), outcome{Code: 1,
		Stderr: "kubemath: kubectl get --all-namespaces: Unable to connect to the server: EOF\nkubemath: the input has no run of a known task, and no Pod\n"})
}

// A cluster is asked for its configuration only if the objects are read from it.
func TestConfigurationOfFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program that takes the place of kubectl is a shell script")
	}
	dir := t.TempDir()
	testkit.OK(t, os.WriteFile(filepath.Join(dir, "kubectl"), []byte("#!/bin/sh\n[ \"$1\" = version ] || echo \"asked for $*\" >&2\nexit 1\n"), 0o700))
	t.Setenv("PATH", dir)
	for _, args := range [][]string{nil, {"-f", "-"}} {
		if got := runWith(taskRunOf("taskSpec: {steps: [{}]}"), args...); strings.Contains(got.Stderr, "asked") || strings.Contains(got.Stderr, "ConfigMap") {
			t.Errorf("%q: %+v", args, got)
		}
	}
}

// What becomes of a run is told moment by moment: what runs, what waits or fails and why, and what is requested.
func TestTimeline(t *testing.T) {
	const claim = "spec: {workspaces: [{name: w, persistentVolumeClaim: {claimName: c}}], pipelineSpec: {workspaces: [{name: w}], tasks: "
	const step, big = "taskSpec: {steps: [{computeResources: {requests: {cpu: 500m}}}]}", "taskSpec: {steps: [{computeResources: {limits: {cpu: 2}}}]}"
	run := object("tekton.dev/v1", "PipelineRun", "p", claim+"[{name: a, workspaces: [{name: w}], "+step+"}, {name: b, matrix: {params: [{name: x, value: [u, v, w]}]}, "+step+"}, "+
		"{name: c, onError: continue, "+big+"}, {name: d, runAfter: [a, b], retries: 2, "+step+"}], finally: [{name: f, "+step+"}]}}")
	quota := object("v1", "ResourceQuota", "q", "spec: {hard: {pods: 4, requests.cpu: 2}}")
	got := runWith(limitsOf("max: {cpu: 1}, defaultRequest: {cpu: 100m}, default: {cpu: 1}")+quota+run, "-f", "-")
	_, text, _ := strings.Cut(got.Stdout, "p, over time\n")
	want := []string{"  from -, document 3", "",
		"  pods that run are taken to succeed: retries are not considered, of d",
		"  pods that run are taken to succeed: onError counts only if the pod is refused, of c",
		"  1  a, 2 × b  waits: b  fails: c  cpu 1550m, memory 100Mi", // the placeholder requests 50m and 100Mi
		"  2  b                             cpu 550m, memory 100Mi",
		"  3  d                             cpu 550m, memory 100Mi",
		"  4  f                             cpu 550m, memory 100Mi",
		`  b: pods "p-b-2-pod" is forbidden: exceeded quota: q, requested: pods=1,requests.cpu=500m, used:`,
		"    pods=4,requests.cpu=1550m, limited: pods=4,requests.cpu=2",
		`  c: pods "p-c-pod" is forbidden: maximum cpu usage per Container is 1, but limit is 2`,
		"  at most 4 pods at once, which request cpu 1550m, memory 100Mi",
		"  its pods share the node of affinity-assistant-bd2b8a407c-0, which counts as well", "", ""}
	testkit.NoDiff(t, strings.Split(text, "\n"), want)
	testkit.Equal(t, got.Code, 2, "exit code")
}

// What waits for several moments is said once, and tasks without pods are not among those that are retried.
func TestSaidOnce(t *testing.T) {
	const step = "taskSpec: {steps: [{}]}"
	run := object("tekton.dev/v1", "PipelineRun", "p", "spec: {pipelineSpec: {tasks: [{name: a, retries: 1, "+step+"}, {name: b, "+step+"}, {name: c, "+step+"}, "+
		"{name: w, retries: 1, taskRef: {apiVersion: example.com/v1, kind: Wait}}], finally: [{name: f, retries: 1, "+step+"}]}}")
	got := runWith(object("v1", "ResourceQuota", "q", "spec: {hard: {pods: 1}}")+run, "-f", "-").Stdout
	if !strings.Contains(got, "retries are not considered, of a, f\n") || !strings.Contains(got, "  2  b  waits: c") ||
		strings.Count(got, "\n  c: pods") != 1 || strings.Count(got, "\n  b: pods") != 1 {
		t.Error(got)
	}
}
