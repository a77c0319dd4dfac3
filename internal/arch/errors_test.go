package arch_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
)

// incomparableErrors returns the types of a package that are errors by value, and for which comparing
// two errors with == panics: those that contain a slice, a map, a function or an interface. An error type
// with a pointer receiver is safe.
func incomparableErrors(pkg string, p *types.Package) (found []string) {
	errorType := types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
	for _, name := range p.Scope().Names() {
		t, ok := p.Scope().Lookup(name).(*types.TypeName)
		if !ok || types.IsInterface(t.Type()) || !types.Implements(t.Type(), errorType) {
			continue
		}
		if !alwaysComparable(t.Type()) {
			found = append(found, fmt.Sprintf("%s: errors: two values of %s panic when they are compared as errors", pkg, name))
		}
	}
	return sorted(found)
}

// alwaysComparable reports whether == of two values never panics: unlike types.Comparable,
// it does not trust interfaces.
func alwaysComparable(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Interface:
		return false
	case *types.Array:
		return alwaysComparable(t.Elem())
	case *types.Struct:
		for field := range t.Fields() {
			if !alwaysComparable(field.Type()) {
				return false
			}
		}
		return true
	}
	return types.Comparable(t)
}

func TestErrorsCanBeCompared(t *testing.T) {
	for _, p := range library(t) {
		report(t, incomparableErrors(p.path, p.Package))
	}
}

func TestIncomparableErrors(t *testing.T) {
	const method = "\nfunc (%s) Error() string { return \"\" }\n"
	for _, test := range []struct{ name, receiver, declaration string }{
		{"a struct of comparable fields", "E", "type E struct { A string; B [2]int; C *[]int }"},
		{"behind a pointer", "*E", "type E struct { A []string; B map[string]int }"},
		{"no error", "other", "type E []string; type other int"},
		{"an interface", "other", "type E interface { Error() string }; type other int"},
		{"! a slice", "E", "type E []string"},
		{"! a map in an array in a struct", "E", "type E struct { A [1]struct { B map[string]int } }"},
		{"! an interface in a struct", "E", "type E struct { A any }"},
		{"! embedded", "other", "type E struct { other; A []string }; type other int"},
	} {
		t.Run(test.name, func(t *testing.T) {
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, "p.go", "package p\n"+test.declaration+fmt.Sprintf(method, test.receiver), 0)
			if err != nil {
				t.Fatal(err)
			}
			pkg, err := new(types.Config).Check("p", fset, []*ast.File{file}, nil)
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			if strings.HasPrefix(test.name, "!") {
				want = []string{"p: errors: two values of E panic when they are compared as errors"}
			}
			if got := incomparableErrors("p", pkg); !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}
