package taskrun

import (
	"strings"
	"testing"

	"github.com/kubemath/kubemath/examples/internal/command"
)

// config is Tekton's ConfigMap with a text for the requirements of containers.
func config(name, text string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + "}\ndata:\n  default-container-resource-requirements: |\n    " + text + "\n---\n"
}

// Another ConfigMap, or another text, is reported, and the rest is explained.
func TestConfigMaps(t *testing.T) {
	for _, test := range []struct {
		name, manifests string
		code            int
		stderr, stdout  string
	}{
		{"Tekton's", config("config-defaults", "step-a: {requests: {cpu: 70m}}"), command.OK, "", "step a  cpu  request  70m  ConfigMap config-defaults, default-container-resource-requirements[step-a]\n"},
		{"the last one", config("config-defaults", "step-a: {requests: {cpu: 60m}}") + config("config-defaults", "step-a: {requests: {cpu: 70m}}"), command.OK, "replaced by the one of -, document 2", "70m"},
		{"another name", config("other", "step-a: {requests: {cpu: 70m}}"), command.OK, "ConfigMap other: skipped: not the ConfigMap config-defaults with default-container-resource-requirements", "no container sets an amount"},
		{"no mapping", config("config-defaults", "[]"), command.Unread, "document 1: ConfigMap config-defaults: data.default-container-resource-requirements: want a mapping, not []", "no container sets an amount"},
		{"no YAML", config("config-defaults", "{a"), command.Unread, "document 1: ConfigMap config-defaults: data.default-container-resource-requirements: ", "no container sets an amount"},
		{"no quantity", config("config-defaults", "step-a: {requests: {cpu: x}}"), command.Unread, `data.default-container-resource-requirements.step-a.requests[cpu]: "x" is not a quantity`, "no container sets an amount"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := runWith(test.manifests+oneStep, "-f", "-", "-explain")
			if got.Code != test.code || !strings.Contains(got.Stderr, test.stderr) || test.stderr == "" && got.Stderr != "" || !strings.Contains(got.Stdout, test.stdout) {
				t.Errorf("exit code %d, stderr %q, stdout:\n%s", got.Code, got.Stderr, got.Stdout)
			}
		})
	}
}

// What is explained of a run that is Guaranteed, cannot be, or is rejected.
func TestExplainedVerdicts(t *testing.T) {
	step := func(requirements string) string {
		return "apiVersion: tekton.dev/v1\nkind: TaskRun\nmetadata: {name: run}\nspec: {taskSpec: {steps: [{name: a, computeResources: {" + requirements + "}}]}}\n"
	}
	const maximum = "apiVersion: v1\nkind: LimitRange\nmetadata: {name: l}\nspec: {limits: [{type: Container, max: {cpu: 1}}]}\n---\n"
	for _, test := range []struct{ name, manifests, want string }{
		{"Guaranteed", step("limits: {cpu: 1, memory: 1Gi}"), "  admitted, Guaranteed\n\n"},
		{"cannot be", maximum + step("limits: {cpu: 2}"), "  cannot be Guaranteed:\n    cpu: no amount satisfies all of: Container cpu max 1 of LimitRange default/l; container step-a cpu limit 2\n"},
		{"rejected by Tekton", oneStep + "---\napiVersion: tekton.dev/v1\nkind: TaskRun\nmetadata: {name: x}\nspec: {taskSpec: {steps: [{name: a}]}, stepSpecs: [{name: b}]}\n", "  rejected by Tekton: spec.stepSpecs[0].name: Not found: \"b\"\n"},
		{"a pod", "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}\n", "  container c  cpu  request  1  the pod\n  admitted, Burstable\n\n"},
		{"pod level", "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {resources: {requests: {cpu: 1}}, containers: [{name: c}]}\n", "  pod  cpu  request  1  the pod\n"},
		{"no runs", "apiVersion: v1\nkind: LimitRange\nmetadata: {name: l}\nspec: {}\n", "no runs\n"},
	} {
		if got := runWith(test.manifests, "-f", "-", "-explain"); !strings.Contains(got.Stdout, test.want) {
			t.Errorf("%s: lacks %q:\n%s%s", test.name, test.want, got.Stdout, got.Stderr)
		}
	}
}
