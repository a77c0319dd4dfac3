package arch_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"strings"
)

// Tests go through all members of an enumeration by a list in a variable of their package, so a member that is added
// later has to be in these lists.

// memberViolations returns the constants that a list in the tests of a package lacks, and its enumerations without a
// list. Of enumerations of others, lists count whose names begin with "all".
func memberViolations(p *project) (found []string) {
	for _, pkg := range p.library {
		found = append(found, membersOf(pkg)...)
	}
	return found
}

func membersOf(p libraryPackage) (found []string) {
	listed := map[string]bool{}
	for _, f := range p.tests {
		for _, decl := range f.tree.Decls {
			variables, ok := decl.(*ast.GenDecl)
			if !ok || variables.Tok != token.VAR {
				continue
			}
			for _, spec := range variables.Specs {
				for i, value := range spec.(*ast.ValueSpec).Values {
					list, ok := p.info.Types[value].Type.(*types.Slice)
					if !ok {
						continue
					}
					name := spec.(*ast.ValueSpec).Names[i].Name
					of, ok := list.Elem().(*types.Named)
					if ok && isEnumeration(of) && (isOurs(of) || strings.HasPrefix(name, "all")) {
						listed[nameOf(of)] = true
						found = append(found, missing(p, name, value, of)...)
					}
				}
			}
		}
	}
	for _, of := range exportedTypes(p.Package) {
		if isEnumeration(of) && !listed[nameOf(of)] {
			found = append(found, fmt.Sprintf("%s.%s: no variable of its tests lists the members", p.path, of.Obj().Name()))
		}
	}
	return found
}

// missing returns the constants that a list lacks.
func missing(p libraryPackage, name string, list ast.Expr, of *types.Named) (found []string) {
	has := map[string]bool{}
	ast.Inspect(list, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			has[id.Name] = true
		}
		return true
	})
	for _, c := range constantsOf(of) {
		if !has[c.Name()] {
			found = append(found, fmt.Sprintf("%s: %s of its tests lacks %s", p.path, name, c.Name()))
		}
	}
	return found
}

// constantsOf returns the constants of a type that its package declares.
func constantsOf(named *types.Named) (all []*types.Const) {
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		if c, ok := scope.Lookup(name).(*types.Const); ok && c.Exported() && types.Identical(c.Type(), named) {
			all = append(all, c)
		}
	}
	return all
}

// isEnumeration reports whether a type is a string or integer type with constants.
func isEnumeration(named *types.Named) bool {
	basic, ok := named.Underlying().(*types.Basic)
	return ok && basic.Info()&(types.IsInteger|types.IsString) != 0 && len(constantsOf(named)) > 0
}

// undrawnTypes returns the types that a switch of a kernel distinguishes, but that neither properties draw as objects nor
// the tests of its package have.
func undrawnTypes(p *project) (found []string) {
	drawn := map[string]bool{}
	has := func(dir string, in ast.Node) {
		ast.Inspect(in, func(n ast.Node) bool {
			if literal, ok := n.(*ast.CompositeLit); ok && literal.Type != nil {
				drawn[dir+types.ExprString(literal.Type)] = true
			}
			return true
		})
	}
	for _, f := range p.in("internal/testkit") {
		if kinds := f.tree.Scope.Lookup("kinds"); kinds != nil {
			has("", kinds.Decl.(ast.Node))
		}
	}
	for _, pkg := range p.library {
		for _, f := range pkg.tests {
			has(pkg.path, f.tree)
		}
	}
	for _, f := range p.kernelFiles() {
		ast.Inspect(f.tree, func(n ast.Node) bool {
			branches, ok := n.(*ast.TypeSwitchStmt)
			if !ok {
				return true
			}
			for _, clause := range branches.Body.List {
				for _, of := range clause.(*ast.CaseClause).List {
					name := strings.TrimPrefix(types.ExprString(of), "*")
					if strings.Contains(name, ".") && name != types.ExprString(of) && !drawn[name] && !drawn[path.Dir(f.name)+name] {
						found = append(found, f.at(of, "a switch has the type %s, which its tests do not have, and testkit.Stored does not draw", name))
					}
				}
			}
			return true
		})
	}
	return found
}
