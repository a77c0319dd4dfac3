package podreport_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	typo       = "# a typo\napiVersion: v1\nkind: Pod\nmetadata: {namespace: shop, name: web}\nspec:\n  containers:\n  - name: app\n    resources:\n      request: {cpu: 1}\n      limits: {memory: 512m}\n"
	deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {namespace: shop, name: db}\nspec: {template: {spec: {containers: [{name: app, resources: " +
		"{requests: {cpu: 2}, limits: {cpu: 1}}}]}}}\n"
)

func TestLines(t *testing.T) {
	manifests := "# first\n---\n# second\n" + podWith("") + "---\n" + deployment
	r := reportIn(t, runWith(manifests, "-f", "-", "-o", "json").Stdout)
	if first, second := r.Workloads[0].Line, r.Workloads[1].Line; first != 4 || second != 12 {
		t.Errorf("lines %d and %d, want 4 and 12", first, second)
	}
}

func TestAnnotations(t *testing.T) {
	file := writeFile(t, t.TempDir(), "a,b:c%.yaml", typo+"---\n"+deployment+"---\na: [\n")
	got := runWith("", "-f", file, "-o", "github")
	name := strings.NewReplacer("%", "%25", ":", "%3A", ",", "%2C").Replace(file)
	want := "::warning file=" + name + ",line=2,title=Pod shop/web::spec.containers[0].resources.request: unknown field, ignored\n" +
		"::warning file=" + name + ",line=2,title=Pod shop/web::spec.containers[0].resources.limits[memory]: 512m is a fraction of a byte: the suffix m means milli, M means mega, Mi means mebi\n" +
		"::error file=" + name + ",line=17::invalid YAML: line 17: did not find expected node content\n" +
		"::error file=" + name + ",line=12,title=Deployment shop/db::spec.template.spec.containers[0].resources.requests: container app: request cpu 2 is above its limit 1: raise the limit or lower the request\n"
	if diff := cmp.Diff(want, got.Stdout); diff != "" || got.Code != 2 {
		t.Errorf("exit code %d (-want +got):\n%s", got.Code, diff)
	}
}

func TestVersion(t *testing.T) {
	if got := runWith("", "-version"); got.Code != 0 || !strings.HasPrefix(got.Stdout, "kubemath ") || got.Stderr != "" {
		t.Errorf("%+v", got)
	}
}
