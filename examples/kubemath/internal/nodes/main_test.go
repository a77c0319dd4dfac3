package nodes

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/internal/golden"
)

type result = golden.Result

func runWith(stdin string, args ...string) result { return golden.Run(Run, stdin, args...) }

const top = `NAME       CPU(cores)   CPU(%)   MEMORY(bytes)   MEMORY(%)
worker-1   2210m        27%      9120Mi          30%
worker-2   1800m        22%      15Gi            51%
NAMESPACE   POD                      NAME    CPU(cores)   MEMORY(bytes)
shop        storefront-7c9d8-4kx2m   proxy   40m          30Mi
shop        storefront-7c9d8-4kx2m   app     900m         2100Mi
`

func TestGolden(t *testing.T) {
	used := filepath.Join(t.TempDir(), "top.txt")
	if err := os.WriteFile(used, []byte(top), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		golden string
		args   []string
	}{
		{"samples.txt", nil},
		{"samples.json", []string{"-o", "json"}},
		{"pack.txt", []string{"-pack", "-shape", "worker-1", "-shape", "cpu=4,memory=16Gi"}},
		{"pods.txt", []string{"-pods", "-sort", "cpu", "-usage", used}},
		{"containers.txt", []string{"-containers", "-n", "shop", "-available", "-f", "samples"}},
		{"labels.txt", []string{"-l", "accelerator=nvidia"}},
		{"drain.txt", []string{"-drain", "worker-1"}},
		{"drain.json", []string{"-drain", "worker-1", "-pods", "-pack", "-usage", used, "-o", "json"}},
	} {
		t.Run(test.golden, func(t *testing.T) {
			got := runWith("", test.args...)
			if got.Code != 2 || got.Stderr != "" {
				t.Errorf("exit code %d, stderr %q", got.Code, got.Stderr)
			}
			golden.Compare(t, filepath.Join("testdata", test.golden), got.Stdout)
		})
	}
}

// Lines are as wide as the screen, if the names are not longer.
func TestWidths(t *testing.T) {
	in := inputOf(objects.Reader{Kinds: kinds}.FS(samples))
	c, err := clusterOf(&in, computeresources.Gates{})
	if err != nil {
		t.Fatal(err)
	}
	o := options{selector: labels.Everything(), pods: true, containers: true, pack: true, drain: "worker-1"}
	r := c.report(&o, nil)
	for _, columns := range []int{40, 80, 100, 200} {
		if columns == 40 {
			o.pods, o.containers = false, false
			r = c.report(&o, nil)
		}
		for line := range strings.Lines(o.table(&r, columns)) {
			if n := utf8.RuneCountInString(line) - 1; n > columns {
				t.Errorf("%d columns, want %d: %s", n, columns, line)
			}
		}
	}
}

func TestUsage(t *testing.T) {
	u, err := usageOf([]byte(top))
	if err != nil || u.of(ofPods, "shop/storefront-7c9d8-4kx2m")["cpu"] != "940m" || u.of(ofContainers, "shop/storefront-7c9d8-4kx2m/app")["memory"] != "2100Mi" ||
		u.of(ofNodes, "worker-2")["memory"] != "15Gi" || u.of(ofNodes, "gpu-1") != nil {
		t.Errorf("%v, %v", u, err)
	}
	for text, want := range map[string]string{
		"error: Metrics API not available\n":            "usage, line 1: not a table of kubectl top nodes or kubectl top pods -A",
		"NAME CPU(cores) MEMORY(bytes)\nweb 1m 1Mi\n":   "usage, line 2: no namespaces: want kubectl top pods -A",
		"NAMESPACE NAME CPU(cores)\nshop web many\n":    `usage, line 2: "many" is not a quantity such as 500m or 2Gi`,
		"NAME CPU(cores) CPU%\na <unknown> <unknown>\n": "<nil>",
	} {
		if _, err := usageOf([]byte(text)); fmt.Sprint(err) != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	got := runWith(aNode("a", "{cpu: 1}"), "-f", "-", "-usage", "missing.txt", "-drain", "b")
	if want := "kubemath: -usage: open missing.txt: no such file or directory\nkubemath: -drain b: the input has no Node of this name\n"; got.Code != 1 || got.Stderr != want {
		t.Errorf("exit code %d, stderr %q", got.Code, got.Stderr)
	}
}

func TestArguments(t *testing.T) {
	for _, test := range []struct {
		name   string
		args   []string
		code   int
		stderr string // its first line
	}{
		{"positional", []string{"node.yaml"}, 1, `kubemath: unexpected argument "node.yaml": files are given with -f`},
		{"unknown flag", []string{"-x"}, 1, "flag provided but not defined: -x"},
		{"unknown format", []string{"-o", "yaml"}, 1, `invalid value "yaml" for flag -o: none of text, json`},
		{"no shape", []string{"-shape", ""}, 1, `invalid value "" for flag -shape: want the name of a node, or amounts such as cpu=4,memory=16Gi`},
		{"shape without memory", []string{"-shape", "cpu=4"}, 1, `invalid value "cpu=4" for flag -shape: without memory, no pods fit: want amounts such as cpu=4,memory=16Gi,pods=110`},
		{"shape with what is no quantity", []string{"-shape", "cpu=4,memory=16GB"}, 1, `invalid value "cpu=4,memory=16GB" for flag -shape: "16GB" is not a quantity such as 500m or 2Gi`},
		{"shape with an absurd amount", []string{"-shape", "cpu=1e999999999,memory=1"}, 1, `invalid value "cpu=1e999999999,memory=1" for flag -shape: "1e999999999" is out of range`},
		{"shape below zero", []string{"-shape", "cpu=-4,memory=1"}, 1, `invalid value "cpu=-4,memory=1" for flag -shape: -4 is negative`},
		{"shape with a resource twice", []string{"-shape", "cpu=4,cpu=5,memory=1"}, 1, `invalid value "cpu=4,cpu=5,memory=1" for flag -shape: cpu is given twice`},
		{"shape with a typo", []string{"-shape", "cpu=4,mem=1Gi"}, 1, `invalid value "cpu=4,mem=1Gi" for flag -shape: "mem" is not a resource that the scheduler counts, such as cpu, memory, pods or nvidia.com/gpu`},
	} {
		t.Run(test.name, func(t *testing.T) { golden.Refuses(t, Run, test.code, test.stderr, test.args...) })
	}
}

// manifests joins documents.
func manifests(documents ...string) string { return strings.Join(documents, "---\n") }

// aNode returns a Node with what is allocatable.
func aNode(name, allocatable string) string {
	return "apiVersion: v1\nkind: Node\nmetadata: {name: " + name + "}\nspec: {}\nstatus: {allocatable: " + allocatable + "}\n"
}

// aPod returns a Pod with requests, and further fields of its spec.
func aPod(name, requests, spec string) string {
	return "apiVersion: v1\nkind: Pod\nmetadata: {namespace: shop, name: " + name + "}\nspec:\n  containers: [{name: app, resources: {requests: " + requests + "}}]\n" + spec
}

// on is the field of a spec that places a pod.
func on(node string) string { return "  nodeName: " + node + "\n" }

func TestExitCodes(t *testing.T) {
	node := aNode("a", "{cpu: 2, memory: 4Gi}")
	for _, test := range []struct {
		name, input string
		args        []string
		want        int
		stderr      string
	}{
		{"all fit", manifests(node, aPod("web", "{cpu: 2}", "")), nil, 0, ""},
		{"one does not fit", manifests(node, aPod("web", "{cpu: 3}", "")), nil, 2, ""},
		{"one is gated", manifests(node, aPod("web", "{cpu: 3}", "  schedulingGates: [{name: example.com/quota}]\n")), nil, 0, ""},
		{"a node alone", node, nil, 0, ""},
		{"a node that says its capacity only", manifests(strings.Replace(node, "allocatable", "capacity", 1), aPod("web", "{cpu: 2}", "")), nil, 0, ""},
		{"a pod alone", aPod("web", "{cpu: 1}", ""), nil, 2, ""},
		{"a pod on a node that is not in the input", aPod("web", "{cpu: 1}", on("b")), nil, 0, ""},
		{"nothing", "", nil, 1, "kubemath: -: cannot read: empty input\nkubemath: the input has neither a Node nor a Pod\n"},
		{"nothing but a comment", "# nothing", nil, 1, "kubemath: the input has neither a Node nor a Pod\n"},
		{"others", "apiVersion: v1\nkind: Service\n---\napiVersion: v1\nkind: ConfigMap\n---\napiVersion: v1\nkind: Service\n", nil, 1,
			"kubemath: skipped, since only Nodes, Pods, workloads and DeviceClasses are read: 1 ConfigMap, 2 Service\nkubemath: the input has neither a Node nor a Pod\n"},
		{"unreadable", manifests(node, "a: [\n"), nil, 1, "kubemath: -: document 2: invalid YAML: line 7: did not find expected node content\n"},
		{"unreadable, and one does not fit", manifests(node, "a: [\n", aPod("web", "{cpu: 3}", "")), nil, 2, "kubemath: -: document 2: invalid YAML: line 7: did not find expected node content\n"},
		{"Pod without a name", manifests(node, "apiVersion: v1\nkind: Pod\n"), nil, 2, "kubemath: -: document 2: Pod: metadata.name: missing\n"},
		{"Pod without containers", manifests(node, "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n"), nil, 2, "kubemath: -: document 2: Pod web: spec.containers: no containers\n"},
		{"Node without a name", manifests("apiVersion: v1\nkind: Node\nstatus: {capacity: {cpu: 1}}\n", node), nil, 2, "kubemath: -: document 1: Node: metadata.name: missing\n"},
		{"Node without amounts", manifests("apiVersion: v1\nkind: Node\nmetadata: {name: b}\n", node), nil, 0, "kubemath: -: document 1: Node b: skipped: its status has no allocatable resources\n"},
		{"Node with a negative amount", manifests(aNode("b", "{cpu: -1}"), node), nil, 1, "kubemath: -: document 1, line 1: Node b: status.allocatable[cpu]: -1 is negative\n"},
		{"packed", manifests(node, aPod("web", "{cpu: 2}", on("a"))), []string{"-shape", "cpu=2,memory=1Gi"}, 0, ""},
		{"too large for all shapes", manifests(node, aPod("web", "{cpu: 2}", on("a"))), []string{"-shape", "cpu=1,memory=1Gi"}, 2, ""},
		{"too large for one shape of two", manifests(node, aPod("web", "{cpu: 2}", on("a"))), []string{"-shape", "cpu=1,memory=1Gi", "-shape", "a"}, 0, ""},
		{"shape of a node that is not in the input", node, []string{"-shape", "b"}, 1, "kubemath: -shape b: the input has no Node of this name\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, format := range []string{"text", "json"} {
				got := runWith(test.input, append([]string{"-f", "-", "-o", format}, test.args...)...)
				if got.Code != test.want || got.Stderr != test.stderr {
					t.Errorf("%s: exit code %d, want %d; stderr %q", format, got.Code, test.want, got.Stderr)
				}
			}
		})
	}
}

// The program rejects a file that is not a manifest immediately, and says what it is.
func TestBrokenInputs(t *testing.T) {
	whole := `{"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"}, "status": {"allocatable": {"cpu": "1"}}}`
	const nothing = "kubemath: the input has neither a Node nor a Pod\n"
	for _, test := range []struct{ name, input, want string }{
		{"Helm template", "apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ include \"web.fullname\" . }}\n", "kubemath: -: document 1: looks like a Helm template: render it first, with helm template\n" + nothing},
		{"Helm template with a condition", "{{- if .Values.web.enabled -}}\nkind: Pod\n{{- end }}\n", "kubemath: -: document 1: looks like a Helm template: render it first, with helm template\n" + nothing},
		{"values.yaml", "replicaCount: 2\nresources:\n  limits: {cpu: 1}\n", "kubemath: -: document 1: not a Kubernetes object: it has neither apiVersion nor kind\n" + nothing},
		{"empty", "\n---\n# nothing\n", nothing},
		{"JSON that is cut off", whole[:100], "kubemath: -: document 1: items[0]: invalid JSON: it ends inside an object or a list\n" + nothing},
		{"no JSON", "Error from server (Forbidden): nodes is forbidden", "kubemath: -: document 1: not a Kubernetes object: it has neither apiVersion nor kind\n" + nothing},
		{"table of kubectl", "NAME   STATUS   ROLES\na      Ready    <none>\n", "kubemath: -: document 1: not an object: want a mapping with apiVersion and kind\n" + nothing},
		{"absurd amounts", aNode("a", `{cpu: "1e999999999", memory: "1e-999999999"}`), "kubemath: -: document 1, line 1: Node a: status.allocatable[cpu]: \"1e999999999\" is out of range\n" +
			"kubemath: -: document 1, line 1: Node a: status.allocatable[memory]: \"1e-999999999\" is out of range\n" + nothing},
		{"many digits", aNode("a", `{cpu: "`+strings.Repeat("9", 1<<20)+`"}`), "kubemath: -: document 1, line 1: Node a: status.allocatable[cpu]: \"99999999999999999999\"... is out of range\n" + nothing},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := runWith(test.input, "-f", "-"); got.Code != 1 || got.Stdout != "" || got.Stderr != test.want {
				t.Errorf("exit code %d, stdout %q, stderr %q", got.Code, got.Stdout, got.Stderr)
			}
		})
	}
}

func TestFilesAndDirectories(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("nodes.yaml", manifests(aNode("a", "{cpu: 2, memory: 4Gi}"), aNode("b", "{cpu: 2, memory: 4Gi}")))
	write("list.json", `{"apiVersion": "v1", "kind": "PodList", "items": [{"metadata": {"name": "x"}, "spec": {"nodeName": "a", "containers": [{"name": "app"}]}}]}`)
	write("values.yaml", "replicas: 2\n")
	got := runWith(aPod("web", "{cpu: 2}", ""), "-f", dir, "-f", "-", "-o", "json")
	r := reportOf(t, got.Stdout)
	if got.Code != 0 || len(r.Nodes) != 2 || r.Nodes[0].Requests["pods"] != "1" || r.Pending[0].Node == "" {
		t.Errorf("exit code %d, %+v", got.Code, r)
	}
	if got := runWith("", "-f", filepath.Join(dir, "missing")); got.Code != 1 || !strings.HasSuffix(got.Stderr, "missing: no such file or directory\nkubemath: the input has neither a Node nor a Pod\n") {
		t.Errorf("exit code %d, stderr %q", got.Code, got.Stderr)
	}
}

func TestStdoutThatFails(t *testing.T) {
	closed, err := os.Open(os.DevNull) // not for writing
	if err != nil {
		t.Fatal(err)
	}
	defer closed.Close()
	var stderr strings.Builder
	if code := Run([]string{"-f", "-"}, strings.NewReader(aNode("a", "{cpu: 1}")), closed, &stderr); code != 3 || !strings.HasPrefix(stderr.String(), "kubemath: writing the output: ") {
		t.Errorf("exit code %d, stderr %q", code, &stderr)
	}
}

func reportOf(t *testing.T, text string) Report {
	t.Helper()
	var r Report
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatalf("output is not JSON: %v\n%s", err, text)
	}
	return r
}

// FuzzNodes runs the program on arbitrary input: it writes a report or an error, and its output is
// valid JSON and XML.
func FuzzNodes(f *testing.F) {
	names, err := fs.Glob(samples, "samples/*.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		data, err := samples.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	node := aNode("a", "{cpu: 9E, memory: 9E, pods: 0, nvidia.com/gpu: 1, hugepages-2Mi: 1Gi}")
	for _, input := range []string{
		manifests(node, aPod("web", "{cpu: 9E, memory: 9E, nvidia.com/gpu: 9E}", ""), aPod("db", "{cpu: 9E, memory: 9E}", on("a"))),
		manifests(node, aPod("web", "{cpu: -1, memory: -9E}", on("a")), aPod("db", "{memory: -9E}", "")),
		"apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Release.Name }}\n", "replicas: 2\n", `{"apiVersion": "v1", "kind": "List", "items": [{"api`,
		"{{- if .Values.nodes }}\n", "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]", strings.Repeat("[", 1000), "",
	} {
		f.Add(input)
	}
	f.Fuzz(func(t *testing.T, input string) {
		if len(input) > 8192 {
			return // too large to be fast
		}
		got := runWith(input, "-f", "-", "-o", "json", "-shape", "cpu=4,memory=16Gi", "-pods", "-containers", "-drain", "a")
		if got.Code < 0 || got.Code > 2 || (got.Stdout == "" && got.Stderr == "") {
			t.Errorf("exit code %d", got.Code)
		}
		if got.Stdout != "" && !json.Valid([]byte(got.Stdout)) {
			t.Errorf("not JSON:\n%s", got.Stdout)
		}
		if got := runWith(input, "-f", "-", "-pack"); got.Code < 0 || got.Code > 2 {
			t.Errorf("exit code %d", got.Code)
		}
	})
}

// The pod that a StatefulSet creates instead of an evicted one has its name.
func TestDrainStatefulSet(t *testing.T) {
	set := "---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: db, namespace: shop, uid: s}\nspec:\n  replicas: 1\n  selector: {matchLabels: {a: b}}\n" +
		"  template: {metadata: {labels: {a: b}}, spec: {containers: [{name: app, resources: {requests: {cpu: 1}}}]}}\n" +
		"---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: db-0\n  namespace: shop\n  labels: {a: b}\n" +
		"  ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: db, uid: s, controller: true}]\n" +
		"spec: {nodeName: a, containers: [{name: app, resources: {requests: {cpu: 1}}}]}\n"
	got := runWith(aNode("a", "{cpu: 1, pods: 5}")+"---\n"+aNode("b", "{cpu: 1, pods: 5}")+set, "-f", "-", "-drain", "a")
	want := "Draining a evicts 1 pod; of those that are created instead, 0 wait:\n  shop/db-0 on b\n"
	if !strings.Contains(got.Stdout, want) {
		t.Errorf("%s%s", got.Stdout, got.Stderr)
	}
}
