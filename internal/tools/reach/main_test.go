package main

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

const source = `package x

import "strings"

type shape interface{ area() int }

type square struct{ side int }

func (s square) area() int { return product(s.side, s.side) }

type line struct{}

func (line) area() int { return 0 } // no line is ever made

func product[N int | int64](a, b N) N { return a * b }

func Total(n int) int {
	each := func(s shape) int { return s.area() }
	return each(square{n}) + int(product(int64(n), 2)) + len(strings.Repeat("x", n))
}

func unused() { Total(1) }
`

// Function literals, instances of generic functions, methods of types that are never made and
// functions of other modules do not count.
func TestSize(t *testing.T) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "x.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, _, err := ssautil.BuildPackage(&types.Config{Importer: importer.Default()}, files, types.NewPackage(module+"x", "x"),
		[]*ast.File{file}, ssa.InstantiateGenerics)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := sizeOf(reachedBy(pkg.Func("Total"))), (size{functions: 3, lines: 6, files: 1, depth: 2}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	for name, want := range map[string]bool{"Total": true, "square.area": true, "Missing": false, "square.missing": false, "missing.area": false} {
		if got := member(pkg, name); (got != nil) != want {
			t.Errorf("%s is %v", name, got)
		}
	}
}
