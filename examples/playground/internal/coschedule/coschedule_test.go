package coschedule

import (
	"errors"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/kubemath/kubemath/internal/golden"
	"github.com/kubemath/kubemath/internal/testkit"
)

// answerOf answers about a text.
func answerOf(t testing.TB, text, coschedule string) Answer {
	t.Helper()
	a, err := AnswerFor("-", strings.NewReader(text), coschedule)
	testkit.OK(t, err)
	return a
}

func read(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	testkit.OK(t, err)
	return string(text)
}

func TestGolden(t *testing.T) {
	for _, test := range []struct{ golden, file, coschedule string }{
		{"kaniko.txt", "samples/kaniko.yaml", "pipelineruns"},
		{"kaniko-isolated.txt", "samples/kaniko.yaml", "isolate-pipelinerun"},
		{"kaniko-workspaces.txt", "samples/kaniko.yaml", "workspaces"},
		{"kaniko-disabled.txt", "samples/kaniko.yaml", "disabled"},
		{"my-pipelinerun.txt", "samples/my-pipelinerun.yaml", "pipelineruns"},
		{"release.txt", "testdata/release.yaml", "pipelineruns"},
		{"release-workspaces.txt", "testdata/release.yaml", "workspaces"},
		{"release-disabled.txt", "testdata/release.yaml", "disabled"},
		{"unresolved.txt", "testdata/unresolved.yaml", "pipelineruns"},
		{"unresolved-workspaces.txt", "testdata/unresolved.yaml", "workspaces"},
	} {
		t.Run(test.golden, func(t *testing.T) {
			golden.Compare(t, "testdata/golden/"+test.golden, textOf(answerOf(t, read(t, test.file), test.coschedule)))
		})
	}
	if _, err := AnswerFor("-", strings.NewReader(""), "nodes"); err == nil || err.Error() != `invalid value for feature flag "coschedule": "nodes"` {
		t.Errorf("error %v", err)
	}
}

// small is a run with the given spec.
func small(name, spec string) string {
	return "apiVersion: tekton.dev/v1beta1\nkind: PipelineRun\nmetadata: {name: " + name + ", uid: u}\nspec: " + spec + "\n"
}

func TestFaults(t *testing.T) {
	const none = "the input has no PipelineRun"
	claim := "{workspaces: [{name: %, persistentVolumeClaim: {claimName: c}}]}"
	for _, test := range []struct {
		name, manifests, coschedule string
		want                        []string // their beginnings: what encoding/json says changes
	}{
		{"nothing", "", "pipelineruns", []string{"cannot read: empty input", none}},
		{"only others", "kind: Service\napiVersion: v1\n---\n---\nkind: PipelineRun\napiVersion: example.com/v1\n", "pipelineruns", []string{none}},
		{"bad YAML", "a: [\n---\n" + small("a", "{}"), "pipelineruns", []string{"invalid YAML: line 1: did not find expected node content"}},
		{"no object", "[]", "pipelineruns", []string{"not a Kubernetes object: it has neither apiVersion nor kind", none}},
		{"in a list", "apiVersion: v1\nkind: List\nitems: [{kind: Node, apiVersion: v1, spec: 1}]", "pipelineruns", []string{"Node: spec: want a mapping, not a number", none}},
		{"no pod", "kind: Pod\napiVersion: v1\nspec: 1", "pipelineruns", []string{"Pod: spec: want a mapping, not a number", none}},
		{"no pipeline", "kind: Pipeline\napiVersion: tekton.dev/v1\nspec: 1", "pipelineruns", []string{"Pipeline: spec: want a mapping, not a number", none}},
		{"no task", small("a", "{pipelineSpec: {tasks: [1]}}"), "pipelineruns", []string{"PipelineRun a: spec.pipelineSpec.tasks: want a mapping, not a number", none}},
		{"what cannot be planned", small("", "{pipelineSpec: {tasks: [{name: t, runAfter: [t]}]}}"), "pipelineruns", []string{
			"PipelineRun : name: Required value: objects created for the run refer to it",
			`PipelineRun : tasks[0].runAfter: Invalid value: "t -> t": the tasks run after each other`,
		}},
		{"results of each other", small("a", `{pipelineSpec: {tasks: [{name: t, params: [{value: "$(tasks.u.results.x)"}]}, {name: u, when: [{input: "$(tasks.t.results.y)"}]}]}}`), "pipelineruns", []string{
			`PipelineRun a: tasks[0].runAfter: Invalid value: "t -> u -> t": the tasks run after each other`,
		}},
		{"collision", small("build-1", strings.Replace(claim, "%", "src", 1)) + "---\n" + small("uild-1", strings.Replace(claim, "%", "srcb", 1)), "workspaces", []string{
			`one name for several: StatefulSet /affinity-assistant-626dd15bc0: workspace "src" of run "build-1", workspace "srcb" of run "uild-1"`,
		}},
		{"absurd amounts", small("a", "{taskRunSpecs: [{pipelineTaskName: t, computeResources: {requests: {cpu: '1e1000000000'}}}]}"), "pipelineruns", []string{
			`PipelineRun a: spec.taskRunSpecs[0].computeResources.requests[cpu]: "1e1000000000" is out of range`, none,
		}},
		{"an entry of no task", small("a", "{pipelineSpec: {tasks: [{name: t, taskSpec: {}}]}, taskRunSpecs: [{pipelineTaskName: t}, {pipelineTaskName: u}]}"), "pipelineruns", []string{
			`PipelineRun a: spec.taskRunSpecs[1].pipelineTaskName: Not found: "u"`,
		}},
		{"control characters", small(`"a\e[0m"`, "{}"), "pipelineruns", []string{
			`PipelineRun a\x1b[0m: name: Invalid value: "a\\x1b[0m": a valid label must be`,
			`PipelineRun a\x1b[0m: labels: Invalid value: "a\\x1b[0m": a valid label must be`,
		}},
		{"what only looks like an amount", small("a", `{params: [{name: r, value: "65e61544"}], pipelineSpec: {tasks: [{name: t, params: [{name: r, value: "1e999999999"}], taskSpec: {}}]}}`), "pipelineruns", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			problems := answerOf(t, test.manifests, test.coschedule).Problems
			if len(problems) != len(test.want) {
				t.Fatalf("%v", problems)
			}
			for i, want := range test.want {
				if !strings.HasPrefix(problems[i].Text, want) {
					t.Errorf("%s\nwant\n%s", problems[i].Text, want)
				}
			}
		})
	}
}

// A field that is unknown is a note, after a problem as well, and what cannot be read at all is an error.
func TestNotes(t *testing.T) {
	a := answerOf(t, "a: [\n---\n"+small("r", "{pipelineSpec: {tasks: [{name: t, taskSpec: {}}]}}")+"---\napiVersion: v1\nkind: Node\nmetadata: {name: n1}\nspec:\n  colour: red\n", "pipelineruns")
	if len(a.Runs) != 1 || len(a.Problems) != 1 || len(a.Notes) != 1 || a.Notes[0] != (Remark{8, "Node n1: warning: spec.colour: unknown field, ignored"}) {
		t.Errorf("%+v, %+v", a.Problems, a.Notes)
	}
	a = answerOf(t, small("r", "{pipelineSpec: {tasks: [{name: t, taskSpec: {}}]}}")+"---\napiVersion: v1\nkind: Node\nmetadata: {name: n1}\nspec:\n  unschedulable: true\n  unschedulable: false\n", "pipelineruns")
	testkit.NoDiff(t, a.Notes, []Remark{{11, `Node n1: warning: duplicate field "unschedulable": the last one counts`}})
	if _, err := AnswerFor("-", iotest.ErrReader(errors.New("gone")), "pipelineruns"); err == nil || err.Error() != "gone" {
		t.Errorf("error %v", err)
	}
}

// Of two objects with the same name, the last one counts, and the other is reported.
func TestNamesGivenTwice(t *testing.T) {
	const kind = "apiVersion: tekton.dev/v1\nkind: Pipeline\nmetadata: {name: p}\nspec: {tasks: [{name: "
	a := answerOf(t, kind+"a, taskSpec: {}}]}\n---\n"+kind+"b, taskSpec: {}}]}\n---\n"+small("r", "{pipelineRef: {name: p}}"), "pipelineruns")
	want := []Remark{{1, "Pipeline p: skipped: replaced by the one of -: document 2, which has the same name"}}
	if diff := cmp.Diff(want, a.Notes); diff != "" || len(a.Runs) != 1 || a.Runs[0].Groups[0].Tasks != "b" {
		t.Errorf("%+v (-want +got):\n%s", a.Runs, diff)
	}
}

// A StepAction that is given twice is reported, too.
func TestStepActionGivenTwice(t *testing.T) {
	const action = "apiVersion: tekton.dev/v1beta1\nkind: StepAction\nmetadata: {name: s}\nspec: {image: i}\n---\n"
	a := answerOf(t, action+action+small("r", "{pipelineSpec: {tasks: [{name: a, taskSpec: {steps: [{ref: {name: s}}]}}]}}"), "pipelineruns")
	if want := []Remark{{1, "StepAction s: skipped: replaced by the one of -: document 2, which has the same name"}}; cmp.Diff(want, a.Notes) != "" || len(a.Runs[0].Notes) > 0 {
		t.Errorf("%+v, %q", a.Notes, a.Runs[0].Notes)
	}
}

// Every input has an answer, and it is deterministic. The length chooses one of two behaviors, because an answer is slow.
func FuzzAnswer(f *testing.F) {
	f.Add(read(f, "testdata/release.yaml"))
	f.Add(read(f, "testdata/unresolved.yaml"))
	f.Add(small("a", "{workspaces: [{name: a, volumeClaimTemplate: {}}], pipelineSpec: {tasks: [{name: t, workspaces: [{name: a}]}]}}"))
	f.Add(`{"kind": "List", "items": [null, {"kind": "PipelineRun", "apiVersion": "tekton.dev/v1"}]}`)
	f.Fuzz(func(t *testing.T, manifests string) {
		coschedule := []string{"pipelineruns", "workspaces"}[len(manifests)%2]
		testkit.NoDiff(t, textOf(answerOf(t, manifests, coschedule)), textOf(answerOf(t, manifests, coschedule)), "two answers")
	})
}

// What becomes of the pods is what kubemath tekton writes, with the quotas and TaskRuns of the input.
func TestOverTime(t *testing.T) {
	const run = "apiVersion: tekton.dev/v1\nkind: PipelineRun\nmetadata: {name: r}\nspec: {pipelineSpec: {tasks: [" +
		"{name: a, taskSpec: {steps: [{name: s, computeResources: {requests: {cpu: 2}}}]}}, {name: b, taskSpec: {steps: [{name: s, computeResources: {requests: {cpu: 3}}}]}}]}}\n"
	const quota = "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {pods: 1}}\n"
	const first = "---\napiVersion: tekton.dev/v1\nkind: TaskRun\nmetadata: {name: r-a, labels: {tekton.dev/pipelineRun: r, tekton.dev/pipelineTask: a}}\n" +
		"spec: {taskSpec: {steps: [{name: s}]}}\nstatus: {conditions: [{type: Succeeded, status: 'True'}]}\n"
	for _, test := range []struct{ input, want string }{
		{run, "  1  a, b      cpu 5\n  at most 2 pods at once, which request cpu 5\n\n"},
		{run + "---\napiVersion: v1\nkind: LimitRange\nmetadata: {name: l}\nspec: {limits: [{type: Container, max: {cpu: 2}}]}\n", "  1  a    fails: b  cpu 2\n"},
		{run + "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\n", "  1  a, b      cpu 5\n"},
		{run + quota, "  1  a  waits: b    cpu 2\n  2  b              cpu 3\n"},
		{run + quota + first, "  1  b      cpu 3\n  at most 1 pod at once, which request cpu 3\n\n"},
	} {
		got, err := AnswerFor("-", strings.NewReader(test.input), "disabled")
		if err != nil || len(got.Runs) != 1 || !strings.HasPrefix(got.Runs[0].OverTime, test.want) || len(got.Notes)+len(got.Problems) > 0 {
			t.Errorf("%v %+v\n%s\nwant %s", err, got.Notes, got.Runs[0].OverTime, test.want)
		}
	}
}
