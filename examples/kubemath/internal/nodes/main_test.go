package nodes

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/terminal"
	"github.com/kubemath/kubemath/internal/golden"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

type result = golden.Result

func runWith(stdin string, args ...string) result { return golden.Run(Run, stdin, args...) }

func TestGolden(t *testing.T) {
	golden.Outputs(t, Run, "testdata", 2, map[string][]string{"samples.txt": nil})
}

// Lines are as wide as the screen, if the names are not longer. The three amounts of a resource are together if there is room.
func TestWidths(t *testing.T) {
	l := inventory.List{Check: checked}
	l.Read(objects.Reader{Kinds: inventory.Kinds}.FS(samples))
	c, err := clusterOf(&l, whatif.Options{})
	testkit.OK(t, err)
	o := options{pods: true, containers: true, pack: true, drain: "worker-1"}
	r := c.report(&o, nil)
	for _, columns := range []int{200, 100, 80, 60, 40} {
		if columns == 60 {
			o.pods, o.containers = false, false
			r = c.report(&o, nil)
		}
		s := &command.Session{Text: &terminal.Text{Columns: columns}}
		o.write(s, &r)
		for line := range strings.Lines(s.String()) {
			if n := utf8.RuneCountInString(line) - 1; n > columns {
				t.Errorf("%d columns, want %d: %s", n, columns, line)
			}
			if heads := strings.Fields(line); columns >= 60 && len(heads) > 0 && heads[0] == "node" && len(heads)%3 != 1 {
				t.Errorf("%d columns: the amounts of a resource are apart: %s", columns, line)
			}
		}
	}
}

func TestMissingUsage(t *testing.T) {
	got := runWith(aNode("a", "{cpu: 1}"), "-f", "-", "-usage", "missing.txt", "-drain", "b")
	if want := "kubemath: -usage: open missing.txt: no such file or directory\nkubemath: -drain b: the input has no Node of this name\n"; got.Code != 1 || got.Stderr != want {
		t.Errorf("exit code %d, stderr %q", got.Code, got.Stderr)
	}
}

func TestArguments(t *testing.T) {
	const noRows = "-drain, -pack and -shape have no rows: -o wide, csv and name, -sort-by and -no-headers cannot be given"
	for _, test := range []struct {
		name   string
		args   []string
		code   int
		stderr string // its first line
	}{
		{"unknown format", []string{"-o", "yml"}, 1, `invalid value "yml" for flag -o: none of text, wide, json, yaml, csv, name: did you mean yaml?`},
		{"rows of a drain", []string{"-drain", "a", "-o", "csv"}, 1, "kubemath: " + noRows},
		{"rows of what is packed", []string{"-pack", "-no-headers"}, 1, "kubemath: " + noRows},
		{"rows of a shape", []string{"-shape", "a", "-o", "name"}, 1, "kubemath: " + noRows},
		{"groups of the nodes of a namespace", []string{"-group-by", "a", "-n", "b"}, 1, "kubemath: -group-by and -pods, or what shows some pods, cannot be given together"},
		{"no shape", []string{"-shape", ""}, 1, `invalid value "" for flag -shape: want the name of a node, or amounts such as cpu=4,memory=16Gi`},
		{"shape without memory", []string{"-shape", "cpu=4"}, 1, `invalid value "cpu=4" for flag -shape: without cpu and memory, no pods fit: want amounts such as cpu=4,memory=16Gi,pods=110`},
		{"shape with what is no quantity", []string{"-shape", "cpu=4,memory=16GB"}, 1, `invalid value "cpu=4,memory=16GB" for flag -shape: "16GB" is not a quantity such as 500m or 2Gi`},
		{"shape with an absurd amount", []string{"-shape", "cpu=1e999999999,memory=1"}, 1, `invalid value "cpu=1e999999999,memory=1" for flag -shape: "1e999999999" is out of range`},
		{"shape below zero", []string{"-shape", "cpu=-4,memory=1"}, 1, `invalid value "cpu=-4,memory=1" for flag -shape: "cpu=-4" is no amount that the scheduler counts, such as cpu=4, memory=16Gi or nvidia.com/gpu=1`},
		{"shape with a typo", []string{"-shape", "cpu=4,mem=1Gi"}, 1, `invalid value "cpu=4,mem=1Gi" for flag -shape: "mem=1Gi" is no amount that the scheduler counts, such as cpu=4, memory=16Gi or nvidia.com/gpu=1`},
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
		{"a node that says its capacity only", manifests(strings.Replace(node, "allocatable", "capacity", 1), aPod("web", "{cpu: 2}", "")), nil, 0, ""},
		{"a pod on a node that is not in the input", aPod("web", "{cpu: 1}", on("b")), nil, 0, ""},
		{"nothing", "", nil, 1, "kubemath: -: cannot read: empty input\nkubemath: the input has neither a Node nor a Pod\n"},
		{"nothing but a comment", "# nothing", nil, 1, "kubemath: the input has neither a Node nor a Pod\n"},
		{"others", "apiVersion: v1\nkind: Event\n---\napiVersion: v1\nkind: Endpoints\n---\napiVersion: v1\nkind: Event\n", nil, 1,
			"kubemath: skipped, because nothing is computed from them: 1 Endpoints of v1, 2 Event of v1\nkubemath: the input has neither a Node nor a Pod\n"},
		{"unreadable", manifests(node, "a: [\n"), nil, 1, "kubemath: -: document 2: invalid YAML: line 7: did not find expected node content\n"},
		{"unreadable, and one does not fit", manifests(node, "a: [\n", aPod("web", "{cpu: 3}", "")), nil, 2, "kubemath: -: document 2: invalid YAML: line 7: did not find expected node content\n"},
		{"Pod without a name", manifests(node, "apiVersion: v1\nkind: Pod\n"), nil, 2, "kubemath: -: document 2: Pod: metadata.name: missing\n"},
		{"Pod without containers", manifests(node, "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n"), nil, 2, "kubemath: -: document 2: Pod web: spec.containers: Required value\n"},
		{"Node without a name", manifests("apiVersion: v1\nkind: Node\nstatus: {capacity: {cpu: 1}}\n", node), nil, 2, "kubemath: -: document 1: Node: metadata.name: missing\n"},
		{"Node without amounts", manifests("apiVersion: v1\nkind: Node\nmetadata: {name: b}\n", node), nil, 0, ""},
		{"Node with a negative amount", manifests(aNode("b", "{cpu: -1}"), node), nil, 1, "kubemath: -: document 1, line 1: Node b: status.allocatable[cpu]: -1 is negative\n"},
		{"packed", manifests(node, aPod("web", "{cpu: 2}", on("a"))), []string{"-shape", "cpu=2,memory=1Gi"}, 0, ""},
		{"packed on the last of two amounts", manifests(node, aPod("web", "{cpu: 2}", on("a"))), []string{"-shape", "cpu=1,memory=1Gi,cpu=2"}, 0, ""},
		{"too large for all shapes", manifests(node, aPod("web", "{cpu: 2}", on("a"))), []string{"-shape", "cpu=1,memory=1Gi"}, 2, ""},
		{"too large for one shape of two", manifests(node, aPod("web", "{cpu: 2}", on("a"))), []string{"-shape", "cpu=1,memory=1Gi", "-shape", "a"}, 0, ""},
		{"pods of one namespace, each too large for one shape of two", manifests(node, aPod("web", "{cpu: 2}", on("a")), aPod("db", "{memory: 2Gi}", on("a"))), []string{"-shape", "cpu=1,memory=4Gi", "-shape", "cpu=4,memory=1Gi"}, 0, ""},
		{"pods of one name, each too large for one shape of two", manifests(node, aPod("web", "{cpu: 2}", on("a")), strings.Replace(aPod("web", "{memory: 2Gi}", on("a")), "shop", "db", 1)), []string{"-shape", "cpu=1,memory=4Gi", "-shape", "cpu=4,memory=1Gi"}, 0, ""},
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

func reportOf(t *testing.T, text string) Report {
	t.Helper()
	var r Report
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatalf("output is not JSON: %v\n%s", err, text)
	}
	return r
}
