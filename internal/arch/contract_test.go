package arch_test

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// withoutContract are the exports that take or return memory, but that no test passes to
// testkit.Contract, each with the reason.
var withoutContract = map[string]string{
	"computeresources.Pointers": "it points into its argument, as it says",
}

// contracted collects what the tests of a package pass to a function of testkit.
type contracted struct {
	libraryPackage // whose exports count
	decls          map[types.Object]ast.Node
	visited        map[ast.Node]bool
	found          map[string]bool // by their names
}

// passedTo returns the functions and methods of a package that are called by the functions that its tests pass to a
// function of testkit as the argument of an index: directly, through functions of the tests, and through functions in
// tables and variables.
func passedTo(p libraryPackage, kit string, argument int) map[string]bool {
	c := &contracted{p, map[types.Object]ast.Node{}, map[ast.Node]bool{}, map[string]bool{}}
	for _, f := range p.tests {
		ast.Inspect(f.tree, c.declare)
	}
	for _, f := range p.tests {
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
		if f, ok := object.(*types.Func); ok && f.Pkg() != nil && f.Pkg().Path() == c.Path() {
			c.found[functionName(f)] = true
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

// functionName returns the name of a function: package.F, or package.T.M.
func functionName(f *types.Func) string {
	return strings.NewReplacer("(", "", "*", "", ")", "", module+"/", "").Replace(f.Origin().FullName())
}

// isText reports whether a function writes or reads an enumeration as text: internal/enum does that for all of them.
func isText(f *types.Func) bool { return f.Name() == "MarshalText" || f.Name() == "UnmarshalText" }

// contractViolations returns the exports of a package that take or return memory and that no testkit.Contract covers,
// those that change an argument, as their names say, and that no testkit.Applies covers, and exceptions without need.
func contractViolations(p *project) (found []string) {
	for _, pkg := range p.public() {
		covered, applied := passedTo(pkg, "Contract", 1), passedTo(pkg, "Applies", 2)
		needed := map[string]bool{}
		for _, f := range functionsOf(pkg.Package) {
			name := functionName(f)
			if movesMemory(f) && !covered[name] && !isText(f) {
				needed[name] = true
				if withoutContract[name] == "" {
					found = append(found, name+": takes or returns memory, and no testkit.Contract covers it")
				}
			}
			if strings.HasPrefix(f.Name(), "Apply") && !applied[name] && notApplying[name] == "" {
				found = append(found, name+": changes an argument, and no testkit.Applies covers it")
			}
		}
		for name := range withoutContract {
			if strings.HasPrefix(name, pkg.path+".") && !needed[name] {
				found = append(found, name+": needs no exception of the contract")
			}
		}
	}
	return found
}

// notApplying are the exports whose names begin with Apply, and that change no argument, each with the reason.
var notApplying = map[string]string{
	"quota/admit/whatif.Cluster.Apply": "it is the question of kubectl apply, and returns the next cluster",
}
