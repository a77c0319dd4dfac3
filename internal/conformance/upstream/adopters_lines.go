package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// countedLines returns how many lines of a file are neither empty, nor comments, nor its package clause and imports.
func countedLines(source string) (n int) {
	importing := false
	for line := range strings.Lines(source) {
		line = strings.TrimSpace(line)
		switch {
		case importing:
			importing = line != ")"
		case line == "import (":
			importing = true
		case line == "", strings.HasPrefix(line, "//"), strings.HasPrefix(line, "package "), strings.HasPrefix(line, "import "):
		default:
			n++
		}
	}
	return n
}

// function is a function of a package.
type function struct {
	name  declared
	decl  *ast.FuncDecl
	lines int  // neither empty nor comments
	stays bool // of a test or an adapter
}

// goneWith returns which of the names a package declares, and how many lines of code go with them: their own
// and those of unexported functions that nothing else calls, not even a test or an adapter.
func goneWith(dir string, names []declared, adapters map[string][]byte) (replaced []declared, lines int, err error) {
	functions, err := functionsIn(dir)
	if err != nil {
		return nil, 0, err
	}
	for file, source := range adapters {
		ours, err := functionsOfFile(file, source, true)
		if err != nil {
			return nil, 0, err
		}
		functions = append(functions, ours...)
	}
	gone := map[*ast.FuncDecl]bool{}
	for _, f := range functions {
		if !f.stays && slices.Contains(names, f.name) {
			gone[f.decl] = true
			replaced = append(replaced, f.name)
		}
	}
	for more := true; more; {
		more = false
		for _, f := range functions {
			if f.stays || gone[f.decl] || f.decl.Name.IsExported() || f.decl.Name.Name == "init" || f.decl.Name.Name == "main" {
				continue
			}
			in, outside := usesOf(f, functions, gone)
			if in > 0 && outside == 0 {
				gone[f.decl], more = true, true
			}
		}
	}
	for _, f := range functions {
		if gone[f.decl] {
			lines += f.lines
		}
	}
	return replaced, lines, nil
}

// usesOf counts the functions that mention the name of another: those that go, and others.
func usesOf(of function, functions []function, gone map[*ast.FuncDecl]bool) (in, outside int) {
	for _, f := range functions {
		if f.decl == of.decl || f.decl.Body == nil {
			continue
		}
		mentioned := false
		ast.Inspect(f.decl.Body, func(n ast.Node) bool {
			if ident, ok := n.(*ast.Ident); ok && ident.Name == of.decl.Name.Name {
				mentioned = true
			}
			return true
		})
		if mentioned && gone[f.decl] {
			in++
		} else if mentioned {
			outside++
		}
	}
	return in, outside
}

// functionsIn returns the functions of a package and its tests.
func functionsIn(dir string) (all []function, err error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, file := range paths {
		source, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		functions, err := functionsOfFile(file, source, strings.HasSuffix(file, "_test.go"))
		if err != nil {
			return nil, err
		}
		all = append(all, functions...)
	}
	return all, nil
}

func functionsOfFile(file string, source []byte, stays bool) (all []function, err error) {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, decl := range parsed.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok {
			text := source[fset.Position(f.Pos()).Offset:fset.Position(f.End()).Offset]
			all = append(all, function{nameOf(f), f, countedLines(string(text)), stays})
		}
	}
	return all, nil
}
