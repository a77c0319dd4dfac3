package arch_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"
)

// Tests go through all members of an enumeration by a list in a variable of their package. A member that
// is added later has to be in these lists. If it can be selected by options, some test of its package has
// to name it.

// memberViolations returns the constants of enumerations that options have and no test of their package
// names, those that a list in the tests lacks, and the enumerations without a list.
func memberViolations(p testedPackage, inOptions map[string]bool) (found []string) {
	named := map[types.Object]bool{}
	for _, object := range p.info.Uses {
		named[object] = true
	}
	for _, enumeration := range exportedTypes(p.with) {
		if !inOptions[types.TypeString(enumeration, nil)] || !isEnumeration(enumeration) {
			continue
		}
		for _, c := range constantsOf(enumeration) {
			if !named[c] {
				found = append(found, fmt.Sprintf("%s.%s: members: no test of the package names it", p.path, c.Name()))
			}
		}
	}
	listed := map[*types.Named]bool{}
	for _, file := range p.files {
		for _, decl := range file.Decls {
			if variables, ok := decl.(*ast.GenDecl); ok && variables.Tok == token.VAR {
				for _, spec := range variables.Specs {
					found = append(found, missingMembers(p, spec.(*ast.ValueSpec), listed)...)
				}
			}
		}
	}
	for _, enumeration := range exportedTypes(p.with) {
		if isEnumeration(enumeration) && !listed[enumeration] {
			found = append(found, fmt.Sprintf("%s.%s: members: no variable of its tests lists them", p.path, enumeration.Obj().Name()))
		}
	}
	return sorted(found)
}

// missingMembers returns the constants that variables of a test lack: lists of an enumeration of ours, and those
// of others if their name begins with "all".
func missingMembers(p testedPackage, spec *ast.ValueSpec, all map[*types.Named]bool) (found []string) {
	for i, name := range spec.Names {
		list, ok := p.info.Defs[name].Type().(*types.Slice)
		if !ok || i >= len(spec.Values) {
			continue
		}
		enumeration, ok := list.Elem().(*types.Named)
		if !ok || !isOurs(enumeration) && !strings.HasPrefix(name.Name, "all") || !isEnumeration(enumeration) {
			continue
		}
		all[enumeration] = true
		listed := map[string]bool{}
		ast.Inspect(spec.Values[i], func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				listed[id.Name] = true
			}
			return true
		})
		for _, c := range constantsOf(enumeration) {
			if !listed[c.Name()] {
				found = append(found, fmt.Sprintf("%s: members: %s of its tests lacks %s", p.path, name.Name, c.Name()))
			}
		}
	}
	return found
}

// isOurs reports whether a type is exported by a package of the module.
func isOurs(named *types.Named) bool {
	if named.Obj().Pkg() == nil || !named.Obj().Exported() {
		return false
	}
	_, ours := below(named.Obj().Pkg().Path())
	return ours
}

// namesOfOptions returns the names of the types that fields of exported options have.
func namesOfOptions(pkgs []libraryPackage) map[string]bool {
	names := map[string]bool{}
	for object := range fieldsOfOptions(pkgs) {
		names[types.TypeString(object.Type(), nil)] = true
	}
	return names
}

func TestMembersOfEnumerations(t *testing.T) {
	inOptions := namesOfOptions(public(t))
	for _, p := range testedPackages(t) {
		report(t, memberViolations(p, inOptions))
	}
}

func TestMemberViolations(t *testing.T) {
	const library = "package qos\ntype E string\nconst (\n\tA E = \"a\"\n\tB E = \"b\"\n)\ntype Options struct{ E E }\ntype Cause string\nconst C Cause = \"c\""
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"a list", "var all, causes = []qos.E{qos.A, qos.B}, []qos.Cause{qos.C}", nil},
		{"no list", "var a, b, c = qos.A, qos.B, []qos.Cause{qos.C}", []string{"qos.E: members: no variable of its tests lists them"}},
		{"a member without a test", "var a, c = []qos.E{qos.A}, []qos.Cause{qos.C}", []string{"qos.B: members: no test of the package names it", "qos: members: a of its tests lacks B"}},
		{"a list without a member", "var all, b, c = []qos.E{qos.A}, qos.B, []qos.Cause{qos.C}", []string{"qos: members: all of its tests lacks B"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			known := sources{}
			pkg, _ := known.check(t, importPath("qos"), library, nil)
			known[importPath("qos")] = pkg
			info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
			_, files := known.check(t, "qos_test", "package qos_test\nimport \""+importPath("qos")+"\"\n"+test.text, info)
			expect(t, memberViolations(testedPackage{"qos", pkg, pkg, files, info}, namesOfOptions([]libraryPackage{{"qos", pkg}})), test.want)
		})
	}
}

// The objects that properties draw have each type that a switch of a kernel distinguishes.
func TestTypesOfObjects(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	pathsOf := func(pattern string) []string {
		paths, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		return paths
	}
	drawn := map[string]bool{}
	for _, path := range pathsOf("internal/testkit/*.go") {
		for _, name := range literalsIn(parsed(t, path), "kinds") {
			drawn[name] = true
		}
	}
	var missing []string
	for _, row := range table {
		for _, path := range pathsOf(row.pkg + "/*.go") {
			if row.kind != pure || strings.HasSuffix(path, "_test.go") {
				continue
			}
			for _, name := range typesInSwitches(parsed(t, path)) {
				if !drawn[name] {
					missing = append(missing, fmt.Sprintf("%s: a switch has the type %s, which testkit.Stored does not draw", filepath.Base(path), name))
				}
			}
		}
	}
	if len(drawn) == 0 {
		t.Error("testkit draws no objects")
	}
	report(t, missing)
}

func parsed(t *testing.T, path string) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// literalsIn returns the types of other packages of which a function has literals.
func literalsIn(file *ast.File, function string) (names []string) {
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Name.Name == function {
			ast.Inspect(f, func(n ast.Node) bool {
				if literal, ok := n.(*ast.CompositeLit); ok && imported(literal.Type) != "" {
					names = append(names, imported(literal.Type))
				}
				return true
			})
		}
	}
	return names
}

// typesInSwitches returns the types of other packages that the cases of type switches have.
func typesInSwitches(file *ast.File) (names []string) {
	ast.Inspect(file, func(n ast.Node) bool {
		if found, ok := n.(*ast.TypeSwitchStmt); ok {
			for _, clause := range found.Body.List {
				for _, of := range clause.(*ast.CaseClause).List {
					if pointer, ok := of.(*ast.StarExpr); ok && imported(pointer.X) != "" {
						names = append(names, imported(pointer.X))
					}
				}
			}
		}
		return true
	})
	return names
}

// imported returns the name of a type of another package, "" for other types.
func imported(of ast.Expr) string {
	if name, ok := of.(*ast.SelectorExpr); ok {
		return types.ExprString(name)
	}
	return ""
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

// fieldsOfOptions returns the types of the fields of exported options, which are structs whose names end in Options.
func fieldsOfOptions(pkgs []libraryPackage) map[*types.TypeName]bool {
	found := map[*types.TypeName]bool{}
	for _, p := range pkgs {
		for _, named := range exportedTypes(p.Package) {
			options, ok := named.Underlying().(*types.Struct)
			if !ok || !strings.HasSuffix(named.Obj().Name(), "Options") {
				continue
			}
			for field := range options.Fields() {
				if of, ok := field.Type().(*types.Named); ok && field.Exported() {
					found[of.Obj()] = true
				}
			}
		}
	}
	return found
}
