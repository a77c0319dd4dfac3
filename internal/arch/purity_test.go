package arch_test

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// worldly lists the packages, including their subpackages, through which a computation could depend on more than its
// arguments, have side effects, or write through an argument whose type says that it only reads.
var worldly = []string{"C", "context", "flag", "log", "math/rand", "net", "os", "syscall", "testing", "unsafe"}

var (
	// worldlyNames lists such functions in packages that are otherwise harmless.
	worldlyNames = map[string][]string{
		"fmt":  {"Print", "Printf", "Println", "Scan", "Scanf", "Scanln"},
		"time": {"After", "AfterFunc", "NewTicker", "NewTimer", "Now", "Since", "Sleep", "Tick", "Until"},

		"k8s.io/apimachinery/pkg/apis/meta/v1": {"Now", "NowMicro"},
	}
	// sentinelMakers are the functions whose result a package-level variable may hold.
	sentinelMakers = map[string][]string{"errors": {"New"}, "fmt": {"Errorf"}}
	// basicTypes are the types of elements that have no methods, and refer to nothing.
	basicTypes = strings.Fields("bool byte float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64")
	// plainTypes are such types of other packages, whose methods do not write.
	plainTypes = map[string][]string{"k8s.io/apimachinery/pkg/api/resource": {"Format"}}
)

// impurities returns where the library is impure. Its root has only a document.
func impurities(p *project) (found []string) {
	for _, f := range append(p.kernelFiles(), p.in(".")...) {
		found = append(found, impuritiesOf(f)...)
	}
	return found
}

// impuritiesOf returns where a file does I/O or the like, has state that outlives a call, or runs code before the first
// call.
func impuritiesOf(f *file) (found []string) {
	imported := f.imports()
	for _, spec := range f.tree.Imports {
		path := strings.Trim(spec.Path.Value, "\"`")
		if spec.Name != nil && spec.Name.Name == "." {
			found = append(found, f.at(spec, "purity: imports %s without a name, which hides where names come from", path))
		}
		if slices.ContainsFunc(worldly, func(w string) bool { return strings.HasPrefix(path+"/", w+"/") }) {
			found = append(found, f.at(spec, "purity: imports %s", path))
		}
	}
	// A local variable with the name of an import is treated as the import: renaming it is better than missing a call.
	ast.Inspect(f.tree, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && isOneOf(worldlyNames, imported, sel) {
			found = append(found, f.at(sel, "purity: uses %s.%s", imported[sel.X.(*ast.Ident).Name], sel.Sel.Name))
		}
		return true
	})
	for _, decl := range f.tree.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.Name == "init" {
				found = append(found, f.at(d, "purity: func init"))
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok && d.Tok == token.VAR {
					for _, name := range stateful(imported, v) {
						found = append(found, f.at(name, "purity: package-level var %s is no table, error or assertion", name.Name))
					}
				}
			}
		}
	}
	return found
}

// stateful returns the names that a package-level var declares, but those of tables of plain values, of error
// sentinels, and of assertions: var _ Interface = value.
func stateful(imported map[string]string, v *ast.ValueSpec) (names []*ast.Ident) {
	for i, name := range v.Names {
		var value ast.Expr
		if i < len(v.Values) {
			value = v.Values[i]
		}
		call, _ := value.(*ast.CallExpr)
		sentinel := call != nil && isOneOf(sentinelMakers, imported, call.Fun)
		assertion := name.Name == "_" && v.Type != nil
		if !assertion && !sentinel && !isTable(imported, name, value) {
			names = append(names, name)
		}
	}
	return names
}

// isTable reports whether a package-level variable is a constant in all but name, since Go has no constant arrays: an
// unexported array of plain values, written out in full. Other packages cannot change it, because arrays are copied.
func isTable(imported map[string]string, name *ast.Ident, value ast.Expr) bool {
	literal, ok := value.(*ast.CompositeLit)
	if !ok || name.IsExported() || name.Name == "_" {
		return false
	}
	array, ok := literal.Type.(*ast.ArrayType)
	if !ok || array.Len == nil {
		return false
	}
	element, basic := array.Elt.(*ast.Ident)
	plain := basic && slices.Contains(basicTypes, element.Name) || isOneOf(plainTypes, imported, array.Elt)
	ast.Inspect(literal, func(n ast.Node) bool {
		_, call := n.(*ast.CallExpr) // runs before the first call of the package
		plain = plain && !call
		return plain
	})
	return plain
}
