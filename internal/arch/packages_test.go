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
	"path/filepath"
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
	ImportPath, Export                       string
	Imports, Deps, TestImports, XTestImports []string // Deps: of its code, and of theirs
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
		if err != nil {
			panic(err) // the parser has unquoted it before
		}
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

// A project is all that the rules read, each file once.
type project struct {
	root     string
	set      *token.FileSet
	files    []*file // of all modules, in order
	packages []goPackage
	importer types.Importer
}

var loadOnce = sync.OnceValues(func() (*project, error) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		return nil, err
	}
	p := &project{root: root, set: token.NewFileSet()}
	// go test caches a result until a file changes that the test itself has opened: these are all.
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "testdata"):
			return filepath.SkipDir
		case entry.IsDir() || !strings.HasSuffix(path, ".go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f, err := parse(p.set, filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator))), string(text))
		p.files = append(p.files, f)
		return err
	})
	if err != nil {
		return nil, err
	}
	p.packages, err = list(root, "./...")
	if err != nil {
		return nil, err
	}
	var paths []string // compiling all tests would take longer than all rules
	for _, pkg := range p.packages {
		if path, ours := below(pkg.ImportPath); ours && slices.Contains(kernels(), path) {
			paths = slices.Concat(paths, []string{pkg.ImportPath}, pkg.TestImports, pkg.XTestImports)
		}
	}
	compiled, err := list(root, append([]string{"-export"}, sorted(paths)...)...)
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	for _, pkg := range compiled {
		exports[pkg.ImportPath] = pkg.Export
	}
	p.importer = importer.ForCompiler(p.set, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("no package %s", path)
		}
		return os.Open(exports[path])
	})
	return p, nil
})

// list returns packages and those that they import.
func list(root string, args ...string) (all []goPackage, err error) {
	const fields = "-json=ImportPath,Export,Imports,Deps,TestImports,XTestImports"
	cmd := exec.Command("go", append([]string{"list", "-deps", fields}, args...)...)
	var stderr bytes.Buffer
	cmd.Dir, cmd.Stderr = root, &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, stderr.String())
	}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var pkg goPackage
		if err := dec.Decode(&pkg); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, pkg)
	}
}

func load(t *testing.T) *project {
	t.Helper()
	p, err := loadOnce()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func parse(set *token.FileSet, name, text string) (*file, error) {
	tree, err := parser.ParseFile(set, name, text, parser.ParseComments)
	return &file{name, text, set, tree}, err
}

// parsed is parse for a text that a test plants.
func parsed(t *testing.T, name, text string) *file {
	t.Helper()
	f, err := parse(token.NewFileSet(), name, text)
	if err != nil {
		t.Fatal(err)
	}
	return f
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
func (p *project) read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(p.root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// documents returns the names of the documents that match patterns.
func (p *project) documents(t *testing.T, patterns ...string) (names []string) {
	t.Helper()
	for _, pattern := range patterns {
		found, err := filepath.Glob(filepath.Join(p.root, pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("no %s: %v", pattern, err)
		}
		for _, name := range found {
			names = append(names, filepath.ToSlash(strings.TrimPrefix(name, p.root+string(filepath.Separator))))
		}
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

// A libraryPackage is a package of the library, as the compiler sees it.
type libraryPackage struct {
	path string // below the module
	*types.Package
}

// library returns the packages of the library, internal ones included.
func library(t *testing.T) (all []libraryPackage) {
	t.Helper()
	p := load(t)
	for _, path := range kernels() {
		pkg, err := p.importer.Import(importPath(path))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, libraryPackage{path, pkg})
	}
	return all
}

// isPublic reports whether users can import a package, given by its path below the module.
func isPublic(path string) bool { return !slices.Contains(strings.Split(path, "/"), "internal") }

// public returns the packages that users can import, but the root, which has no code.
func public(t *testing.T) []libraryPackage {
	t.Helper()
	return slices.DeleteFunc(library(t), func(p libraryPackage) bool { return !isPublic(p.path) })
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

// functionsOf returns the exported functions of a package, and the exported methods of its exported types.
func functionsOf(pkg *types.Package) (all []*types.Func) {
	for _, name := range pkg.Scope().Names() {
		if f, ok := pkg.Scope().Lookup(name).(*types.Func); ok && f.Exported() {
			all = append(all, f)
		}
	}
	for _, named := range exportedTypes(pkg) {
		for method := range named.Methods() {
			if method.Exported() {
				all = append(all, method)
			}
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

// A testedPackage is a package of the library with its external tests.
type testedPackage struct {
	path  string         // below the module
	pkg   *types.Package // with what the files of its tests export
	files []*file
	info  *types.Info
}

// isOfTests reports whether a function of the package is declared in a file of its tests.
func (p testedPackage) isOfTests(f *types.Func) bool {
	return len(p.files) > 0 && strings.HasSuffix(p.files[0].set.Position(f.Pos()).Filename, "_test.go")
}

// tested type-checks the external tests of the library, once.
var tested = sync.OnceValues(func() (all []testedPackage, err error) {
	p, err := loadOnce()
	if err != nil {
		return nil, err
	}
	for _, path := range kernels() {
		own, err := p.importer.Import(importPath(path))
		if err != nil {
			return nil, err
		}
		var inside, outside []*file
		for _, f := range p.in(path) {
			if f.tree.Name.Name == own.Name() {
				inside = append(inside, f)
			} else {
				outside = append(outside, f)
			}
		}
		with := own
		if slices.ContainsFunc(inside, (*file).isTest) {
			if with, err = check(own.Path(), inside, p.importer, nil); err != nil {
				return nil, err
			}
		}
		info := newInfo()
		if _, err := check(own.Path()+"_test", outside, oneMore{p.importer, with}, info); err != nil {
			return nil, err
		}
		all = append(all, testedPackage{path, with, outside, info})
	}
	return all, nil
})

func testedPackages(t *testing.T) []testedPackage {
	t.Helper()
	all, err := tested()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func newInfo() *types.Info {
	return &types.Info{
		Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{},
	}
}

// check type-checks files as one package.
func check(path string, files []*file, imports types.Importer, info *types.Info) (*types.Package, error) {
	set := token.NewFileSet()
	var trees []*ast.File
	for _, f := range files {
		set = f.set
		trees = append(trees, f.tree)
	}
	return (&types.Config{Importer: imports}).Check(path, set, trees, info)
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

// planted are packages of source texts that tests plant, by their import paths.
type planted map[string]*types.Package

func (p planted) Import(path string) (*types.Package, error) {
	if pkg := p[path]; pkg != nil {
		return pkg, nil
	}
	return nil, fmt.Errorf("no package %s", path)
}

// add type-checks a source text as the package of a path below the module.
func (p planted) add(t *testing.T, path, text string) testedPackage {
	t.Helper()
	f, info := parsed(t, path+"/a.go", text), newInfo()
	pkg, err := check(importPath(path), []*file{f}, p, info)
	if err != nil {
		t.Fatal(err)
	}
	p[importPath(path)] = pkg
	return testedPackage{path, pkg, []*file{f}, info}
}

// documented is the documentation of a package, with the Examples of its tests.
type documented struct {
	path string // below the module
	*doc.Package
}

// documentation returns that of the packages that users import, and of the root.
func documentation(t *testing.T) (all []documented) {
	t.Helper()
	for _, path := range append([]string{"."}, kernels()...) {
		if isPublic(path) {
			all = append(all, documentationOf(t, path, load(t).in(path)))
		}
	}
	return all
}

func documentationOf(t *testing.T, path string, files []*file) documented {
	t.Helper()
	var trees []*ast.File
	for _, f := range files {
		trees = append(trees, f.tree)
	}
	p, err := doc.NewFromFiles(files[0].set, trees, importPath(path), doc.PreserveAST)
	if err != nil {
		t.Fatal(err)
	}
	return documented{path, p}
}

// sorted returns the violations in order, each once.
func sorted(found []string) []string {
	slices.Sort(found)
	return slices.Compact(found)
}

// report fails the test with each violation.
func report(t *testing.T, found []string) {
	t.Helper()
	for _, v := range found {
		t.Error(v)
	}
}

// expect compares the violations of a planted case with those it should have.
func expect(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}
