package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubemath/kubemath/internal/testkit"
)

const printedBenchmarks = `goos: linux
goarch: amd64
pkg: example.com/p
cpu: some
BenchmarkA-2   	    1000	      200 ns/op	      16 B/op	       1 allocs/op
BenchmarkA-2   	    1000	      100 ns/op	      16 B/op	       1 allocs/op
BenchmarkB/some-case-2   	       1	  3.5 ns/op	     0.5 pods/s	       0 B/op	       0 allocs/op
PASS
ok  	example.com/p	1.0s
pkg: example.com/q
BenchmarkA   	    1000	      400 ns/op	      0 B/op	       0 allocs/op
`

func TestBenchmarks(t *testing.T) {
	before, err := parseBenchmarks(strings.NewReader(printedBenchmarks))
	testkit.OK(t, err)
	want := benchmarks{"example.com/p BenchmarkA": {100, 1}, "example.com/p BenchmarkB/some-case": {3.5, 0}, "example.com/q BenchmarkA": {400, 0}}
	testkit.NoDiff(t, before, want, cmp.AllowUnexported(measured{}))
	var out strings.Builder
	printBenchmarks(&out, before, benchmarks{"example.com/p BenchmarkA": {25, 0}, "example.com/q BenchmarkA": {0, 0}})
	const table = `| package | benchmark | theirs | ours | ratio | allocations | ours |
|---|---|--:|--:|--:|--:|--:|
| example.com/p | BenchmarkA | 100 ns | 25 ns | 4.00 | 1 | 0 |
| example.com/p | BenchmarkB/some-case | 4 ns | did not run | | 0 | |
| example.com/q | BenchmarkA | 400 ns | 0 ns | – | 0 | 0 |
`
	testkit.NoDiff(t, out.String(), table)
}

func TestKeepFastest(t *testing.T) {
	all := benchmarks{"a": {10, 1}, "b": {20, 2}}
	all.keepFastest(benchmarks{"a": {11, 0}, "b": {19, 3}, "c": {30, 4}})
	want := benchmarks{"a": {10, 1}, "b": {19, 3}, "c": {30, 4}}
	testkit.NoDiff(t, all, want, cmp.AllowUnexported(measured{}))
}
