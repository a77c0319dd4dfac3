package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kubemath/kubemath/internal/conformance/fromupstream"
)

// staleRows looks up the names of a project's rows in its sources. It returns how many it has looked up, and those
// that are not there.
func staleRows(c checkout, rows []fromupstream.Row) (looked int, stale []string, err error) {
	found, err := declaredBelow(c.dir)
	if err != nil {
		return 0, nil, err
	}
	seen := false
	for _, r := range rows {
		if r.Heading != c.heading {
			continue
		}
		seen = true
		for _, name := range r.Names() {
			looked++
			if !declaredIn(found[name], r.Within()) {
				stale = append(stale, fmt.Sprintf("%s:%d: %s does not declare %s %s", fromUpstream, r.Line, c.name, name, strings.Join(r.Within(), ", ")))
			}
		}
	}
	if !seen && c.heading != "" {
		stale = append(stale, fmt.Sprintf("%s: no table %q", fromUpstream, c.heading))
	}
	return looked, stale, nil
}

// declaredIn reports whether one of the directories is one of those within, if any are given.
func declaredIn(dirs, within []string) bool {
	if len(within) == 0 {
		return len(dirs) > 0
	}
	return slices.ContainsFunc(dirs, func(dir string) bool {
		return slices.ContainsFunc(within, func(w string) bool { return dir == w || strings.HasSuffix(dir, "/"+w) })
	})
}

// declaredBelow returns the directories that declare each function, method, type, constant and variable:
// methods also as T.F. Tests, and copies of other projects, do not count.
func declaredBelow(root string) (map[string][]string, error) {
	found := map[string][]string{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); file != root && (name == "vendor" || name == "third_party" || name == "testdata" || name == ".git") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		source, err := os.ReadFile(file)
		if err != nil {
			return nil //nolint:nilerr // a link to nothing
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, source, parser.SkipObjectResolution)
		if err != nil {
			return nil //nolint:nilerr // a template
		}
		dir, err := filepath.Rel(root, filepath.Dir(file))
		for _, name := range declarations(parsed) {
			found[name] = append(found[name], filepath.ToSlash(dir))
		}
		return err
	})
	return found, err
}

// declarations returns the names that a file declares.
func declarations(file *ast.File) (names []string) {
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			names = append(names, d.Name.Name)
			if full := string(nameOf(d)); full != d.Name.Name {
				names = append(names, full)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					names = append(names, s.Name.Name)
					names = append(names, members(s)...)
				case *ast.ValueSpec:
					for _, ident := range s.Names {
						names = append(names, ident.Name)
					}
				}
			}
		}
	}
	return names
}

// members returns the methods of an interface, with and without its name.
func members(s *ast.TypeSpec) (names []string) {
	if i, ok := s.Type.(*ast.InterfaceType); ok {
		for _, method := range i.Methods.List {
			for _, ident := range method.Names {
				names = append(names, ident.Name, s.Name.Name+"."+ident.Name)
			}
		}
	}
	return names
}
