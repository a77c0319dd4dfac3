package arch_test

import (
	"go/ast"
	"go/types"
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

// passedTo returns the functions and methods of a package that are called by the functions that its tests pass to a
// function of testkit as the argument of an index: directly, through functions of the tests, and through functions in
// tables and variables.
func passedTo(p testedPackage, kit string, argument int) map[*types.Func]bool {
	c := &contracted{p.info, p.pkg, map[types.Object]ast.Node{}, map[ast.Node]bool{}, map[*types.Func]bool{}}
	for _, f := range p.files {
		ast.Inspect(f.tree, c.declare)
	}
	for _, f := range p.files {
		ast.Inspect(f.tree, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) <= argument {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if ok && sel.Sel.Name == kit && p.info.Uses[sel.Sel] != nil && p.info.Uses[sel.Sel].Pkg().Path() == importPath("internal/testkit") {
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
			if object := c.info.Defs[id]; object != nil && reaches[*types.Signature](object.Type(), nil) {
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

// reaches reports whether values of a type are, or hold, values whose underlying type is of a kind.
func reaches[Kind types.Type](t types.Type, seen []types.Type) bool {
	if slices.Contains(seen, t) {
		return false
	}
	seen = append(seen, t)
	if _, ok := t.Underlying().(Kind); ok {
		return true
	}
	switch t := t.Underlying().(type) {
	case *types.Slice:
		return reaches[Kind](t.Elem(), seen)
	case *types.Array:
		return reaches[Kind](t.Elem(), seen)
	case *types.Map:
		return reaches[Kind](t.Elem(), seen)
	case *types.Struct:
		for field := range t.Fields() {
			if reaches[Kind](field.Type(), seen) {
				return true
			}
		}
	}
	return false
}

// sharesMemory reports whether a copy of a value shares memory with it, unlike numbers and strings.
func sharesMemory(t types.Type) bool {
	return reaches[*types.Pointer](t, nil) || reaches[*types.Slice](t, nil) || reaches[*types.Map](t, nil) || reaches[*types.Interface](t, nil)
}

// movesMemory reports whether a function takes or returns a value that shares memory with its copies.
func movesMemory(f *types.Func) bool {
	signature := f.Signature()
	values := slices.Concat(slices.Collect(signature.Params().Variables()), slices.Collect(signature.Results().Variables()))
	if r := signature.Recv(); r != nil {
		values = append(values, r)
	}
	return slices.ContainsFunc(values, func(v *types.Var) bool { return sharesMemory(v.Type()) })
}

// receiver returns the type whose method a function is, or nil.
func receiver(f *types.Func) *types.Named {
	if f.Signature().Recv() == nil {
		return nil
	}
	t := f.Signature().Recv().Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	return t.(*types.Named)
}

// functionName returns the name of a function: package.F, or package.T.M.
func functionName(path string, f *types.Func) string {
	if of := receiver(f); of != nil {
		path += "." + of.Obj().Name()
	}
	return path + "." + f.Name()
}

// isTextOfEnumeration reports whether a function is one of the methods by which an enumeration is written and read as
// text: internal/enum does that for all of them.
func isTextOfEnumeration(f *types.Func) bool {
	isText := f.Name() == "MarshalText" || f.Name() == "UnmarshalText"
	return isText && receiver(f) != nil && isEnumeration(receiver(f))
}

// contractViolations returns the exports of a package that take or return memory and that no testkit.Contract covers,
// those that change an argument, as their names say, and that no testkit.Applies covers, and exceptions without need.
func contractViolations(p testedPackage, exceptions map[string]string) (found []string) {
	covered, applied := passedTo(p, "Contract", 1), passedTo(p, "Applies", 2)
	needed := map[string]bool{}
	for _, f := range functionsOf(p.pkg) {
		if p.isOfTests(f) {
			continue
		}
		name := functionName(p.path, f)
		if movesMemory(f) && !covered[f] && !isTextOfEnumeration(f) {
			needed[name] = true
			if exceptions[name] == "" {
				found = append(found, name+": takes or returns memory, and no testkit.Contract covers it")
			}
		}
		if strings.HasPrefix(f.Name(), "Apply") && !applied[f] && notApplying[name] == "" {
			found = append(found, name+": changes an argument, and no testkit.Applies covers it")
		}
	}
	for name := range exceptions {
		if strings.HasPrefix(name, p.path+".") && !needed[name] {
			found = append(found, name+": needs no exception of the contract")
		}
	}
	return sorted(found)
}

// notApplying are the exports whose names begin with Apply, and that change no argument, each with the reason.
var notApplying = map[string]string{
	"quota/admit/whatif.Cluster.Apply": "it is the question of kubectl apply, and returns the next cluster",
}

func TestEveryExportKeepsTheContract(t *testing.T) {
	for _, p := range testedPackages(t) {
		if isPublic(p.path) {
			report(t, contractViolations(p, withoutContract))
		}
	}
}

func TestContractNotices(t *testing.T) {
	const (
		kit     = "package testkit\nfunc Contract(t any, call func() any) {}\nfunc Other(t any, call func() any) {}\nfunc Applies(t any, draw func() int, apply func(*int) any) {}\n"
		imports = "package qos_test\nimport (\"github.com/kubemath/kubemath/internal/testkit\"; \"github.com/kubemath/kubemath/qos\")\n"
		list    = "func F(list map[string]int) int { return 0 }\n"
		missing = ": takes or returns memory, and no testkit.Contract covers it"
	)
	for _, test := range []struct {
		code, test string
		want       []string
	}{
		{list, `func f() { testkit.Contract(nil, func() any { return qos.F(nil) }) }`, []string{"qos.E: needs no exception of the contract"}},
		{list, `func f() { testkit.Other(nil, func() any { return qos.F(nil) }) }`, []string{"qos.E: needs no exception of the contract", "qos.F" + missing}},
		{list, `func g() any { return qos.F(nil) }; func f() { testkit.Contract(nil, func() any { return g() }) }; var _ = qos.F`, []string{"qos.E: needs no exception of the contract"}},
		{list + "func E([]int) {}", `var table = []struct{ f func(map[string]int) int }{{qos.F}}
func f() { for _, test := range table { testkit.Contract(nil, func() any { return test.f(nil) }) } }`, nil},
		{`type inner struct{ list []string }
type T struct{ inner inner }
type Small [2]int
func E(any) {}
func (T) M() {}
func (*Small) Set() {}
func (Small) Get() *int { return nil }
func (Small) Number(n int, s string) (float64, bool) { return 0, false }
func (Small) unexported(T) {}
func B() error { return nil }
func C([1]map[string]bool) {}
`, `func f() { testkit.Contract(nil, nil); qos.B() }`, []string{"qos.B" + missing, "qos.C" + missing, "qos.Small.Get" + missing, "qos.Small.Set" + missing, "qos.T.M" + missing}},
		{"type T struct{}\nfunc E(any) {}\nfunc (T) Apply() {}\nfunc ApplyX(int) {}\nfunc Read(int) {}\n",
			`func f() { testkit.Applies(nil, func() int { qos.ApplyX(1); return 0 }, func(n *int) any { qos.T{}.Apply(); return nil }) }`,
			[]string{"qos.ApplyX: changes an argument, and no testkit.Applies covers it"}},
	} {
		all := planted{}
		all.add(t, "internal/testkit", kit)
		pkg := all.add(t, "qos", "package qos\n"+test.code).pkg
		tests := all.add(t, "qos_test", imports+test.test)
		expect(t, contractViolations(testedPackage{"qos", pkg, tests.files, tests.info}, map[string]string{"qos.E": "for a reason"}), test.want...)
	}
}
