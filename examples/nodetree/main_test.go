package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
)

type result = golden.Result

func runWith(stdin string, args ...string) result { return golden.Run(run, stdin, args...) }

// output returns what is written for manifests on the standard input, which must be
// without fault.
func output(t *testing.T, manifests string, args ...string) string {
	t.Helper()
	got := runWith(manifests, append([]string{"-f", "-"}, args...)...)
	if got.Code != 0 || got.Stderr != "" {
		t.Fatalf("exit code %d, stderr:\n%s", got.Code, got.Stderr)
	}
	return got.Stdout
}

func TestGolden(t *testing.T) {
	for _, test := range []struct {
		golden string
		args   []string
	}{
		{"document.txt", nil},
		{"document-v1.txt", []string{"-files", "v1"}},
		{"document-v2.txt", []string{"-files", "v2", "-reserve", "100"}},
		{"document-systemd.txt", []string{"-files", "systemd"}},
		{"document.svg", []string{"-svg"}},
		{"workloads.txt", []string{"-f", "testdata/workloads.yaml", "-cpu", "2", "-driver", "systemd", "-memory", "8Gi"}},
		{"workloads.svg", []string{"-f", "testdata/workloads.yaml", "-cpu", "2", "-svg"}},
	} {
		t.Run(test.golden, func(t *testing.T) {
			got := runWith("", test.args...)
			if got.Code != 0 || got.Stderr != "" {
				t.Errorf("exit code %d, stderr %q", got.Code, got.Stderr)
			}
			golden.Compare(t, filepath.Join("testdata", test.golden), got.Stdout)
		})
	}
}

func TestArguments(t *testing.T) {
	for _, test := range []struct {
		name   string
		args   []string
		code   int
		stderr string // its first line
	}{
		{"help", []string{"-h"}, 0, "Nodetree shows the cgroups of a node, and who gets which part of its CPU."},
		{"positional", []string{"pod.yaml"}, 3, `nodetree: unexpected argument "pod.yaml": files are given with -f`},
		{"unknown flag", []string{"-x"}, 3, `flag provided but not defined: -x`},
		{"two outputs", []string{"-svg", "-files", "v1"}, 3, `nodetree: -svg and -files are two outputs: choose one`},
		{"unknown files", []string{"-files", "v3"}, 3, `invalid value "v3" for flag -files: neither v1, nor v2, nor systemd`},
		{"unknown driver", []string{"-driver", "docker"}, 3, `invalid value "docker" for flag -driver: neither cgroupfs nor systemd`},
		{"too much reserved", []string{"-reserve", "101"}, 3, `nodetree: -reserve 101: want 0 to 100`},
		{"too little reserved", []string{"-reserve", "-2"}, 3, `nodetree: -reserve -2: want 0 to 100`},
		{"no quantity", []string{"-cpu", "4GB"}, 3, `invalid value "4GB" for flag -cpu: not a quantity such as 500m or 2Gi`},
		{"no CPU", []string{"-cpu", "0"}, 3, `invalid value "0" for flag -cpu: a node has more than none`},
		{"negative CPU", []string{"-cpu", "-1"}, 3, `invalid value "-1" for flag -cpu: a node has more than none`},
		{"more CPU than counts", []string{"-cpu", "1E"}, 3, `invalid value "1E" for flag -cpu: beyond what a node has`},
		{"absurd CPU", []string{"-cpu", "1e-1000000000"}, 3, `invalid value "1e-1000000000" for flag -cpu: beyond what a node has`},
		{"absurd memory", []string{"-memory", "1e1000000000"}, 3, `invalid value "1e1000000000" for flag -memory: beyond what a node has`},
	} {
		t.Run(test.name, func(t *testing.T) { golden.Refuses(t, run, test.code, test.stderr, test.args...) })
	}
}

const podHead = "apiVersion: v1\nkind: Pod\nmetadata: {namespace: shop, name: web}\n"

func TestInput(t *testing.T) {
	const pod = podHead + "spec: {containers: [{name: app}]}\n"
	const json = `{"kind": "Pod", "metadata": {"name": "%"}, "spec": {"containers": [{"name": "app"}]}}`
	a, b := strings.Replace(json, "%", "a", 1), strings.Replace(json, "%", "b", 1)
	template := "spec: {template: {spec: {containers: [{name: app}]}}}"
	for _, test := range []struct {
		name, manifests string
		want            string // titles of pods
	}{
		{"nothing", "", ""},
		{"comments", "# nothing\n---\n# here\n", ""},
		{"a pod", pod, "shop/web"},
		{"two documents", a + "\n---\n" + b, "a b"},
		{"a list", `{"kind": "List", "items": [` + a + "," + b + "]}", "a b"},
		{"a list of pods", `{"kind": "PodList", "items": [{"kind": "List", "items": [` + b + "]}]}", "b"},
		{"finished", strings.Replace(a, `"spec"`, `"status": {"phase": "Succeeded"}, "spec"`, 1), ""},
		{"Deployment", "kind: Deployment\nmetadata: {name: web}\n" + strings.Replace(template, "{", "{replicas: 3, ", 1), "web-0 web-1 web-2"},
		{"no replicas", "kind: StatefulSet\nmetadata: {name: web}\n" + strings.Replace(template, "{", "{replicas: 0, ", 1), ""},
		{"one replica", "kind: ReplicaSet\nmetadata: {name: web, namespace: ns}\n" + template, "ns/web"},
		{"DaemonSet", "kind: DaemonSet\nmetadata: {name: logs}\n" + template, "logs"},
		{"Job", "kind: Job\nmetadata: {name: once}\n" + template, "once"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var pods []string
			for line := range strings.Lines(output(t, test.manifests)) {
				if f := strings.Fields(line); len(f) > 1 && f[1] == "BestEffort" {
					pods = append(pods, f[0])
				}
			}
			if got := strings.Join(pods, " "); got != test.want {
				t.Errorf("pods %q, want %q", got, test.want)
			}
		})
	}
}

func TestDefaults(t *testing.T) {
	const pod = podHead + "spec: {containers: [{name: app, resources: {limits: {cpu: 100m, memory: 1Gi}}}]}\n"
	if got := output(t, pod); !strings.Contains(got, "Guaranteed") {
		t.Errorf("requests are not filled in:\n%s", got)
	}
	if got := output(t, pod, "-as-written"); !strings.Contains(got, "Burstable") {
		t.Errorf("requests are filled in:\n%s", got)
	}
}

func TestFaults(t *testing.T) {
	for _, test := range []struct{ name, manifests, want string }{
		{"bad YAML", "a: [\n", "-: document 1: yaml: line 1: did not find expected node content"},
		{"bad JSON", "---\n---\n{\"kind\" 1}", "-: document 2: "},
		{"no kind", "a: 1", `-: document 1: "" is not a kind that runs pods on a node`},
		{"another kind", "kind: Service", `-: document 1: "Service" is not a kind that runs pods on a node`},
		{"in a list", `{"kind": "List", "items": [{"kind": "A"}]}`, `-: document 1: item 0: "A" is not a kind that runs pods on a node`},
		{"a list", "[]", "-: document 1: json: cannot unmarshal array"},
		{"bad quantity", podHead + "spec: {containers: [{resources: {limits: {memory: 2Gii}}}]}", "-: document 1: "},
		{"bad field", podHead + "spec: 1", "-: document 1: json: cannot unmarshal number"},
		{"absurd quantity", podHead + "spec: {containers: [{resources: {limits: {memory: '1e-1000000000'}}}]}", `-: document 1: "1e-1000000000" is beyond any amount`},
		{"absurd string", podHead + "spec: {containers: [{resources: {limits: {memory: '1e1000000000'}}}]}", `-: document 1: "1e1000000000" is beyond any amount`},
		{"no template", "kind: Deployment\nmetadata: {name: web}\nspec: {replicas: 2}", "-: document 1: Deployment web has no template of pods"},
		{"too many replicas", "kind: Deployment\nmetadata: {name: web}\nspec: {replicas: 1001, template: {}}", "-: document 1: Deployment web: 1001 replicas on one node"},
		{"fewer than none", "kind: Deployment\nmetadata: {name: web}\nspec: {replicas: -1, template: {}}", "-: document 1: Deployment web: -1 replicas on one node"},
		{"the same pod twice", podHead + "---\n" + podHead, "pod shop/web: it has the UID of pod shop/web"},
		{"no name", "kind: Pod", "pod : it has no UID"},
		{"bad UID", "kind: Pod\nmetadata: {name: web, uid: a/b}", `pod web: invalid cgroup name "a/b": "/" cannot be part of a component`},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := runWith(test.manifests, "-f", "-")
			if got.Code != 1 || got.Stdout != "" || !strings.HasPrefix(got.Stderr, "nodetree: "+test.want) {
				t.Errorf("exit code %d, stderr %q, want 1 and %q", got.Code, got.Stderr, test.want)
			}
		})
	}
}

func TestFilesAreRead(t *testing.T) {
	dir := t.TempDir()
	one := filepath.Join(dir, "one.yaml")
	if err := os.WriteFile(one, []byte(strings.Replace(podHead, "web", "one", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	got := runWith(podHead, "-f", one, "-f", "-")
	if got.Code != 0 || !strings.Contains(got.Stdout, "shop/one") || !strings.Contains(got.Stdout, "shop/web") {
		t.Errorf("exit code %d, stdout:\n%s", got.Code, got.Stdout)
	}
	if got := runWith("", "-f", filepath.Join(dir, "missing.yaml")); got.Code != 1 || !strings.Contains(got.Stderr, "missing.yaml") {
		t.Errorf("exit code %d, stderr %q", got.Code, got.Stderr)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestStdoutThatFails(t *testing.T) {
	var stderr bytes.Buffer
	if code := run(nil, strings.NewReader(""), broken{}, &stderr); code != 1 || stderr.String() != "nodetree: full\n" {
		t.Errorf("exit code %d, stderr %q", code, stderr.String())
	}
}

func TestUnprintableTitles(t *testing.T) {
	got := output(t, "{\"kind\": \"Pod\", \"metadata\": {\"name\": \"a\\nb\", \"uid\": \"1\"}, \"spec\": {\"containers\": [{\"name\": \"<x>&\\u0007\"}]}}", "-files", "v1")
	if !strings.Contains(got, "/<<x>&?>/") {
		t.Errorf("%q", got)
	}
}
