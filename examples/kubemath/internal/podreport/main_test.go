package podreport_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/internal/golden"
	"github.com/kubemath/kubemath/internal/testkit"
)

type result = golden.Result

func runWith(stdin string, args ...string) result { return golden.Run(run, stdin, args...) }

// The reports on files and directories, some of them in other forms. strangers is a directory as people have it: a chart
// with its templates, a base with an overlay and a patch, a dump of a live namespace, misspelled fields and unlikely
// amounts.
func TestGolden(t *testing.T) {
	for _, test := range []struct {
		golden string
		code   int
		args   []string
	}{
		{"samples.txt", 0, nil},
		{"unusual.txt", 0, []string{"-f", "testdata/unusual.yaml"}},
		{"rejected.txt", 2, []string{"-f", "testdata/rejected.yaml"}},
		{"quotas.txt", 2, []string{"-f", "testdata/quotas.yaml"}},
		{"quotas.json", 2, []string{"-f", "testdata/quotas.yaml", "-o", "json"}},
		{"cluster.txt", 2, []string{"-f", "testdata/cluster.yaml"}},
		{"cluster.json", 2, []string{"-f", "testdata/cluster.yaml", "-o", "json"}},
		{"shop.txt", 0, []string{"-f", "testdata/shop", "-node-cpu", "4", "-node-memory", "8Gi"}},
		{"strangers.txt", 2, []string{"-no-render", "-f", "testdata/strangers"}},
		{"strangers.ci.txt", 2, []string{"-no-render", "-f", "testdata/strangers", "-o", "github", "-strict"}},
	} {
		t.Run(test.golden, func(t *testing.T) {
			got := runWith("", test.args...)
			testkit.Equal(t, got.Code, test.code, "exit code")
			if got.Stderr != "" && strings.HasSuffix(test.golden, ".txt") {
				got.Stdout += "--- stderr\n" + got.Stderr
			}
			golden.Compare(t, filepath.Join("testdata", test.golden), got.Stdout)
		})
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
		{"unknown format", []string{"-o", "xml"}, 1, `invalid value "xml" for flag -o: none of text, wide, json, yaml, csv, name, github, sarif`},
		{"unknown flag", []string{"-x"}, 1, `flag provided but not defined: -x`},
		{"memory without a unit known", []string{"-node-memory", "16GB"}, 1, `invalid value "16GB" for flag -node-memory: "16GB" is not a quantity such as 500m or 2Gi`},
		{"no memory", []string{"-node-memory", "0"}, 1, `invalid value "0" for flag -node-memory: must be positive`},
		{"negative memory", []string{"-node-memory", "-1Gi"}, 1, `invalid value "-1Gi" for flag -node-memory: must be positive`},
		{"more memory than counts", []string{"-node-memory", "10E"}, 1, `invalid value "10E" for flag -node-memory: too large for a node`},
		{"absurd memory", []string{"-node-memory", "1e1000000000"}, 1, `invalid value "1e1000000000" for flag -node-memory: "1e1000000000" is out of range`},
		{"no CPU", []string{"-node-cpu", "0"}, 1, `invalid value "0" for flag -node-cpu: must be positive`},
		{"CPU that is not a quantity", []string{"-node-cpu", "four"}, 1, `invalid value "four" for flag -node-cpu: "four" is not a quantity such as 500m or 2Gi`},
		{"more CPU than counts", []string{"-node-cpu", "1e16"}, 1, `invalid value "1e16" for flag -node-cpu: too large for a node`},
		{"namespace that is not a label", []string{"-n", "Team"}, 1, `invalid value "Team" for flag -n: ` + noLabel},
		{"an amount that no quota requires", []string{"-require", "cpu,pods"}, 1, `invalid value "cpu,pods" for flag -require: "pods" is not an amount that a quota requires: want cpu, memory, limits.cpu, limits.memory, requests.cpu or requests.memory`},
		{"no namespace", []string{"-n", ""}, 1, `invalid value "" for flag -n: ` + noLabel},
	} {
		t.Run(test.name, func(t *testing.T) { golden.Refuses(t, run, test.code, test.stderr, test.args...) })
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	named := func(name string) string { return strings.Replace(podWith(""), "name: web", "name: "+name, 1) }
	first := writeFile(t, dir, "first.yaml", podWith(""))
	second := writeFile(t, dir, "second.yaml", named("b"))
	got := runWith(named("c"), "-f", first, "-f", "-", "-f", second, "-f", first, "-o", "json")
	note := "kubemath: " + first + ": document 1: Pod shop/web: skipped: replaced by the one of " + first + ", document 1, which has the same name\n"
	if got.Code != 0 || got.Stderr != note {
		t.Fatalf("exit code %d, stderr %q", got.Code, got.Stderr)
	}
	var files []string
	for _, w := range reportIn(t, got.Stdout).Workloads {
		files = append(files, w.Source.File)
	}
	testkit.NoDiff(t, files, []string{"-", second, first}, "sources")
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
	if n := len(reportIn(t, got.Stdout).Workloads); n != 1 {
		t.Errorf("%d workloads, want the one that can be read", n)
	}
}

func TestStdoutThatFails(t *testing.T) {
	for _, manifests := range []string{
		podWith("resources: {requests: {cpu: 1}}"),
		podWith("resources: {requests: {cpu: 2}, limits: {cpu: 1}}"), // which would be rejected
	} {
		closed, err := os.Open(os.DevNull) // not for writing
		testkit.OK(t, err)
		defer closed.Close()
		var stderr bytes.Buffer
		code := run([]string{"-f", "-"}, strings.NewReader(manifests), closed, &stderr)
		if code != 3 || !strings.HasPrefix(stderr.String(), "kubemath: writing the output: ") {
			t.Errorf("exit code %d, stderr %q", code, stderr.String())
		}
	}
}

// reportIn returns the report that is the output.
func reportIn(t *testing.T, text string) (r report.Report) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatalf("output is not JSON: %v\n%s", err, text)
	}
	return r
}

func writeFile(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	testkit.OK(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// podWith returns a Pod with one container, to which further fields may be given.
func podWith(fields string) string {
	return "apiVersion: v1\nkind: Pod\nmetadata: {namespace: shop, name: web}\nspec:\n  containers:\n  - name: app\n    " + fields + "\n"
}
