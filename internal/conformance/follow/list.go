package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/kubemath/kubemath/internal/conformance/fromupstream"
)

// A name is a function, method, type, field, variable or constant that is followed: F, or T.F.
type name struct {
	pkg  string // its import path
	name string
}

// names are what is followed, with the places that name it.
type names map[name][]string

func (n names) add(pkg, text, where string) {
	key := name{pkg, text}
	if !slices.Contains(n[key], where) {
		n[key] = append(n[key], where)
	}
}

// packages returns the import paths, sorted.
func (n names) packages() []string {
	all := map[string]bool{}
	for key := range n {
		all[key.pkg] = true
	}
	return sortedKeys(all)
}

// modules returns the modules of the packages.
func (n names) modules() []string {
	all := map[string]bool{}
	for _, pkg := range n.packages() {
		all[moduleOf(pkg)] = true
	}
	return sortedKeys(all)
}

// moduleOf returns the module of a package of Kubernetes.
func moduleOf(pkg string) string {
	parts := strings.SplitN(pkg, "/", 3)
	return strings.Join(parts[:min(2, len(parts))], "/")
}

const (
	fromUpstream = "docs/from-upstream.md"
	decisions    = "docs/decisions"
)

// followed returns what the documents and the code of this module name.
func followed(root string) (names, error) {
	all := names{}
	module := filepath.Join(root, "internal/conformance")
	adapters := filepath.Join(module, "upstream/testdata/adapters")
	return all, errors.Join(all.addRows(root), all.addCode(module), all.addAdapters(adapters), all.addDecisions(root))
}

// ofKubernetes matches the headings of tables about Kubernetes, which have its version.
var ofKubernetes = regexp.MustCompile(`\(v[01]\.`)

// addRows adds the names of docs/from-upstream.md.
func (n names) addRows(root string) error {
	rows, err := fromupstream.Rows(filepath.Join(root, fromUpstream))
	if err != nil {
		return err
	}
	for _, row := range rows {
		if !ofKubernetes.MatchString(row.Heading) {
			continue
		}
		where := fmt.Sprintf("%s:%d", fromUpstream, row.Line)
		found, unplaced := inPackages(row.Theirs, row.Heading)
		if len(unplaced) > 0 {
			return fmt.Errorf("%s: no package of %s", where, strings.Join(unplaced, ", "))
		}
		for _, key := range found {
			n.add(key.pkg, key.name, where)
		}
	}
	return nil
}

var (
	quotedOrPackages = regexp.MustCompile("`([A-Za-z_]\\w*(?:\\.[A-Za-z_]\\w*)?)`|\\(([^()`]*/[^()`]*)\\)")
	importPath       = regexp.MustCompile(`[\w.-]+(?:/[\w.-]+)+`)
)

// inPackages returns the names in a text, each in the packages that are the next in parentheses, or else in those of the
// heading. Packages of k8s.io/kubernetes are named without it. Those of other projects are not followed. Names without a
// package are unplaced.
func inPackages(text, heading string) (all []name, unplaced []string) {
	var waiting []string
	within := func(packages string) {
		for _, pkg := range importPath.FindAllString(packages, -1) {
			if strings.HasPrefix(pkg, "pkg/") || strings.HasPrefix(pkg, "plugin/") {
				pkg = kubernetes + "/" + pkg
			}
			if !strings.HasPrefix(pkg, "k8s.io/") {
				continue
			}
			for _, text := range waiting {
				all = append(all, name{pkg, text})
			}
		}
		waiting = nil
	}
	for _, found := range quotedOrPackages.FindAllStringSubmatch(text, -1) {
		if found[1] != "" {
			waiting = append(waiting, found[1])
		} else {
			within(found[2])
		}
	}
	if !strings.Contains(heading, "/") {
		return all, waiting
	}
	within(heading)
	return all, nil
}

var quoted = regexp.MustCompile("`([A-Za-z_]\\w*(?:\\.[A-Za-z_]\\w*)?)`")

// addDecisions adds the names in the quotes of docs/decisions that are also in another place: what others do is quoted, and
// names them without their package.
func (n names) addDecisions(root string) error {
	pages, err := filepath.Glob(filepath.Join(root, decisions, "*.md"))
	if err != nil || len(pages) == 0 {
		return fmt.Errorf("no pages in %s: %w", decisions, err)
	}
	for _, page := range pages {
		content, err := os.ReadFile(page)
		if err != nil {
			return err
		}
		for _, entry := range strings.Split(string(content), "\n### ")[1:] {
			decision, said, _ := strings.Cut(entry, "\n\n>")
			theirs, _, _ := strings.Cut(said, "\n\n")
			n.addQuoted(theirs, path.Join(decisions, filepath.Base(page))+"#"+decision)
		}
	}
	return nil
}

// addQuoted adds the names in a text that are also in another place.
func (n names) addQuoted(text, where string) {
	for _, found := range quoted.FindAllStringSubmatch(text, -1) {
		for key := range n {
			if key.name == found[1] || strings.HasSuffix(key.name, "."+found[1]) {
				n.add(key.pkg, key.name, where)
			}
		}
	}
}

// isFollowed reports whether a package is one of Kubernetes, and about amounts: not about clients, logs,
// metadata, metrics and tests.
func isFollowed(pkg string) bool {
	switch moduleOf(pkg) {
	case "k8s.io/apimachinery":
		return pkg == "k8s.io/apimachinery/pkg/api/resource"
	case "k8s.io/client-go", "k8s.io/component-base", "k8s.io/klog", "k8s.io/utils":
		return false
	}
	return strings.HasPrefix(pkg, "k8s.io/") && !strings.HasSuffix(pkg, "/metrics") && !strings.Contains(pkg, "/testing")
}

var linked = regexp.MustCompile(`(?m)^//go:linkname \w+ (k8s\.io/[\w./-]+)\.(\w+)$`)

// addCode adds what the code of a module uses of packages of Kubernetes.
func (n names) addCode(module string) error {
	return filepath.WalkDir(module, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			_, err := os.Stat(filepath.Join(file, "go.mod"))
			otherVersions := err == nil && file != module && d.Name() != "componenthelpers"
			if d.Name() == "testdata" || otherVersions {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(file, ".go") {
			return nil
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		where, err := filepath.Rel(module, file)
		if err != nil {
			return err
		}
		for _, found := range linked.FindAllStringSubmatch(string(content), -1) {
			n.add(found[1], found[2], where)
		}
		return n.addUses(where, content)
	})
}

// addUses adds what a file names of the packages that it imports.
func (n names) addUses(where string, content []byte) error {
	file, err := parser.ParseFile(token.NewFileSet(), where, content, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	imported := map[string]string{}
	for _, spec := range file.Imports {
		pkg, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return err
		}
		if !isFollowed(pkg) {
			continue
		}
		as := path.Base(pkg)
		if spec.Name != nil {
			as = spec.Name.Name
		}
		imported[as] = pkg
	}
	ast.Inspect(file, func(node ast.Node) bool {
		if selector, ok := node.(*ast.SelectorExpr); ok {
			if x, ok := selector.X.(*ast.Ident); ok && imported[x.Name] != "" {
				n.add(imported[x.Name], selector.Sel.Name, where)
			}
		}
		return true
	})
	return nil
}

// addAdapters adds the functions that adapters call under another name: those that they replace.
func (n names) addAdapters(adapters string) error {
	return filepath.WalkDir(adapters, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		below, err := filepath.Rel(adapters, file)
		if err != nil {
			return err
		}
		_, within, _ := strings.Cut(filepath.ToSlash(below), "/")
		pkg := path.Dir(within)
		if !strings.HasPrefix(pkg, "k8s.io/") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range parsed.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if ok && callsOriginal(f) {
				n.add(pkg, nameOf(f), "an adapter of upstream")
			}
		}
		return nil
	})
}

// callsOriginal reports whether a function calls the one that it replaces.
func callsOriginal(f *ast.FuncDecl) (calls bool) {
	original := "upstream" + strings.ToUpper(f.Name.Name[:1]) + f.Name.Name[1:]
	ast.Inspect(f, func(node ast.Node) bool {
		if ident, ok := node.(*ast.Ident); ok && ident.Name == original {
			calls = true
		}
		return !calls
	})
	return calls
}
