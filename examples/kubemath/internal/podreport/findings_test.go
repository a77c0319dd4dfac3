package podreport_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubemath/kubemath/examples/internal/podreport/report"
)

const typo = "# a typo\napiVersion: v1\nkind: Pod\nmetadata: {namespace: shop, name: web}\nspec:\n  containers:\n  - name: app\n    resources:\n      request: {cpu: 1}\n      limits: {memory: 512m}\n"

func TestWarnings(t *testing.T) {
	want := []report.Finding{
		{Source: at(1), Line: 2, Object: "Pod shop/web", Field: "spec.containers[0].resources.request", Text: "unknown field, ignored: did you mean requests?"},
		{Source: at(1), Line: 2, Object: "Pod shop/web", Field: "spec.containers[0].resources.limits[memory]", Text: "512m is a fraction of a byte: the suffix m means milli, M means mega, Mi means mebi"},
	}
	got := runWith(typo, "-f", "-", "-o", "json")
	if diff := cmp.Diff(want, unmarshal(t, got.Stdout).Warnings); diff != "" || got.Code != 0 {
		t.Errorf("exit code %d (-want +got):\n%s", got.Code, diff)
	}
	got = runWith(typo, "-f", "-", "-o", "json", "-strict")
	for i := range want {
		want[i].Rejected = true
	}
	r := unmarshal(t, got.Stdout)
	if diff := cmp.Diff(want, r.Errors); diff != "" || got.Code != 2 || len(r.Workloads) > 0 {
		t.Errorf("strictly: exit code %d (-want +got):\n%s", got.Code, diff)
	}
}

func TestLines(t *testing.T) {
	manifests := "# first\n---\n# second\n" + podWith("") + "---\n" + strings.Replace(deploymentWith("{}"), "web", "db", 1)
	var r report.Report
	if err := json.Unmarshal([]byte(runWith(manifests, "-f", "-", "-o", "json").Stdout), &r); err != nil {
		t.Fatal(err)
	}
	if first, second := r.Workloads[0].Line, r.Workloads[1].Line; first != 4 || second != 12 {
		t.Errorf("lines %d and %d, want 4 and 12", first, second)
	}
}

func TestAnnotations(t *testing.T) {
	file := writeFile(t, t.TempDir(), "a,b:c%.yaml", typo+"---\n"+deploymentWith("{requests: {cpu: 2}, limits: {cpu: 1}}")+"---\na: [\n")
	got := runWith("", "-f", file, "-ci", "-o", "json")
	name := strings.NewReplacer("%", "%25", ":", "%3A", ",", "%2C").Replace(file)
	want := "::error file=" + name + ",line=17::invalid YAML: line 17: did not find expected node content\n" +
		"::warning file=" + name + ",line=2,title=Pod shop/web::spec.containers[0].resources.request: unknown field, ignored: did you mean requests?\n" +
		"::warning file=" + name + ",line=2,title=Pod shop/web::spec.containers[0].resources.limits[memory]: 512m is a fraction of a byte: the suffix m means milli, M means mega, Mi means mebi\n" +
		"::error file=" + name + ",line=12,title=Deployment shop/web::spec.template.spec.containers[0].resources.requests: container app: request cpu 2 is above its limit 1: raise the limit or lower the request\n"
	if diff := cmp.Diff(want, got.Stderr); diff != "" || got.Code != 2 {
		t.Errorf("exit code %d (-want +got):\n%s", got.Code, diff)
	}
	if json.Valid([]byte(got.Stdout)) == false {
		t.Error("the report is not JSON")
	}
}

func TestQuiet(t *testing.T) {
	manifests := documents(podWith(""), podWith(""), "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n", typo)
	loud, quiet := runWith(manifests, "-f", "-"), runWith(manifests, "-f", "-", "-q")
	if !strings.Contains(loud.Stderr, "replaced by") || !strings.Contains(loud.Stderr, "skipped: 1 ConfigMap\n") {
		t.Errorf("%q", loud.Stderr)
	}
	if strings.Contains(quiet.Stderr, "replaced by") || strings.Contains(quiet.Stderr, "skipped") || !strings.Contains(quiet.Stderr, "warning") {
		t.Errorf("quietly: %q", quiet.Stderr)
	}
}

func TestExplainWhatNothingHas(t *testing.T) {
	got := runWith(podWith("resources: {limits: {a.b/c: 1}}"), "-f", "-", "-explain", "mem")
	want := result{Code: 1, Stderr: "kubemath: -explain requests.mem: no pod states mem; there are a.b/c, cpu and memory\n"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestVersion(t *testing.T) {
	if got := runWith("", "-version"); got.Code != 0 || !strings.HasPrefix(got.Stdout, "kubemath ") || got.Stderr != "" {
		t.Errorf("%+v", got)
	}
}
