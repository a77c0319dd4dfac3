package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	got, err := parse(`# a comment
fault: limits are requests
file: a/b.go
 	case Limits:
-		return limits
+		return requests

fault: nothing is returned
file: a/c.go
tests: a d/e
race: true
-	return 1
+
`)
	if err != nil {
		t.Fatal(err)
	}
	want := []fault{
		{
			name: "limits are requests", file: "a/b.go", tests: []string{"a"},
			before: "\tcase Limits:\n\t\treturn limits\n", after: "\tcase Limits:\n\t\treturn requests\n",
		},
		{name: "nothing is returned", file: "a/c.go", tests: []string{"a", "d/e"}, race: true, before: "\treturn 1\n", after: "\n"},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(fault{})); diff != "" {
		t.Error(diff)
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"x":                       "line 1: want",
		"fault: a\n-x\n+y":        "names no file",
		"fault: a\nfile: f\n x":   "changes nothing",
		"fault: a\nfile: f\n+x":   "neither context nor removed",
		"fault: a\nfile: f\nx: y": "line 3: want",
	} {
		if _, err := parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("parse(%q) = %v, want %q in it", text, err, want)
		}
	}
}

// A fault that is edited into a module that a test holds, and into one that none does. The test that
// needs more draws than a few fails without a fault as well, and tells nothing then.
func TestPlant(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":      "module m\n\ngo 1.25\n",
		"m.go":        "package m\n\nfunc F() int {\n\treturn 1\n}\n\nfunc G() int {\n\treturn 2\n}\n",
		"m_test.go":   "package m\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestF(t *testing.T) {\n\tif F() != 1 {\n\t\tt.Fail()\n\t}\n}\n\nfunc TestMore(t *testing.T) {\n\tif os.Getenv(\"RAPID_CHECKS\") != \"\" {\n\t\tt.Fail()\n\t}\n}\n",
		"other/o.txt": "",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		before, after string
		want          outcome
	}{
		{"\treturn 1\n", "\treturn 3\n", noticed},
		{"\treturn 2\n", "\treturn 3\n", survived},
		{"\treturn 2\n", "\treturn x\n", broken},
		{"\treturn 4\n", "\treturn 3\n", broken},
		{"\treturn ", "\treturn 1 + ", broken}, // twice
	} {
		f := fault{name: "f", file: "m.go", tests: []string{"."}, before: test.before, after: test.after}
		got, err := plant(root, &f)
		if got != test.want || (err != nil) != (test.want == broken) {
			t.Errorf("%q in the place of %q: %s (%v), want %s", test.after, test.before, got, err, test.want)
		}
	}
}

// Every edit applies to the current code.
func TestFaultsApply(t *testing.T) {
	faults, err := load("planted")
	if err != nil {
		t.Fatal(err)
	}
	if len(faults) == 0 {
		t.Fatal("there are no faults")
	}
	for _, f := range faults {
		text, err := os.ReadFile(filepath.Join("../../..", filepath.FromSlash(f.file)))
		if err != nil {
			t.Error(err)
			continue
		}
		if _, err := f.apply(string(text)); err != nil {
			t.Error(err)
		}
	}
}
