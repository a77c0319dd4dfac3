package arch_test

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// documented is the documentation of a package, with the Examples of its tests.
type documented struct {
	path string // below the module
	*doc.Package
}

// undocumented returns the exports of a package without a comment, and the Examples whose output is not
// checked.
func undocumented(p documented) (found []string) {
	add := func(name, format string, args ...any) {
		found = append(found, fmt.Sprintf("%s: documentation: %s %s", p.path, name, fmt.Sprintf(format, args...)))
	}
	if p.Doc == "" {
		add("package", "has no comment")
	}
	function := func(name string, f *doc.Func) {
		if f.Doc == "" {
			add(name, "has no comment")
		}
		examples(name, f.Examples, add)
	}
	examples("package", p.Examples, add)
	values(p.Consts, p.Doc, add)
	values(p.Vars, p.Doc, add)
	for _, f := range p.Funcs {
		function(f.Name, f)
	}
	for _, t := range p.Types {
		if t.Doc == "" {
			add(t.Name, "has no comment")
		}
		values(t.Consts, t.Doc, add)
		values(t.Vars, t.Doc, add)
		for _, f := range t.Funcs {
			function(f.Name, f)
		}
		for _, m := range t.Methods {
			function(t.Name+"."+m.Name, m)
		}
		examples(t.Name, t.Examples, add)
	}
	return sorted(found)
}

func examples(name string, all []*doc.Example, add func(name, format string, args ...any)) {
	for _, e := range all {
		if e.Output == "" && !e.EmptyOutput {
			add(name, "has an Example without checked output")
		}
	}
}

// values finds constants and variables without a comment: of their own, of their group,
// or, for those of a type, of the type.
func values(groups []*doc.Value, ofType string, add func(name, format string, args ...any)) {
	for _, group := range groups {
		if group.Doc != "" || ofType != "" {
			continue
		}
		for _, spec := range group.Decl.Specs {
			if v := spec.(*ast.ValueSpec); v.Doc == nil && v.Comment == nil {
				add(v.Names[0].Name, "has no comment")
			}
		}
	}
}

// documentation reads the packages that users import.
func documentation(t *testing.T) (all []documented) {
	for _, p := range goList(t) {
		path, ours := below(p.ImportPath)
		if r, known := rowOf(table, path); !ours || !known || r.kind != pure || strings.Contains(path, "internal") {
			continue
		}
		files, err := filepath.Glob(filepath.Join(p.Dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		sources := map[string]string{}
		for _, file := range files {
			sources[file] = ""
		}
		all = append(all, read(t, p.ImportPath, sources))
	}
	return all
}

// read parses files: the given content, or that of the files if it is empty.
func read(t *testing.T, importPath string, sources map[string]string) documented {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	for name, content := range sources {
		var source any
		if content != "" {
			source = content
		}
		file, err := parser.ParseFile(fset, name, source, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	p, err := doc.NewFromFiles(fset, files, importPath)
	if err != nil {
		t.Fatal(err)
	}
	path, _ := below(importPath)
	return documented{path, p}
}

func TestDocumentation(t *testing.T) {
	all := documentation(t)
	symbols := map[string][]string{}
	for _, p := range all {
		symbols[p.ImportPath] = exports(p)
	}
	for _, p := range all {
		if p.path != "." {
			report(t, undocumented(p))
		}
		report(t, brokenLinks(p, symbols))
	}
}

func TestUndocumented(t *testing.T) {
	const examples = `package qos_test
func ExampleShown() {
	// Output: shown
}
func ExampleUnchecked() {}
func ExampleOfMethod_Get() {
	// Output:
}
func ExampleNewMade() {
	// Output: made
}`
	cases := []struct {
		name, code string
		want       []string
	}{
		{"all is there", "// Package qos is shown.\npackage qos\n// Shown is.\nfunc Shown() {}\n" +
			"// OfMethod is.\ntype OfMethod int\n// Get is.\nfunc (OfMethod) Get() {}\n// String is.\nfunc (OfMethod) String() string { return \"\" }\n" +
			"// Made is.\ntype Made int\n// NewMade is.\nfunc NewMade() Made { return 0 }\n// Most is.\nconst Most = 1\nconst Least = 0 // is.\n", nil},
		{"no comments", "package qos\nfunc Shown() {}\ntype OfMethod int\nfunc (OfMethod) Get() {}\nconst Most = 1\nvar Least = 0\n",
			[]string{
				"qos: documentation: Least has no comment",
				"qos: documentation: Most has no comment",
				"qos: documentation: OfMethod has no comment",
				"qos: documentation: OfMethod.Get has no comment",
				"qos: documentation: Shown has no comment",
				"qos: documentation: package has no comment",
			}},
		{"an Example without output", "// Package qos.\npackage qos\n// Unchecked is.\nfunc Unchecked() {}\n",
			[]string{"qos: documentation: Unchecked has an Example without checked output"}},
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			p := read(t, importPath("qos"), map[string]string{"qos.go": test.code, "example_test.go": examples})
			if got := undocumented(p); !slices.Equal(got, test.want) {
				t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}
