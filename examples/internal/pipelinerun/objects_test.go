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
	if none := (&podTemplate{Tolerations: []corev1.Toleration{}}).over(other); none.Tolerations == nil || len(none.Tolerations) > 0 {
		t.Errorf("no tolerations are %v", none.Tolerations)
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
