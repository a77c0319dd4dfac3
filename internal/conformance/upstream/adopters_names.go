package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A tableRow is what a row of docs/from-upstream.md says of their functions.
type tableRow struct {
	heading string
	line    int
	theirs  string // the cell with their names
}

// rowsOf returns the rows of all tables that have a column of their functions.
func rowsOf(file string) ([]tableRow, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var rows []tableRow
	heading, column, n := "", -1, 0
	for text := range strings.Lines(string(content)) {
		n++
		text = strings.TrimSpace(text)
		if below, ok := strings.CutPrefix(text, "## "); ok {
			heading = below
		}
		if !strings.HasPrefix(text, "|") {
			column = -1
			continue
		}
		cells := strings.Split(text, "|")
		if column < 0 {
			for i, cell := range cells {
				cell = strings.TrimSpace(cell)
				if cell == "theirs" || cell == "replaces" {
					column = i
				}
			}
			continue
		}
		if column < len(cells) && !strings.HasPrefix(cells[column], "--") {
			rows = append(rows, tableRow{heading, n, strings.TrimSpace(cells[column])})
		}
	}
	return rows, nil
}

var (
	quoted   = regexp.MustCompile("`([^`]+)`")
	named    = regexp.MustCompile(`^[A-Za-z_]\w*(\.[A-Za-z_]\w*)?$`)
	packaged = regexp.MustCompile(`\b((?:pkg|api|internal)/[\w/.-]*\w)`)
)

// names returns the identifiers of a row.
func (r tableRow) names() (names []string) {
	for _, found := range quoted.FindAllStringSubmatch(r.theirs, -1) {
		if named.MatchString(found[1]) {
			names = append(names, found[1])
		}
	}
	return names
}

// within returns the directories that a row names: each of its names is declared in one of them.
func (r tableRow) within() []string { return packaged.FindAllString(r.theirs, -1) }

// staleRows looks up the names of a project's rows in its sources. It returns how many it has looked up, and those
// that are not there.
func staleRows(c checkout, rows []tableRow) (looked int, stale []string, err error) {
	found, err := declaredBelow(c.dir)
	if err != nil {
		return 0, nil, err
	}
	seen := false
	for _, r := range rows {
		if r.heading != c.heading {
			continue
		}
		seen = true
		for _, name := range r.names() {
			looked++
			if !declaredIn(found[name], r.within()) {
				stale = append(stale, fmt.Sprintf("%s:%d: %s does not declare %s %s", fromUpstream, r.line, c.name, name, strings.Join(r.within(), ", ")))
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
