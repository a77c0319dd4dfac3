package objects_test

import (
	"iter"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/internal/golden"
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

// A caller may stop early, in files and in a list.
func TestBreak(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.yaml"), pod+"---\n"+pod)
	write(t, filepath.Join(dir, "b.yaml"), pod)
	var list strings.Builder
	golden.WritePods(&list, 500)
	for name, all := range map[string]iter.Seq[objects.Object]{
		"files": readAll([]string{dir, dir}, kinds, nil), "list": readAll([]string{"-"}, kinds, strings.NewReader(list.String())),
	} {
		n := 0
		for range all {
			if n++; n == 3 {
				break
			}
		}
		if n != 3 {
			t.Errorf("%s: %d objects", name, n)
		}
	}
}
