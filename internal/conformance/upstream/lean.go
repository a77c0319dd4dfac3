package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path"
	"strconv"
	"strings"
)

// lean returns an adapter that calls only kubemath, for benchmarks: without the calls that compare, and
// without calls of upstream functions whose answers are only compared.
func lean(file string, source []byte) ([]byte, error) {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	parsed.Comments = nil // which would move
	used := importsUsed(parsed)
	for _, decl := range parsed.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Body != nil {
			for removeFrom(f) {
			}
		}
	}
	still := importsUsed(parsed)
	for _, decl := range parsed.Decls {
		if imports, ok := decl.(*ast.GenDecl); ok && imports.Tok == token.IMPORT {
			var specs []ast.Spec
			for _, spec := range imports.Specs {
				if name := importName(spec.(*ast.ImportSpec)); !used[name] || still[name] {
					specs = append(specs, spec)
				}
			}
			imports.Specs = specs
		}
	}
	var out bytes.Buffer
	if err := format.Node(&out, fset, parsed); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return out.Bytes(), nil
}

func importName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	imported, _ := strconv.Unquote(spec.Path.Value) // it has been parsed
	return path.Base(imported)
}

// importsUsed returns the names before the dots of a file.
func importsUsed(file *ast.File) map[string]bool {
	used := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if selector, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := selector.X.(*ast.Ident); ok {
				used[id.Name] = true
			}
		}
		return true
	})
	return used
}

// removeFrom removes what is not needed from a function, and reports whether there was anything.
func removeFrom(f *ast.FuncDecl) (removed bool) {
	reads := map[string]int{}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			reads[id.Name]++
		}
		return true
	})
	ast.Inspect(f.Body, func(n ast.Node) bool {
		block, ok := n.(*ast.BlockStmt)
		if !ok {
			return true
		}
		var kept []ast.Stmt
		for _, statement := range block.List {
			if needless(statement, reads) {
				removed = true
				continue
			}
			removed = blank(statement, reads) || removed
			kept = append(kept, statement)
		}
		block.List = kept
		return true
	})
	return removed
}

// needless reports whether a statement compares, records, keeps values for a comparison, calls upstream
// for a result that is not read, or is a loop with an empty body.
func needless(statement ast.Stmt, reads map[string]int) bool {
	switch s := statement.(type) {
	case *ast.ExprStmt:
		call := called(s.X)
		return call == "beside.Compare" || call == "beside.Forward" || call == "in.Unchanged"
	case *ast.AssignStmt:
		if s.Tok != token.DEFINE || len(s.Rhs) != 1 {
			return false
		}
		call := called(s.Rhs[0])
		_, name, method := strings.Cut(call, ".")
		if !method {
			name = call
		}
		if call != "beside.Keep" && name != "original" && !strings.HasPrefix(name, "upstream") {
			return false
		}
		return !anyRead(s.Lhs, reads)
	case *ast.RangeStmt:
		return len(s.Body.List) == 0
	}
	return false
}

// blank replaces variables that are never read by _, and reports whether there are any.
func blank(statement ast.Stmt, reads map[string]int) (changed bool) {
	s, ok := statement.(*ast.AssignStmt)
	if !ok || s.Tok != token.DEFINE {
		return false
	}
	for _, left := range s.Lhs {
		if id, ok := left.(*ast.Ident); ok && id.Name != "_" && reads[id.Name] == 1 {
			id.Name, changed = "_", true
		}
	}
	if changed && !anyRead(s.Lhs, reads) {
		s.Tok = token.ASSIGN
	}
	return changed
}

// anyRead reports whether a function reads one of the variables that a statement declares.
func anyRead(left []ast.Expr, reads map[string]int) bool {
	for _, x := range left {
		if id, ok := x.(*ast.Ident); !ok || id.Name != "_" && reads[id.Name] > 1 {
			return true
		}
	}
	return false
}

// called returns F for a call of F, x.F for one of x.F, .F for one of a method of anything else, and ""
// for other expressions.
func called(x ast.Expr) string {
	call, ok := x.(*ast.CallExpr)
	if !ok {
		return ""
	}
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		if id, ok := f.X.(*ast.Ident); ok {
			return id.Name + "." + f.Sel.Name
		}
		return "." + f.Sel.Name
	}
	return ""
}
