package objects_test

import (
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/internal/testkit"
)

// Text that begins with a brace and is not JSON is more than the reader has read when it finds out.
func TestLargeTextInBraces(t *testing.T) {
	const template = "-: document 1: looks like a Helm template: render it first, with helm template"
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"template", "{{- range .Values.apps }}\n" + strings.Repeat("  image: {{ .image }}\n", 8000) + "{{- end }}\n", []string{"-", template}},
		{"flow YAML", "{apiVersion: v1, kind: Pod, metadata: {name: a, annotations: {a: " + strings.Repeat("x", 1<<17) + "}}, spec: {containers: [{name: app}]}}\n", []string{"-", "-"}},
		{"neither", "{" + strings.Repeat("a: b: c\n", 1<<14), []string{"-", "-: document 1: invalid YAML: did not find expected ',' or '}'"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := test.text + "---\n" + pod
			for name, from := range map[string]io.Reader{"at once": strings.NewReader(text), "byte by byte": iotest.OneByteReader(strings.NewReader(text))} {
				testkit.NoDiff(t, lines(readAll([]string{"-"}, kinds, from)), test.want, name)
			}
		})
	}
}

// bomb is a Pod that cannot be decoded without a panic, if its name says so.
type bomb struct{ corev1.Pod }

func (b *bomb) UnmarshalJSON(text []byte) error {
	if strings.Contains(string(text), "bomb") {
		panic("boom")
	}
	b.Name = "read"
	return nil
}

var bombs = objects.Kinds{{"v1", "Pod"}: reflect.TypeFor[bomb]()}

// A panic is a problem of the object at hand, and all others are read.
func TestPanicWhileDecoding(t *testing.T) {
	item := func(name string) string {
		return `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "` + name + `"}}`
	}
	list := `{"apiVersion": "v1", "kind": "List", "items": [` + item("a") + ", " + item("bomb") + ", " + item("b") + "]}"
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"documents of YAML", item("a") + "\n---\nkind: Pod\napiVersion: v1\nmetadata: {name: bomb}\n---\n" + item("b"), []string{"document 1", "document 2: line 3: Pod bomb", "document 3"}},
		{"objects of JSON", item("a") + item("bomb") + item("b"), []string{"document 1", "document 2: line 1: Pod bomb", "document 3"}},
		{"list of JSON", list, []string{"items[0]", "items[1]: line 1: Pod bomb", "items[2]"}},
		{"list of YAML", "kind: List\napiVersion: v1\nitems:\n- " + item("a") + "\n- " + item("bomb") + "\n- " + item("b") + "\n", []string{"items[0]", "items[1]: line 5: Pod bomb", "items[2]"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for o := range readAll([]string{"-"}, bombs, strings.NewReader(test.text)) {
				at := o.Source.Item
				if at == "" {
					at = fmt.Sprintf("document %d", o.Source.Document)
				}
				for _, p := range o.Problems {
					if p.Grade != objects.Failed || p.Code() != command.Failed || !strings.Contains(p.Text, "boom") || !strings.Contains(p.String(), fmt.Sprintf(", line %d: ", p.Begins())) {
						t.Errorf("%+v", p)
					}
					at += fmt.Sprintf(": line %d: %s", p.Begins(), p.Named)
				}
				got = append(got, at)
			}
			testkit.NoDiff(t, got, test.want)
		})
	}
}

// A file that cannot be read without a panic takes nothing from the files behind it.
func TestPanicWhileReading(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.yaml"), pod)
	var got []string
	for _, line := range lines(readAll([]string{"-", dir}, kinds, nil)) { // there is no standard input
		before, _, _ := strings.Cut(line, ", please report it")
		got = append(got, before)
	}
	if len(got) != 2 || got[0] != filepath.Join(dir, "a.yaml") || !strings.HasPrefix(got[1], "-: internal error in ") {
		t.Errorf("%q", got)
	}
}

// A panic of the caller is not a problem of the input.
func TestPanicOfTheCaller(t *testing.T) {
	for _, text := range []string{pod, strings.Repeat(pod+"---\n", 200)} { // at the end, or while the file is read
		err := command.Recovered(func() {
			for range readAll([]string{"-"}, kinds, strings.NewReader(text)) {
				panic("mine")
			}
		})
		if err == nil || !strings.HasSuffix(err.Error(), ": mine") {
			t.Error(err)
		}
	}
}
