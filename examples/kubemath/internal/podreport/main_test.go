package podreport_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/internal/golden"
)

type result = golden.Result

func runWith(stdin string, args ...string) result { return golden.Run(run, stdin, args...) }

// reportFor returns the report on what is read from the standard input, which must be
// without fault.
func reportFor(t *testing.T, manifests string) report.Report {
	t.Helper()
	return reportWith(t, 0, manifests)
}

// reportWith returns the report on what is read from the standard input, which must be
// without a note, and end with the given exit code.
func reportWith(t *testing.T, code int, manifests string, args ...string) report.Report {
	t.Helper()
	got := runWith(manifests, append([]string{"-f", "-", "-q", "-o", "json"}, args...)...)
	if stderr := warning.ReplaceAllString(got.Stderr, ""); got.Code != code || stderr != "" {
		t.Fatalf("exit code %d, want %d; stderr:\n%s", got.Code, code, stderr)
	}
	return unmarshal(t, got.Stdout)
}

var warning = regexp.MustCompile(`(?m)^.*: warning: .*\n`)

// texts are amounts by resource.
type texts = map[corev1.ResourceName]string

func amounts(of texts) report.Amounts {
	list := report.Amounts{}
	for name, text := range of {
		list[name] = resource.MustParse(text)
	}
	return list
}

func unmarshal(t *testing.T, text string) report.Report {
	t.Helper()
	var r report.Report
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatalf("output is not JSON: %v\n%s", err, text)
	}
	for i := range r.Workloads {
		r.Workloads[i].Line = 0 // which TestLines looks at
	}
	for _, list := range [][]report.Object{r.Claims, r.Services, r.Others} {
		for i := range list {
			list[i].Line = 0
		}
	}
	return r
}

// The one set of golden files: each input as a table and as JSON, then the other
// forms, for one input each. strangers is a directory as people have it: a chart with its templates, a base with
// an overlay and a patch, a dump of a live namespace, misspelled fields and unlikely amounts.
func TestGolden(t *testing.T) {
	for _, test := range []struct {
		golden string
		code   int
		args   []string
	}{
		{"samples.txt", 0, nil},
		{"samples.json", 0, []string{"-o", "json"}},
		{"unusual.txt", 0, []string{"-f", "testdata/unusual.yaml"}},
		{"rejected.txt", 2, []string{"-f", "testdata/rejected.yaml"}},
		{"rejected.json", 2, []string{"-f", "testdata/rejected.yaml", "-o", "json"}},
		{"quotas.txt", 2, []string{"-f", "testdata/quotas.yaml"}},
		{"quotas.json", 2, []string{"-f", "testdata/quotas.yaml", "-o", "json"}},
		{"crowd.txt", 0, []string{"-f", "testdata/crowd.yaml"}},
		{"crowd.json", 0, []string{"-f", "testdata/crowd.yaml", "-o", "json"}},
		{"unusual.json", 0, []string{"-f", "testdata/unusual.yaml", "-o", "json"}},
		{"cluster.txt", 2, []string{"-f", "testdata/cluster.yaml"}},
		{"cluster.json", 2, []string{"-f", "testdata/cluster.yaml", "-o", "json"}},
		{"shop.txt", 0, []string{"-f", "testdata/shop", "-node-cpu", "4", "-node-memory", "8Gi"}},
		{"shop.json", 0, []string{"-f", "testdata/shop", "-node-cpu", "4", "-node-memory", "8Gi", "-o", "json"}},
		{"samples.summary.txt", 0, []string{"-summary"}},
		{"quotas.summary.txt", 2, []string{"-f", "testdata/quotas.yaml", "-f", "testdata/rejected.yaml", "-summary"}},
		{"strangers.txt", 2, []string{"-f", "testdata/strangers"}},
		{"strangers.ci.txt", 2, []string{"-f", "testdata/strangers", "-ci", "-strict", "-q"}},
		{"samples.cpu.txt", 0, []string{"-explain", "cpu"}},
		{"samples.hugepages.txt", 0, []string{"-explain", "requests.hugepages-2Mi"}},
	} {
		t.Run(test.golden, func(t *testing.T) {
			got := runWith("", test.args...)
			if got.Code != test.code {
				t.Errorf("exit code %d, want %d", got.Code, test.code)
			}
			if got.Stderr != "" && strings.HasSuffix(test.golden, ".txt") {
				got.Stdout += "--- stderr\n" + got.Stderr
			}
			golden.Compare(t, filepath.Join("testdata", test.golden), got.Stdout)
		})
	}
}

func TestSamplesFitTheLine(t *testing.T) {
	for _, args := range [][]string{nil, {"-explain", "cpu"}, {"-explain", "limits.memory"}, {"-explain", "nvidia.com/gpu"}} {
		for line := range strings.Lines(runWith("", args...).Stdout) {
			if line = strings.TrimSuffix(line, "\n"); utf8.RuneCountInString(line) > 100 {
				t.Errorf("%v: %d columns: %s", args, utf8.RuneCountInString(line), line)
			}
		}
	}
}

const noLabel = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"

func TestArguments(t *testing.T) {
	for _, test := range []struct {
		name   string
		args   []string
		code   int
		stderr string // its first line
	}{
		{"positional", []string{"pod.yaml"}, 1, `kubemath: unexpected argument "pod.yaml": files are given with -f`},
		{"unknown format", []string{"-o", "xml"}, 1, `invalid value "xml" for flag -o: none of text, json`},
		{"unknown flag", []string{"-x"}, 1, `flag provided but not defined: -x`},
		{"memory without a unit known", []string{"-node-memory", "16GB"}, 1, `invalid value "16GB" for flag -node-memory: "16GB" is not a quantity such as 500m or 2Gi`},
		{"no memory", []string{"-node-memory", "0"}, 1, `invalid value "0" for flag -node-memory: must be positive`},
		{"negative memory", []string{"-node-memory", "-1Gi"}, 1, `invalid value "-1Gi" for flag -node-memory: must be positive`},
		{"more memory than counts", []string{"-node-memory", "10E"}, 1, `invalid value "10E" for flag -node-memory: more bytes than an int64 can hold`},
		{"absurd memory", []string{"-node-memory", "1e1000000000"}, 1, `invalid value "1e1000000000" for flag -node-memory: "1e1000000000" is out of range`},
		{"no CPU", []string{"-node-cpu", "0"}, 1, `invalid value "0" for flag -node-cpu: must be positive`},
		{"CPU that is not a quantity", []string{"-node-cpu", "four"}, 1, `invalid value "four" for flag -node-cpu: "four" is not a quantity such as 500m or 2Gi`},
		{"more CPU than counts", []string{"-node-cpu", "1e16"}, 1, `invalid value "1e16" for flag -node-cpu: more milli-units than an int64 can hold`},
		{"namespace that is not a label", []string{"-n", "Team"}, 1, `invalid value "Team" for flag -n: ` + noLabel},
		{"no namespace", []string{"-n", ""}, 1, `invalid value "" for flag -n: ` + noLabel},
	} {
		t.Run(test.name, func(t *testing.T) { golden.Refuses(t, run, test.code, test.stderr, test.args...) })
	}
}

func TestNodeMemory(t *testing.T) {
	pod := podWith("resources: {requests: {memory: 1Gi}}")
	for memory, want := range map[string]int{"16Gi": 938, "2Gi": 500, "1Gi": 3, "1": 3, "7E": 999} {
		got := runWith(pod, "-f", "-", "-o", "json", "-node-memory", memory)
		r := unmarshal(t, got.Stdout)
		if score := *r.Workloads[0].Containers[0].OOMScoreAdj; score != want {
			t.Errorf("node of %s: OOM score %d, want %d", memory, score, want)
		}
		if r.NodeMemory != memory {
			t.Errorf("node memory %s, want %s", r.NodeMemory, memory)
		}
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	named := func(name string) string { return strings.Replace(podWith(""), "name: web", "name: "+name, 1) }
	first := writeFile(t, dir, "first.yaml", podWith(""))
	second := writeFile(t, dir, "second.yaml", named("b"))
	got := runWith(named("c"), "-f", first, "-f", "-", "-f", second, "-f", first, "-o", "json")
	note := "kubemath: " + first + ": document 1: Pod shop/web: skipped: replaced by " + first + ", document 1: of objects with the same name, the last counts, as if all were applied\n"
	if got.Code != 0 || got.Stderr != note {
		t.Fatalf("exit code %d, stderr %q", got.Code, got.Stderr)
	}
	var files []string
	for _, w := range unmarshal(t, got.Stdout).Workloads {
		files = append(files, w.Source.File)
	}
	if diff := cmp.Diff([]string{"-", second, first}, files); diff != "" {
		t.Errorf("sources (-want +got):\n%s", diff)
	}
}

func TestUnreadableFiles(t *testing.T) {
	dir := t.TempDir()
	good := writeFile(t, dir, "good.yaml", podWith(""))
	missing, empty := filepath.Join(dir, "missing.yaml"), t.TempDir()
	got := runWith("", "-f", missing, "-f", empty, "-f", good, "-o", "json")
	wantStderr := "kubemath: " + missing + ": no such file or directory\n" +
		"kubemath: " + empty + ": no manifests: no file in this directory ends in .yaml, .yml or .json\n"
	if got.Code != 1 || got.Stderr != wantStderr {
		t.Errorf("exit code %d, stderr:\n%s\nwant 1 and:\n%s", got.Code, got.Stderr, wantStderr)
	}
	if n := len(unmarshal(t, got.Stdout).Workloads); n != 1 {
		t.Errorf("%d workloads, want the one that can be read", n)
	}
}

func TestStdoutThatFails(t *testing.T) {
	for _, manifests := range []string{
		deploymentWith("{requests: {cpu: 1}}"),
		deploymentWith("{requests: {cpu: 2}, limits: {cpu: 1}}"), // which would be rejected
	} {
		closed, err := os.Open(os.DevNull) // not for writing
		if err != nil {
			t.Fatal(err)
		}
		defer closed.Close()
		var stderr bytes.Buffer
		code := run([]string{"-f", "-"}, strings.NewReader(manifests), closed, &stderr)
		if code != 3 || !strings.HasPrefix(stderr.String(), "kubemath: writing the report: ") {
			t.Errorf("exit code %d, stderr %q", code, stderr.String())
		}
	}
}

func TestExitCodes(t *testing.T) {
	const (
		skipped    = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n---\n"
		unreadable = "a: [\n---\n"
		unnamed    = "apiVersion: v1\nkind: Pod\nspec: {containers: [{name: app}]}\n---\n"
	)
	good, bad := deploymentWith("{}")+"---\n", deploymentWith("{requests: {cpu: 2}, limits: {cpu: 1}}")+"---\n"
	badRange := limitRangeWith("bounds", "{type: Container, min: {cpu: 2}, max: {cpu: 1}}") + "---\n"
	claim := limitRangeWith("claims", "{type: PersistentVolumeClaim, max: {storage: 1Gi}}") + "---\n" + claimWith("2Gi") + "---\n"
	for _, test := range []struct {
		name, manifests string
		want            int
	}{
		{"nothing wrong", good, 0},
		{"skipped", skipped + good, 0},
		{"unreadable", good + unreadable, 1},
		{"invalid", good + unnamed, 2},
		{"rejected", good + bad, 2},
		{"rejected, then admitted", bad + strings.Replace(good, "name: web", "name: db", 1), 2},
		{"claim rejected", claim + good, 2},
		{"no room in a quota", quotaWith("q", "{pods: 1}", "{pods: 1}") + "---\n" + good, 2},
		{"room in a quota", quotaWith("q", "{pods: 2}", "{pods: 1}") + "---\n" + good, 0},
		{"quota without a status", "apiVersion: v1\nkind: ResourceQuota\nmetadata: {namespace: shop, name: q}\nspec: {hard: {pods: 1}}\n---\n" + good, 0},
		{"no room for a claim", quotaWith("q", "{persistentvolumeclaims: 0}", "{persistentvolumeclaims: 0}") + "---\n" + claimWith("1Gi") + "---\n", 2},
		{"no room for a service", quotaWith("q", "{services: 0}", "{services: 0}") + "---\n" + serviceWith("{}"), 2},
		{"invalid ResourceQuota", quotaWith("q", "{pods: -1}", "{}") + "---\n" + good, 2},
		{"invalid LimitRange", badRange + good, 2},
		{"unreadable, then rejected", unreadable + bad, 2},
		{"rejected, then unreadable", bad + unreadable, 2},
		{"unreadable, then invalid", unreadable + unnamed, 2},
		{"invalid, then unreadable", unnamed + unreadable, 2},
		{"skipped and unreadable", unreadable + skipped, 1},
	} {
		for _, format := range []string{"text", "json"} {
			if got := runWith(test.manifests, "-f", "-", "-o", format); got.Code != test.want {
				t.Errorf("%s: exit code %d, want %d", test.name, got.Code, test.want)
			}
		}
	}
}

func writeFile(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// podWith returns a Pod with one container, to which further fields may be given.
func podWith(fields string) string {
	return "apiVersion: v1\nkind: Pod\nmetadata: {namespace: shop, name: web}\nspec:\n  containers:\n  - name: app\n    " + fields + "\n"
}

// at returns the place of a document of the standard input.
func at(document int) objects.Source { return objects.Source{File: "-", Document: document} }
