package arch_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// worldly lists the packages, including their subpackages, through which a computation could depend
// on more than its arguments, have side effects, or write through an argument whose type says that
// it only reads.
var worldly = []string{
	"C", "context", "flag", "log", "math/rand", "net", "os", "syscall", "testing", "unsafe",
}

// worldlyNames lists such functions in packages that are otherwise harmless.
var worldlyNames = map[string][]string{
	"fmt":  {"Print", "Printf", "Println", "Scan", "Scanf", "Scanln"},
	"time": {"After", "AfterFunc", "NewTicker", "NewTimer", "Now", "Since", "Sleep", "Tick", "Until"},

	"k8s.io/apimachinery/pkg/apis/meta/v1": {"Now", "NowMicro"},
}

// sentinelMakers are the functions whose result a package-level variable may hold.
var sentinelMakers = map[string][]string{
	"errors": {"New"},
	"fmt":    {"Errorf"},
}

// impurities returns where a package does I/O or the like, has state that outlives a call, or runs
// code before the first call.
func impurities(pkg string, fset *token.FileSet, files []*ast.File) []string {
	var found []string
	add := func(n ast.Node, format string, args ...any) {
		at := fset.Position(n.Pos())
		found = append(found, fmt.Sprintf("%s: purity: %s:%d:%d: %s", pkg, at.Filename, at.Line, at.Column, fmt.Sprintf(format, args...)))
	}
	for _, file := range files {
		worldlyParts(file, add)
		declarations(file, add)
	}
	return sorted(found)
}

// worldlyParts adds the worldly imports and names that a file uses.
func worldlyParts(file *ast.File, add func(n ast.Node, format string, args ...any)) {
	for _, spec := range file.Imports {
		name, path := localName(spec)
		if name == "." {
			add(spec, "imports %s without a name, which hides where names come from", path)
		}
		if slices.ContainsFunc(worldly, func(w string) bool { return path == w || strings.HasPrefix(path, w+"/") }) {
			add(spec, "imports %s", path)
		}
	}
	imported := importsByName(file)
	// A local variable with the name of an import is treated as the import: renaming it is better
	// than missing a call.
	ast.Inspect(file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && isOneOf(worldlyNames, imported, sel) {
			add(sel, "uses %s.%s", imported[sel.X.(*ast.Ident).Name], sel.Sel.Name)
		}
		return true
	})
}

// declarations adds the state that a file declares, and what runs before the first call.
func declarations(file *ast.File, add func(n ast.Node, format string, args ...any)) {
	imported := importsByName(file)
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.Name == "init" {
				add(d, "func init")
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				v, ok := spec.(*ast.ValueSpec)
				if !ok || d.Tok != token.VAR {
					continue
				}
				for _, name := range stateful(imported, v) {
					add(name, "package-level var %s is neither a table of plain values, nor an error sentinel, nor an assertion that a type implements an interface", name.Name)
				}
			}
		}
	}
}

// stateful returns the names that a package-level var declares, but those of tables, of
// error sentinels, and of assertions: var _ Interface = value.
func stateful(imported map[string]string, v *ast.ValueSpec) []*ast.Ident {
	var names []*ast.Ident
	for i, name := range v.Names {
		assertion := name.Name == "_" && v.Type != nil
		sentinel := i < len(v.Values) && isSentinel(imported, v.Values[i])
		table := i < len(v.Values) && isTable(imported, name, v.Values[i])
		if !assertion && !sentinel && !table {
			names = append(names, name)
		}
	}
	return names
}

func isSentinel(imported map[string]string, value ast.Expr) bool {
	call, ok := value.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && isOneOf(sentinelMakers, imported, sel)
}

// isOneOf reports whether the selector is a name of a package, both in the list.
func isOneOf(list map[string][]string, imported map[string]string, sel *ast.SelectorExpr) bool {
	x, ok := sel.X.(*ast.Ident)
	return ok && slices.Contains(list[imported[x.Name]], sel.Sel.Name)
}

// importsByName returns the imports of a file by the name they have in it.
func importsByName(file *ast.File) map[string]string {
	imported := map[string]string{}
	for _, spec := range file.Imports {
		name, path := localName(spec)
		imported[name] = path
	}
	return imported
}

// localName returns the name that an import has in its file, and its path. Without an alias it uses
// the last element of the path, which is right for every package that the rules name.
func localName(spec *ast.ImportSpec) (name, importPath string) {
	importPath, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		panic(err) // the parser has unquoted it before
	}
	if spec.Name != nil {
		return spec.Name.Name, importPath
	}
	return path.Base(importPath), importPath
}

// A table is a package-level variable that is a constant in all but name, since Go has no constant
// arrays: an unexported array of plain values, written out in full. Other
// packages cannot change it, because arrays are copied.

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

func TestPurity(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range goList(t) {
		pkg, ours := below(p.ImportPath)
		if r, _ := rowOf(table, pkg); !ours || r.kind != pure {
			continue
		}
		// The files of go list are not used, because a build constraint must not bypass the rules.
		files, err := filepath.Glob(filepath.Join(p.Dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		fset := token.NewFileSet()
		var parsed []*ast.File
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			parsed = append(parsed, file)
		}
		for _, v := range impurities(pkg, fset, parsed) {
			t.Error(strings.ReplaceAll(v, root+string(filepath.Separator), ""))
		}
	}
}

func TestImpurities(t *testing.T) {
	const notState = " is neither a table of plain values, nor an error sentinel, nor an assertion that a type implements an interface"
	tests := []struct {
		name string
		src  string // below the package clause, which is line 1
		want []string
	}{
		{"harmless imports", `import ("fmt"; "iter"; "math/big"; "network"; "time"; "logic/os")`, nil},
		{"os", `import "os"`, []string{"2:8: imports os"}},
		{"below net", `import "net/http"`, []string{"2:8: imports net/http"}},
		{"under an alias", `import harmless "os"`, []string{"2:8: imports os"}},
		{"without a name", `import . "strings"`,
			[]string{"2:8: imports strings without a name, which hides where names come from"}},

		{"arithmetic of times", "import \"time\"\nfunc f(now, t time.Time) bool { return now.After(t) && now.Sub(t) < time.Second }", nil},
		{"Now", "import \"time\"\nfunc f() { time.Now() }", []string{"3:12: uses time.Now"}},
		{"Now as a value", "import \"time\"\nfunc f() { g(time.Now) }", []string{"3:14: uses time.Now"}},
		{"clock of the API types", "import metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\nfunc f() { metav1.Now(); metav1.NowMicro() }",
			[]string{
				"3:12: uses k8s.io/apimachinery/pkg/apis/meta/v1.Now",
				"3:26: uses k8s.io/apimachinery/pkg/apis/meta/v1.NowMicro",
			}},
		{"formatting", "import \"fmt\"\nfunc f() string { return fmt.Sprintf(\"%d\", 1) }", nil},
		{"printing", "import \"fmt\"\nfunc f() { fmt.Print(); fmt.Printf(\"\"); fmt.Println() }",
			[]string{"3:12: uses fmt.Print", "3:25: uses fmt.Printf", "3:41: uses fmt.Println"}},

		{"error sentinels", "import (\"errors\"; \"fmt\")\nvar ErrA, errB = errors.New(\"a\"), fmt.Errorf(\"b\")", nil},
		{"assertion", "var _ I = (*t)(nil)", nil},
		{"map", "var cache = map[string]int{}", []string{"2:5: package-level var cache" + notState}},

		{"table", "var v = [...]uint32{1, 2 * 3, c, 'x', -1}", nil},
		{"slice", "var v = []int{1}", []string{"2:5: package-level var v" + notState}},
		{"with a call", "var v = [1]int{f()}", []string{"2:5: package-level var v" + notState}},
		{"init", "func init() {}", []string{"2:1: func init"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, "a.go", "package p\n"+test.src, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			for _, w := range test.want {
				want = append(want, "qos: purity: a.go:"+w)
			}
			expect(t, impurities("qos", fset, []*ast.File{file}), want)
		})
	}
}
