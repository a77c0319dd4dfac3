package podreport_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const deploymentHead = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {namespace: shop, name: web}\n"

// deploymentWith returns a Deployment whose one container has the given resources.
func deploymentWith(resources string) string {
	return deploymentHead + "spec: {template: {spec: {containers: [{name: app, resources: " + resources + "}]}}}\n"
}

// limitRangeWith returns a LimitRange with the given items.
func limitRangeWith(name, items string) string {
	return "apiVersion: v1\nkind: LimitRange\nmetadata: {namespace: shop, name: " + name + "}\nspec: {limits: [" + items + "]}\n"
}

// podSpec returns a Pod with the given spec.
func podSpec(spec string) string {
	return "apiVersion: v1\nkind: Pod\nmetadata: {namespace: shop, name: web}\nspec: " + spec + "\n"
}

// broken is input with a broken document, and what is to be said of it behind the name of
// the file.
type broken struct {
	name, manifests string
	want            []string
}

// invalidObjects can be read, but would not be stored.
var invalidObjects = []broken{
	{"no name", "apiVersion: v1\nkind: Pod\nspec: {containers: [{name: app}]}", []string{"document 1: Pod: metadata.name: missing"}},
	{"negative replicas", deploymentHead + "spec: {replicas: -1, template: {spec: {containers: [{name: app}]}}}", []string{
		"document 1: Deployment shop/web: spec.replicas: -1 is negative",
	}},
	{"negative counts of a CronJob", "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: c}\nspec: {jobTemplate: {spec: {parallelism: -1, completions: -2, template: {spec: {containers: [{name: app}]}}}}}", []string{
		"document 1: CronJob c: spec.jobTemplate.spec.parallelism: -1 is negative",
		"document 1: CronJob c: spec.jobTemplate.spec.completions: -2 is negative",
	}},
	{"no containers", deploymentHead + "spec: {template: {spec: {}}}", []string{
		"document 1: Deployment shop/web: spec.template.spec.containers: no containers",
	}},
	{"names of containers", podSpec("{initContainers: [{name: app}], containers: [{name: app}, {image: x}]}"), []string{
		`document 1: Pod shop/web: spec.containers[0].name: "app" is the name of two containers`,
		"document 1: Pod shop/web: spec.containers[1].name: missing",
	}},
	{"class that is none", podSpec("{containers: [{name: app}]}\nstatus: {qosClass: Best}"), []string{
		`document 1: Pod shop/web: status.qosClass: "Best" is not a QoS class`,
	}},
	{"control characters", "apiVersion: v1\nkind: Pod\nmetadata: {name: \"a\\nb\\e[0m\"}", []string{
		`document 1: Pod a\nb\x1b[0m: spec.containers: no containers`,
	}},
	{"LimitRange", limitRangeWith("bounds", "{type: Container, min: {cpu: 2}, max: {cpu: 1}}"), []string{
		`document 1: LimitRange shop/bounds: spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1`,
		`document 1: LimitRange shop/bounds: spec.limits[0].defaultRequest[cpu]: Invalid value: "1": min value 2 is greater than default request value 1`,
		`document 1: LimitRange shop/bounds: spec.limits[0].default[cpu]: Invalid value: "2": min value 2 is greater than default value 1`,
	}},
	{"LimitRange without a name", strings.Replace(limitRangeWith("bounds", ""), "name: bounds", "labels: {}", 1), []string{
		"document 1: LimitRange: metadata.name: Required value: name or generateName is required",
	}},
	{"LimitRange with an item that is null", limitRangeWith("bounds", "null"), []string{
		`document 1: LimitRange shop/bounds: spec.limits[0].type: Invalid value: "": name part must be non-empty`,
		`document 1: LimitRange shop/bounds: spec.limits[0].type: Invalid value: "": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
	}},
	{"claim without a name", "apiVersion: v1\nkind: PersistentVolumeClaim\nspec: {}", []string{
		"document 1: PersistentVolumeClaim: metadata.name: missing",
	}},
}

func TestInvalidObjects(t *testing.T) { checkFaults(t, invalidObjects, 2) }

func checkFaults(t *testing.T, faults []broken, code int) {
	for _, test := range faults {
		t.Run(test.name, func(t *testing.T) {
			var want strings.Builder
			for _, line := range test.want {
				want.WriteString("kubemath: -: " + line + "\n")
			}
			got := runWith(test.manifests, "-f", "-")
			got.Stderr = strings.TrimSuffix(got.Stderr, "kubemath: skipped: 1 A\n")
			got.Stderr = lineIn.ReplaceAllString(got.Stderr, "$1")
			if diff := cmp.Diff(result{Code: code, Stdout: "no workloads\n", Stderr: want.String()}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// lineIn matches the lines of problems, which TestLines looks at.
var lineIn = regexp.MustCompile(`(document [0-9]+), line [0-9]+`)

func TestTheRestIsReported(t *testing.T) {
	manifests := podWith("") + "---\na: [\n---\n" + deploymentWith("{limits: {cpu: x}}") + "---\n" + deploymentWith("{}")
	got := runWith(manifests, "-f", "-", "-o", "json")
	wantStderr := "kubemath: -: document 2: invalid YAML: line 9: did not find expected node content\n" +
		`kubemath: -: document 3, line 11: Deployment shop/web: spec.template.spec.containers[0].resources.limits[cpu]: "x" is not a quantity such as 500m or 2Gi` + "\n"
	if got.Code != 1 || got.Stderr != wantStderr {
		t.Errorf("exit code %d, stderr:\n%s", got.Code, got.Stderr)
	}
	var documents []int
	for _, w := range unmarshal(t, got.Stdout).Workloads {
		documents = append(documents, w.Source.Document)
	}
	if diff := cmp.Diff([]int{1, 4}, documents); diff != "" {
		t.Errorf("documents (-want +got):\n%s", diff)
	}
}

func TestSkipped(t *testing.T) {
	manifests := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n" +
		"---\napiVersion: extensions/v1beta1\nkind: Deployment\nmetadata: {namespace: shop, name: web}\n" +
		"---\napiVersion: example.com/v1\nkind: Job\nmetadata: {name: j}\n"
	want := result{Code: 0, Stdout: "no workloads\n", Stderr: "kubemath: skipped: 1 ConfigMap, 1 Deployment of extensions/v1beta1, 1 Job of example.com/v1\n"}
	if diff := cmp.Diff(want, runWith(manifests, "-f", "-")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
