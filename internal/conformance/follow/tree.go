package main

import (
	"bytes"
	"go/ast"
	"go/build"
	"go/parser"
	"go/printer"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A tree is the sources of a version of Kubernetes.
type tree struct {
	minor   string            // such as 1.37
	modules map[string]string // directories, by module
}

// directory returns where a package is.
func (t tree) directory(pkg string) string {
	module := moduleOf(pkg)
	return filepath.Join(t.modules[module], strings.TrimPrefix(pkg, module))
}

// A declaration is a function, a method as T.F, a type, a variable or a constant.
type declaration struct {
	tokens  string // its source without comments and layout, to be compared
	source  string // its source without comments, to be read
	isType  bool
	members []string // the fields of a struct, and the methods of an interface
	uses    []string // names of functions, methods, variables and constants, perhaps of its package
}

// uncounted matches files that do not count: tests, and what is generated from types.
var uncounted = regexp.MustCompile(`_test\.go$|^zz_generated\.deepcopy|^generated\.|_swagger_doc_generated\.go$`)

// declarations returns what a package declares on Linux, by name: nothing if there is no such package.
func (t tree) declarations(pkg string) (map[string]declaration, error) {
	dir := t.directory(pkg)
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	linux := build.Default
	linux.GOOS, linux.CgoEnabled = "linux", true
	all := map[string]declaration{}
	for _, file := range files {
		base := filepath.Base(file)
		if uncounted.MatchString(base) {
			continue
		}
		if matches, err := linux.MatchFile(dir, base); err != nil || !matches {
			continue
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if err := addDeclarations(all, file, content); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// addDeclarations adds what a file declares.
func addDeclarations(all map[string]declaration, file string, content []byte) error {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, content, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	of := func(node ast.Node) declaration {
		source := sourceOf(fset, node)
		return declaration{tokens: tokensOf([]byte(source)), source: source, uses: usesOf(node)}
	}
	for _, decl := range parsed.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			d.Doc = nil
			all[nameOf(d)] = of(d)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					s.Doc = nil
					it := of(s)
					it.isType, it.members, it.uses = true, membersOf(s), nil
					all[s.Name.Name] = it
				case *ast.ValueSpec:
					s.Doc = nil
					for _, ident := range s.Names {
						all[ident.Name] = of(s)
					}
				}
			}
		}
	}
	return nil
}

// tokensOf returns the tokens of a source, one a line.
func tokensOf(source []byte) string {
	fset := token.NewFileSet()
	var s scanner.Scanner
	s.Init(fset.AddFile("", fset.Base(), len(source)), source, nil, 0)
	var all strings.Builder
	for {
		_, kind, literal := s.Scan()
		if kind == token.EOF {
			return all.String()
		}
		if kind == token.SEMICOLON {
			continue // or the end of a line
		}
		if literal == "" {
			literal = kind.String()
		}
		all.WriteString(literal + "\n")
	}
}

// sourceOf returns a source without comments, tags of fields, and empty lines.
func sourceOf(fset *token.FileSet, node ast.Node) string {
	ast.Inspect(node, func(node ast.Node) bool {
		if field, ok := node.(*ast.Field); ok {
			field.Doc, field.Comment, field.Tag = nil, nil, nil
		}
		return true
	})
	var out bytes.Buffer
	if err := printer.Fprint(&out, fset, node); err != nil {
		return err.Error()
	}
	lines := strings.Split(out.String(), "\n")
	return strings.Join(slices.DeleteFunc(lines, func(line string) bool { return strings.TrimSpace(line) == "" }), "\n")
}

// usesOf returns the names in a declaration that may be of its package: those that stand alone, and those of methods that
// are not exported.
func usesOf(node ast.Node) (uses []string) {
	add := func(used string) {
		if !slices.Contains(uses, used) {
			uses = append(uses, used)
		}
	}
	ast.Inspect(node, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.SelectorExpr:
			if !n.Sel.IsExported() {
				add("." + n.Sel.Name)
			}
			ast.Inspect(n.X, func(node ast.Node) bool {
				if _, nested := node.(*ast.SelectorExpr); nested {
					return true
				}
				if ident, ok := node.(*ast.Ident); ok {
					add(ident.Name)
				}
				return true
			})
			return true
		case *ast.Ident:
			add(n.Name)
		}
		return true
	})
	return uses
}

// membersOf returns the fields of a struct, and the methods of an interface.
func membersOf(s *ast.TypeSpec) (all []string) {
	var fields *ast.FieldList
	switch t := s.Type.(type) {
	case *ast.StructType:
		fields = t.Fields
	case *ast.InterfaceType:
		fields = t.Methods
	default:
		return nil
	}
	for _, field := range fields.List {
		for _, ident := range field.Names {
			all = append(all, ident.Name)
		}
	}
	return all
}

// nameOf returns the name of a function, and that of a method with its type.
func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return f.Name.Name
	}
	receiver := f.Recv.List[0].Type
	if star, ok := receiver.(*ast.StarExpr); ok {
		receiver = star.X
	}
	if generic, ok := receiver.(*ast.IndexExpr); ok {
		receiver = generic.X
	}
	if ident, ok := receiver.(*ast.Ident); ok {
		return ident.Name + "." + f.Name.Name
	}
	return f.Name.Name
}

// find returns the declarations that a name is of: itself, or else the methods of the name, or the types that have a field
// of the name. A type comes with its methods.
func find(all map[string]declaration, text string) (found []string) {
	if d, ok := all[text]; ok {
		found = append(found, text)
		if d.isType {
			found = append(found, methodsOf(all, text)...)
		}
		return found
	}
	of, member, qualified := strings.Cut(text, ".")
	if !qualified {
		of, member = "", text
	}
	for _, key := range sortedKeys(all) {
		d := all[key]
		if !qualified && strings.HasSuffix(key, "."+member) || slices.Contains(d.members, member) && (of == "" || key == of) {
			found = append(found, key)
		}
	}
	return found
}

func methodsOf(all map[string]declaration, of string) (methods []string) {
	for _, key := range sortedKeys(all) {
		if strings.HasPrefix(key, of+".") {
			methods = append(methods, key)
		}
	}
	return methods
}

// reach returns the declarations that are found by names, with the names, and those of the package that they use, each
// with one that uses it.
func reach(all map[string]declaration, texts []string) (direct map[string][]string, through map[string]string) {
	direct, through = map[string][]string{}, map[string]string{}
	var todo []string
	for _, text := range texts {
		for _, key := range find(all, text) {
			if len(direct[key]) == 0 {
				todo = append(todo, key)
			}
			direct[key] = append(direct[key], text)
		}
	}
	for len(todo) > 0 {
		from := todo[0]
		todo = todo[1:]
		for _, used := range all[from].uses {
			for _, key := range usedKeys(all, used) {
				if _, known := through[key]; known || len(direct[key]) > 0 || all[key].isType {
					continue
				}
				through[key] = from
				todo = append(todo, key)
			}
		}
	}
	return direct, through
}

// usedKeys returns the declarations that a use may be of.
func usedKeys(all map[string]declaration, used string) (keys []string) {
	if !strings.HasPrefix(used, ".") {
		if _, ok := all[used]; ok {
			return []string{used}
		}
		return nil
	}
	for _, key := range sortedKeys(all) {
		if strings.HasSuffix(key, used) {
			keys = append(keys, key)
		}
	}
	return keys
}
