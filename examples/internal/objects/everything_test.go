package objects_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/internal/golden"
	"github.com/kubemath/kubemath/quota/admit"
)

// What is read of files with everything: places, identities and problems, with each check.
func TestEverything(t *testing.T) {
	golden.Variants(t, everything, "testdata/everything.txt",
		"cluster.yaml",
		"cluster.yaml warn",
		"cluster.yaml strict matters",
		"change.yaml",
		"change.yaml warn matters",
		"workloads.yaml warn",
		"tekton.yaml matters",
		"pool.yaml",
		"top-nodes.txt",
		"files warn matters",
		"files strict",
		"files cached matters",
		"files/list.yaml matters",
		"files/sub/notes.txt",
	)
}

// written are a folder with what people keep beside manifests, and with objects in other forms.
var written = map[string]string{
	"UPPER.YAML":       podNamed("upper-case"),
	"crlf.yaml":        strings.ReplaceAll(podNamed("first")+"---\n"+podNamed("second"), "\n", "\r\n"),
	"sub/notes.txt":    "neither: [",
	"sub/deep.yml":     podNamed("in-a-folder"),
	".hidden/pod.yaml": podNamed("in-a-hidden-folder"),
	".hidden.yaml":     podNamed("hidden"),
	"twice.yaml":       podNamed("twice") + "---\n" + podNamed("twice"),
	"twice-too.yaml":   podNamed("twice") + "---\n" + podNamed("first"),
	"keys.yaml":        "kind: Pod\n" + podNamed("duplicate-keys"),
	"names.yaml":       "apiVersion: v1\nkind: Pod\nmetadata: {" + strings.ReplaceAll("name: \"a.b-\", generateName: web-|generateName: web-|generateName: \"web.\"|name: a, generateName: \"-_\"|generateName: -web}\nspec: {containers: [{name: a}]}\n", "|", "}\nspec: {containers: [{name: a}]}\n---\napiVersion: v1\nkind: Pod\nmetadata: {"),
	"old.yaml": "apiVersion: extensions/v1beta1\nkind: Deployment\nmetadata: {name: gone}\n---\napiVersion: batch/v1beta1\nkind: CronJob\nmetadata: {name: gone-too}\n---\n" +
		"apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: gone-as-well}\n---\napiVersion: autoscaling/v2beta2\nkind: HorizontalPodAutoscaler\nmetadata: {name: gone}\n---\n" +
		"apiVersion: extensions/v1beta1\nkind: IngressList\nitems: []\n---\napiVersion: example.com/v1\nkind: WidgetList\nitems: [{metadata: {name: a}}, {metadata: {name: b}}]\n",
	"list.yaml": `{"apiVersion": "v1", "kind": "List", "kind": "List", "items": [{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a"}}, ` +
		`{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "b"}, "spec": {"template": {"spec": {"containers": [{"name": "a"}]}}}}, ` +
		`{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "c"}, "spec": {"template": {"spec": {"containers": []}}}}, ` +
		`{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "of-a-list"}, "spec": {"containers": [{"name": "a"}]}}]}`,
}

func podNamed(name string) string {
	return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + name + "}\nspec: {containers: [{name: a, resources: {requests: {cpu: 100m, memory: 512m}}}]}\n"
}

// everything is a program: a file or directory, and then what the reader is to do.
func everything(args []string, _ io.Reader, stdout, _ io.Writer) int {
	r := objects.Reader{Kinds: inventory.Kinds}
	for name, text := range written {
		if err := os.MkdirAll(filepath.Dir(filepath.Join("files", name)), 0o700); err != nil {
			fmt.Fprintln(stdout, err)
		}
		if err := os.WriteFile(filepath.Join("files", name), []byte(text), 0o600); err != nil {
			fmt.Fprintln(stdout, err)
		}
	}
	for _, arg := range args[1:] {
		switch arg {
		case "warn":
			r.Check = objects.Checked(false)
		case "strict":
			r.Check = objects.Checked(true)
		case "matters":
			r.Matters = true
		case "cached":
			r.Cache = kept{}
			for range r.Files(args[:1]) { // which fills it
			}
		}
	}
	var all []objects.Problem
	for o := range r.Files(args[:1]) {
		text := fmt.Sprintf("%v | %v, line %d, turn %d | %s %s %+q", o.Place, o.Source, o.Line, o.Turn, o.APIVersion, o.Kind, o.Identity)
		if object, is := o.Typed.(admit.APIObject); is {
			text += fmt.Sprintf(" | read, %q", objects.RejectedName(object))
		}
		fmt.Fprintf(stdout, "%s | unknown: %t, matters: %t\n", text, o.Unknown(), o.Matters())
		for _, p := range o.Problems {
			fmt.Fprintf(stdout, "  %v | %s | line %d | exit code %d, lacks: %t, strict: %t\n", p, p.Message(), p.Begins(), p.Code(), p.Lacks(), p.Strict)
		}
		all = append(all, o.Problems...)
	}
	if n, all := len(all), objects.Condensed(all); len(all) != n {
		fmt.Fprintln(stdout, "condensed:", all)
	}
	return 0
}

// kept is a cache that keeps what it stores.
type kept map[string]json.RawMessage

func (c kept) Load(text string) (json.RawMessage, bool) { raw, found := c[text]; return raw, found }
func (c kept) Store(text string, raw json.RawMessage)   { c[text] = raw }
