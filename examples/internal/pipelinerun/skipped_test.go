package pipelinerun

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
)

// A condition is decided with the parameters that have values; all have to hold.
func TestAllowed(t *testing.T) {
	params := []param{{Name: "branch", Default: json.RawMessage(`"main"`)}, {Name: "all", Value: json.RawMessage(`["main", "dev"]`)}, {Name: "later"},
		{Name: "odd", Value: json.RawMessage(`["main", 1, "dev"]`)}}
	for _, test := range []struct {
		when  string
		runs  bool
		known bool
	}{
		{`[]`, true, true},
		{`[{"input": "a", "operator": "in", "values": ["a", "b"]}]`, true, true},
		{`[{"input": "c", "operator": "in", "values": ["a", "b"]}]`, false, true},
		{`[{"input": "a", "operator": "notin", "values": ["a", "b"]}]`, false, true},
		{`[{"input": "c", "operator": "notin", "values": ["a", "b"]}]`, true, true},
		{`[{"input": "", "operator": "in", "values": [""]}]`, true, true},
		{`[{"input": "$(params.branch)", "operator": "in", "values": ["main"]}]`, true, true},
		{`[{"input": "dev-$(params.branch)", "operator": "in", "values": ["main"]}]`, false, true},
		{`[{"input": "main", "operator": "in", "values": ["$(params.branch)"]}]`, true, true},
		{`[{"input": "dev", "operator": "in", "values": ["$(params.all[*])"]}]`, true, true},
		{`[{"input": "x", "operator": "in", "values": ["y", "$(params.all[*])"]}]`, false, true},
		{`[{"input": "x", "operator": "notin", "values": ["$(params.all[*])", "x"]}]`, false, true},
		{`[{"input": "x", "operator": "in", "values": ["$(params.odd[*])"]}]`, true, false},
		{`[{"input": "$(params.later)", "operator": "in", "values": ["a"]}]`, true, false},
		{`[{"input": "$(tasks.a.results.r)", "operator": "notin", "values": ["a"]}]`, true, false},
		{`[{"input": "a", "operator": "in", "values": ["a", "$(tasks.a.results.r)"]}]`, true, true},
		{`[{"input": "b", "operator": "in", "values": ["a", "$(tasks.a.results.r)"]}]`, true, false},
		{`[{"input": "a", "operator": "notin", "values": ["a", "$(tasks.a.results.r)"]}]`, false, true},
		{`[{"input": "b", "operator": "notin", "values": ["a", "$(tasks.a.results.r)"]}]`, true, false},
		{`[{"cel": "'a' == 'b'"}]`, true, false},
		{`[{"cel": "'a' == 'b'"}, {"input": "a", "operator": "in", "values": ["b"]}]`, false, true},
		{`[{"input": "$(params.later)", "operator": "in", "values": ["a"]}, {"input": "a", "operator": "in", "values": ["a"]}]`, true, false},
		{`[{"input": "a", "operator": "in", "values": ["a"]}, {"input": "a", "operator": "in", "values": ["b"]}]`, false, true},
	} {
		var task pipelineTask
		testkit.OK(t, json.Unmarshal([]byte(`{"when": `+test.when+`}`), &task))
		if runs, known := task.allowed(params); runs != test.runs || known != test.known {
			t.Errorf("%s: %t, %t, want %t, %t", test.when, runs, known, test.runs, test.known)
		}
	}
}

// A task that is skipped by its condition leaves those that run after it alone, unless they use its results; any other
// one takes them with it.
func TestSkipped(t *testing.T) {
	const never = `"when": [{"input": "a", "operator": "in", "values": ["b"]}]`
	const empty = `"matrix": {"params": [{"name": "x", "value": []}]}`
	const using = `"params": [{"name": "x", "value": "$(tasks.a.results.r)"}]`
	for _, test := range []struct {
		name, tasks, finally string
		want                 map[string]string
	}{
		{"none", `{"name": "a"}, {"name": "b", "runAfter": ["a"]}`, ``, map[string]string{}},
		{"by its condition", `{"name": "a", ` + never + `}, {"name": "b", "runAfter": ["a"]}`, ``, map[string]string{"a": byWhen}},
		{"by its matrix", `{"name": "a", ` + empty + `}, {"name": "b", "runAfter": ["a"]}, {"name": "c", "runAfter": ["b"]}, {"name": "d"}`, ``,
			map[string]string{"a": byMatrix, "b": "it runs after a, which is skipped", "c": "it runs after b, which is skipped"}},
		{"by both", `{"name": "a", ` + empty + `, ` + never + `}, {"name": "b", "runAfter": ["a"]}`, ``, map[string]string{"a": byWhen}},
		{"without a result", `{"name": "c", "runAfter": ["b"]}, {"name": "b", ` + using + `}, {"name": "a", ` + never + `}`, ``,
			map[string]string{"a": byWhen, "b": "it uses a result of a, which is skipped", "c": "it runs after b, which is skipped"}},
		{"from the last to the first", `{"name": "c", "runAfter": ["b"]}, {"name": "b", "runAfter": ["a"]}, {"name": "a", ` + empty + `}`, ``,
			map[string]string{"a": byMatrix, "b": "it runs after a, which is skipped", "c": "it runs after b, which is skipped"}},
		{"by its condition, after one that is skipped", `{"name": "a", ` + empty + `}, {"name": "b", "runAfter": ["a"], ` + never + `}, {"name": "c", "runAfter": ["b"]}`, ``,
			map[string]string{"a": byMatrix, "b": byWhen}},
		{"finally", `{"name": "a", ` + never + `}`, `{"name": "j", "runAfter": ["h"]}, {"name": "f", ` + using + `}, {"name": "g", ` + never + `}, {"name": "h", ` + empty + `}, {"name": "i"}`,
			map[string]string{"a": byWhen, "f": "it uses a result of a, which is skipped", "g": byWhen, "h": byMatrix}},
	} {
		var p PipelineSpec
		testkit.OK(t, json.Unmarshal([]byte(`{"tasks": [`+test.tasks+`], "finally": [`+test.finally+`]}`), &p))
		got := p.skipped(nil)
		for _, task := range append(p.Tasks, p.Finally...) {
			testkit.Equal(t, got.reasons[task.Name], test.want[task.Name], test.name, task.Name)
		}
	}
}

// A run has what its tasks use of others, and which of them let it go on; a skipped task has no pod and uses nothing.
func TestRunOfSkippedTasks(t *testing.T) {
	var p PipelineSpec
	if err := json.Unmarshal([]byte(`{"params": [{"name": "error", "default": "continue"}], "tasks": [{"name": "a", "taskSpec": {"steps": [{}]}},
		{"name": "b", "onError": "$(params.error)", "params": [{"name": "x", "value": "$(tasks.a.results.r)"}], "taskSpec": {"steps": [{}]}},
		{"name": "c", "onError": "stopAndFail", "when": [{"input": "a", "operator": "in", "values": ["$(tasks.a.results.r)"]}, {"input": "a", "operator": "in", "values": ["b"]}], "taskSpec": {"steps": [{}]}}],
		"finally": [{"name": "f", "params": [{"name": "x", "value": "$(tasks.b.results.r)"}], "taskSpec": {"steps": [{}]}}]}`), &p); err != nil {
		t.Fatal(err)
	}
	run, pods, _ := (&Run{&Object[RunSpec]{}}).ToRun(p, &Objects{})
	var got []string
	for i, task := range append(run.Tasks, run.Finally...) {
		got = append(got, fmt.Sprint(task.Name, task.RunAfter, task.ResultsOf, task.ContinueOnError, task.NoPod, pods[i].Spec != nil))
	}
	want := []string{"a[] [] false false true", "b[a] [a] true false true", "c[a] [] false true false", "f[] [b] false false true"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
