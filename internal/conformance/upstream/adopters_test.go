package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubemath/kubemath/internal/conformance/fromupstream"
	"github.com/kubemath/kubemath/internal/testkit"
)

// write writes files below a temporary directory and returns it.
func write(t *testing.T, contents map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range contents {
		name = filepath.Join(dir, name)
		testkit.OK(t, os.MkdirAll(filepath.Dir(name), 0o755))
		testkit.OK(t, os.WriteFile(name, []byte(content), 0o644))
	}
	return dir
}

const documented = `## Them

| theirs | ours |
|---|---|
| ` + "`Sum`, `T.Each` (pkg/a) | `x.Sum` |" + `
| ` + "`Sum` (pkg/b), `Gone`, `T.Sum`, the prefix `step-` | `x.Gone` |" + `
| ` + "`Sum` (pkg/b), `T.Total` (pkg/c) | `x.Gone` |" + `

## Others

| ours | replaces |
|---|---|
| ` + "`x.Sum` | `Missing` |" + `
`

func TestStaleRows(t *testing.T) {
	dir := write(t, map[string]string{
		"table.md":                     documented,
		"them/pkg/a/a.go":              "package a\n\nfunc Sum() {}\n\nfunc (t *T) Each() {}\n",
		"them/pkg/b/b.go":              "package b\n\ntype T interface{ Total() }\n",
		"them/pkg/b/b_test.go":         "package b\n\nfunc Gone() {}\n",
		"them/vendor/other/pkg/c/c.go": "package c\n\nfunc (t T) Sum() {}\n",
	})
	rows, err := fromupstream.Rows(filepath.Join(dir, "table.md"))
	testkit.OK(t, err)
	looked, stale, err := staleRows(checkout{adopter: adopter{name: "them", heading: "Them"}, dir: filepath.Join(dir, "them")}, rows)
	testkit.OK(t, err)
	want := []string{
		"docs/from-upstream.md:6: them does not declare Sum pkg/b",
		"docs/from-upstream.md:6: them does not declare Gone pkg/b",
		"docs/from-upstream.md:6: them does not declare T.Sum pkg/b",
		"docs/from-upstream.md:7: them does not declare Sum pkg/b, pkg/c",
	}
	if diff := cmp.Diff(want, stale); diff != "" || looked != 7 {
		t.Errorf("%d names, want 7 (-want +got):\n%s", looked, diff)
	}
	_, stale, err = staleRows(checkout{adopter: adopter{name: "them", heading: "Nobody"}, dir: filepath.Join(dir, "them")}, rows)
	if err != nil || len(stale) != 1 {
		t.Errorf("a project without a table: %v, %v", stale, err)
	}
}

// Every project has a table.
func TestTablesOfAdopters(t *testing.T) {
	rows, err := fromupstream.Rows(filepath.Join("..", "..", "..", fromUpstream))
	testkit.OK(t, err)
	names := map[string]int{}
	for _, r := range rows {
		names[r.Heading] += len(r.Names())
	}
	for _, a := range adopters {
		if names[a.heading] == 0 {
			t.Errorf("%s has no names in %s", a.heading, fromUpstream)
		}
	}
}

func TestGoneWith(t *testing.T) {
	dir := write(t, map[string]string{
		"p.go": `package p

// Sum has a helper of its own.
func Sum(a []int) int {
	// nothing
	n := own(a)

	return n + shared(a) + tested(a) + kept(a)
}

func own(a []int) int { return deeper(a) }

func deeper(a []int) int {
	return len(a)
}

func shared(a []int) int { return 0 }

func Other(a []int) int { return shared(a) }

func tested(a []int) int { return 1 }

func kept(a []int) int { return 2 }
`,
		"p_test.go": "package p\n\nfunc TestTested() { tested(nil) }\n",
	})
	replaced, lines, err := goneWith(dir, []declared{"Sum", "Missing"}, map[string][]byte{
		"kubemath.go": []byte("package p\n\nfunc Sum(a []int) int { return kept(a) + helper(a) }\n\nfunc helper(a []int) int { return 3 }\n"),
	})
	testkit.OK(t, err)
	// Sum has 4 lines, own 1, and deeper 3.
	if diff := cmp.Diff([]declared{"Sum"}, replaced); diff != "" || lines != 8 {
		t.Errorf("%d lines, want 8 (-want +got):\n%s", lines, diff)
	}
}

func TestCountedLines(t *testing.T) {
	const source = "// C.\npackage p\n\nimport (\n\t\"a\"\n)\n\nimport \"b\"\n\n// F is one line.\nfunc F() int { return 1 }\n"
	if got := countedLines(source); got != 1 {
		t.Errorf("%d lines, want 1", got)
	}
}

func TestCheckoutsOf(t *testing.T) {
	dir := write(t, map[string]string{
		"k/go.mod":         "module sigs.k8s.io/kueue\n\ngo 1.26\n",
		"d@v0.36.1/go.mod": "module \"sigs.k8s.io/descheduler\"\n\ngo 1.26\n",
		"other/go.mod":     "module example.com/apis\n\ngo 1.26\n",
	})
	checkouts, replaced, err := checkoutsOf([]string{filepath.Join(dir, "k=abc"), filepath.Join(dir, "d@v0.36.1"), filepath.Join(dir, "other"), "example.com/m@v1.2.3"})
	testkit.OK(t, err)
	var got []string
	for _, c := range checkouts {
		got = append(got, c.name+" "+c.version)
	}
	testkit.NoDiff(t, got, []string{"descheduler v0.36.1", "kueue abc"})
	testkit.NoDiff(t, replaced, map[string]string{"example.com/apis": filepath.Join(dir, "other"), "example.com/m": "example.com/m@v1.2.3"})
	if _, _, err := checkoutsOf([]string{filepath.Join(dir, "other")}); err == nil {
		t.Error("no project, and no error")
	}
}
