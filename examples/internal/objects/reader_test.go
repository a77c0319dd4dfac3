package objects_test

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/objects"
)

// Files that are not manifests are reported with advice.
func TestWhatIsNoManifest(t *testing.T) {
	const template = "looks like a Helm template: render it first, with helm template"
	for _, test := range []struct{ name, input, want string }{
		{"template of YAML", "apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Release.Name }}-web\n", "-: document 1: " + template},
		{"template that begins with a condition", "{{- if .Values.enabled }}\napiVersion: v1\nkind: Pod\n{{- end }}\n", "-: document 1: " + template},
		{"values", "replicas: 2\nresources: {limits: {cpu: 1}}\n", "-: document 1: not a Kubernetes object: it has neither apiVersion nor kind"},
		{"JSON that is cut off", `{"apiVersion": "v1", "kind": "Pod", "meta`, "-: document 1: invalid JSON: it ends inside an object or a list"},
		{"nothing", "", "-: cannot read: empty input"},
		{"nothing but space", "\uFEFF \r\n\n\t", "-: cannot read: empty input"},
		{"nothing but a comment", "# Source: web.yaml\n", ""},
		{"a kind that is not asked for", "apiVersion: v1\nkind: Service\n", "-: document 1: Service: skipped: Service of v1 is not a kind that is reported"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := strings.Join(lines(readAll([]string{"-"}, kinds, strings.NewReader(test.input))), "\n"); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

// In a directory, files without objects are skipped: a chart has values beside its manifests.
func TestDirectoryOfMore(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "pod.yaml"), pod)
	write(t, filepath.Join(dir, "values.yaml"), "replicas: 2\n")
	want := []string{
		filepath.Join(dir, "pod.yaml"),
		filepath.Join(dir, "values.yaml") + ": document 1: skipped: not a Kubernetes object: it has neither apiVersion nor kind",
	}
	if diff := cmp.Diff(want, lines(readAll([]string{dir}, kinds, nil))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Lists of a kind have items that do not say what they are, as the API server returns them.
func TestLists(t *testing.T) {
	const item = `{"metadata": {"name": "web"}, "spec": {"containers": [{"name": "app"}]}}`
	for _, test := range []struct {
		name, input string
		want        []string
	}{
		{"PodList", `{"apiVersion": "v1", "kind": "PodList", "items": [` + item + ", " + item + "]}", []string{"items[0]", "items[1]"}},
		{"List of a PodList", `{"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "PodList", "items": [` + item + "]}]}", []string{"items[0].items[0]"}},
		{"list of a kind that is not asked for", `{"apiVersion": "v1", "kind": "NodeList", "items": [` + item + "]}", nil},
		{"PodList without items", `{"apiVersion": "v1", "kind": "PodList"}`, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for o := range readAll([]string{"-"}, kinds, strings.NewReader(test.input)) {
				if o.Typed != nil {
					got = append(got, o.Source.Item)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A caller may stop early.
func TestBreak(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.yaml"), pod+"---\n"+pod)
	write(t, filepath.Join(dir, "b.yaml"), pod)
	n := 0
	for range readAll([]string{dir, dir}, kinds, nil) {
		if n++; n == 1 {
			break
		}
	}
	if n != 1 {
		t.Errorf("%d objects", n)
	}
}

// Of two kinds, the last one counts, as for kubectl.
func TestKindTwice(t *testing.T) {
	text := `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "kind": "Service"}`
	for o := range (objects.Reader{Kinds: objects.Kinds{{"v1", "Pod"}: reflect.TypeFor[corev1.Pod](), {"v1", "Service"}: reflect.TypeFor[corev1.Service]()}}).File("a.json", strings.NewReader(text)) {
		if _, is := o.Typed.(*corev1.Service); !is || o.Kind != "Service" {
			t.Errorf("%s, %T", o.Kind, o.Typed)
		}
	}
}
