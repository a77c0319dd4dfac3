package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// declared is a function or a method as a name: F, or T.F.
type declared string

func nameOf(f *ast.FuncDecl) declared {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return declared(f.Name.Name)
	}
	receiver := f.Recv.List[0].Type
	if star, ok := receiver.(*ast.StarExpr); ok {
		receiver = star.X
	}
	if ident, ok := receiver.(*ast.Ident); ok {
		return declared(ident.Name + "." + f.Name.Name)
	}
	return declared("?." + f.Name.Name)
}

// upstreamName is the name of an upstream function after kubemath has replaced it.
func upstreamName(name string) string {
	runes := []rune(name)
	runes[0] = unicode.ToUpper(runes[0])
	return "upstream" + string(runes)
}

// functionsOf returns the functions and methods that a file declares.
func functionsOf(file string, source []byte) ([]declared, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var names []declared
	for _, decl := range parsed.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok {
			names = append(names, nameOf(f))
		}
	}
	return names, nil
}

// rename renames the functions of a file, and returns those that it has found. The renamed functions
// call each other by their new names, so that an original calls only originals; all other code calls the
// old name, which is now kubemath's. Nothing else of the file changes, including its lines.
func rename(file string, source []byte, names []declared) ([]byte, []declared, error) {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	var found []declared
	var at []*ast.Ident
	for _, decl := range parsed.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || !slices.Contains(names, nameOf(f)) {
			continue
		}
		found = append(found, nameOf(f))
		at = append(at, f.Name)
		if f.Body == nil {
			continue
		}
		ast.Inspect(f.Body, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if name := callee(f, call); name != nil && slices.Contains(names, calledBy(f, call)) {
					at = append(at, name)
				}
			}
			return true
		})
	}
	slices.SortFunc(at, func(a, b *ast.Ident) int { return int(a.Pos() - b.Pos()) })
	var out []byte
	end := 0
	for _, ident := range at {
		start := fset.Position(ident.Pos()).Offset
		out = append(append(out, source[end:start]...), upstreamName(ident.Name)...)
		end = start + len(ident.Name)
	}
	return append(out, source[end:]...), found, nil
}

// callee returns the identifier to rename in a call of a function of the package, or of a method of
// the caller's own receiver. It returns nil for other calls, which cannot be resolved without
// types.
func callee(caller *ast.FuncDecl, call *ast.CallExpr) *ast.Ident {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok && x.Name == receiver(caller) {
			return f.Sel
		}
	}
	return nil
}

// calledBy returns the name of what callee has found.
func calledBy(caller *ast.FuncDecl, call *ast.CallExpr) declared {
	name := callee(caller, call).Name
	if _, method := call.Fun.(*ast.SelectorExpr); method {
		of, _, _ := strings.Cut(string(nameOf(caller)), ".")
		return declared(of + "." + name)
	}
	return declared(name)
}

// receiver returns the name of the receiver of a method, "" if it has none or does not name it.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 || len(f.Recv.List[0].Names) == 0 {
		return ""
	}
	return f.Recv.List[0].Names[0].Name
}

// adapt copies the adapter files into a package directory, and renames the functions that they replace.
// Tests of the package are not changed.
func adapt(dir string, adapters map[string][]byte) error {
	var names []declared
	for name, source := range adapters {
		functions, err := functionsOf(name, source)
		if err != nil {
			return err
		}
		names = append(names, functions...)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	renamed := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		changed, found, err := rename(file, source, names)
		if err != nil {
			return err
		}
		renamed += len(found)
		if len(found) > 0 {
			if err := os.WriteFile(file, changed, 0o644); err != nil {
				return err
			}
		}
	}
	if renamed == 0 {
		return fmt.Errorf("%s: the adapters stand in for nothing", dir)
	}
	for name, source := range adapters {
		if err := os.WriteFile(filepath.Join(dir, name), source, 0o644); err != nil {
			return err
		}
	}
	return nil
}
