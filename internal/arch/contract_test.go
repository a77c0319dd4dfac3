package arch_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// withoutContract are the exports that take or return memory, but that no test passes to
// testkit.Contract, each with the reason.
var withoutContract = map[string]string{
	"computeresources.Pointers": "it points into its argument, as it says",
}

// contracted collects what the tests of a package pass to a function of testkit.
type contracted struct {
	info    *types.Info
	pkg     *types.Package // whose exports count
	decls   map[types.Object]ast.Node
	visited map[ast.Node]bool
	found   map[*types.Func]bool
}

// contractsIn returns the exported functions and methods of pkg that are called by the functions that
// its tests pass to testkit.Contract: directly, through functions of the tests, and through functions in
// tables and variables.
func contractsIn(pkg *types.Package, files []*ast.File, info *types.Info) map[*types.Func]bool {
	return passedIn(pkg, files, info, "Contract", 1)
}

// appliesIn is contractsIn for testkit.Applies.
func appliesIn(pkg *types.Package, files []*ast.File, info *types.Info) map[*types.Func]bool {
	return passedIn(pkg, files, info, "Applies", 2)
}

// passedIn is contractsIn for an argument of a function of testkit.
func passedIn(pkg *types.Package, files []*ast.File, info *types.Info, kit string, argument int) map[*types.Func]bool {
	c := &contracted{info, pkg, map[types.Object]ast.Node{}, map[ast.Node]bool{}, map[*types.Func]bool{}}
	for _, file := range files {
		ast.Inspect(file, c.declare)
	}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) <= argument {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if ok && sel.Sel.Name == kit && info.Uses[sel.Sel] != nil && info.Uses[sel.Sel].Pkg().Path() == importPath("internal/testkit") {
				c.collect(call.Args[argument])
			}
			return true
		})
	}
	return c.found
}

// declare records functions, and variables that hold functions.
func (c *contracted) declare(n ast.Node) bool {
	define := func(name ast.Expr, value ast.Node) {
		if id, ok := name.(*ast.Ident); ok && value != nil {
			if object := c.info.Defs[id]; object != nil && holdsFunctions(object.Type(), nil) {
				c.decls[object] = value
			}
		}
	}
	switch n := n.(type) {
	case *ast.FuncDecl:
		if object := c.info.Defs[n.Name]; object != nil && n.Body != nil {
			c.decls[object] = n.Body
		}
	case *ast.ValueSpec:
		for i, name := range n.Names {
			if i < len(n.Values) {
				define(name, n.Values[i])
			}
		}
	case *ast.AssignStmt:
		for i, name := range n.Lhs {
			define(name, n.Rhs[min(i, len(n.Rhs)-1)])
		}
	case *ast.RangeStmt:
		define(n.Key, n.X)
		define(n.Value, n.X)
	}
	return true
}

// collect records the exports of the package that are used in a node, and follows all other functions.
func (c *contracted) collect(n ast.Node) {
	if n == nil || c.visited[n] {
		return
	}
	c.visited[n] = true
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		object := c.info.Uses[id]
		if f, ok := object.(*types.Func); ok && f.Pkg() == c.pkg {
			c.found[f.Origin()] = true
		}
		c.collect(c.decls[object])
		return true
	})
}

// holdsFunctions reports whether values of a type are, or hold, functions.
func holdsFunctions(t types.Type, seen []types.Type) bool {
	if slices.Contains(seen, t) {
		return false
	}
	seen = append(seen, t)
	switch t := t.Underlying().(type) {
	case *types.Signature:
		return true
	case *types.Slice:
		return holdsFunctions(t.Elem(), seen)
	case *types.Array:
		return holdsFunctions(t.Elem(), seen)
	case *types.Map:
		return holdsFunctions(t.Elem(), seen)
	case *types.Struct:
		for i := range t.NumFields() {
			if holdsFunctions(t.Field(i).Type(), seen) {
				return true
			}
		}
	}
	return false
}

// movesMemory reports whether a function takes or returns a value that shares memory with its copies,
// unlike numbers and strings.
func movesMemory(f *types.Func) bool {
	signature := f.Signature()
	if r := signature.Recv(); r != nil && sharesMemory(r.Type(), nil) {
		return true
	}
	for _, list := range []*types.Tuple{signature.Params(), signature.Results()} {
		for v := range list.Variables() {
			if sharesMemory(v.Type(), nil) {
				return true
			}
		}
	}
	return false
}

func sharesMemory(t types.Type, seen []types.Type) bool {
	if slices.Contains(seen, t) {
		return false
	}
	seen = append(seen, t)
	switch t := t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Interface:
		return true
	case *types.Array:
		return sharesMemory(t.Elem(), seen)
	case *types.Struct:
		for i := range t.NumFields() {
			if sharesMemory(t.Field(i).Type(), seen) {
				return true
			}
		}
	}
	return false
}

// exportedFunctions returns the exported functions of a package, and the exported methods of its
// exported types.
func exportedFunctions(pkg *types.Package) (all []*types.Func) {
	for _, name := range pkg.Scope().Names() {
		object := pkg.Scope().Lookup(name)
		if !object.Exported() {
			continue
		}
		switch object := object.(type) {
		case *types.Func:
			all = append(all, object)
		case *types.TypeName:
			if named, ok := object.Type().(*types.Named); ok {
				for m := range named.Methods() {
					if m.Exported() {
						all = append(all, m)
					}
				}
			}
		}
	}
	return all
}

// functionName returns the name of a function within its package: F, or T.M.
func functionName(f *types.Func) string {
	if r := f.Signature().Recv(); r != nil {
		t := r.Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		return t.(*types.Named).Obj().Name() + "." + f.Name()
	}
	return f.Name()
}

// isTextOfEnumeration reports whether a function is one of the methods by which an enumeration is
// written and read as text: internal/enum does that for all of them.
func isTextOfEnumeration(f *types.Func) bool {
	if f.Name() != "MarshalText" && f.Name() != "UnmarshalText" || f.Signature().Recv() == nil {
		return false
	}
	t := f.Signature().Recv().Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := t.(*types.Named)
	return ok && isEnumeration(named)
}

// contractViolations returns the exports of a package that take or return memory and that no
// contract covers, and the exceptions that are not needed.
func contractViolations(path string, pkg *types.Package, covered map[*types.Func]bool, exceptions map[string]string) (found []string) {
	needed := map[string]bool{}
	for _, f := range exportedFunctions(pkg) {
		name := path + "." + functionName(f)
		if !movesMemory(f) || covered[f] || isTextOfEnumeration(f) {
			continue
		}
		needed[name] = true
		if exceptions[name] == "" {
			found = append(found, fmt.Sprintf("%s: contract: takes or returns memory, and no testkit.Contract covers it", name))
		}
	}
	for name := range exceptions {
		if strings.HasPrefix(name, path+".") && !needed[name] {
			found = append(found, fmt.Sprintf("%s: contract: needs no exception", name))
		}
	}
	return sorted(found)
}

// notApplying are the exports whose names begin with Apply, and that change no argument, each with the reason.
var notApplying = map[string]string{
	"quota/admit/whatif.Cluster.Apply": "it is the question of kubectl apply, and returns the next cluster",
}

// applyViolations returns the exports of a package that change an argument, as their names say, and
// that no test passes to testkit.Applies.
func applyViolations(path string, pkg *types.Package, covered map[*types.Func]bool) (found []string) {
	names := map[string]bool{}
	for f := range covered {
		names[functionName(f)] = true
	}
	for _, f := range exportedFunctions(pkg) {
		if strings.HasPrefix(f.Name(), "Apply") && !names[functionName(f)] && notApplying[path+"."+functionName(f)] == "" {
			found = append(found, fmt.Sprintf("%s.%s: contract: changes an argument, and no testkit.Applies covers it", path, functionName(f)))
		}
	}
	return sorted(found)
}

// exportData returns an importer of the packages that tests of the module import.
func exportData(t *testing.T, fset *token.FileSet) types.Importer {
	t.Helper()
	files, err := exportsOnce()
	if err != nil {
		t.Fatal(err)
	}
	return importerOf(fset, files)
}

// externalTests parses the tests of a directory that are outside of its package.
func externalTests(t *testing.T, fset *token.FileSet, dir string) (files []*ast.File) {
	t.Helper()
	return parseFiles(t, fset, dir, "*_test.go", func(pkg string) bool { return strings.HasSuffix(pkg, "_test") })
}

// withExportsOfTests returns a package with the additions of its export_test.go, or the package itself
// if it has none.
func withExportsOfTests(t *testing.T, fset *token.FileSet, dir string, pkg *types.Package, imports types.Importer) *types.Package {
	t.Helper()
	if names, _ := filepath.Glob(filepath.Join(dir, "export_test.go")); len(names) == 0 {
		return pkg
	}
	isPkg := func(name string) bool { return name == pkg.Name() }
	config := types.Config{Importer: imports}
	with, err := config.Check(pkg.Path(), fset, parseFiles(t, fset, dir, "*.go", isPkg), nil)
	if err != nil {
		t.Fatal(err)
	}
	return with
}

// parseFiles parses the files of a directory, by pattern and the name of their package.
func parseFiles(t *testing.T, fset *token.FileSet, dir, pattern string, isOf func(pkg string) bool) (files []*ast.File) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if isOf(file.Name.Name) {
			files = append(files, file)
		}
	}
	return files
}

// A testedPackage is a pure package, with its external tests.
type testedPackage struct {
	path  string // below the module
	pkg   *types.Package
	with  *types.Package // pkg, and what files of tests in it export
	files []*ast.File
	info  *types.Info
}

// checkedTests are the packages that testedPackages has checked.
var checkedTests []testedPackage

// testedPackages type-checks the external tests of all pure packages, once.
func testedPackages(t *testing.T) []testedPackage {
	t.Helper()
	if checkedTests != nil {
		return checkedTests
	}
	fset := token.NewFileSet()
	imports := exportData(t, fset)
	var all []testedPackage
	for _, p := range goList(t) {
		path, ours := below(p.ImportPath)
		if r, known := rowOf(table, path); !ours || !known || r.kind != pure || path == "." {
			continue
		}
		pkg, err := imports.Import(p.ImportPath)
		if err != nil {
			t.Fatal(err)
		}
		with := withExportsOfTests(t, fset, p.Dir, pkg, imports)
		files := externalTests(t, fset, p.Dir)
		info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
		config := types.Config{Importer: oneMore{imports, with}}
		if _, err := config.Check(p.ImportPath+"_test", fset, files, info); err != nil {
			t.Fatal(err)
		}
		all = append(all, testedPackage{path, pkg, with, files, info})
	}
	checkedTests = all
	return all
}

func TestEveryExportKeepsTheContract(t *testing.T) {
	checked, changing := 0, 0
	for _, p := range testedPackages(t) {
		if strings.Contains(p.path, "internal") {
			continue
		}
		covered, applied := contractsIn(p.with, p.files, p.info), appliesIn(p.with, p.files, p.info)
		checked, changing = checked+len(covered), changing+len(applied)
		for _, v := range append(contractViolations(p.path, p.with, covered, withoutContract), applyViolations(p.path, p.pkg, applied)...) {
			t.Error(v)
		}
	}
	if checked == 0 || changing == 0 {
		t.Error("no test hands anything to testkit.Contract or testkit.Applies")
	}
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

// sources returns packages of source texts, by their paths below the module.
type sources map[string]*types.Package

func (s sources) Import(path string) (*types.Package, error) {
	if pkg := s[path]; pkg != nil {
		return pkg, nil
	}
	return nil, fmt.Errorf("no package %s", path)
}

// check type-checks a source text as the package of a path.
func (s sources) check(t *testing.T, path, text string, info *types.Info) (*types.Package, []*ast.File) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "a.go", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	config := types.Config{Importer: s}
	pkg, err := config.Check(importPath(path), fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	s[importPath(path)] = pkg
	return pkg, []*ast.File{file}
}

func TestContractViolations(t *testing.T) {
	const (
		kit     = "package testkit\nfunc Contract(t any, call func() any, inputs ...any) {}\nfunc Other(t any, call func() any) {}\n"
		imports = "package qos_test\nimport (\"github.com/kubemath/kubemath/internal/testkit\"; \"github.com/kubemath/kubemath/qos\")\n"
		list    = "package qos\nfunc F(list map[string]int) int { return 0 }\n"
		missing = ": contract: takes or returns memory, and no testkit.Contract covers it"
	)
	tests := []struct {
		name, code, test string
		exceptions       map[string]string
		want             []string
	}{
		{"handed over", list, `func f() { testkit.Contract(nil, func() any { return qos.F(nil) }) }`, nil, nil},
		{"not handed over", list, `func f() { testkit.Other(nil, func() any { return qos.F(nil) }) }`, nil, []string{"qos.F" + missing}},
		{"by a function of the tests", list, `func g() any { return qos.F(nil) }; func f() { testkit.Contract(nil, func() any { return g() }) }`, nil, nil},
		{"by a table", list, `var table = []struct{ f func(map[string]int) int }{{qos.F}}
func f() { for _, test := range table { testkit.Contract(nil, func() any { return test.f(nil) }) } }`, nil, nil},
		{"an exception without need", list, `func f() { testkit.Contract(nil, func() any { return qos.F(nil) }) }`, map[string]string{"qos.F": "for a reason"}, []string{"qos.F: contract: needs no exception"}},
		{"numbers and strings", "package qos\nfunc F(n int, s string) (float64, bool) { return 0, false }\ntype T struct{ n [2]int }\nfunc (T) M() {}\n",
			`func f() { testkit.Contract(nil, nil); qos.F(0, "") }`, nil, nil},
		{"whatever refers to memory", `package qos
type inner struct{ list []string }
type T struct{ inner inner }
type Small int
func (T) M() {}
func (*Small) Set() {}
func (Small) Get() *int { return nil }
func (Small) unexported(T) {}
func A(any) {}
func B() error { return nil }
func C([1]map[string]bool) {}
func d(any) {}
`, `func f() { testkit.Contract(nil, nil); qos.B() }`, nil,
			[]string{"qos.A" + missing, "qos.B" + missing, "qos.C" + missing, "qos.Small.Get" + missing, "qos.Small.Set" + missing, "qos.T.M" + missing}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			all := sources{}
			all.check(t, "internal/testkit", kit, nil)
			pkg, _ := all.check(t, "qos", test.code, nil)
			info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
			_, files := all.check(t, "qos_test", imports+test.test, info)
			expect(t, contractViolations("qos", pkg, contractsIn(pkg, files, info), test.exceptions), test.want)
		})
	}
}

func TestApplyViolations(t *testing.T) {
	const (
		kit     = "package testkit\nfunc Contract(t any, call func() any, inputs ...any) {}\nfunc Applies[T any](t any, draw func() T, apply func(*T) any) {}\n"
		imports = "package qos_test\nimport (\"github.com/kubemath/kubemath/internal/testkit\"; \"github.com/kubemath/kubemath/qos\")\n"
		code    = "package qos\ntype T struct{}\nfunc (*T) Apply(*int) {}\nfunc ApplyX(*int) {}\nfunc Read(*int) {}\n"
		missing = ": contract: changes an argument, and no testkit.Applies covers it"
	)
	tests := []struct {
		name, test string
		want       []string
	}{
		{"both", `func f() { testkit.Applies(nil, nil, func(n *int) any { qos.ApplyX(n); (&qos.T{}).Apply(n); return nil }) }`, nil},
		{"while drawing", `func f() { testkit.Applies(nil, func() int { n := 0; qos.ApplyX(&n); return n }, func(n *int) any { (&qos.T{}).Apply(n); return nil }) }`, []string{"qos.ApplyX" + missing}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			all := sources{}
			all.check(t, "internal/testkit", kit, nil)
			pkg, _ := all.check(t, "qos", code, nil)
			info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
			_, files := all.check(t, "qos_test", imports+test.test, info)
			expect(t, applyViolations("qos", pkg, appliesIn(pkg, files, info)), test.want)
		})
	}
}
