package arch_test

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
)

// unsetOptions returns the fields of exported settings that no test sets: in a literal to another value than the zero
// value of a constant, by an assignment, or through a pointer.
func unsetOptions(p *project) (found []string) {
	set := map[string]bool{}
	for _, pkg := range p.library {
		for _, f := range pkg.tests {
			ast.Inspect(f.tree, func(n ast.Node) bool {
				for _, name := range fieldsSet(pkg.info, n) {
					set[name] = true
				}
				return true
			})
		}
	}
	for _, pkg := range p.public() {
		for _, named := range exportedTypes(pkg.Package) {
			of, ok := named.Underlying().(*types.Struct)
			if !ok || !strings.HasSuffix(named.Obj().Name(), "Options") && nameOf(named) != "computeresources.Kubernetes" {
				continue
			}
			for v := range of.Fields() {
				if name := nameOf(named) + "." + v.Name(); v.Exported() && !set[name] {
					found = append(found, name+": no test sets it")
				}
			}
		}
	}
	return found
}

// fieldsSet returns the fields of types of ours that a node sets.
func fieldsSet(info *types.Info, n ast.Node) (names []string) {
	add := func(of types.Type, field ast.Expr, value ast.Expr) {
		if p, ok := of.(*types.Pointer); ok {
			of = p.Elem()
		}
		named, ok := types.Unalias(of).(*types.Named)
		if id, isName := field.(*ast.Ident); ok && isName && isOurs(named) && (value == nil || !isZero(info.Types[value])) {
			names = append(names, nameOf(named)+"."+id.Name)
		}
	}
	switch n := n.(type) {
	case *ast.CompositeLit:
		for _, element := range n.Elts {
			if pair, ok := element.(*ast.KeyValueExpr); ok {
				add(info.Types[n].Type, pair.Key, pair.Value)
			}
		}
	case *ast.AssignStmt:
		for i, e := range n.Lhs {
			if sel, ok := e.(*ast.SelectorExpr); ok && len(n.Lhs) == len(n.Rhs) {
				add(info.Types[sel.X].Type, sel.Sel, n.Rhs[i])
			}
		}
	case *ast.UnaryExpr:
		if sel, ok := n.X.(*ast.SelectorExpr); ok && n.Op == token.AND {
			add(info.Types[sel.X].Type, sel.Sel, nil)
		}
	}
	return names
}

// isZero reports whether a value is nil, or the constant that is the zero value.
func isZero(of types.TypeAndValue) bool {
	switch {
	case of.Value == nil:
		return of.IsNil()
	case of.Value.Kind() == constant.Bool:
		return !constant.BoolVal(of.Value)
	case of.Value.Kind() == constant.String:
		return constant.StringVal(of.Value) == ""
	}
	return constant.Sign(of.Value) == 0
}
