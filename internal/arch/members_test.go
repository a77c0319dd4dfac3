package arch_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// Tests go through all members of an enumeration by a list in a variable of their package, so a member that is added
// later has to be in these lists.

// memberViolations returns the constants that a list in the tests of a package lacks, and its enumerations without a
// list. Of enumerations of others, lists count whose names begin with "all".
func memberViolations(p testedPackage) (found []string) {
	listed := map[*types.Named]bool{}
	for _, f := range p.files {
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
						listed[of] = true
						found = append(found, missing(p, name, value, of)...)
					}
				}
			}
		}
	}
	for _, of := range exportedTypes(p.pkg) {
		if isEnumeration(of) && !listed[of] {
			found = append(found, fmt.Sprintf("%s.%s: no variable of its tests lists the members", p.path, of.Obj().Name()))
		}
	}
	return sorted(found)
}

// missing returns the constants that a list lacks.
func missing(p testedPackage, name string, list ast.Expr, of *types.Named) (found []string) {
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

func TestMembersOfEnumerations(t *testing.T) {
	for _, p := range testedPackages(t) {
		report(t, memberViolations(p))
	}
}

func TestMembersNotice(t *testing.T) {
	all := planted{}
	pkg := all.add(t, "qos", "package qos\ntype E string\nconst (\n\tA E = \"a\"\n\tB E = \"b\"\n)\ntype Cause int\nconst C Cause = 1").pkg
	for text, want := range map[string][]string{
		"var e, causes = []qos.E{qos.A, qos.B}, []qos.Cause{qos.C}": nil,
		"var a, b, c = qos.A, qos.B, []qos.Cause{qos.C}":            {"qos.E: no variable of its tests lists the members"},
		"var e, b, c = []qos.E{qos.A}, qos.B, []qos.Cause{qos.C}":   {"qos: e of its tests lacks B"},
	} {
		tests := all.add(t, "qos_test", "package qos_test\nimport \""+importPath("qos")+"\"\n"+text)
		expect(t, memberViolations(testedPackage{"qos", pkg, tests.files, tests.info}), want...)
	}
}

// The objects that properties draw have each type that a switch of a kernel distinguishes.
func TestTypesOfObjects(t *testing.T) {
	p := load(t)
	drawn := map[string]bool{}
	for _, f := range p.in("internal/testkit") {
		for _, decl := range f.tree.Decls {
			if function, ok := decl.(*ast.FuncDecl); ok && function.Name.Name == "kinds" {
				ast.Inspect(function, func(n ast.Node) bool {
					if literal, ok := n.(*ast.CompositeLit); ok && literal.Type != nil {
						drawn[types.ExprString(literal.Type)] = true
					}
					return true
				})
			}
		}
	}
	if len(drawn) == 0 {
		t.Error("testkit draws no objects")
	}
	for _, f := range p.kernelFiles() {
		ast.Inspect(f.tree, func(n ast.Node) bool {
			found, ok := n.(*ast.TypeSwitchStmt)
			if !ok {
				return true
			}
			for _, clause := range found.Body.List {
				for _, of := range clause.(*ast.CaseClause).List {
					name := strings.TrimPrefix(types.ExprString(of), "*")
					if strings.Contains(name, ".") && name != types.ExprString(of) && !drawn[name] {
						t.Error(f.at(of, "a switch has the type %s, which testkit.Stored does not draw", name))
					}
				}
			}
			return true
		})
	}
}
