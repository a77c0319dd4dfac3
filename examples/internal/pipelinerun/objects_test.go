package pipelinerun

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/internal/testkit"
)

func configOf(t *testing.T, name string, data map[string]string) (c Config, key string) {
	t.Helper()
	m := &corev1.ConfigMap{Data: data}
	m.Name = name
	key, err := c.Read(m)
	if (err != nil) != (key != "") {
		t.Errorf("%s: %v", key, err)
	}
	return c, key
}

func TestConfig(t *testing.T) {
	c, _ := configOf(t, "config-defaults", map[string]string{
		ContainerKey:                              "prepare: {requests: {cpu: 10m}, limits: {memory: 1Gi}}",
		"default-timeout-minutes":                 "90",
		"default-max-matrix-combinations-count":   "3",
		"default-pod-template":                    "{priorityClassName: low, nodeSelector: {a: b}}",
		"default-affinity-assistant-pod-template": "{priorityClassName: high, serviceAccountName: s, tolerations: [{key: k}], affinity: {nodeAffinity: {}}}",
	})
	if c.Assistant().Affinity != nil {
		t.Error("an affinity assistant has another affinity than its own")
	}
	prepare := c.ContainerDefaults["prepare"]
	if got := fmt.Sprint(prepare.Requests.Cpu(), prepare.Limits.Memory(), c.timeout(), c.combinations(), *c.podTemplate.PriorityClassName,
		c.podTemplate.NodeSelector, c.Assistant().PriorityClassName, c.Assistant().ServiceAccountName, c.Assistant().Tolerations[0].Key); got != "10m 1Gi 1h30m0s 3lowmap[a:b]highsk" {
		t.Error(got)
	}
	for key, text := range map[string]string{ContainerKey: "[]", "default-timeout-minutes": "x", "default-max-matrix-combinations-count": "", "default-pod-template": "[", "default-affinity-assistant-pod-template": "["} {
		if _, got := configOf(t, "config-defaults", map[string]string{key: text}); got != key {
			t.Errorf("%s: %q", key, got)
		}
	}
	if c, got := configOf(t, "config-defaults", map[string]string{ContainerKey: "prepare: {requests: {cpu: x, memory: 1Gi}}"}); got != ContainerKey || c.ContainerDefaults != nil {
		t.Errorf("%s: %v", got, c.ContainerDefaults)
	}
	alone, _ := configOf(t, "config-defaults", map[string]string{"default-affinity-assistant-pod-template": "{serviceAccountName: s}"})
	pods, _ := configOf(t, "config-defaults", map[string]string{"default-pod-template": "{serviceAccountName: s, priorityClassName: low}"})
	testkit.NoDiff(t, []affinity.PodTemplate{alone.Assistant(), pods.Assistant()}, []affinity.PodTemplate{{ServiceAccountName: "s"}, {}})
	empty, _ := configOf(t, "other", map[string]string{"default-timeout-minutes": "x", "coschedule": "x"})
	if got := fmt.Sprint(empty.timeout(), empty.combinations(), empty.Behavior == affinity.PerWorkspace); got != "1h0m0s 256 true" {
		t.Error(got)
	}
}

func TestFlags(t *testing.T) {
	for text, want := range map[string]Config{
		"":                                 {},
		"results-from=sidecar-logs":        {Tekton: steps.Tekton{ResultsSidecar: true}},
		"results-from=termination-message": {},
		"enable-kubernetes-sidecar=True":   {Tekton: steps.Tekton{NativeSidecars: true}},
		"coschedule=pipelineruns":          {Behavior: affinity.PerRun},
	} {
		data := map[string]string{}
		if key, value, has := strings.Cut(text, "="); has {
			data[key] = value
		}
		c, _ := configOf(t, "feature-flags", data)
		if c.Tekton != want.Tekton || c.Behavior != want.Behavior {
			t.Errorf("%s: %+v", text, c)
		}
	}
	if _, key := configOf(t, "feature-flags", map[string]string{"coschedule": "x"}); key != "coschedule" {
		t.Error(key)
	}
}

// What a template sets comes before the default.
func TestTemplateOverDefault(t *testing.T) {
	all := func(name string) *podTemplate {
		group, class := int64(len(name)), "class of "+name
		return &podTemplate{
			NodeSelector: map[string]string{"of": name}, Tolerations: []corev1.Toleration{{Key: name}}, ImagePullSecrets: []corev1.LocalObjectReference{{Name: name}},
			Affinity:        &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{{Weight: int32(len(name))}}}},
			SecurityContext: &corev1.PodSecurityContext{FSGroup: &group}, PriorityClassName: &name, RuntimeClassName: &class,
		}
	}
	own, other := all("own"), all("default")
	testkit.NoDiff(t, own.over(other), all("own"))
	testkit.NoDiff(t, (&podTemplate{}).over(other), all("default"), "of nothing")
	testkit.NoDiff(t, own.planned(), affinity.PodTemplate{
		NodeSelector: own.NodeSelector, Tolerations: own.Tolerations, ImagePullSecrets: own.ImagePullSecrets, Affinity: own.Affinity, SecurityContext: own.SecurityContext, PriorityClassName: "own",
	}, "as planned")
	if none := (&podTemplate{Tolerations: []corev1.Toleration{}, ImagePullSecrets: []corev1.LocalObjectReference{}}).over(other); none.Tolerations == nil || len(none.Tolerations)+len(none.ImagePullSecrets) > 0 {
		t.Errorf("no tolerations are %v, no secrets %v", none.Tolerations, none.ImagePullSecrets)
	}
	if (*podTemplate)(nil).over(other) != other || own.over(nil) != own {
		t.Error("one of two that is nil is not ignored")
	}
}

func taskOf(t *testing.T, text string) *TaskSpec {
	t.Helper()
	s := &TaskSpec{}
	testkit.OK(t, json.Unmarshal([]byte(text), s))
	return s
}

func TestPodOfTask(t *testing.T) {
	in := &Objects{StepActions: map[string]*StepAction{"ns/a": {Script: "x", WorkingDir: "src"}, "ns/path": {Command: []string{"cat", "$(step.artifacts.path)"}},
		"ns/args": {Command: []string{"cat"}, Args: []string{"$(step.artifacts.path)"}}}}
	for text, want := range map[string]string{
		`{"steps": [{"name": "a"}, {}], "sidecars": [{"name": "x"}]}`:                              "step-a() step-unnamed-1() sidecar-x() false false",
		`{"steps": [{"name": "a", "script": "x"}]}`:                                                "step-a() true false",
		`{"steps": [{"name": "a"}], "sidecars": [{"name": "x", "script": "x"}]}`:                   "step-a() sidecar-x() true false",
		`{"steps": [{"name": "a", "ref": {"name": "a"}}]}`:                                         "step-a(src) true false",
		`{"steps": [{"name": "a", "ref": {"name": "a"}}], "stepTemplate": {"workingDir": "c"}}`:    "step-a(src) true false",
		`{"steps": [{"name": "a", "ref": {"name": "path"}}], "stepTemplate": {"workingDir": "c"}}`: "step-a(c) false true",
		`{"steps": [{"name": "a", "ref": {"name": "args"}}]}`:                                      "step-a() false true",
		`{"steps": [{"name": "a", "command": ["cat", "$(step.artifacts.path)"]}]}`:                 "step-a() false true",
		`{"steps": [{"name": "a", "env": [{"value": "$(step.artifacts.path)"}]}, {"name": "b"}]}`:  "step-a() step-b() false true",
		`{"steps": [{"name": "a", "script": "x"}, {"name": "b"}]}`:                                 "step-a() step-b() true false",
		`{"steps": [{"name": "a", "workingDir": "b"}], "stepTemplate": {"workingDir": "c"}}`:       "step-a(b) false false",
		`{"steps": [{"name": "a"}], "stepTemplate": {"workingDir": "c"}}`:                          "step-a(c) false false",
		`{"steps": [{"name": "a"}], "results": [{"name": "r"}]}`:                                   "step-a() false true",
		`{"steps": [{"name": "a", "args": ["$(step.artifacts.path)"]}]}`:                           "step-a() false true",
		`{"steps": [{"name": "a", "script": "cat $(step.artifacts.path)"}]}`:                       "step-a() true true",
		`{"steps": [{"name": "a", "workingDir": "$(step.artifacts.path)"}]}`:                       "step-a($(step.artifacts.path)) false false",

		// A step takes from the template what it does not set, and each variable by its name.
		`{"steps": [{"name": "a"}], "stepTemplate": {"command": ["$(step.artifacts.path)"]}}`:                                                              "step-a() false true",
		`{"steps": [{"name": "a", "command": ["x"]}], "stepTemplate": {"command": ["$(step.artifacts.path)"]}}`:                                            "step-a() false false",
		`{"steps": [{"name": "a", "args": []}], "stepTemplate": {"args": ["$(step.artifacts.path)"]}}`:                                                     "step-a() false true",
		`{"steps": [{"name": "a", "args": ["x"]}, {"name": "b", "args": ["y"]}], "stepTemplate": {"args": ["$(step.artifacts.path)"]}}`:                    "step-a() step-b() false false",
		`{"steps": [{"name": "a", "env": [{"name": "w", "value": "x"}]}], "stepTemplate": {"env": [{"name": "v", "value": "$(step.artifacts.path)"}]}}`:    "step-a() false true",
		`{"steps": [{"name": "a", "env": [{"name": "v", "value": "x"}]}], "stepTemplate": {"env": [{"name": "v", "value": "$(step.artifacts.path)"}]}}`:    "step-a() false false",
		`{"steps": [{"name": "a", "env": [{"name": "v", "valueFrom": {}}]}], "stepTemplate": {"env": [{"name": "v", "value": "$(step.artifacts.path)"}]}}`: "step-a() false false",
		`{"steps": [{"name": "a", "env": [{"name": "v"}]}], "stepTemplate": {"env": [{"name": "v", "value": "$(step.artifacts.path)"}]}}`:                  "step-a() false true",
		`{"steps": [{"name": "a", "ref": {"name": "a"}}], "stepTemplate": {"args": ["$(step.artifacts.path)"]}}`:                                           "step-a(src) true true",
	} {
		pod, run := taskOf(t, text).pod("ns", in, &Settings{}, nil)
		var got []string
		for _, c := range pod.Containers {
			got = append(got, c.Name+"("+c.WorkingDir+")")
		}
		testkit.Equal(t, strings.Join(got, " ")+fmt.Sprint(" ", run.Scripts, " ", run.Results), want, text)
		if *pod.ActiveDeadlineSeconds != 5400 {
			t.Error(*pod.ActiveDeadlineSeconds)
		}
	}
	own := container{Env: []variable{{Name: "v"}}}
	own.over(&container{Env: []variable{{Name: "v", Value: "x"}}})
	testkit.Equal(t, own.Env[0].Value, "", "the step itself has a variable of the template")
	in.Config.Tekton.NativeSidecars = true
	pod, _ := taskOf(t, `{"steps": [{"name": "a"}], "sidecars": [{"name": "x"}]}`).pod("ns", in, &Settings{}, nil)
	if len(pod.InitContainers) != 1 || *pod.InitContainers[0].RestartPolicy != corev1.ContainerRestartPolicyAlways || len(pod.Containers) != 1 {
		t.Errorf("%+v", pod)
	}
	none := 0
	in.Config.minutes = &none
	if pod, _ := taskOf(t, `{}`).pod("ns", in, &Settings{}, nil); *pod.ActiveDeadlineSeconds != 1<<31-1 {
		t.Error("without a timeout")
	}
}

func TestMissingAction(t *testing.T) {
	in := &Objects{StepActions: map[string]*StepAction{"ns/a": {}}}
	for text, want := range map[string]string{
		`{"steps": [{}, {"ref": {"name": "a"}}]}`:   "",
		`{"steps": [{}, {"ref": {"name": "c"}}]}`:   "StepAction c is not in the input: whether it has a script is unknown",
		`{"steps": [{"ref": {"name": "b"}}]}`:       "StepAction b is not in the input: whether it has a script is unknown",
		`{"steps": [{"ref": {"resolver": "hub"}}]}`: "the StepAction of resolver hub is not fetched: whether it has a script is unknown",
	} {
		testkit.Equal(t, taskOf(t, text).missingAction("ns", in), want, text)
	}
}

func TestCheck(t *testing.T) {
	for text, want := range map[string][]string{
		`v1 {}`: {"spec.steps: Required"},
		`v1 {"steps": [{"name": "a"}, {"name": "a"}, {}, {}]}`:                          {`spec.steps[1].name: Duplicate value: "a"`},
		`v1 {"steps": [{}], "sidecars": [{"name": "a"}, {"name": "a"}]}`:                {"spec.sidecars[1].name: Duplicate"},
		`v1 {"steps": [{"resources": {"limits": {"cpu": "1"}}}]}`:                       {`spec.steps[0].resources: Forbidden: json: unknown field "resources" in tekton.dev/v1`},
		`v1 {"steps": [{}], "stepTemplate": {"resources": {"requests": {"cpu": "1"}}}}`: {"spec.stepTemplate.resources: Forbidden"},
		`v1beta1 {"steps": [{"computeResources": {"limits": {"cpu": "1"}}}]}`:           {"spec.steps[0].computeResources: Forbidden"},
		`v1beta1 {"steps": [{"resources": {"limits": {"cpu": "1"}}}]}`:                  nil,
		`v1 {"steps": [{"computeResources": {"limits": {"cpu": "1"}}}]}`:                nil,
	} {
		version, text, _ := strings.Cut(text, " ")
		errs := taskOf(t, text).Check(field.NewPath("spec"), "tekton.dev/"+version)
		if !slices.EqualFunc(errs, want, func(err *field.Error, begin string) bool { return strings.HasPrefix(err.Error(), begin) }) {
			t.Errorf("%s: %v", text, errs)
		}
	}
}

func TestEnded(t *testing.T) {
	for text, want := range map[string]string{
		`{}`: "false false", `{"conditions": [{"type": "Succeeded", "status": "Unknown"}]}`: "false false",
		`{"conditions": [{"type": "Other", "status": "True"}, {"type": "Succeeded", "status": "True"}]}`: "true false",
		`{"conditions": [{"type": "Other", "status": "True"}]}`:                                          "false false",
		`{"conditions": [{"type": "Succeeded", "status": "False"}]}`:                                     "true true",
	} {
		var s Status
		testkit.OK(t, json.Unmarshal([]byte(text), &s))
		ended, failed := s.Ended()
		testkit.Equal(t, fmt.Sprint(ended, " ", failed), want, text)
	}
}

// A TaskRun is part of the PipelineRun that controls it, or that its label names.
func TestPartOf(t *testing.T) {
	for text, want := range map[string]string{
		`{}`: "",
		`{"labels": {"tekton.dev/pipelineRun": "p"}}`: "p",
		`{"ownerReferences": [{"kind": "PipelineRun", "name": "q", "controller": true}], "labels": {"tekton.dev/pipelineRun": "p"}}`:      "q",
		`{"ownerReferences": [{"kind": "PipelineRun", "name": "q"}], "labels": {"tekton.dev/pipelineRun": "p"}}`:                          "p",
		`{"ownerReferences": [{"kind": "CustomRun", "name": "q", "controller": true}], "labels": {"tekton.dev/pipelineRun": "p"}}`:        "p",
		`{"ownerReferences": [{"kind": "CustomRun", "name": "q", "controller": true}], "labels": {"tekton.dev/taskRun": "of a TaskRun"}}`: "",
	} {
		var o Object[TaskRunSpec]
		testkit.OK(t, json.Unmarshal([]byte(`{"metadata": `+text+`}`), &o))
		testkit.Equal(t, PartOf(&o, "PipelineRun"), want, text)
	}
}

// The pod of a TaskRun has its own pod template, and what that does not set from the default.
func TestTemplateOfTaskRun(t *testing.T) {
	c, _ := configOf(t, "config-defaults", map[string]string{"default-pod-template": "{priorityClassName: low, runtimeClassName: kata}"})
	for text, want := range map[string]string{`{}`: "low kata", `{"podTemplate": {"runtimeClassName": "gvisor"}}`: "low gvisor"} {
		var o Object[TaskRunSpec]
		testkit.OK(t, json.Unmarshal([]byte(`{"spec": `+text+`}`), &o))
		o.Spec.TaskSpec = taskOf(t, `{"steps": [{}]}`)
		pod := (&Objects{Config: c}).Alone(&o).Spec
		testkit.Equal(t, pod.PriorityClassName+" "+*pod.RuntimeClassName, want, text)
	}
}

// Tekton's debugger writes scripts of its own.
func TestBreakpointsAreScripts(t *testing.T) {
	for text, want := range map[string]bool{
		`{}`: false, `{"debug": {}}`: false, `{"debug": {"breakpoints": {"onFailure": "enabled"}}}`: true,
	} {
		var o Object[TaskRunSpec]
		testkit.OK(t, json.Unmarshal([]byte(`{"spec": `+text+`}`), &o))
		o.Spec.TaskSpec = taskOf(t, `{"steps": [{}]}`)
		if pod := new(Objects).Alone(&o); pod.Run.Scripts != want || pod.Custom != "" {
			t.Errorf("%s: %t, %s", text, pod.Run.Scripts, pod.Custom)
		}
	}
}
