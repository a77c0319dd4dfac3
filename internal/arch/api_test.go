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
	for _, p := range public(t) {
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
	add := func(format string, args ...any) {
		lines = append(lines, pkg.path+": "+fmt.Sprintf(format, args...))
	}
	scope := pkg.Scope()
	for _, name := range scope.Names() {
		object := scope.Lookup(name)
		if !object.Exported() {
			continue
		}
		switch object := object.(type) {
		case *types.Const:
			add("%s = %s", types.ObjectString(object, short), object.Val().ExactString())
		case *types.TypeName:
			named, isNamed := object.Type().(*types.Named)
			if !isNamed || object.IsAlias() {
				add("%s", types.ObjectString(object, short))
				continue
			}
			fields, isStruct := named.Underlying().(*types.Struct)
			if !isStruct {
				add("%s", types.ObjectString(object, short))
			} else {
				add("type %s struct", name)
				for i := range fields.NumFields() {
					if f := fields.Field(i); f.Exported() {
						text := fmt.Sprintf("type %s struct, %s %s `%s`", name, f.Name(), types.TypeString(f.Type(), short), fields.Tag(i))
						add("%s", strings.TrimSuffix(text, " ``"))
					}
				}
			}
			for m := range named.Methods() {
				if m.Exported() {
					add("%s", types.ObjectString(m, short))
				}
			}
		default:
			add("%s", types.ObjectString(object, short))
		}
	}
	slices.Sort(lines)
	return lines
}

// errorsByValue returns the types of a package that are errors without a pointer. Comparing two of them, as errors.Is
// does, panics if they contain a slice or a map.
func errorsByValue(p libraryPackage) (found []string) {
	errorType := types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
	for _, name := range p.Scope().Names() {
		if t, ok := p.Scope().Lookup(name).(*types.TypeName); ok && !types.IsInterface(t.Type()) && types.Implements(t.Type(), errorType) {
			found = append(found, fmt.Sprintf("%s: %s is an error by value: give Error a pointer receiver", p.path, name))
		}
	}
	return found
}

func TestErrorsCanBeCompared(t *testing.T) {
	for _, p := range library(t) {
		report(t, errorsByValue(p))
	}
}

func TestAPINotices(t *testing.T) {
	pkg := libraryPackage{"lib", planted{}.add(t, "lib", `package lib
type Options struct {
	Set bool `+"`json:\"set\"`"+`
	own int
}
type Kind uint8
const First Kind = 1
var Default = Options{}
func (o *Options) Change(k Kind) error { return nil }
func (o Options) own2() {}
func Of(o Options) []Kind { return nil }
type hidden struct{}
func (hidden) Error() string { return "" }
func (*Kind) Error() string { return "" }
`).pkg}
	expect(t, apiOf(pkg),
		"lib: const First Kind = 1",
		"lib: func (*Kind).Error() string",
		"lib: func (*Options).Change(k Kind) error",
		"lib: func Of(o Options) []Kind",
		"lib: type Kind uint8",
		"lib: type Options struct",
		"lib: type Options struct, Set bool `json:\"set\"`",
		"lib: var Default Options",
	)
	expect(t, errorsByValue(pkg), "lib: hidden is an error by value: give Error a pointer receiver")
}
