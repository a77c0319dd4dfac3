package arch_test

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
)

// TestAPI compares the exported API of the library with docs/api.txt, so that each change shows in a
// diff. go test ./internal/arch -run TestAPI -update writes the file.
func TestAPI(t *testing.T) {
	var lines []string
	for _, p := range ours().public() {
		lines = append(lines, apiOf(p)...)
	}
	golden.Compare(t, "../../docs/api.txt", strings.Join(lines, "\n")+"\n")
}

// apiOf returns the API of a package: a line for each name, field and method, sorted.
func apiOf(pkg libraryPackage) (lines []string) {
	short := func(other *types.Package) string {
		if other == pkg.Package {
			return ""
		}
		return other.Name()
	}
	add := func(text string) { lines = append(lines, pkg.path+": "+text) }
	for _, name := range pkg.Scope().Names() {
		object := pkg.Scope().Lookup(name)
		if !object.Exported() {
			continue
		}
		text := types.ObjectString(object, short)
		if c, ok := object.(*types.Const); ok {
			text += " = " + c.Val().ExactString()
		}
		named, isNamed := object.Type().(*types.Named)
		if t, ok := object.(*types.TypeName); ok && isNamed && !t.IsAlias() {
			if fields, ok := named.Underlying().(*types.Struct); ok {
				text = "type " + name + " struct"
				for i := range fields.NumFields() {
					if f := fields.Field(i); f.Exported() {
						field := fmt.Sprintf("%s, %s %s `%s`", text, f.Name(), types.TypeString(f.Type(), short), fields.Tag(i))
						add(strings.TrimSuffix(field, " ``"))
					}
				}
			}
			for m := range named.Methods() {
				if m.Exported() {
					add(types.ObjectString(m, short))
				}
			}
		}
		add(text)
	}
	slices.Sort(lines)
	return lines
}

// errorsByValue returns the types that are errors without a pointer. Comparing two of them, as errors.Is
// does, panics if they contain a slice or a map.
func errorsByValue(p *project) (found []string) {
	errorType := types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
	for _, pkg := range p.library {
		for _, name := range pkg.Scope().Names() {
			if t, ok := pkg.Scope().Lookup(name).(*types.TypeName); ok && !types.IsInterface(t.Type()) && types.Implements(t.Type(), errorType) {
				found = append(found, fmt.Sprintf("%s: %s is an error by value: give Error a pointer receiver", pkg.path, name))
			}
		}
	}
	return found
}
