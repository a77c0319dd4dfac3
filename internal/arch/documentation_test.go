package arch_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// documented is the documentation of a package, with the Examples of its tests.
type documented struct {
	path string // below the module
	*doc.Package
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
		report(t, brokenLinks(p, symbols))
	}
}
