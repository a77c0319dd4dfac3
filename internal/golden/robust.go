package golden

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"k8s.io/apimachinery/pkg/util/yaml"
)

// Robust fails the test unless a program survives what no user should write: a file that is no manifest takes
// nothing from the report on the others, a panic has an exit code of its own, and no text of the input reaches a
// terminal with control characters, with any of the given lists of arguments. A manifest is written with a number as
// its only format argument.
func Robust(t *testing.T, program Program, manifest string, files []string, args ...[]string) {
	t.Helper()
	t.Run("one of many", func(t *testing.T) { oneOfMany(t, program, manifest) })
	t.Run("panics", func(t *testing.T) { panics(t, program) })
	t.Run("terminal", func(t *testing.T) { terminal(t, program, files, args...) })
}

// oneOfMany fails the test unless a program that reads a directory of a hundred manifests reports the same with
// one more file, which is no manifest: it only adds a line about that file, and what the answer says about it.
func oneOfMany(t *testing.T, program Program, manifest string) {
	t.Helper()
	dir := t.TempDir()
	for i := range 100 {
		write(t, filepath.Join(dir, fmt.Sprintf("%03d.yaml", i)), fmt.Sprintf(manifest, i))
	}
	want := Run(program, "", "-f", dir)
	file := filepath.Join(dir, "050-large.yaml")
	for _, large := range []Input{
		{"template", "{{- range .Values.apps }}\n" + strings.Repeat("  image: {{ .image }}\n", 8000) + "{{- end }}\n"},
		{"braces", "{ apps: [\n" + strings.Repeat("  {name: web, image: web:v1.2.3},\n", 4000) + "  a: b: c\n"},
		{"text", "{" + strings.Repeat("not JSON, and not YAML: either\n", 8000)},
	} {
		t.Run(large.Name, func(t *testing.T) {
			write(t, file, large.Text)
			got := Run(program, "", "-f", dir)
			said := strings.SplitAfter(got.Stderr, "\n")
			about := func(line string) bool { return strings.Contains(line, file+": ") }
			if n := len(said); !slices.ContainsFunc(said, about) || strings.Join(slices.DeleteFunc(said, about), "") != want.Stderr || n != 1+strings.Count(want.Stderr, "\n")+1 {
				t.Errorf("wrote to the standard error:\n%s\nwithout the file:\n%s", got.Stderr, want.Stderr)
			}
			if ofInput.ReplaceAllString(got.Stdout, "") != want.Stdout || want.Stdout == "" || got.Code != max(want.Code, 1) || want.Code == 1 {
				t.Errorf("exit code %d, without the file %d, wrote:\n%s\nwithout the file:\n%s", got.Code, want.Code, got.Stdout, want.Stdout)
			}
		})
	}
}

// ofInput matches what an answer itself may say about a file that is no manifest.
var ofInput = regexp.MustCompile(`(?m)Fails: 1 problem of the input\. |^Problems of the input\n(?:  .*\n)+\n`)

func write(t testing.TB, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// panics fails the test unless a program survives a panic while it reads, and one while it writes: it says so, and
// its exit code is not that of a verdict.
func panics(t *testing.T, program Program) {
	t.Helper()
	var stdout, stderr strings.Builder
	code := program([]string{"-f", "-"}, broken{}, &stdout, &stderr)
	if code != 3 || !strings.Contains(stderr.String(), ": -: internal error in ") {
		t.Errorf("reading: exit code %d, wrote %q and %q", code, &stdout, &stderr)
	}
	stderr.Reset()
	code = program(nil, strings.NewReader(""), broken{}, &stderr)
	if code != 3 || !strings.Contains(stderr.String(), ": internal error in ") {
		t.Errorf("writing: exit code %d, wrote %q", code, &stderr)
	}
}

// broken is a file that panics.
type broken struct{}

func (broken) Read([]byte) (int, error)  { panic("broken") }
func (broken) Write([]byte) (int, error) { panic("broken") }

var _ io.ReadWriter = broken{}

// hostile has what could control a terminal: an escape sequence, a return, a bell, a delete, C1 controls, characters
// that reverse the direction of text or are invisible, and a line separator.
const hostile = "\x1b[31m\r\a\x7f\u009b2J\u0085\u202e\u2066\u200b\u2028"

// terminal fails the test if a program that reads manifests writes characters that could control a terminal, with
// any of the given lists of arguments. It appends them to each text and each key of each file, one at a time, but once
// only for what is at the same place of another object of the kind, or of another element of a list.
func terminal(t *testing.T, program Program, files []string, args ...[]string) {
	t.Helper()
	runs, escaped := 0, 0
	seen := map[string]bool{}
	for _, file := range files {
		documents := documentsOf(t, file)
		run := func(where string) {
			if seen[where] {
				return
			}
			seen[where] = true
			input, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": documents})
			if err != nil {
				t.Fatal(err)
			}
			for _, list := range args {
				got := Run(program, string(input), append([]string{"-f", "-"}, list...)...)
				runs++
				if all := got.Stdout + got.Stderr; strings.ContainsFunc(all, controlling) {
					t.Errorf("%s, %s, %q: wrote %q", file, where, list, all)
				} else if strings.Contains(all, `\u202e`) {
					escaped++
				}
			}
		}
		for _, tree := range documents {
			mutate(tree, kindOf(tree), run)
		}
	}
	if escaped*10 < runs {
		t.Errorf("only %d of %d runs write what they read", escaped, runs)
	}
}

// documentsOf returns the documents of a file, without types.
func documentsOf(t testing.TB, file string) (documents []any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for document := range strings.SplitSeq(string(text), "\n---\n") {
		var tree any
		if err := yaml.Unmarshal([]byte(document), &tree); err != nil {
			t.Fatal(err)
		}
		if tree != nil {
			documents = append(documents, tree)
		}
	}
	return documents
}

// Files returns the names of the files that match a pattern.
func Files(t testing.TB, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatal(pattern, err)
	}
	return names
}

func controlling(r rune) bool {
	return r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// kindOf returns the kind of an object, or "".
func kindOf(tree any) string {
	fields, _ := tree.(map[string]any)
	kind, _ := fields["kind"].(string)
	return kind
}

// mutate appends the hostile characters to each text and each key of a tree, calls a function with the place, and undoes
// it. The elements of a list are one place.
func mutate(tree any, where string, changed func(where string)) {
	switch tree := tree.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(tree)) {
			value, at := tree[key], where+"."+key
			if text, isText := value.(string); isText {
				tree[key] = text + hostile
				changed(at)
				tree[key] = value
			}
			mutate(value, at, changed)
			delete(tree, key)
			tree[key+hostile] = value
			changed("key " + at)
			delete(tree, key+hostile)
			tree[key] = value
		}
	case []any:
		for i, value := range tree {
			at := where + "[]"
			if text, isText := value.(string); isText {
				tree[i] = text + hostile
				changed(at)
				tree[i] = value
			}
			mutate(value, at, changed)
		}
	}
}
