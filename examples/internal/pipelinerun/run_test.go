package pipelinerun

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
)

func TestArrayOf(t *testing.T) {
	params := []param{{Name: "a", Default: json.RawMessage(`["x", "y"]`)}, {Name: "b", Default: json.RawMessage(`["x"]`)}, {Name: "b", Value: json.RawMessage(`["1", "2", "3"]`)},
		{Name: "c", Value: json.RawMessage(`"text"`)}, {Name: "d", Value: json.RawMessage(`["1"]`), Default: json.RawMessage(`["1", "2"]`)}, {Name: "e"},
		{Name: "g", Default: json.RawMessage(`["x", "y"]`)}, {Name: "g"}, {Name: "h", Default: json.RawMessage(`["x"]`)}, {Name: "h", Default: json.RawMessage(`["x", "y"]`)}}
	for text, want := range map[string]int{
		`["1", "2"]`: 2, `[]`: 0, `"$(params.a[*])"`: 2, `"$(params.b[*])"`: 3, `"$(params[\"b\"][*])"`: 3, `"$(params['d'][*])"`: 1,
		`"$(params.g[*])"`: 2, `"$(params.h[*])"`: 2, `"$(params.c[*])"`: -1, `"$(params.e[*])"`: -1, `"$(params.f[*])"`: -1, `"$(params.a)"`: -1, `"$(tasks.t.results.r[*])"`: -1, `"x"`: -1, `null`: -1,
	} {
		values, known := arrayOf(json.RawMessage(text), params)
		if known != (want >= 0) || known && len(values) != want {
			t.Errorf("%s: %s, %t, want %d", text, values, known, want)
		}
	}
}

// A matrix has a pod for each combination, or for each that it includes; of none, the task is skipped.
func TestFanOut(t *testing.T) {
	params := []param{{Name: "a", Value: json.RawMessage(`["x", "y", "z"]`)}, {Name: "one", Value: json.RawMessage(`"y"`)}}
	// Tekton counts each new value of an included combination, up to one that is there.
	const of = `{"params": [{"name": "a", "value": ["1"]}, {"name": "b", "value": ["1", "2", "3"]}], "include": [{"params": [`
	const both, bothAndOne = of + `{"name": "a", "value": "2"}, {"name": "b", "value": "4"}]}]}`,
		of + `{"name": "a", "value": "2"}, {"name": "b", "value": "3"}, {"name": "a", "value": "5"}]}]}`
	for text, want := range map[string]int{
		`{}`: 1, `{"params": [{"value": ["1", "2"]}]}`: 2, `{"params": [{"value": ["1", "2"]}, {"value": "$(params.a[*])"}]}`: 6,
		`{"params": [{"value": ["1"]}], "include": [{}, {}]}`: 1, `{"include": [{}, {}]}`: 2, `{"params": [{"value": []}, {"value": "$(tasks.t.results.r[*])"}]}`: 0,
		`{"params": [{"value": "$(tasks.t.results.r[*])"}]}`:                                                                                                                -1,
		`{"params": [{"name": "os", "value": ["linux", "mac"]}], "include": [{"params": [{"name": "os", "value": "windows"}]}]}`:                                            3,
		`{"params": [{"name": "os", "value": ["linux", "mac"]}], "include": [{"params": [{"name": "os", "value": "mac"}]}]}`:                                                2,
		`{"params": [{"name": "os", "value": ["linux", "mac"]}], "include": [{"params": [{"name": "flags", "value": "-race"}]}]}`:                                           2,
		`{"params": [{"name": "os", "value": ["linux", "y"]}], "include": [{"params": [{"name": "os", "value": "$(params.one)"}]}, {}]}`:                                    2,
		`{"params": [{"name": "a", "value": "$(params.a[*])"}], "include": [{"params": [{"name": "a", "value": "w"}]}]}`:                                                    4,
		`{"params": [{"name": "a", "value": ["1"]}], "include": [{"params": [{"name": "a", "value": "$(tasks.t.results.r)"}]}]}`:                                            -1,
		`{"params": [{"name": "a", "value": ["1"]}], "include": [{"params": [{"name": "a", "value": "$(tasks.t.results.r)"}]}, {"params": [{"name": "a", "value": "2"}]}]}`: -1,
		`{"params": [{"name": "os", "value": ["linux"]}], "include": [{"params": [{"name": "flags", "value": "-race"}, {"name": "os", "value": "mac"}]}]}`:                  2,
		`{"params": [` + strings.Repeat(`{"value": ["1", "2"]}, `, 19) + `{"value": ["1", "2"]}]}`:                                                                          1 << 20, `{"params": [` + strings.Repeat(`{"value": ["1", "2"]}, `, 63) + `{"value": ["1", "2"]}]}`: -1,
		both: 5, bothAndOne: 4,
	} {
		var m matrix
		testkit.OK(t, json.Unmarshal([]byte(text), &m))
		if n, known := m.fanOut(params); known != (want >= 0) || known && n != want {
			t.Errorf("%s: %d, %t, want %d", text, n, known, want)
		}
	}
}

// A matrix may have as many runs as the configuration allows.
func TestLargestMatrix(t *testing.T) {
	two := 2
	in := &Objects{Config: Config{matrix: &two}}
	for values, want := range map[string]string{
		`["1"]`: "", `["1", "2"]`: "", `["1", "2", "3"]`: "matrix: expected 0 <= 3 <= 2", `["1", "2", "3"]}, {"value": "$(tasks.t.results.r[*])"`: "",
	} {
		task := pipelineTask{Name: "t", TaskSpec: &TaskSpec{Steps: []container{{}}}}
		testkit.OK(t, json.Unmarshal([]byte(`{"params": [{"value": `+values+`}]}`), &task.Matrix))
		run := Run{&Object[RunSpec]{}}
		planned, pods, _ := run.ToRun(PipelineSpec{Tasks: []pipelineTask{task}}, in)
		testkit.Equal(t, pods[0].Invalid, want, values)
		testkit.Equal(t, planned.Tasks[0].NoPod, want != "", values)
	}
}

// A run gets a made-up name or UID only without one.
func TestIdentify(t *testing.T) {
	const name, uid = "it has no name yet: planned with the name a-xxxxx", "it has no UID yet: the claims that are created for it will have other names"
	for text, want := range map[string]string{
		`{"metadata": {"generateName": "a-"}}`:                            "a-xxxxx 00000000-0000-0000-0000-000000000000 [" + name + "]",
		`{"metadata": {"generateName": "a-", "name": "a-1", "uid": "u"}}`: "a-1 u []",
		`{"metadata": {}}`: " 00000000-0000-0000-0000-000000000000 []",
		`{"metadata": {"name": "a"}, "spec": {"workspaces": [{"name": "v"}, {"volumeClaimTemplate": {}}]}}`:    "a 00000000-0000-0000-0000-000000000000 [" + uid + "]",
		`{"metadata": {"name": "a", "uid": "u"}, "spec": {"workspaces": [{"volumeClaimTemplate": {}}]}}`:       "a u []",
		`{"metadata": {"name": "a"}, "spec": {"workspaces": [{"persistentVolumeClaim": {"claimName": "c"}}]}}`: "a 00000000-0000-0000-0000-000000000000 []",
	} {
		run := Run{&Object[RunSpec]{}}
		testkit.OK(t, json.Unmarshal([]byte(text), &run.Object))
		notes := run.Identify()
		testkit.Equal(t, fmt.Sprint(run.Name, " ", run.UID, " ", notes), want, text)
	}
	if err := json.Unmarshal([]byte(`{"retries": "x"}`), &pipelineTask{}); err == nil {
		t.Error("a task of another type is read")
	}
}

// Objects of each version of the API are read, and a state is said in words.
func TestKinds(t *testing.T) {
	var got []string
	for kind, typ := range Kinds() {
		got = append(got, fmt.Sprint(kind[0], " ", kind[1], " ", typ == reflect.TypeFor[Object[TaskRunSpec]]()))
	}
	slices.Sort(got)
	var want []string
	for _, version := range []string{"v1", "v1alpha1", "v1beta1"} {
		for _, kind := range []string{"Pipeline", "PipelineRun", "StepAction", "Task", "TaskRun"} {
			want = append(want, fmt.Sprint("tekton.dev/", version, " ", kind, " ", kind == "TaskRun"))
		}
	}
	testkit.NoDiff(t, got, want)
	for text, want := range map[string]string{"Unknown": "", "True": "is completed", "False": "has failed"} {
		var s Status
		testkit.OK(t, json.Unmarshal([]byte(`{"conditions": [{"type": "Succeeded", "status": "`+text+`"}]}`), &s))
		testkit.Equal(t, s.State(), want, text)
	}
}
