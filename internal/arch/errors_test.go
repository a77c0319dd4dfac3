package arch_test

import (
	"fmt"
	"go/types"
	"testing"
)

// errorsByValue returns the types of a package that are errors without a pointer. Comparing two of them, as
// errors.Is does, panics if they contain a slice or a map.
func errorsByValue(pkg string, p *types.Package) (found []string) {
	errorType := types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
	for _, name := range p.Scope().Names() {
		if t, ok := p.Scope().Lookup(name).(*types.TypeName); ok && !types.IsInterface(t.Type()) && types.Implements(t.Type(), errorType) {
			found = append(found, fmt.Sprintf("%s: errors: %s is an error by value: give Error a pointer receiver", pkg, name))
		}
	}
	return found
}

func TestErrorsCanBeCompared(t *testing.T) {
	for _, p := range library(t) {
		report(t, errorsByValue(p.path, p.Package))
	}
}

func TestErrorsByValue(t *testing.T) {
	const text = "type A struct{ a []string }\nfunc (A) Error() string { return \"\" }\n" +
		"type b struct{ A }\ntype C struct{}\nfunc (*C) Error() string { return \"\" }\ntype D interface{ error }\ntype E []string\n"
	expect(t, errorsByValue("qos", checkAll(t, "qos", text)[0].Package), []string{
		"qos: errors: A is an error by value: give Error a pointer receiver",
		"qos: errors: b is an error by value: give Error a pointer receiver",
	})
}
