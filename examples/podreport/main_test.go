package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files")

type result struct {
	Code           int
	Stdout, Stderr string
}

func runWith(stdin string, args ...string) result {
	var stdout, stderr bytes.Buffer
	code := run(args, strings.NewReader(stdin), &stdout, &stderr)
	return result{code, stdout.String(), stderr.String()}
}

// reportFor returns the report on what is read from the standard input, which must be
// without fault.
func reportFor(t *testing.T, manifests string) Report {
	t.Helper()
	got := runWith(manifests, "-f", "-", "-o", "json")
	if got.Code != 0 || got.Stderr != "" {
		t.Fatalf("exit code %d, stderr:\n%s", got.Code, got.Stderr)
	}
	return unmarshal(t, got.Stdout)
}

func unmarshal(t *testing.T, text string) Report {
	t.Helper()
	var r Report
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatalf("output is not JSON: %v\n%s", err, text)
	}
	return r
}

func TestGolden(t *testing.T) {
	for _, test := range []struct {
		golden string
		args   []string
	}{
		{"samples.txt", nil},
		{"samples.json", []string{"-o", "json"}},
		{"unusual.txt", []string{"-f", "testdata/unusual.yaml"}},
	} {
		t.Run(test.golden, func(t *testing.T) {
			got := runWith("", test.args...)
			if got.Code != 0 || got.Stderr != "" {
				t.Errorf("exit code %d, stderr %q", got.Code, got.Stderr)
			}
			golden := filepath.Join("testdata", test.golden)
			if *update {
				if err := os.WriteFile(golden, []byte(got.Stdout), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got.Stdout); diff != "" {
				t.Errorf("output differs from %s (-want +got):\n%s", golden, diff)
			}
		})
	}
}

func TestSamplesFitTheLine(t *testing.T) {
	for line := range strings.Lines(runWith("").Stdout) {
		if line = strings.TrimSuffix(line, "\n"); width(line) > lineWidth {
			t.Errorf("%d columns: %s", width(line), line)
		}
	}
}

func TestArguments(t *testing.T) {
	for _, test := range []struct {
		name   string
		args   []string
		code   int
		stderr string // its first line
	}{
		{"help", []string{"-h"}, 0, "Podreport reports what the pods in manifests really ask for."},
		{"positional", []string{"pod.yaml"}, 2, `podreport: unexpected argument "pod.yaml": files are given with -f`},
		{"unknown format", []string{"-o", "yaml"}, 2, `invalid value "yaml" for flag -o: neither table nor json`},
		{"unknown flag", []string{"-x"}, 2, `flag provided but not defined: -x`},
		{"memory without a unit known", []string{"-node-memory", "16GB"}, 2, `invalid value "16GB" for flag -node-memory: "16GB" is not a quantity such as 500m or 2Gi`},
		{"no memory", []string{"-node-memory", "0"}, 2, `invalid value "0" for flag -node-memory: a node has more than no memory`},
		{"negative memory", []string{"-node-memory", "-1Gi"}, 2, `invalid value "-1Gi" for flag -node-memory: a node has more than no memory`},
		{"more memory than counts", []string{"-node-memory", "10E"}, 2, `invalid value "10E" for flag -node-memory: more bytes than 64 bits can count`},
		{"absurd memory", []string{"-node-memory", "1e1000000000"}, 2, `invalid value "1e1000000000" for flag -node-memory: "1e1000000000" is beyond what can be added`},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := runWith("", test.args...)
			got.Stderr, _, _ = strings.Cut(got.Stderr, "\n")
			if diff := cmp.Diff(result{test.code, "", test.stderr}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
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
	first := writeFile(t, dir, "first.yaml", podWith(""))
	second := writeFile(t, dir, "second.yaml", podWith(""))
	got := runWith(podWith(""), "-f", first, "-f", "-", "-f", second, "-f", first, "-o", "json")
	if got.Code != 0 || got.Stderr != "" {
		t.Fatalf("exit code %d, stderr %q", got.Code, got.Stderr)
	}
	var files []string
	for _, w := range unmarshal(t, got.Stdout).Workloads {
		files = append(files, w.Source.File)
	}
	if diff := cmp.Diff([]string{first, "-", second, first}, files); diff != "" {
		t.Errorf("sources (-want +got):\n%s", diff)
	}
}

func TestUnreadableFiles(t *testing.T) {
	dir := t.TempDir()
	good := writeFile(t, dir, "good.yaml", podWith(""))
	missing := filepath.Join(dir, "missing.yaml")
	got := runWith("", "-f", missing, "-f", dir, "-f", good, "-o", "json")
	wantStderr := "podreport: " + missing + ": no such file or directory\n" +
		"podreport: " + dir + ": a directory, not a file\n"
	if got.Code != 1 || got.Stderr != wantStderr {
		t.Errorf("exit code %d, stderr:\n%s\nwant 1 and:\n%s", got.Code, got.Stderr, wantStderr)
	}
	if n := len(unmarshal(t, got.Stdout).Workloads); n != 1 {
		t.Errorf("%d workloads, want the one that can be read", n)
	}
}

func TestStdoutThatFails(t *testing.T) {
	closed, err := os.Open(os.DevNull) // not for writing
	if err != nil {
		t.Fatal(err)
	}
	defer closed.Close()
	var stderr bytes.Buffer
	code := run([]string{"-f", "-"}, strings.NewReader(""), closed, &stderr)
	if code != 1 || !strings.HasPrefix(stderr.String(), "podreport: writing the report: ") {
		t.Errorf("exit code %d, stderr %q", code, stderr.String())
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
