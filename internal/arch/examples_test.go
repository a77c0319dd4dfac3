package arch_test

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// A snippet is code that readers copy, as a file that has to compile outside the module.
type snippet struct {
	name string // of the package and of the shown export
	fset *token.FileSet
	file *ast.File
}

// examplesOf returns all Examples of a package.
func examplesOf(p documented) []*doc.Example {
	all := append([]*doc.Example{}, p.Examples...)
	for _, f := range p.Funcs {
		all = append(all, f.Examples...)
	}
	for _, t := range p.Types {
		all = append(all, t.Examples...)
		for _, f := range t.Funcs {
			all = append(all, f.Examples...)
		}
		for _, m := range t.Methods {
			all = append(all, m.Examples...)
		}
	}
	return all
}

// playable returns the Examples of a package as programs, and a violation for each that readers cannot
// run, because it uses names of another file of the tests, or an internal package.
func playable(p documented) (programs []snippet, found []string) {
	for _, e := range examplesOf(p) {
		name := p.path + ".Example" + e.Name
		if e.Play == nil {
			found = append(found, name+": examples: is not a whole program")
			continue
		}
		var text bytes.Buffer
		if err := format.Node(&text, token.NewFileSet(), e.Play); err != nil {
			found = append(found, name+": examples: "+err.Error())
			continue
		}
		program, err := parseSnippet(name, text.String())
		if err != nil {
			found = append(found, name+": examples: "+err.Error())
			continue
		}
		if i := slices.IndexFunc(importsOf(program.file), func(path string) bool { return slices.Contains(strings.Split(path, "/"), "internal") }); i >= 0 {
			found = append(found, name+": examples: imports "+importsOf(program.file)[i])
			continue
		}
		programs = append(programs, program)
	}
	return programs, sorted(found)
}

func parseSnippet(name, text string) (snippet, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	return snippet{name, fset, file}, err
}

// importsOf returns the import paths of a file.
func importsOf(file *ast.File) (paths []string) {
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err == nil {
			paths = append(paths, path)
		}
	}
	return paths
}

// uncompiled returns an error of the compiler for each snippet that has one. Unused names and imports do
// not count, because the reader will add lines that use them.
func uncompiled(snippets []snippet, exports map[string]string) (found []string) {
	imports := importerOf(token.NewFileSet(), exports)
	for _, s := range snippets {
		var first error
		conf := types.Config{Importer: imports, Error: func(err error) {
			var typeError types.Error
			if first == nil && !(errors.As(err, &typeError) && typeError.Soft) {
				first = err
			}
		}}
		if _, err := conf.Check("main", s.fset, []*ast.File{s.file}, nil); err != nil && first != nil {
			found = append(found, fmt.Sprintf("%s: examples: %v", s.name, first))
		}
	}
	return sorted(found)
}

// outsideOnce lists the exports of all packages that Examples and openings use, for an empty module that
// requires this one. A path that such a module cannot import, such as that of an internal package, is an error.
var outsideOnce sync.Once

var outside map[string]string

func outsideExports(t *testing.T) map[string]string {
	t.Helper()
	outsideOnce.Do(func() {
		root, err := moduleRoot()
		if err != nil {
			t.Fatal(err)
		}
		paths := slices.Collect(maps.Values(others))
		for _, p := range documentation(t) {
			paths = append(paths, p.ImportPath)
			programs, _ := playable(p)
			for _, program := range programs {
				paths = append(paths, importsOf(program.file)...)
			}
		}
		dir := t.TempDir()
		mod := strings.Replace(documentText(t, "go.mod"), "module "+module+"\n", "module example.com/outside\n", 1)
		mod += fmt.Sprintf("\nrequire %s v0.0.0\n\nreplace %s => %s\n", module, module, root)
		var code strings.Builder
		code.WriteString("package outside\n\n")
		for _, path := range sorted(paths) {
			fmt.Fprintf(&code, "import _ %q\n", path)
		}
		for name, content := range map[string]string{"go.mod": mod, "go.sum": documentText(t, "go.sum"), "outside.go": code.String()} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		outside, err = listExports(dir, "-mod=mod", ".")
		if err != nil {
			t.Fatal(err)
		}
	})
	return outside
}

// Examples are shown on pkg.go.dev without the other files of their tests, and copied from there.
func TestExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("lists the packages that another module sees")
	}
	goList(t) // reads the files of the module, for the cache of go test
	var programs []snippet
	for _, p := range documentation(t) {
		whole, found := playable(p)
		report(t, found)
		programs = append(programs, whole...)
	}
	if len(programs) < 150 {
		t.Errorf("%d Examples", len(programs))
	}
	report(t, uncompiled(programs, outsideExports(t)))
}

func TestPlayable(t *testing.T) {
	const code = "// Package qos is.\npackage qos\n// F is.\nfunc F() int { return 1 }\n// G is.\nfunc G() {}\n// H is.\nfunc H() {}\n// I is.\nfunc I() {}\n"
	const here = `package qos_test

import (
	"fmt"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/qos"
)

func once() int { return 1 }

func ExampleF() {
	fmt.Println(once() * qos.F())
	// Output: 1
}

func ExampleG() {
	fmt.Println(elsewhere())
	// Output: 1
}

func ExampleI() {
	fmt.Println(testkit.List() == nil)
	// Output: true
}

func ExampleH() {
	var unused int
	var wrong string = once()
	fmt.Println(wrong)
	// Output: 1
}
`
	p := read(t, importPath("qos"), map[string]string{"qos.go": code, "example_test.go": here, "other_test.go": "package qos_test\nfunc elsewhere() int { return 1 }\n"})
	programs, found := playable(p)
	expect(t, found, []string{
		"qos.ExampleG: examples: is not a whole program",
		"qos.ExampleI: examples: imports github.com/kubemath/kubemath/internal/testkit",
	})
	found = uncompiled(programs, outsideExports(t))
	if len(found) != 2 || !strings.Contains(found[0], "qos.ExampleF: examples: ") || !strings.Contains(found[0], "undefined: qos.F") ||
		!strings.Contains(found[1], "qos.ExampleH: examples: ") || !strings.Contains(found[1], "cannot use once()") {
		t.Errorf("found %q", found)
	}
}
