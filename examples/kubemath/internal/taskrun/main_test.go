package taskrun

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/internal/golden"
)

type outcome = golden.Result

func runWith(stdin string, args ...string) outcome { return golden.Run(Run, stdin, args...) }

func TestGolden(t *testing.T) {
	golden.Outputs(t, Run, "testdata/golden", command.Rejected, map[string][]string{
		"samples.txt": nil,
		"explain.txt": {"-explain", "-init", "prepare"},
		"more.txt":    {"-f", "testdata/more.yaml", "-n", "team", "-init", "prepare"},
	})
}

func TestArguments(t *testing.T) {
	for _, test := range []struct {
		name   string
		args   []string
		code   int
		stderr string // its first line
	}{
		{"positional", []string{"run.yaml"}, 1, `kubemath: unexpected argument "run.yaml": files are given with -f`},
		{"unknown flag", []string{"-x"}, 1, "flag provided but not defined: -x"},
		{"no namespace", []string{"-n", "A"}, 1, `invalid value "A" for flag -n: a lowercase RFC 1123 label must consist of ` +
			`lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', ` +
			`regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`},
	} {
		t.Run(test.name, func(t *testing.T) { golden.Refuses(t, Run, test.code, test.stderr, test.args...) })
	}
}

const oneStep = "apiVersion: tekton.dev/v1\nkind: TaskRun\nmetadata: {name: run}\nspec: {taskSpec: {steps: [{name: a}]}}\n"

func TestExitCodes(t *testing.T) {
	quota := "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {pods: 0}}\n---\n"
	rejected := "---\napiVersion: tekton.dev/v1\nkind: TaskRun\nmetadata: {name: x}\nspec: {taskSpec: {steps: [{name: a}]}, stepSpecs: [{name: b}]}\n"
	for _, test := range []struct {
		name, manifests string
		code            int
	}{
		{"nothing", "", command.Unread},
		{"admitted", oneStep, command.OK},
		{"unreadable", oneStep + "---\na: [", command.Unread},
		{"skipped", oneStep + "---\napiVersion: v1\nkind: Secret", command.OK},
		{"rejected by quota", quota + oneStep, command.Rejected},
		{"rejected by Tekton", oneStep + rejected, command.Rejected},
		{"rejected, and unreadable", oneStep + rejected + "---\na: [", command.Rejected},
		{"only rejected as stated", oneCPU + twoSteps, command.OK},
		{"rejected as Tekton makes it alone", ratio + twoSteps, command.Rejected},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := runWith(test.manifests, "-f", "-"); got.Code != test.code {
				t.Errorf("exit code %d, want %d:\n%s%s", got.Code, test.code, got.Stdout, got.Stderr)
			}
		})
	}
}

const (
	twoSteps = "apiVersion: tekton.dev/v1\nkind: TaskRun\nmetadata: {name: run}\nspec: {taskSpec: {steps: [{name: a}, {name: b}]}}\n"
	// 1 CPU, which two whole defaults exceed, and two parts do not.
	oneCPU = "apiVersion: v1\nkind: LimitRange\nmetadata: {name: l}\n" +
		"spec: {limits: [{type: Container, defaultRequest: {cpu: 1}, default: {cpu: 1}}]}\n---\n" +
		"apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {requests.cpu: 1}}\n---\n"
	// A limit of at most the request, which the parts of a default do not keep.
	ratio = "apiVersion: v1\nkind: LimitRange\nmetadata: {name: l}\n" +
		"spec: {limits: [{type: Container, default: {cpu: 1}, maxLimitRequestRatio: {cpu: 1}}]}\n---\n"
)

// Pods of TaskRuns have a deadline, other pods if they state one.
func TestScopes(t *testing.T) {
	for _, scope := range []string{"Terminating", "NotTerminating"} {
		quota := with("v1", "ResourceQuota", "{hard: {pods: 0}, scopes: ["+scope+"]}") + "---\n"
		for _, test := range []struct {
			name, manifest string
			terminating    bool
		}{
			{"TaskRun", oneStep, true},
			{"Pod", with("v1", "Pod", "{containers: [{name: a}]}"), false},
			{"Pod with a deadline", with("v1", "Pod", "{activeDeadlineSeconds: 1, containers: [{name: a}]}"), true},
		} {
			want := command.OK
			if test.terminating == (scope == "Terminating") {
				want = command.Rejected
			}
			if got := runWith(quota+test.manifest, "-f", "-"); got.Code != want {
				t.Errorf("%s, %s: exit code %d, want %d", scope, test.name, got.Code, want)
			}
		}
	}
}

func TestTheRestIsCompared(t *testing.T) {
	got := runWith("a: [\n---\n"+oneStep, "-f", "-")
	if got.Code != command.Unread || !strings.HasPrefix(got.Stdout, "Namespace default\n\nTaskRun default/run\n  from -, document 2\n") {
		t.Errorf("exit code %d, stdout:\n%s", got.Code, got.Stdout)
	}
}

func TestNothingToCompare(t *testing.T) {
	got := runWith("# nothing", "-f", "-")
	want := outcome{Code: command.Unread, Stdout: "no runs\n", Stderr: "kubemath: nothing is compared: the input has no TaskRun, PipelineRun or Pod that can be read\n"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestUnreadableFiles(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing.yaml")
	got := runWith(oneStep, "-f", missing, "-f", "-")
	if want := "kubemath: " + missing + ": no such file or directory\n"; got.Code != command.Unread || got.Stderr != want {
		t.Errorf("exit code %d, stderr %q, want %q", got.Code, got.Stderr, want)
	}
	if !strings.Contains(got.Stdout, "TaskRun default/run\n") {
		t.Errorf("stdout %q", got.Stdout)
	}
}

func TestStdoutThatFails(t *testing.T) {
	closed, err := os.Open(os.DevNull) // not for writing
	if err != nil {
		t.Fatal(err)
	}
	defer closed.Close()
	var stderr bytes.Buffer
	code := Run([]string{"-f", "-"}, strings.NewReader(oneStep), closed, &stderr)
	if code != command.Failed || !strings.HasPrefix(stderr.String(), "kubemath: writing the output: ") {
		t.Errorf("exit code %d, stderr %q", code, stderr.String())
	}
}
