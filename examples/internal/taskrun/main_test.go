package taskrun

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
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
