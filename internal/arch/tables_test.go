package arch_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"testing"
)

// A table is a package-level variable that is a constant in all but name, since Go has no constant
// arrays: an unexported array of plain values, written out in full, that no code of the package
// assigns to, slices, or takes the address of. Other packages cannot change it, because arrays are
// copied.

// basicTypes are the types of elements that have no methods, and refer to nothing.
var basicTypes = []string{
	"bool", "byte", "float32", "float64", "int", "int8", "int16", "int32", "int64", "rune",
	"string", "uint", "uint8", "uint16", "uint32", "uint64",
}

// plainTypes are such types of other packages, whose methods do not write.
var plainTypes = map[string][]string{
	"k8s.io/apimachinery/pkg/api/resource": {"Format"},
}

// isTable reports whether a package-level variable is declared as a table.
func isTable(imported map[string]string, name *ast.Ident, value ast.Expr) bool {
	literal, ok := value.(*ast.CompositeLit)
	return ok && !name.IsExported() && name.Name != "_" && isPlainArray(imported, literal.Type) && !calls(literal)
}

// isPlainArray reports whether a type is an array, and no slice, of plain values.
func isPlainArray(imported map[string]string, t ast.Expr) bool {
	array, ok := t.(*ast.ArrayType)
	if !ok || array.Len == nil {
		return false
	}
	switch element := array.Elt.(type) {
	case *ast.Ident:
		return slices.Contains(basicTypes, element.Name)
	case *ast.SelectorExpr:
		return isOneOf(plainTypes, imported, element)
	}
	return false
}

// calls reports whether a value takes more than constants: what is called runs before the
// first call of the package.
func calls(value ast.Expr) (found bool) {
	ast.Inspect(value, func(n ast.Node) bool {
		_, call := n.(*ast.CallExpr)
		found = found || call
		return !found
	})
	return found
}

// changes returns where a file writes to a variable of one of these names, or to a part of it, or
// shares it so that others can. A local variable of the same name is treated as the variable,
// unless it is only declared.
func changes(names []string, file *ast.File) (nodes []*ast.Ident) {
	check := func(exprs ...ast.Expr) {
		for _, e := range exprs {
			if name := rootOf(e); name != nil && slices.Contains(names, name.Name) {
				nodes = append(nodes, name)
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				check(n.Lhs...)
			}
		case *ast.IncDecStmt:
			check(n.X)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				check(n.Key, n.Value)
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				check(n.X)
			}
		case *ast.SliceExpr:
			check(n.X)
		}
		return true
	})
	return nodes
}

// rootOf returns the variable that an expression is, or is an element of, or nil.
func rootOf(e ast.Expr) *ast.Ident {
	switch e := e.(type) {
	case *ast.Ident:
		return e
	case *ast.IndexExpr:
		return rootOf(e.X)
	case *ast.ParenExpr:
		return rootOf(e.X)
	}
	return nil
}

func TestTables(t *testing.T) {
	const notState = ": package-level var v is neither a table of plain values, nor an error sentinel, nor an assertion that a type implements an interface"
	const changed = ": changes or shares the package-level var v"
	tests := []struct {
		name string
		src  string // below the package clause, which is line 1
		want []string
	}{
		{"of numbers", "var v = [...]uint32{1, 2 * 3, c, 'x', -1}", nil},
		{"of what has methods", "import \"k8s.io/apimachinery/pkg/api/resource\"\nvar v = [...]resource.Quantity{}", []string{"3:5" + notState}},
		{"slice", "var v = []int{1}", []string{"2:5" + notState}},
		{"with a call", "var v = [1]int{f()}", []string{"2:5" + notState}},

		{"read", "var v = [1]int{1}\nfunc f(i int) int {\n\tfor _, n := range v {\n\t\ti += n\n\t}\n\tw := v\n\tw[i] = v[i]\n\treturn len(v)\n}", nil},
		{"element assigned to", "var v = [1]int{1}\nfunc f() { v[0] = 1 }", []string{"3:12" + changed}},
		{"element counted", "var v = [1]int{1}\nfunc f() { v[0]++ }", []string{"3:12" + changed}},
		{"address taken", "var v = [1]int{1}\nfunc f() *[1]int { return &v }", []string{"3:28" + changed}},
		{"sliced", "var v = [1]int{1}\nfunc f() []int { return v[:] }", []string{"3:25" + changed}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			expectImpurities(t, test.want, test.src)
		})
	}
	t.Run("in another file", func(t *testing.T) {
		expectImpurities(t, []string{"2:12" + changed}, "var v = [1]int{1}", "func f() { v[0] = 1 }")
	})
}

// expectImpurities fails unless a package of these files has the impurities.
func expectImpurities(t *testing.T, want []string, sources ...string) {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	for _, src := range sources {
		file, err := parser.ParseFile(fset, "a.go", "package p\n"+src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	var all []string
	for _, w := range want {
		all = append(all, "qos: purity: a.go:"+w)
	}
	expect(t, impurities("qos", fset, files), all)
}
