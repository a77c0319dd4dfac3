package taskrun

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/internal/golden"
)

// planWith runs -plan, with -explain as text, and otherwise as YAML.
func planWith(stdin string, args ...string) outcome {
	all := []string{"-plan"}
	if i := slices.Index(args, "-explain"); i >= 0 {
		args = slices.Delete(slices.Clone(args), i, i+1)
	} else {
		all = append(all, "-o", "yaml")
	}
	return golden.Run(Run, stdin, append(all, args...)...)
}

// problems returns what is wrong, without notes.
func problems(stderr string) string {
	var lines []string
	for _, line := range strings.SplitAfter(stderr, "\n") {
		if !strings.HasPrefix(line, "kubemath: note: ") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

func TestPlanGolden(t *testing.T) {
	release := func(args ...string) []string { return append([]string{"-f", "plan/release.yaml"}, args...) }
	const twoClaims = "kubemath: samples/kaniko.yaml: document 1: PipelineRun kaniko: task build fails: tasks[1].workspaces: Forbidden: " +
		"more than one PersistentVolumeClaim is bound: build-cache-pvc by workspace \"cache\", pvc-7b49da7bc8 by workspace \"source\"\n"
	for _, test := range []struct {
		golden string
		args   []string
		stderr string
	}{
		{"pipelineruns.yaml", nil, ""},
		{"isolate-pipelinerun.yaml", []string{"-coschedule", "isolate-pipelinerun"}, ""},
		{"workspaces.yaml", []string{"-coschedule", "workspaces"}, twoClaims},
		{"disabled.yaml", []string{"-coschedule", "disabled"}, ""},
		{"explain.txt", []string{"-explain"}, ""},
		{"release.txt", release("-explain"), ""},
		{"release-workspaces.txt", release("-explain", "-coschedule", "workspaces"), ""},
		{"release-disabled.txt", release("-explain", "-coschedule", "disabled"), ""},
		{"release-sized.txt", release("-explain", "-size"), ""},
		{"unresolved.txt", []string{"-f", "plan/unresolved.yaml", "-explain"}, ""},
		{"unresolved.yaml", []string{"-f", "plan/unresolved.yaml", "-coschedule", "workspaces"}, ""},
		{"release-sized.yaml", release("-size"), ""},
	} {
		t.Run(strings.Join(append([]string{test.golden}, test.args...), " "), func(t *testing.T) {
			got := planWith("", test.args...)
			if problems(got.Stderr) != test.stderr || (got.Code == 0) != (test.stderr == "") {
				t.Errorf("exit code %d, stderr %q", got.Code, got.Stderr)
			}
			golden.Compare(t, filepath.Join("plan", "golden", test.golden), got.Stdout)
		})
	}
}

func TestPlanArguments(t *testing.T) {
	golden.Refuses(t, Run, 1, `kubemath: invalid value for feature flag "coschedule": "nodes"`, "-coschedule", "nodes")
	golden.Refuses(t, Run, 1, "kubemath: -o yaml is for -plan", "-o", "yaml")
}

// small is a run with the given spec.
func small(name, spec string) string {
	return "apiVersion: tekton.dev/v1beta1\nkind: PipelineRun\nmetadata: {name: " + name + ", uid: u}\nspec: " + spec + "\n"
}

func TestPlanFaults(t *testing.T) {
	claim := "{workspaces: [{name: %, persistentVolumeClaim: {claimName: c}}]}"
	for _, test := range []struct {
		name, manifests string
		args            []string
		want            []string // the beginnings of lines: what encoding/json says changes
	}{
		{"nothing", "", nil, []string{"-: cannot read: empty input", "the input has no PipelineRun"}},
		{"only others", "kind: Service\napiVersion: v1\n---\n---\nkind: PipelineRun\napiVersion: example.com/v1\n", nil, []string{"the input has no PipelineRun"}},
		{"bad YAML", "a: [\n---\n" + small("a", "{}"), nil, []string{"-: document 1: invalid YAML: line 1: did not find expected node content"}},
		{"bad JSON", `{"kind" 1}`, nil, []string{"-: document 1: invalid JSON: ", "the input has no PipelineRun"}},
		{"no object", "[]", nil, []string{"-: document 1: not an object: want a mapping with apiVersion and kind", "the input has no PipelineRun"}},
		{"no list", "apiVersion: v1\nkind: List\nitems: 1", nil, []string{"-: document 1: List: items: not a list", "the input has no PipelineRun"}},
		{"in a list", "apiVersion: v1\nkind: List\nitems: [{kind: Node, apiVersion: v1, spec: 1}]", nil, []string{"-: document 1: items[0]: spec: want a mapping, not a number", "the input has no PipelineRun"}},
		{"no pod", "kind: Pod\napiVersion: v1\nspec: 1", nil, []string{"-: document 1: spec: want a mapping, not a number", "the input has no PipelineRun"}},
		{"no pipeline", "kind: Pipeline\napiVersion: tekton.dev/v1\nspec: 1", nil, []string{"-: document 1: spec: want a mapping, not a number", "the input has no PipelineRun"}},
		{"no task", small("a", "{pipelineSpec: {tasks: [1]}}"), nil, []string{"-: document 1: spec.pipelineSpec.tasks: want a mapping, not a number", "the input has no PipelineRun"}},
		{"what cannot be planned", small("", "{pipelineSpec: {tasks: [{name: t, runAfter: [t]}]}}"), nil, []string{
			"-: document 1: PipelineRun : name: Required value: what is made for the run refers to it by its name",
			`-: document 1: PipelineRun : tasks[0].runAfter: Invalid value: "t -> t": the tasks run after each other`,
		}},
		{"results of each other", small("a", `{pipelineSpec: {tasks: [{name: t, params: [{value: "$(tasks.u.results.x)"}]}, {name: u, when: [{input: "$(tasks.t.results.y)"}]}]}}`), nil, []string{
			`-: document 1: PipelineRun a: tasks[0].runAfter: Invalid value: "t -> u -> t": the tasks run after each other`,
		}},
		{"collision", small("build-1", strings.Replace(claim, "%", "src", 1)) + "---\n" + small("uild-1", strings.Replace(claim, "%", "srcb", 1)), []string{"-coschedule", "workspaces"}, []string{
			`one name for several: StatefulSet /affinity-assistant-626dd15bc0: workspace "src" of run "build-1", workspace "srcb" of run "uild-1"`,
		}},
		{"absurd amounts", small("a", "{taskRunSpecs: [{pipelineTaskName: t, computeResources: {requests: {cpu: '1e1000000000'}}}]}"), nil, []string{`-: document 1: spec.taskRunSpecs[0].computeResources.requests[cpu]: "1e1000000000" is out of range`, "the input has no PipelineRun"}},
		{"absurdly small amounts", `{"kind": "Node", "apiVersion": "v1", "status": {"allocatable": {"cpu": 1e-1000000000}}}`, nil, []string{`-: document 1: status.allocatable[cpu]: "1e-1000000000" is out of range`, "the input has no PipelineRun"}},
		{"an amount that is none", small("a", "{pipelineSpec: {tasks: [{name: t, taskSpec: {steps: [{resources: {limits: {cpu: many}}}]}}]}}"), nil, []string{
			`-: document 1: spec.pipelineSpec.tasks[0].taskSpec.steps[0].resources.limits[cpu]: "many" is not a quantity such as 500m or 2Gi`, "the input has no PipelineRun",
		}},
		{"an entry of no task", small("a", "{pipelineSpec: {tasks: [{name: t, taskSpec: {}}]}, taskRunSpecs: [{pipelineTaskName: t}, {pipelineTaskName: u}]}"), nil, []string{
			`-: document 1: PipelineRun a: spec.taskRunSpecs[1].pipelineTaskName: Not found: "u"`,
		}},
		{"control characters", small(`"a\e[0m"`, "{}"), nil, []string{
			`-: document 1: PipelineRun a\x1b[0m: name: Invalid value: "a\\x1b[0m": a valid label must be`,
			`-: document 1: PipelineRun a\x1b[0m: labels: Invalid value: "a\\x1b[0m": a valid label must be`,
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := planWith(test.manifests, append([]string{"-f", "-"}, test.args...)...)
			lines := strings.Split(strings.TrimSuffix(problems(got.Stderr), "\n"), "\n")
			code := command.Rejected
			if slices.Contains(test.want, "the input has no PipelineRun") || strings.Contains(test.want[0], "invalid YAML") {
				code = command.Unread
			}
			if got.Code != code || len(lines) != len(test.want) {
				t.Fatalf("exit code %d, stderr:\n%s", got.Code, got.Stderr)
			}
			for i, want := range test.want {
				if !strings.HasPrefix(lines[i], "kubemath: "+want) {
					t.Errorf("%s\nwant\n%s", lines[i], want)
				}
			}
		})
	}
}

// Nothing is dropped silently: unknown objects are named, once.
func TestPlanNotes(t *testing.T) {
	got := planWith("", "-f", "plan/unresolved.yaml")
	const of = "kubemath: note: plan/unresolved.yaml: document "
	want := []string{
		of + "1: PipelineRun generated-xxxxx: it has no name yet: planned with the name generated-xxxxx",
		of + "1: PipelineRun generated-xxxxx: it has no UID yet: the claims that are created for it will have other names",
		of + "1: PipelineRun generated-xxxxx: the Pipeline of resolver git is not fetched: its tasks are unknown",
		of + "2: PipelineRun by-bundle: the Pipeline of bundle registry.example.com/pipelines:v1 is not fetched: its tasks are unknown",
		of + "3: PipelineRun by-name: Pipeline elsewhere is not in the input: its tasks are unknown",
		of + "4: PipelineRun embedded: task clone: the Task of resolver hub is not fetched: its requests are unknown",
		of + "4: PipelineRun embedded: task wait: it is a custom task, Wait of example.com/v1: what it runs is unknown",
		of + "4: PipelineRun embedded: task child: it is a child run: what it runs is unknown",
		of + "4: PipelineRun embedded: task later: its matrix depends on parameters or results: the number of its pods is unknown",
		of + "4: PipelineRun embedded: task missing: Task nowhere is not in the input: its requests are unknown",
	}
	lines := strings.Split(strings.TrimSuffix(got.Stderr, "\n"), "\n")
	if diff := cmp.Diff(want, lines); diff != "" || got.Code != 0 {
		t.Errorf("exit code %d (-want +got):\n%s", got.Code, diff)
	}
}

// An amount that only looks absurd is not an error.
func TestPlanRevisions(t *testing.T) {
	got := planWith(small("a", `{params: [{name: revision, value: "65e61544"}], pipelineSpec: {tasks: [{name: t, params: [{name: r, value: "1e999999999"}], taskSpec: {}}]}}`), "-f", "-")
	if got.Code != 0 || got.Stderr != "" {
		t.Errorf("exit code %d, stderr %q", got.Code, got.Stderr)
	}
}

// Of two objects with the same name, the last one counts, and the other is reported.
func TestPlanNamesGivenTwice(t *testing.T) {
	const kind = "apiVersion: tekton.dev/v1\nkind: Pipeline\nmetadata: {name: p}\nspec: {tasks: [{name: "
	got := planWith(kind+"a, taskSpec: {}}]}\n---\n"+kind+"b, taskSpec: {}}]}\n---\n"+small("r", "{pipelineRef: {name: p}}"), "-f", "-", "-explain")
	const note = "kubemath: note: -: document 1: Pipeline p: skipped: replaced by the one of -: document 2, which has the same name\n"
	if got.Code != 0 || got.Stderr != note || !strings.Contains(got.Stdout, ": b\n") {
		t.Errorf("exit code %d, stderr %q, stdout:\n%s", got.Code, got.Stderr, got.Stdout)
	}
}

func TestPlanTheRestIsPlanned(t *testing.T) {
	got := planWith("a: [\n---\n"+small("a", "{pipelineSpec: {}}"), "-f", "-", "-explain")
	want := "behavior: coschedule pipelineruns\n\nPipelineRun a\n  on the node of affinity-assistant-ca978112ca: no task\n  deleted when it is completed: affinity-assistant-ca978112ca\n"
	if diff := cmp.Diff(want, got.Stdout); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestPlanUnreadableFiles(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing.yaml")
	got := planWith(small("a", "{pipelineSpec: {}}"), "-f", missing, "-f", "-")
	if want := "kubemath: " + missing + ": no such file or directory\n"; got.Code != 1 || got.Stderr != want {
		t.Errorf("exit code %d, stderr %q, want %q", got.Code, got.Stderr, want)
	}
	if !strings.Contains(got.Stdout, "kind: StatefulSet\n") {
		t.Errorf("stdout %q", got.Stdout)
	}
}

func TestPlanStdoutThatFails(t *testing.T) {
	closed, err := os.Open(os.DevNull) // not for writing
	if err != nil {
		t.Fatal(err)
	}
	defer closed.Close()
	var stderr bytes.Buffer
	code := Run([]string{"-plan"}, strings.NewReader(""), closed, &stderr)
	if code != 3 || !strings.HasPrefix(problems(stderr.String()), "kubemath: writing the output: ") {
		t.Errorf("exit code %d, stderr %q", code, stderr.String())
	}
}

// Every input has an answer, and it is deterministic.
func FuzzPlan(f *testing.F) {
	release, err := os.ReadFile("plan/release.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(release))
	unresolved, err := os.ReadFile("plan/unresolved.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(unresolved))
	f.Add(small("a", "{workspaces: [{name: a, volumeClaimTemplate: {}}], pipelineSpec: {tasks: [{name: t, workspaces: [{name: a}]}]}}"))
	f.Add(`{"kind": "List", "items": [null, {"kind": "PipelineRun", "apiVersion": "tekton.dev/v1"}]}`)
	f.Fuzz(func(t *testing.T, manifests string) {
		for _, args := range [][]string{{"-f", "-"}, {"-f", "-", "-explain", "-size", "-coschedule", "workspaces"}} {
			first, second := planWith(manifests, args...), planWith(manifests, args...)
			if diff := cmp.Diff(first, second); diff != "" {
				t.Errorf("two answers:\n%s", diff)
			}
			if (first.Code == 0) != (problems(first.Stderr) == "") {
				t.Errorf("exit code %d, stderr %q", first.Code, first.Stderr)
			}
		}
	})
}
