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
		"get configmap config-defaults --namespace=tekton-pipelines --output=json", "get configmap feature-flags --namespace=tekton-pipelines --output=json",
		"get taskruns.tekton.dev,pipelineruns.tekton.dev,pipelines.tekton.dev,tasks.tekton.dev,limitranges,resourcequotas,pods --output=json --namespace=team",
		"get stepactions.tekton.dev --output=json --namespace=team", "version --output=json", ""})
	testkit.Equal(t, got.Stderr, "kubemath: Tekton's ConfigMap config-defaults is not considered: no configuration\n")
	if got.Code != 0 || !strings.HasPrefix(got.Stdout, "TaskRun team/r\n") {
		t.Errorf("%+v", got)
	}
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
