package arch_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/doc"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const module = "github.com/kubemath/kubemath"

// below returns the path of a package of the module below the module, "." for its root, and reports whether it
// is one.
func below(path string) (string, bool) {
	if path == module {
		return ".", true
	}
	return strings.CutPrefix(path, module+"/")
}

// importPath is the inverse of below.
func importPath(pkg string) string { return path.Join(module, pkg) }

// A goPackage is what the rules need of a package as go list describes it.
type goPackage struct {
	ImportPath, Export                 string
	Imports, TestImports, XTestImports []string
}

// A file is a file of Go, with comments.
type file struct {
	name string // below the root of the project, with slashes
	text string
	set  *token.FileSet
	tree *ast.File
}

func (f *file) isTest() bool { return strings.HasSuffix(f.name, "_test.go") }

// at returns a violation at a node.
func (f *file) at(n ast.Node, format string, args ...any) string {
	return fmt.Sprintf("%s:%d: %s", f.name, f.set.Position(n.Pos()).Line, fmt.Sprintf(format, args...))
}

// imports returns the imports of a file by the name that they have in it: without an alias the last element of
// the path, which is right for every package that the rules name.
func (f *file) imports() map[string]string {
	imported := map[string]string{}
	for _, spec := range f.tree.Imports {
		of, err := strconv.Unquote(spec.Path.Value)
		must(err) // the parser has unquoted it before
		name := path.Base(of)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imported[name] = of
	}
	return imported
}

// isOneOf reports whether an expression is a name of an imported package, both in the list.
func isOneOf(list map[string][]string, imported map[string]string, e ast.Expr) bool {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x, ok := sel.X.(*ast.Ident)
	return ok && slices.Contains(list[imported[x.Name]], sel.Sel.Name)
}

// A libraryPackage is a package of the library, as the compiler sees it, with its external tests. They see another
// package of the same path, if other tests are inside it.
type libraryPackage struct {
	path string // below the module
	*types.Package
	tests []*file
	info  *types.Info // of the tests
}

// A project is all that the rules read, each file once: this one, or one that a test plants.
type project struct {
	fs       fs.FS
	set      *token.FileSet
	files    []*file // of all modules, in order
	packages []goPackage
	importer types.Importer
	library  []libraryPackage // internal ones included, but not the root, which has no code
}

// newProject parses all files, and type-checks the tests of the library. What the importer knows depends on the files.
func newProject(of fs.FS, packages []goPackage, importer func(*project) types.Importer) *project {
	p := &project{fs: of, set: token.NewFileSet(), packages: packages}
	// go test caches a result until a file changes that the test itself has opened: these are all.
	must(fs.WalkDir(of, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "testdata"):
			return fs.SkipDir
		case !entry.IsDir() && path.Ext(name) == ".go":
			p.files = append(p.files, parsed(p.set, name, p.read(name)))
		}
		return nil
	}))
	p.importer = importer(p)
	for _, path := range kernels() {
		files := p.in(path)
		if len(files) == 0 {
			continue
		}
		pkg, err := p.importer.Import(importPath(path))
		must(err)
		var inside, outside []*file
		for _, f := range files {
			if f.tree.Name.Name == pkg.Name() {
				inside = append(inside, f)
			} else {
				outside = append(outside, f)
			}
		}
		with := pkg
		if slices.ContainsFunc(inside, (*file).isTest) {
			with, err = check(pkg.Path(), p.set, inside, p.importer, nil)
			must(err)
		}
		info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}}
		_, err = check(pkg.Path()+"_test", p.set, outside, oneMore{p.importer, with}, info)
		must(err)
		p.library = append(p.library, libraryPackage{path, pkg, outside, info})
	}
	return p
}

// oneMore imports one more package, and all others as before.
type oneMore struct {
	types.Importer
	pkg *types.Package
}

func (o oneMore) Import(path string) (*types.Package, error) {
	if path == o.pkg.Path() {
		return o.pkg, nil
	}
	return o.Importer.Import(path)
}

// ours returns this project.
var ours = sync.OnceValue(func() *project {
	const root = "../.."
	packages := list(root, "./...")
	var paths []string // compiling all tests would take longer than all rules
	for _, pkg := range packages {
		if path, ours := below(pkg.ImportPath); ours && slices.Contains(kernels(), path) {
			paths = slices.Concat(paths, []string{pkg.ImportPath}, pkg.TestImports, pkg.XTestImports)
		}
	}
	exports := map[string]string{}
	for _, pkg := range list(root, append([]string{"-export"}, sorted(paths)...)...) {
		exports[pkg.ImportPath] = pkg.Export
	}
	return newProject(os.DirFS(root), packages, func(p *project) types.Importer {
		return importer.ForCompiler(p.set, "gc", func(path string) (io.ReadCloser, error) {
			if exports[path] == "" {
				return nil, fmt.Errorf("no package %s", path)
			}
			return os.Open(exports[path])
		})
	})
})

// list returns packages and those that they import.
func list(root string, args ...string) (all []goPackage) {
	const fields = "-json=ImportPath,Export,Imports,TestImports,XTestImports"
	cmd := exec.Command("go", append([]string{"list", "-deps", fields}, args...)...)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out, err := cmd.Output()
	must(err)
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var pkg goPackage
		if err := dec.Decode(&pkg); errors.Is(err, io.EOF) {
			return all
		} else {
			must(err)
		}
		all = append(all, pkg)
	}
}

func parsed(set *token.FileSet, name, text string) *file {
	tree, err := parser.ParseFile(set, name, text, parser.ParseComments)
	must(err)
	return &file{name, text, set, tree}
}

// check type-checks files as one package.
func check(path string, set *token.FileSet, files []*file, imports types.Importer, info *types.Info) (*types.Package, error) {
	return (&types.Config{Importer: imports}).Check(path, set, trees(files), info)
}

func trees(files []*file) (all []*ast.File) {
	for _, f := range files {
		all = append(all, f.tree)
	}
	return all
}

// in returns the files of a package of the main module.
func (p *project) in(pkg string) (files []*file) {
	for _, f := range p.files {
		if path.Dir(f.name) == pkg {
			files = append(files, f)
		}
	}
	return files
}

// read returns the text of a file of the project.
func (p *project) read(name string) string {
	text, err := fs.ReadFile(p.fs, name)
	must(err)
	return string(text)
}

// documents returns the names of the files that match patterns.
func (p *project) documents(patterns ...string) (names []string) {
	for _, pattern := range patterns {
		found, err := fs.Glob(p.fs, pattern)
		must(err)
		names = append(names, found...)
	}
	return names
}

// kernels returns the packages of the library but its root.
func kernels() (paths []string) {
	for _, r := range table {
		if r.kind == pure && r.pkg != "." {
			paths = append(paths, r.pkg)
		}
	}
	return paths
}

// kernelFiles returns the files of the library without its tests.
func (p *project) kernelFiles() (files []*file) {
	for _, pkg := range kernels() {
		files = append(files, p.in(pkg)...)
	}
	return slices.DeleteFunc(files, (*file).isTest)
}

// isPublic reports whether users can import a package, given by its path below the module.
func isPublic(path string) bool { return !slices.Contains(strings.Split(path, "/"), "internal") }

// public returns the packages that users can import, but the root.
func (p *project) public() []libraryPackage {
	return slices.DeleteFunc(slices.Clone(p.library), func(pkg libraryPackage) bool { return !isPublic(pkg.path) })
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

// isOurs reports whether a type is exported by a package of the module.
func isOurs(named *types.Named) bool {
	if named.Obj().Pkg() == nil || !named.Obj().Exported() {
		return false
	}
	_, ours := below(named.Obj().Pkg().Path())
	return ours
}

// nameOf returns the name of a type of ours, such as quota/admit.Decision.
func nameOf(t *types.Named) string {
	path, _ := below(t.Obj().Pkg().Path())
	return path + "." + t.Obj().Name()
}

// documented is the documentation of a package, with the Examples of its tests.
type documented struct {
	path string // below the module
	*doc.Package
}

// documentation returns that of the packages that users import, and of the root.
func (p *project) documentation() (all []documented) {
	for _, path := range append([]string{"."}, kernels()...) {
		var own []*file // package doc drops declarations from what it reads
		for _, f := range p.in(path) {
			own = append(own, parsed(p.set, f.name, f.text))
		}
		if isPublic(path) && len(own) > 0 {
			pkg, err := doc.NewFromFiles(p.set, trees(own), importPath(path))
			must(err)
			all = append(all, documented{path, pkg})
		}
	}
	return all
}

// must ends the tests, because without the files there are no rules.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// sorted returns the violations in order, each once.
func sorted(found []string) []string {
	slices.Sort(found)
	return slices.Compact(found)
}

// expect compares violations with those that there should be.
func expect(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}
