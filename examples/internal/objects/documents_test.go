package objects_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/kubemath/kubemath/examples/internal/objects"
)

func TestDocuments(t *testing.T) {
	tree := func(n string) map[string]any { return map[string]any{"a": json.Number(n)} }
	const notJSON = "invalid JSON: invalid character 'x' looking for beginning of value"
	for _, test := range []struct {
		name, input string
		want        []any // trees, and texts of errors as errors
		lines       []int // where each begins, or is broken
	}{
		{"nothing but a comment", "# nothing", nil, nil},
		{"comments", "# nothing\n", nil, nil},
		{"numbers as they are written", "a: 1\n---\n{\"a\": 1.50}\n", []any{tree("1"), tree("1.50")}, []int{1, 3}},
		{"empty documents", "---\n---\na: 1\n--- # nothing\n", []any{nil, tree("1"), nil}, []int{0, 3, 0}},
		{"null", "null\n", []any{nil}, []int{1}},
		{"objects of JSON", `{"a": 1} {"a": 2}` + "\n---\n" + `{"a": 3}`, []any{tree("1"), tree("2"), tree("3")}, []int{1, 1, 3}},
		{"the last of two keys of JSON", `{"a": 1, "a": 2}`, []any{tree("2")}, []int{1}},
		{"braces of YAML", "{a: 1}\n", []any{tree("1")}, []int{1}},
		{"list and text", "- a\n---\na\n", []any{[]any{"a"}, "a"}, []int{1, 3}},
		{"items stay within their list", "kind: List\napiVersion: v1\nitems:\n- a: 1\n", []any{
			map[string]any{"kind": "List", "apiVersion": "v1", "items": []any{tree("1")}}}, []int{1}},
		{"long text", strings.Repeat("a ", 1<<16), []any{strings.Repeat("a ", 1<<16)}, []int{0}},
		{"broken YAML leaves the next", "a: [\n---\na: 1\n", []any{errors.New("invalid YAML: line 1: did not find expected node content"), tree("1")}, []int{1, 3}},
		{"broken JSON leaves what is before it", `{"a": 1} {"a": x}`, []any{tree("1"), errors.New(notJSON)}, []int{1, 1}},
		{"template", "a: 1\nb: {{ .b }}\n", []any{errors.New("looks like a Helm template: render it first, with helm template")}, []int{2}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var want, got []objects.Document
			for i, w := range test.want {
				doc := objects.Document{File: "-", Number: i + 1, Line: test.lines[i], Tree: w}
				if err, isError := w.(error); isError {
					doc.Tree, doc.Err = nil, err
				}
				want = append(want, doc)
			}
			for doc := range objects.Documents([]string{"-"}, strings.NewReader(test.input)) {
				got = append(got, doc)
			}
			if diff := cmp.Diff(want, got, sameText); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

var sameText = cmp.Comparer(func(a, b error) bool { return fmt.Sprint(a) == fmt.Sprint(b) })

// Documents of a directory are marked as found there, and others are not.
func TestDocumentsAreFound(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "list.yaml")
	write(t, file, "- a\n")
	missing := filepath.Join(dir, "missing.yaml")
	var got []string
	for doc := range objects.Documents([]string{dir, file, missing}, nil) {
		got = append(got, fmt.Sprintln(doc.File, doc.Number, doc.Found, doc.IsOther(), doc.Err))
	}
	want := []string{
		fmt.Sprintln(file, 1, true, true, nil),
		fmt.Sprintln(file, 1, false, false, nil),
		fmt.Sprintln(missing, 0, false, false, "no such file or directory"),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A caller may stop at any document.
func TestBreakOfDocuments(t *testing.T) {
	files := fstest.MapFS{"a.yaml": {Data: []byte("a: [\n---\na: 1\n---\n{} {}\n")}, "b.yaml": {Data: []byte("a: 1\n")}}
	for stop := 1; stop <= 5; stop++ {
		n := 0
		for range objects.DocumentsFS(files) {
			if n++; n == stop {
				break
			}
		}
		if n != stop {
			t.Errorf("%d documents, want %d", n, stop)
		}
	}
}

// In a directory, a list or text is not a manifest, and not an error.
func TestListInADirectory(t *testing.T) {
	files := fstest.MapFS{"a.yaml": {Data: []byte("- a\n---\ntext\n---\n# nothing\n")}}
	const skipped = ": skipped: not a Kubernetes object: it has neither apiVersion nor kind"
	want := []string{"a.yaml: document 1" + skipped, "a.yaml: document 2" + skipped}
	if diff := cmp.Diff(want, lines(objects.ReadFS(files, kinds))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
