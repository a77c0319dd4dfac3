package arch_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A libraryPackage is a package of the library, as the compiler sees it.
type libraryPackage struct {
	path string // below the module
	*types.Package
}

// isPublic reports whether users can import a package, given by its path below the module.
func isPublic(path string) bool { return !slices.Contains(strings.Split(path, "/"), "internal") }

// public returns the packages that users can import, but the root, which has no code.
func public(t *testing.T) []libraryPackage {
	t.Helper()
	return slices.DeleteFunc(library(t), func(p libraryPackage) bool { return !isPublic(p.path) })
}

// library returns the packages of the library, internal ones included, but the root.
func library(t *testing.T) (all []libraryPackage) {
	t.Helper()
	files, err := exportsOnce()
	if err != nil {
		t.Fatal(err)
	}
	imports := importerOf(token.NewFileSet(), files)
	for _, r := range table {
		if r.kind != pure || r.pkg == "." {
			continue
		}
		pkg, err := imports.Import(importPath(r.pkg))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, libraryPackage{r.pkg, pkg})
	}
	// A rule over an empty list would always pass.
	if len(all) < 20 {
		t.Fatalf("the library has only %d packages", len(all))
	}
	return all
}

// exportsOnce lists the export data of the packages of the library once, and of those that they and their tests
// import.
var exportsOnce = sync.OnceValues(func() (map[string]string, error) {
	root, err := moduleRoot()
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, r := range table {
		if r.kind == pure && r.pkg != "." {
			paths = append(paths, importPath(r.pkg))
		}
	}
	return listExports(root, append([]string{"-test"}, paths...)...)
})

// listExports returns the export data of packages, and of those that they import.
func listExports(dir string, args ...string) (map[string]string, error) {
	out, err := runGo(dir, append([]string{"list", "-export", "-deps", "-json=ImportPath,Export"}, args...)...)
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct{ ImportPath, Export string }
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return files, nil
		} else if err != nil {
			return nil, err
		}
		files[p.ImportPath] = p.Export
	}
}

// importerOf returns an importer of the packages with these exports.
func importerOf(fset *token.FileSet, files map[string]string) types.Importer {
	return importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(files[path]) })
}

// exportedTypes returns the exported types that a package declares, by name.
func exportedTypes(pkg *types.Package) (all []*types.Named) {
	for _, name := range pkg.Scope().Names() {
		object, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || !object.Exported() || object.IsAlias() {
			continue
		}
		if named, ok := object.Type().(*types.Named); ok {
			all = append(all, named)
		}
	}
	return all
}

// checkAll type-checks source texts as packages of the library, in order: pairs of a path below
// the module, and the text below the package clause.
func checkAll(t *testing.T, texts ...string) (all []libraryPackage) {
	t.Helper()
	known := sources{}
	for i := 0; i < len(texts); i += 2 {
		name := texts[i][strings.LastIndexByte(texts[i], '/')+1:]
		pkg, _ := known.check(t, texts[i], "package "+name+"\n"+texts[i+1], nil)
		all = append(all, libraryPackage{texts[i], pkg})
	}
	return all
}
