package pipelinerun

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestGeneratedName(t *testing.T) {
	long := strings.Repeat("a", 58)
	for prefix, want := range map[string]string{"build-": "build-xxxxx", long: long + "xxxxx", long + "b": long + "xxxxx"} {
		testkit.Equal(t, generatedName(prefix), want, prefix)
	}
}

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

// Workspaces are in the order of their use: first by steps, then by sidecars, then by the template of steps.
func TestPropagatedOrder(t *testing.T) {
	use := func(name string) container { return container{Script: "$(workspaces." + name + ".path)"} }
	bound := pipelineTask{Workspaces: []workspaceBinding{{"a", "x"}, {"b", ""}}, TaskSpec: &TaskSpec{Steps: []container{use("a"), use("b"), use("x")}}}
	testkit.NoDiff(t, bound.propagated(), []string{"x"}, "of those that are bound")
	task := pipelineTask{TaskSpec: &TaskSpec{Steps: []container{use("c"), use("b")}, Sidecars: []container{use("a"), use("c")}, StepTemplate: use("d")}}
	if got := task.propagated(); !slices.Equal(got, []string{"c", "b", "a", "d"}) {
		t.Error(got)
	}
}

// Only a workspace that is declared as optional may be missing.
func TestRunsWithout(t *testing.T) {
	declared := TaskSpec{Workspaces: []workspaceDeclaration{{"a", true}, {"b", false}}}
	for name, want := range map[string]bool{"a": true, "b": false, "c": false} {
		testkit.Equal(t, declared.runsWithout(name), want, name)
	}
}

// A run is labeled with its Pipeline, or with itself, uses the service account of its version, and a working directory uses
// a workspace.
func TestToRun(t *testing.T) {
	in := &Objects{}
	of := func(text string) *Run {
		r := &Run{&Object[RunSpec]{}}
		r.Name = "run"
		testkit.OK(t, json.Unmarshal([]byte(text), &r.Spec))
		return r
	}
	for text, want := range map[string]string{`{"pipelineRef": {"name": "p"}}`: "p", `{"pipelineRef": {"resolver": "hub"}}`: "run", `{}`: "run"} {
		run, _, _ := of(text).ToRun(PipelineSpec{}, in)
		testkit.Equal(t, run.Labels["tekton.dev/pipeline"], want, text)
	}
	labeled := of(`{"pipelineRef": {"name": "p"}}`)
	labeled.Labels = map[string]string{"tekton.dev/pipeline": "other"}
	in.Add(&Object[PipelineSpec]{Spec: PipelineSpec{Tasks: []pipelineTask{{Name: "t"}}}})
	in.Pipelines["/p"] = in.Pipelines["/"]
	if run, _, _ := labeled.ToRun(PipelineSpec{}, in); run.Labels["tekton.dev/pipeline"] != "other" {
		t.Error(run.Labels)
	}
	if spec, missing := labeled.Pipeline(in); missing != "" || len(spec.Tasks) != 1 {
		t.Error(missing)
	}
	both, _, _ := of(`{"serviceAccountName": "old", "taskRunTemplate": {"serviceAccountName": "new"}}`).ToRun(PipelineSpec{}, in)
	old, _, _ := of(`{"serviceAccountName": "old"}`).ToRun(PipelineSpec{}, in)
	if got := both.PodTemplate.ServiceAccountName + " " + old.PodTemplate.ServiceAccountName; got != "new old" {
		t.Error(got)
	}
	task := pipelineTask{TaskSpec: &TaskSpec{Steps: []container{{WorkingDir: "$(workspaces.w.path)"}}}}
	if got := task.propagated(); !slices.Equal(got, []string{"w"}) {
		t.Error(got)
	}
}

// A task has no pod if it is custom: an apiVersion and a kind make it so.
func TestWithoutPod(t *testing.T) {
	for text, want := range map[string]string{
		`{"taskRef": {"name": "t", "kind": "Task"}}`:                                "",
		`{"taskRef": {"name": "t", "apiVersion": "tekton.dev/v1"}}`:                 "",
		`{"taskRef": {"name": "t", "apiVersion": "tekton.dev/v1", "kind": "Task"}}`: "it is a custom task for Tekton, since Task is given with an apiVersion",
		`{"taskSpec": {"apiVersion": "example.com/v1", "kind": "Wait"}}`:            "it is a custom task, Wait of example.com/v1",
		`{"taskRef": {"apiVersion": "tekton.dev/v1", "kind": "Wait"}}`:              "it is a custom task, Wait of tekton.dev/v1",
		`{"taskRef": {"apiVersion": "example.com/v1", "kind": "Task"}}`:             "it is a custom task, Task of example.com/v1",
		`{"taskSpec": {"kind": "Wait"}}`:                                            "",
		`{"pipelineRef": {"name": "p"}}`:                                            "it is a child run",
		`{"pipelineSpec": {}}`:                                                      "it is a child run",
	} {
		var task pipelineTask
		testkit.OK(t, json.Unmarshal([]byte(text), &task))
		testkit.Equal(t, task.withoutPod(), want, text)
	}
}

// What is fetched by a resolver or from a bundle is unknown, even if the input has something of its name.
func TestUnknownPipelines(t *testing.T) {
	in := &Objects{Pipelines: map[string]PipelineSpec{"/p": {Tasks: []pipelineTask{{Name: "t"}}}}}
	for text, want := range map[string]string{
		`{"pipelineRef": {"name": "p"}}`:                                  "",
		`{"pipelineRef": {"name": "q"}}`:                                  "Pipeline q is not in the input",
		`{"pipelineRef": {"name": "p", "bundle": "b"}}`:                   "the Pipeline of bundle b is not fetched",
		`{"pipelineRef": {"resolver": "hub"}}`:                            "the Pipeline of resolver hub is not fetched",
		`{"pipelineRef": {}}`:                                             "the Pipeline has no name",
		`{"pipelineRef": {"name": "p"}, "pipelineSpec": {"tasks": [{}]}}`: "expected exactly one of pipelineRef and pipelineSpec",
		`{}`: "expected exactly one of pipelineRef and pipelineSpec",
	} {
		r := &Run{&Object[RunSpec]{}}
		testkit.OK(t, json.Unmarshal([]byte(text), &r.Spec))
		spec, missing := r.Pipeline(in)
		testkit.Equal(t, missing, want, text)
		testkit.Equal(t, len(spec.Tasks) == 1, want == "", text)
	}
}

// What a run that has begun has stored counts, and not what has become of its Pipeline and tasks since.
func TestBegun(t *testing.T) {
	var of Object[RunSpec]
	testkit.OK(t, json.Unmarshal([]byte(`{"metadata": {"name": "r", "namespace": "ns"}, "spec": {"pipelineRef": {"name": "p"}},
		"status": {"pipelineSpec": {"tasks": [{"name": "a", "taskRef": {"name": "t"}}, {"name": "b", "taskRef": {"name": "t"}}, {"name": "c", "taskRef": {"resolver": "hub"}}], "finally": [{"name": "d"}]}}}`), &of))
	in := &Objects{Pipelines: map[string]PipelineSpec{"ns/p": {Tasks: []pipelineTask{{Name: "z"}}}}}
	var task Object[TaskSpec]
	testkit.OK(t, json.Unmarshal([]byte(`{"metadata": {"name": "t", "namespace": "ns"}, "spec": {"steps": [{"computeResources": {"requests": {"cpu": "7"}}}]}}`), &task))
	in.Add(&task)
	for _, text := range []string{
		`{"metadata": {"namespace": "ns", "labels": {"tekton.dev/pipelineRun": "r", "tekton.dev/pipelineTask": "a"}}, "status": {"taskSpec": {"steps": [{"computeResources": {"requests": {"cpu": "1"}}}]}}}`,
		`{"metadata": {"namespace": "other", "labels": {"tekton.dev/pipelineRun": "r", "tekton.dev/pipelineTask": "b"}}, "status": {"taskSpec": {"steps": [{"computeResources": {"requests": {"cpu": "3"}}}]}}}`,
		`{"metadata": {"namespace": "ns", "labels": {"tekton.dev/pipelineRun": "r", "tekton.dev/pipelineTask": "b"}}, "status": {}}`,
		`{"metadata": {"namespace": "ns", "labels": {"tekton.dev/pipelineRun": "r", "tekton.dev/pipelineTask": "c"}}, "status": {"taskSpec": {"steps": [{"computeResources": {"requests": {"cpu": "4"}}}]}}}`,
		`{"metadata": {"namespace": "ns", "labels": {"tekton.dev/pipelineRun": "r", "tekton.dev/pipelineTask": "d"}}, "status": {"taskSpec": {"steps": [{"computeResources": {"requests": {"cpu": "5"}}}]}}}`,
		`{"metadata": {"namespace": "ns", "labels": {"tekton.dev/pipelineRun": "other", "tekton.dev/pipelineTask": "b"}}, "status": {"taskSpec": {"steps": [{"computeResources": {"requests": {"cpu": "2"}}}]}}}`,
	} {
		var o Object[TaskRunSpec]
		testkit.OK(t, json.Unmarshal([]byte(text), &o))
		testkit.Equal(t, in.Add(&o), false, "a TaskRun is what runs refer to")
	}
	run := &Run{&of}
	spec, missing := run.Pipeline(in)
	planned, pods, notes := run.ToRun(spec, in)
	var got []string
	for i, each := range slices.Concat(planned.Tasks, planned.Finally) {
		got = append(got, fmt.Sprintf("%s cpu %v, fetched %t %s", each.Name, each.Requests.Cpu(), pods[i].Fetched, pods[i].Missing))
	}
	testkit.NoDiff(t, got, []string{"a cpu 1, fetched false ", "b cpu 7, fetched false ", "c cpu 4, fetched false ", "d cpu 0, fetched false it has neither taskRef nor TaskSpec"})
	testkit.NoDiff(t, append(notes, missing), []string{"task d: it has neither taskRef nor TaskSpec: its requests are unknown", ""})
	of.Spec.PipelineRef = nil
	_, missing = run.Pipeline(in)
	testkit.Equal(t, missing, "expected exactly one of pipelineRef and pipelineSpec", "neither")
	var alone Object[TaskRunSpec]
	testkit.OK(t, json.Unmarshal([]byte(`{"metadata": {"name": "one"}, "spec": {"taskRef": {"resolver": "hub"}}, "status": {"taskSpec": {"steps": [{"computeResources": {"requests": {"cpu": "6"}}}]}}}`), &alone))
	pod := in.Alone(&alone)
	testkit.Equal(t, fmt.Sprint(pod.Spec.Containers[0].Resources.Requests.Cpu(), pod.Missing, pod.Fetched), "6false", "alone")
}

// An entry of taskRunSpecs is for a task, also one that runs finally. What it requests counts for a task that is unknown.
func TestEntries(t *testing.T) {
	r := &Run{&Object[RunSpec]{}}
	testkit.OK(t, json.Unmarshal([]byte(`{"taskRunSpecs": [{"pipelineTaskName": "t", "computeResources": {"requests": {"cpu": "2"}}}, {"pipelineTaskName": "last"}, {"pipelineTaskName": "none"}]}`), &r.Spec))
	pipeline := PipelineSpec{Tasks: []pipelineTask{{Name: "t", TaskRef: &reference{Name: "gone"}}}, Finally: []pipelineTask{{Name: "last", TaskSpec: &TaskSpec{Steps: []container{{}}}}}}
	if errs := r.CheckEntries(pipeline); len(errs) != 1 || errs[0].Field != "spec.taskRunSpecs[2].pipelineTaskName" {
		t.Error(errs)
	}
	run, _, _ := r.ToRun(pipeline, &Objects{})
	testkit.Equal(t, run.Tasks[0].Requests.Cpu().String(), "2")
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

// Of two entries for a task, the last one counts; its old name of the template is read, too.
func TestSettingsOf(t *testing.T) {
	run := Run{&Object[RunSpec]{}}
	if err := json.Unmarshal([]byte(`{"taskRunSpecs": [{"pipelineTaskName": "a", "podTemplate": {"priorityClassName": "first"}},
		{"pipelineTaskName": "a", "taskPodTemplate": {"priorityClassName": "second"}}, {"pipelineTaskName": "b", "podTemplate": {"priorityClassName": "other"}},
		{"pipelineTaskName": "d", "podTemplate": {"priorityClassName": "new"}, "taskPodTemplate": {"priorityClassName": "old"}}]}`), &run.Spec); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{1: "a second", 2: "b other", 3: "d new"} {
		task, class, is := strings.Cut(want, " ")
		if got, entry := run.settingsOf(task); is && (entry != i || *got.PodTemplate.PriorityClassName != class) {
			t.Errorf("%s: %+v of %d, want %s of %d", task, got, entry, class, i)
		}
	}
	if got, entry := run.settingsOf("c"); got.PodTemplate != nil || entry != -1 {
		t.Errorf("c: %+v of %d", got, entry)
	}
}

// The pod of a task has the template of its entry, what that does not set from the template of the run, and the rest from the default.
func TestTemplatesOfATask(t *testing.T) {
	c, _ := configOf(t, "config-defaults", map[string]string{"default-pod-template": "{priorityClassName: low, runtimeClassName: kata, nodeSelector: {of: default}}"})
	for text, want := range map[string]string{
		`{}`: "low kata default",
		`{"taskRunTemplate": {"podTemplate": {"nodeSelector": {}}}}`:                                                                                                          "low kata ",
		`{"taskRunTemplate": {"podTemplate": {"priorityClassName": ""}}}`:                                                                                                     " kata default",
		`{"taskRunTemplate": {"podTemplate": {"runtimeClassName": "gvisor"}}}`:                                                                                                "low gvisor default",
		`{"taskRunSpecs": [{"pipelineTaskName": "t", "podTemplate": {"nodeSelector": {"of": "task"}}}]}`:                                                                      "low kata task",
		`{"podTemplate": {"runtimeClassName": "gvisor"}, "taskRunSpecs": [{"pipelineTaskName": "t", "podTemplate": {"nodeSelector": {"of": "task"}}}]}`:                       "low gvisor task",
		`{"taskRunTemplate": {"podTemplate": {"priorityClassName": "high"}}, "taskRunSpecs": [{"pipelineTaskName": "t", "taskPodTemplate": {"runtimeClassName": "gvisor"}}]}`: "high gvisor default",
	} {
		r := &Run{&Object[RunSpec]{}}
		testkit.OK(t, json.Unmarshal([]byte(text), &r.Spec))
		_, pods, _ := r.ToRun(PipelineSpec{Tasks: []pipelineTask{{Name: "t", TaskSpec: &TaskSpec{Steps: []container{{}}}}}}, &Objects{Config: c})
		pod := pods[0].Spec
		testkit.Equal(t, pod.PriorityClassName+" "+*pod.RuntimeClassName+" "+pod.NodeSelector["of"], want, text)
	}
}

// A whole run: what the planner gets, and the pods.
func TestWholeRun(t *testing.T) {
	high := "high"
	in := &Objects{Config: Config{podTemplate: &podTemplate{PriorityClassName: &high, NodeSelector: map[string]string{"disk": "ssd"}}}}
	var known Object[TaskSpec]
	testkit.OK(t, json.Unmarshal([]byte(`{"metadata": {"name": "known", "namespace": "ns"}, "spec": {"steps": [{"computeResources": {"requests": {"cpu": "1"}}}, {"ref": {"name": "act"}}]}}`), &known))
	act := &Object[StepAction]{}
	act.Namespace, act.Name, act.Spec.Script = "ns", "act", "x"
	if !in.Add(&known) || !in.Add(act) || in.Add(&corev1.ConfigMap{}) {
		t.Error("wrong objects are referred to")
	}
	run := Run{&Object[RunSpec]{}}
	testkit.OK(t, json.Unmarshal([]byte(`{"apiVersion": "tekton.dev/v1", "kind": "PipelineRun", "metadata": {"generateName": "build-", "namespace": "ns", "labels": {"team": "x"}}, "spec": {
		"params": [{"name": "claim", "value": "own"}], "podTemplate": {"priorityClassName": "old"},
		"workspaces": [{"name": "src", "persistentVolumeClaim": {"claimName": "$(params.claim)-$(params.suffix)"}}, {"name": "tmp", "volumeClaimTemplate": {"metadata": {"name": "t"}}}, {"name": "bare"}],
		"taskRunSpecs": [{"pipelineTaskName": "c", "computeResources": {"requests": {"cpu": "4"}}}, {"pipelineTaskName": "a", "stepSpecs": [{"name": "s", "computeResources": {"requests": {"cpu": "2"}}}],
			"sidecarSpecs": [{"name": "c", "computeResources": {"requests": {"cpu": "1"}}}], "podTemplate": {"affinity": {"nodeAffinity": {}}}}],
		"pipelineSpec": {"params": [{"name": "suffix", "default": "data"}, {"name": "claim", "default": "theirs"}], "workspaces": [{"name": "opt", "optional": true}, {"name": "src"}], "tasks": [
			{"name": "a", "retries": 2, "workspaces": [{"name": "w", "workspace": "src"}, {"name": "tmp"}], "taskSpec": {
				"steps": [{"name": "s", "resources": {"requests": {"cpu": "500m"}}}, {"name": "r", "script": "$(workspaces.src.path)", "resources": {"limits": {"memory": "1Gi"}}}], "sidecars": [{"name": "c"}]}},
			{"name": "b", "runAfter": ["a"], "matrix": {"params": [{"name": "x", "value": ["1", "2"]}]}, "taskRef": {"name": "known"}},
			{"name": "c", "matrix": {"params": [{"name": "x", "value": "$(tasks.a.results.r[*])"}]}, "taskRef": {"name": "gone"}},
			{"name": "d", "taskRef": {"apiVersion": "example.com/v1", "kind": "Wait"}},
			{"name": "e", "runAfter": ["a"], "when": [{"input": "$(tasks.b.results.r)", "operator": "in", "values": ["x"]}], "taskSpec": {"steps": [{"ref": {"name": "other"}}]}},
			{"name": "g", "when": [{"input": "a", "operator": "in", "values": ["b"]}], "matrix": {"params": [{"name": "x", "value": "$(tasks.a.results.r[*])"}]}, "taskRef": {"name": "known"}},
			{"name": "h", "taskSpec": {"workspaces": [{"name": "maybe", "optional": true}, {"name": "bare", "optional": true}], "steps": [{"script": "$(workspaces.src.path) $(workspaces.maybe.path)", "command": ["$(workspaces.need.path)"],
				"args": ["$(workspaces.bare.path)"], "env": [{"value": "$(workspaces[\"tmp\"].path)"}], "params": [{"name": "p", "value": "$(workspaces['opt'].path)"}]}]}},
			{"name": "i"}, {"name": "j", "taskRef": {"name": "gone"}}],
			"finally": [{"name": "f", "runAfter": [], "params": [{"name": "p", "value": "$(tasks.a.results.r)"}], "taskRef": {"resolver": "hub"}}, {"name": "k", "taskRef": {"bundle": "b"}}]}}}`), &run))
	notes := run.Identify()
	spec, missing := run.Pipeline(in)
	planned, pods, unknown := run.ToRun(spec, in)
	lines := append([]string{missing}, append(notes, unknown...)...)
	lines = append(lines, fmt.Sprintln(planned.Name, planned.Namespace, planned.UID, planned.Labels, planned.APIVersion, planned.Kind, planned.PodTemplate.PriorityClassName, planned.PodTemplate.NodeSelector, planned.OptionalWorkspaces, len(planned.Tasks)))
	for _, w := range planned.Workspaces {
		lines = append(lines, fmt.Sprintln("workspace", w.Name, w.ClaimName, w.ClaimTemplate != nil))
	}
	for i, task := range append(planned.Tasks, planned.Finally...) {
		p := pods[i]
		lines = append(lines, fmt.Sprintln(task.Name, task.Requests.Cpu(), task.Requests.Memory(), task.Workspaces, task.RunAfter, task.ResultsOf, task.FanOut, task.Retries, task.NoPod, task.Affinity != nil,
			"pod", p.Task, p.Spec != nil, p.Own != nil, p.Refers, p.Fetched, p.FanOut, p.Entry, p.Run.Scripts, p.Missing, p.Custom, p.Note, p.Blamed))
	}
	// What the run sets and what follows from it are not in the pods.
	testkit.NoDiff(t, pods[0].Spec.Containers, []corev1.Container{
		{Name: "step-s", Resources: corev1.ResourceRequirements{Requests: testkit.List("cpu", "500m")}}, {Name: "step-r", Resources: corev1.ResourceRequirements{Limits: testkit.List("memory", "1Gi")}}, {Name: "sidecar-c"}})
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\n")
	}
	want := []string{
		"",
		"it has no name yet: planned with the name build-xxxxx",
		"it has no UID yet: the claims that are created for it will have other names",
		"task c: its matrix depends on parameters or results: the number of its pods is unknown",
		"task d: it is a custom task, Wait of example.com/v1: what it runs is unknown",
		"task e: StepAction other is not in the input: whether it has a script is unknown",
		"task e: whether its when lets it run is unknown, so it is taken to run",
		"task g: its when does not let it run, so Tekton skips it",
		"task i: it has neither taskRef nor TaskSpec: its requests are unknown",
		"task j: Task gone is not in the input: its requests are unknown",
		"task f: the Task of resolver hub is not fetched: its requests are unknown",
		"task k: the Task of bundle b is not fetched: its requests are unknown",
		"build-xxxxx ns 00000000-0000-0000-0000-000000000000 map[team:x tekton.dev/pipeline:build-xxxxx] tekton.dev/v1 PipelineRun old map[disk:ssd] [opt] 9",
		"workspace src own-data false",
		"workspace tmp  true",
		"workspace bare  false",
		"a 3 1Gi [src tmp] [] [] 0 2 false true pod a true true false false 0 1 true    invalid TaskSpec",
		"b 1 0 [] [a] [] 2 0 false false pod b true false true false 2 -1 true    missing or invalid Task ns/known",
		"c 4 0 [] [a] [a] 1 0 false false pod c true false true false 1 0 false Task gone is not in the input   missing or invalid Task ns/gone",
		"d 0 0 [] [] [] 0 0 true false pod d false false false false 0 0 false  it is a custom task, Wait of example.com/v1  ",
		"e 0 0 [] [a b] [b] 0 0 false false pod e true true false false 0 -1 false   StepAction other is not in the input: whether it has a script is unknown invalid TaskSpec",
		"g 0 0 [] [a] [] 1 0 true false pod g false false true false 1 -1 false    missing or invalid Task ns/known",
		"h 0 0 [src need bare tmp opt] [] [] 0 0 false false pod h true true false false 0 -1 true    invalid TaskSpec",
		"i 0 0 [] [] [] 0 0 false false pod i true false false false 0 -1 false it has neither taskRef nor TaskSpec   invalid TaskSpec",
		"j 0 0 [] [] [] 0 0 false false pod j true false true false 0 -1 false Task gone is not in the input   missing or invalid Task ns/gone",
		"f 0 0 [] [] [a] 0 0 false false pod f true false true true 0 -1 false the Task of resolver hub is not fetched   missing or invalid Task ns/",
		"k 0 0 [] [] [] 0 0 false false pod k true false true true 0 -1 false the Task of bundle b is not fetched   missing or invalid Task ns/",
	}
	testkit.NoDiff(t, lines, want)
}

// A run of a Task or a Pipeline alone has the workspaces of the Pipeline, without claims.
func TestRunsAlone(t *testing.T) {
	task := &TaskSpec{Steps: []container{{Name: "a"}}}
	if RunOfTask(task).TaskSpec != task {
		t.Error("another task")
	}
	p := &PipelineSpec{Workspaces: []workspaceDeclaration{{"v", true}, {"w", false}}}
	testkit.NoDiff(t, RunOfPipeline(p), RunSpec{PipelineSpec: p, Workspaces: []boundWorkspace{{Name: "v"}, {Name: "w"}}})
	var o Object[TaskRunSpec]
	testkit.OK(t, json.Unmarshal([]byte(`{"metadata": {"name": "r", "namespace": "ns"}, "spec": {"taskRef": {"apiVersion": "example.com/v1", "kind": "Wait"}}}`), &o))
	testkit.NoDiff(t, new(Objects).Alone(&o), TaskPod{Custom: "it is a custom task, Wait of example.com/v1"})
	o.Spec.TaskRef = &reference{Name: "t", Resolver: "hub"}
	alone := new(Objects).Alone(&o)
	testkit.Equal(t, fmt.Sprint(alone.Task, ": ", alone.Missing, " ", alone.Fetched, " ", alone.Refers, ", ", alone.Blamed), "r: the Task of resolver hub is not fetched true true, missing or invalid Task ns/t")
}

// The pod of a TaskRun that sets all it can, with steps and sidecars of either version of the API.
func TestWholeTaskRun(t *testing.T) {
	in := &Objects{StepActions: map[string]*StepAction{"ns/a": {Script: "$(step.artifacts.path)"}}}
	var o Object[TaskRunSpec]
	testkit.OK(t, json.Unmarshal([]byte(`{"metadata": {"name": "r", "namespace": "ns"}, "spec": {
		"computeResources": {"requests": {"cpu": "4"}}, "podTemplate": {"priorityClassName": "low", "nodeSelector": {"a": "b"}, "tolerations": [{"key": "k"}], "affinity": {}},
		"stepSpecs": [{"name": "a", "computeResources": {"requests": {"cpu": "1"}}}], "stepOverrides": [{"name": "b", "resources": {"requests": {"cpu": "2"}}}],
		"sidecarSpecs": [{"name": "x", "computeResources": {"limits": {"cpu": "3"}}}], "sidecarOverrides": [{"name": "y", "resources": {"limits": {"cpu": "5"}}}],
		"taskSpec": {"stepTemplate": {"computeResources": {"requests": {"memory": "1Gi"}}}, "steps": [{"name": "a", "script": "x", "computeResources": {"requests": {"cpu": "6"}, "limits": {"cpu": "7"}}},
			{"name": "b", "computeResources": {"limits": {"cpu": "8"}}}, {"ref": {"name": "gone"}}], "sidecars": [{"name": "x", "resources": {"limits": {"cpu": "9"}}}, {"name": "y"}]}}}`), &o))
	requests := func(cpu string) corev1.ResourceRequirements {
		return corev1.ResourceRequirements{Requests: testkit.List("cpu", cpu)}
	}
	limits := func(cpu string) corev1.ResourceRequirements {
		return corev1.ResourceRequirements{Limits: testkit.List("cpu", cpu)}
	}
	all, deadline := requests("4"), int64(5400)
	want := TaskPod{
		Task: "r", Own: o.Spec.TaskSpec, Blamed: "invalid TaskSpec", Note: "StepAction gone is not in the input: whether it has a script is unknown",
		Spec: &corev1.PodSpec{
			ActiveDeadlineSeconds: &deadline, PriorityClassName: "low", NodeSelector: map[string]string{"a": "b"}, Tolerations: []corev1.Toleration{{Key: "k"}}, Affinity: &corev1.Affinity{},
			Containers: []corev1.Container{
				{Name: "step-a", Resources: corev1.ResourceRequirements{Requests: testkit.List("cpu", "6"), Limits: testkit.List("cpu", "7")}},
				{Name: "step-b", Resources: limits("8")}, {Name: "step-unnamed-2"}, {Name: "sidecar-x", Resources: limits("9")}, {Name: "sidecar-y"},
			},
		},
		Run: steps.TaskRun{
			ComputeResources: &all, Template: corev1.ResourceRequirements{Requests: testkit.List("memory", "1Gi")}, Scripts: true,
			StepOverrides:    []steps.Override{{Name: "a", Resources: requests("1")}, {Name: "b", Resources: requests("2")}},
			SidecarOverrides: []steps.Override{{Name: "x", Resources: limits("3")}, {Name: "y", Resources: limits("5")}},
			StepPrefix:       "step-", SidecarPrefix: "sidecar-", StepNames: []string{"a", "b", ""}, SidecarNames: []string{"x", "y"},
		},
	}
	testkit.NoDiff(t, in.Alone(&o), want)
	in.Config.Tekton.NativeSidecars = true
	always := corev1.ContainerRestartPolicyAlways
	want.Spec.Containers, want.Spec.InitContainers = want.Spec.Containers[:3], []corev1.Container{{Name: "sidecar-x", Resources: limits("9"), RestartPolicy: &always}, {Name: "sidecar-y", RestartPolicy: &always}}
	testkit.NoDiff(t, in.Alone(&o), want, "native sidecars")
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
