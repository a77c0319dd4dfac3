package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/packages"
)

// imports are the packages that a package imports, by their paths in its sources.
type imports map[string]*packages.Package

func (i imports) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	return i[path].Types, nil
}

// With each fault, its package compiles.
func TestFaultsCompile(t *testing.T) {
	faults, err := load("planted")
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedTypes | packages.NeedSyntax | packages.NeedDeps | packages.NeedTypesInfo,
		Dir:  root, Fset: fset,
	}, "./...")
	if err != nil || packages.PrintErrors(loaded) > 0 {
		t.Fatalf("the module does not compile: %v", err)
	}
	ofFile := map[string]*packages.Package{}
	for _, pkg := range loaded {
		for _, file := range pkg.CompiledGoFiles {
			ofFile[file] = pkg
		}
	}
	for _, f := range faults {
		name := filepath.Join(root, f.file)
		pkg := ofFile[name]
		if pkg == nil {
			t.Errorf("%s: %s: in no package", f.file, f.name)
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		edited, err := f.apply(string(text))
		if err != nil {
			continue // TestFaultsApply reports it
		}
		changed, err := parser.ParseFile(fset, name, edited, parser.SkipObjectResolution)
		if err != nil {
			t.Errorf("%s: %s: %v", f.file, f.name, err)
			continue
		}
		var files []*ast.File
		for i, file := range pkg.Syntax {
			if pkg.CompiledGoFiles[i] == name {
				file = changed
			}
			files = append(files, file)
		}
		config := types.Config{Importer: imports(pkg.Imports), GoVersion: "go1.25"}
		if _, err := config.Check(pkg.PkgPath, fset, files, nil); err != nil {
			t.Errorf("%s: %s: %v", f.file, f.name, err)
		}
	}
}
