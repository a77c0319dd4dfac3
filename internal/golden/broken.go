package golden

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"
)

// Input is a broken file, or a file that is not meant for a program.
type Input struct{ Name, Text string }

// Broken returns typical wrong inputs, from people and tools, for programs that read manifests.
func Broken() []Input {
	const (
		pod      = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: app, resources: {requests: {cpu: 100m, memory: 1Gi}}}]}\n"
		jsonPod  = `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}, "spec": {"containers": [{"name": "app"}]}}`
		bareItem = `{"metadata": {"name": "web"}, "spec": {"containers": [{"name": "app"}]}}`
	)
	amount := func(text string) string { return strings.Replace(pod, "100m", text, 1) }
	list := func(items string) string { return `{"apiVersion": "v1", "kind": "List", "items": [` + items + `]}` }
	bomb := "a: &a [x, x, x, x, x, x, x, x, x]\n"
	for c := 'b'; c <= 'i'; c++ {
		bomb += fmt.Sprintf("%c: &%c [%s]\n", c, c, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*%c, ", c-1), 9), ", "))
	}
	nested := jsonPod
	for range 12 {
		nested = list(nested)
	}
	return []Input{
		{"empty", ""},
		{"only a marker", "---"},
		{"only markers", "---\n---\n...\n"},
		{"only a comment", "# nothing\n"},
		{"only null", "null\n"},
		{"byte order mark", "\uFEFF" + pod},
		{"line breaks of Windows", strings.ReplaceAll(pod+"---\n"+strings.Replace(pod, "web", "db", 1), "\n", "\r\n")},
		{"UTF-16", inUTF16(pod)},
		{"UTF-16 without a mark", inUTF16(pod)[2:]},
		{"Latin-1", strings.Replace(pod, "web", "caf\xe9", 1)},
		{"NUL bytes", pod + "---\n\x00\x00"},
		{"zeros", strings.Repeat("\x00", 1<<16)},
		{"gzip", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcbH\xcd\xc9\xc9\x07\x00"},
		{"control characters", "\x1b[31mkind: Pod\x07\n"},
		{"text", "Error from server (NotFound): pods \"web\" not found\n"},
		{"sentence", "Hello, world.\n"},
		{"HTML", "<!DOCTYPE html>\n<html><body>404: Not Found</body></html>\n"},
		{"table of kubectl", "NAME   READY   STATUS\nweb    1/1     Running\n"},
		{"Helm template", strings.Replace(pod, "web", "{{ .Release.Name }}-web", 1)},
		{"Helm template with a condition", "{{- if .Values.enabled }}\n" + pod + "{{- end }}\n"},
		{"values.yaml", "replicaCount: 2\nresources:\n  limits: {cpu: 1}\n"},
		{"Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.2.3\ntype: application\n"},
		{"kustomization.yaml", "resources: [deployment.yaml]\nnamePrefix: dev-\n"},
		{"kustomization with a kind", "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [deployment.yaml]\n"},
		{"patch of kustomize", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 3}\n"},
		{"JSON patch", "- op: replace\n  path: /spec/replicas\n  value: 3\n"},
		{"JSON patch as JSON", `[{"op": "replace", "path": "/spec/replicas", "value": 3}]`},
		{"shell variables", strings.Replace(pod, "100m", "${CPU}", 1)},
		{"merge conflict", "<<<<<<< HEAD\n" + pod + "=======\n" + pod + ">>>>>>> branch\n"},
		{"tabs", "apiVersion: v1\nkind: Pod\nmetadata:\n\tname: web\n"},
		{"wrong indentation", "apiVersion: v1\nkind: Pod\n metadata:\n  name: web\n"},
		{"key given twice", "kind: Pod\n" + pod},
		{"quote that is not closed", "apiVersion: v1\nkind: \"Pod\nmetadata: {name: web}\n"},
		{"binary tag", "apiVersion: v1\nkind: !!binary aGVsbG8=\n"},
		{"key that is a mapping", "{a: b}: c\n"},
		{"JSON that is cut off", jsonPod[:60]},
		{"List that is cut off", list(jsonPod + ", " + jsonPod)[:200]},
		{"JSON with a comma too many", `{"apiVersion": "v1", "kind": "Pod",}`},
		{"JSON with comments", "// a pod\n" + jsonPod},
		{"JSON with text behind", jsonPod + "\ndone\n"},
		{"JSON objects in a row", jsonPod + strings.Replace(jsonPod, "web", "db", 1)},
		{"JSON in single quotes", strings.ReplaceAll(jsonPod, `"`, `'`)},
		{"JSON list", "[" + jsonPod + "]"},
		{"JSON string", `"Pod"`},
		{"number", "42"},
		{"no kind", "apiVersion: v1\nmetadata: {name: web}\n"},
		{"no apiVersion", "kind: Pod\nmetadata: {name: web}\n"},
		{"kind that is a number", "apiVersion: v1\nkind: 1\n"},
		{"kind in lower case", "apiVersion: v1\nkind: pod\nmetadata: {name: web}\n"},
		{"old apiVersion", "apiVersion: extensions/v1beta1\nkind: Deployment\nmetadata: {name: web}\n"},
		{"another kind", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {kind: Pod}\n"},
		{"no spec", "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n"},
		{"spec that is null", "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: null\n"},
		{"spec that is a list", "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: []\n"},
		{"metadata that is text", "apiVersion: v1\nkind: Pod\nmetadata: web\n"},
		{"no name", "apiVersion: v1\nkind: Pod\nspec: {containers: [{name: app}]}\n"},
		{"name to be completed", strings.Replace(pod, "name: web", "generateName: web-", 1)},
		{"name with a line break", strings.Replace(jsonPod, "web", `a\nb\u001b`, 1)},
		{"same object twice", pod + "---\n" + pod},
		{"List in a List", list(list(jsonPod))},
		{"Lists in lists, too deep", nested},
		{"PodList", `{"apiVersion": "v1", "kind": "PodList", "items": [` + bareItem + `]}`},
		{"PodList that says so last", `{"items": [` + bareItem + `], "apiVersion": "v1", "kind": "PodList"}`},
		{"items that are no list", `{"apiVersion": "v1", "kind": "List", "items": "none"}`},
		{"items that are text", list(`"a", 1, null`)},
		{"items of what is no list", `{"apiVersion": "v1", "items": [` + jsonPod + `], "kind": "Pod"}`},
		{"unknown field", strings.Replace(pod, "requests", "request", 1)},
		{"memory in m", strings.Replace(pod, "1Gi", "512m", 1)},
		{"cpu in Gi", amount("4Gi")},
		{"quantity with a unit of its own", strings.Replace(pod, "1Gi", "1GB", 1)},
		{"empty quantity", amount(`""`)},
		{"quantity that is a list", amount("[1]")},
		{"negative quantity", amount("-1")},
		{"huge exponent", amount(`"1e999999999"`)},
		{"huge negative exponent", amount(`"1e-999999999"`)},
		{"huge exponent that is escaped", strings.Replace(jsonPod, `"name": "app"`, `"name": "app", "resources": {"limits": {"cpu": "\u0031e999999999"}}`, 1)},
		{"huge number of replicas", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 2147483647, template: {spec: {containers: [{name: app}]}}}\n"},
		{"exponent for replicas", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 1e999999999}\n"},
		{"many digits", amount(`"` + strings.Repeat("9", 1<<20) + `"`)},
		{"many digits without quotes", amount(strings.Repeat("9", 1<<20))},
		{"ten megabytes of digits", strings.Repeat("7", 10<<20)},
		{"aliases", "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  containers:\n  - name: a\n    resources: &r {requests: {cpu: 100m}}\n  - name: b\n    resources: *r\n"},
		{"aliases that multiply", bomb},
		{"aliases of a long text", "a: &a \"" + strings.Repeat("x", 200<<10) + "\"\nb: [" + strings.Repeat("*a,", 100<<10) + "]\n"},
		{"alias of nothing", "a: *b\n"},
		{"text that looks like aliases", "# minutes & hours\n" + pod + "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: crontab}\ndata:\n  a: |\n" + strings.Repeat("    */5 * * * * a && b & c\n    - &x [ *x\n", 100)},
		{"merge key with an override", "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  containers:\n  - &app {name: a, resources: {requests: {cpu: 100m}}}\n  - {<<: *app, name: b}\n"},
		{"large text in braces", "{" + strings.Repeat("neither: JSON nor YAML: it is\n", 1<<13)},
		{"deep brackets", strings.Repeat("[", 100_000)},
		{"deep braces", strings.Repeat(`{"a":`, 100_000)},
		{"deep dashes", strings.Repeat("- ", 100_000)},
		{"deep object of JSON", `{"apiVersion": "v1", "kind": "Pod", "spec": ` + strings.Repeat(`{"a":`, 20_000) + "1" + strings.Repeat("}", 20_001)},
		{"many documents", strings.Repeat("---\n", 200_000)},
		{"many keys", strings.Repeat("? a\n", 1000)},
	}
}

func inUTF16(text string) string {
	b := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(text)) {
		b = binary.LittleEndian.AppendUint16(b, unit)
	}
	return string(b)
}

// CompareBroken compares the output of a program for all broken inputs, and for directories with them,
// with a file. It fails the test if an input takes longer, or more memory, than Bounded allows. The
// golden file has at most a few lines of each output, and the beginning of each line.
func CompareBroken(t *testing.T, program Program, file string) {
	var said strings.Builder
	add := func(name, dir string, got Result) {
		clean := func(text string) string {
			return shortened(strings.ReplaceAll(text, dir, "DIR"))
		}
		fmt.Fprintf(&said, "== %s: exit code %d\n%s%s", name, got.Code, clean(got.Stdout), clean(got.Stderr))
	}
	for _, in := range Broken() {
		add(in.Name, "\x00", Bounded(t, in.Name, program, in.Text, "-f", "-"))
	}
	dir := t.TempDir()
	add("a directory that is empty", dir, Bounded(t, "a directory that is empty", program, "", "-f", dir))
	add("a file that is not there", dir, Bounded(t, "a file that is not there", program, "", "-f", filepath.Join(dir, "missing.yaml")))
	add("a device", dir, Bounded(t, "a device", program, "", "-f", os.DevNull))
	for i, in := range Broken() {
		if len(in.Text) < 1<<16 {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%02d.yaml", i)), []byte(in.Text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	add("a directory of all", dir, Bounded(t, "a directory of all", program, "", "-f", dir))
	Compare(t, file, said.String())
}

const (
	shownLines = 6
	shownBytes = 200
)

func shortened(text string) string {
	var b strings.Builder
	n := 0
	for line := range strings.Lines(text) {
		n++
		if n > shownLines {
			b.WriteString("  ...\n")
			break
		}
		line = strings.TrimSuffix(line, "\n")
		if len(line) > shownBytes {
			line = line[:shownBytes] + "..."
		}
		fmt.Fprintf(&b, "  %s\n", strings.ToValidUTF8(line, "?"))
	}
	return b.String()
}

// FuzzInput runs a program with any standard input; the corpus begins with the broken inputs that are small. The
// program has to write why it fails. How long it takes, and how much memory, is for Robust.
func FuzzInput(f *testing.F, program Program) {
	for _, in := range Broken() {
		if len(in.Text) < 1<<10 {
			f.Add([]byte(in.Text))
		}
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		if len(input) > 1<<14 {
			return
		}
		got := Run(program, string(input), "-f", "-")
		if got.Code < 0 || got.Code > 2 || got.Stdout == "" && got.Stderr == "" && got.Code != 0 {
			t.Errorf("exit code %d, %d bytes said", got.Code, len(got.Stdout)+len(got.Stderr))
		}
	})
}
