package main

import (
	"cmp"
	"go/ast"
	"go/types"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestParse(t *testing.T) {
	got, tests, err := parse(`# a comment
package: c
tests: c d

fault: nothing of the default
-	x
+	y

fault: limits are requests
file: a/b.go
 	case Limits:
-		return limits
+		return requests

fault: nothing is returned
package: a
tests: a d/e
-	return 1
+
`)
	if err != nil {
		t.Fatal(err)
	}
	want := []fault{
		{name: "nothing of the default", pkg: "c", tests: []string{"c", "d"}, before: "\tx\n", after: "\ty\n"},
		{
			name: "limits are requests", pkg: "a", file: "b.go", tests: []string{"a"},
			before: "\tcase Limits:\n\t\treturn limits\n", after: "\tcase Limits:\n\t\treturn requests\n",
		},
		{name: "nothing is returned", pkg: "a", tests: []string{"a", "d/e"}, before: "\treturn 1\n", after: "\n"},
	}
	if diff := gocmp.Diff(want, got, gocmp.AllowUnexported(fault{}), cmpopts.IgnoreFields(fault{}, "site")); diff != "" {
		t.Error(diff)
	}
	if diff := gocmp.Diff(map[string][]string{"c": {"c", "d"}}, tests); diff != "" {
		t.Error(diff)
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"x":                       "line 1: want",
		"fault: a\n-x\n+y":        "names no package",
		"fault: a\nfile: f\n x":   "changes nothing",
		"fault: a\nfile: f\n+x":   "neither context nor removed",
		"fault: a\nfile: f\nx: y": "line 3: want",
	} {
		if _, _, err := parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("parse(%q) = %v, want %q in it", text, err, want)
		}
	}
}

// Each kind of fault, in a small module: its name begins with the outcome.
func TestPlant(t *testing.T) {
	p, faults := planterOf(t, "testdata/module", "testdata/faults")
	told := 0
	p.plantAll(2, func(int) { told++ })
	for i, f := range faults {
		want, _, _ := strings.Cut(f.name, ":")
		got := p.outcomes[i]
		if got.String() != want {
			t.Errorf("%s, but it is %s (%v)", f.name, got, p.why[i])
		}
		if (p.why[i] == nil) != (got == noticed || got == unnoticed) {
			t.Errorf("%s: why: %v", f.name, p.why[i])
		}
	}
	if told != len(faults) {
		t.Errorf("told of %d faults, want %d", told, len(faults))
	}
	if p.ok() {
		t.Error("with faults of every outcome, all is well")
	}
	row := "| all | 26 | 16 | 3 | 3 | 3 | 1 | "
	if table := p.table(faults); !strings.Contains(table, row) {
		t.Errorf("the table has no row %q:\n%s", row, table)
	}
}

func planterOf(t *testing.T, root, dir string) (*planter, []fault) {
	t.Helper()
	faults, _, err := load(dir)
	if err != nil {
		t.Fatal(err)
	}
	m, err := loadModule(root)
	if err != nil {
		t.Fatal(err)
	}
	p, err := newPlanter(m, faults, t.TempDir(), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	return p, faults
}

// A test that noticed a fault with the usual number of objects runs first the next time. If it is gone, or
// notices nothing, the others decide.
func TestFirst(t *testing.T) {
	dir := t.TempDir()
	plant := func(first map[string]string) (*planter, []fault) {
		p, faults := planterOf(t, "testdata/module", "testdata/faults")
		for i := range faults {
			if !strings.Contains(faults[i].name, "more draws") {
				p.edits[i] = nil // is not planted
			}
		}
		p.first = first
		p.plantAll(2, func(int) {})
		return p, faults
	}
	p, faults := plant(nil)
	if err := p.writeFirst(dir, faults, nil); err != nil {
		t.Fatal(err)
	}
	first, err := readFirst(dir)
	if err != nil || len(first) == 0 {
		t.Fatalf("%v, %v, want a test for some faults", first, err)
	}
	wrong := maps.Clone(first)
	for name := range wrong {
		wrong[name] = "TestCapped"
	}
	for _, tests := range []map[string]string{first, wrong} {
		if again, _ := plant(tests); !slices.Equal(again.outcomes, p.outcomes) || !slices.Equal(again.by, p.by) {
			t.Errorf("first %v: %v by %v, want %v by %v", tests, again.outcomes, again.by, p.outcomes, p.by)
		}
	}
	if none, err := readFirst(t.TempDir()); none != nil || err != nil {
		t.Errorf("without a file: %v, %v", none, err)
	}
	if err := os.WriteFile(filepath.Join(dir, firstFile), []byte("x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readFirst(dir); err == nil {
		t.Error("a line without a test, want an error")
	}
}

// One fault in fifty may be stale, but none may be anything else.
func TestOK(t *testing.T) {
	p := &planter{outcomes: make([]outcome, 100)}
	p.outcomes[0], p.outcomes[1] = stale, stale
	if !p.ok() {
		t.Error("2 of 100 may be stale")
	}
	p.outcomes[2] = stale
	if p.ok() {
		t.Error("3 of 100 may not be stale")
	}
	for o := unnoticed; o < outcomes; o++ {
		if p.outcomes = append(make([]outcome, 99), o); o != stale && p.ok() {
			t.Errorf("1 of 100 may not be %s", o)
		}
	}
}

// The faults of the kernels compile, and few of them are stale: also if functions and variables have other names.
func TestPlanted(t *testing.T) {
	m, err := loadModule("../../..")
	if err != nil {
		t.Fatal(err)
	}
	plant := func() (keys map[string]bool, stale int) {
		faults, err := loadFaults(m, "planted", nil, sitesPerFault, false)
		if err != nil {
			t.Fatal(err)
		}
		p, err := newPlanter(m, faults, t.TempDir(), time.Second)
		if err != nil {
			t.Fatal(err)
		}
		keys = map[string]bool{}
		for i, e := range p.edits {
			keys[faults[i].known()] = true
			if e == nil {
				t.Logf("%s: %s: %v", p.outcomes[i], &faults[i], p.why[i])
				stale++
			} else {
				p.outcomes[i] = noticed // it is not planted here
			}
		}
		if !p.ok() {
			t.Error("faults do not compile, or too many are stale")
		}
		return keys, stale
	}
	before, stale := plant()
	t.Log("with other names:")
	if n := m.rename(t, 20); n != 20 {
		t.Errorf("%d functions renamed, want 20", n)
	}
	after, more := plant()
	for key := range after {
		delete(before, key)
	}
	if more-stale > 5 || len(before) > 5 {
		t.Errorf("%d more faults are stale, and %d are no longer chosen, want 5 at most", more-stale, len(before))
	}
}

// rename renames so many unexported functions, the most used one of each package, and the parameters and variables of
// every tenth function of these packages. It returns how many functions it renamed.
func (m *module) rename(t *testing.T, most int) (renamed int) {
	dirs := m.kernels()
	rand.New(rand.NewPCG(1, 0)).Shuffle(len(dirs), func(i, j int) { dirs[i], dirs[j] = dirs[j], dirs[i] })
	for _, dir := range dirs {
		p := m.packages[dir]
		s, err := m.syntax(p)
		if err != nil {
			t.Fatal(err)
		}
		var function types.Object // with the most uses
		uses := map[types.Object]int{}
		for _, object := range s.info.Uses {
			f, ok := object.(*types.Func)
			if ok && f.Pkg() == s.types && !f.Exported() && f.Signature().Recv() == nil {
				uses[f]++
			}
		}
		byPlace := func(a, b types.Object) int { return cmp.Compare(a.Pos(), b.Pos()) }
		for _, object := range slices.SortedFunc(maps.Keys(uses), byPlace) {
			if function == nil || uses[object] > uses[function] {
				function = object
			}
		}
		if function == nil || renamed == most {
			continue
		}
		renamed++
		var tenth []ast.Node
		for _, file := range s.files {
			for i, decl := range file.Decls {
				if decl, ok := decl.(*ast.FuncDecl); ok && i%10 == 0 {
					tenth = append(tenth, decl)
				}
			}
		}
		within := func(object types.Object) bool {
			return slices.ContainsFunc(tenth, func(n ast.Node) bool { return n.Pos() <= object.Pos() && object.Pos() < n.End() })
		}
		names := map[string][]int{} // where names end that get longer, by file
		add := func(id *ast.Ident, object types.Object) {
			v, ok := object.(*types.Var)
			local := ok && !v.IsField() && v.Pkg() == s.types && v.Name() != "_" && within(v)
			if at := s.fset.Position(id.End()); local || object == function {
				names[at.Filename] = append(names[at.Filename], at.Offset)
			}
		}
		for _, of := range []map[*ast.Ident]types.Object{s.info.Uses, s.info.Defs} {
			for id, object := range of {
				add(id, object)
			}
		}
		for _, decl := range tenth { // variables of type switches
			ast.Inspect(decl, func(n ast.Node) bool {
				if n, ok := n.(*ast.TypeSwitchStmt); ok {
					if assign, ok := n.Assign.(*ast.AssignStmt); ok {
						at := s.fset.Position(assign.Lhs[0].End())
						names[at.Filename] = append(names[at.Filename], at.Offset)
					}
				}
				return true
			})
		}
		for path, ends := range names {
			slices.Sort(ends)
			text := p.texts[path]
			for _, end := range slices.Backward(slices.Compact(ends)) {
				text = text[:end] + "Renamed" + text[end:]
			}
			p.texts[path] = text
		}
		p.of = nil
		if _, problems := m.check(p, nil); len(problems) > 0 {
			t.Fatalf("%s: %v", dir, problems[0])
		}
	}
	return renamed
}

func TestSome(t *testing.T) {
	all := []fault{{pkg: "a", name: "x"}, {pkg: "a/b", name: "y"}, {pkg: "c", name: "x"}}
	for _, test := range []struct {
		matching string
		n        int
		want     int
	}{
		{"", 0, 3},
		{"", 2, 2},
		{"x$", 0, 2},
		{"^a/b: ", 0, 1},
	} {
		got, err := some(slices.Clone(all), test.matching, test.n, 1)
		if len(got) != test.want || err != nil {
			t.Errorf("some(%q, %d) = %v, %v, want %d", test.matching, test.n, got, err, test.want)
		}
	}
	for _, unknown := range []string{"z", "("} {
		if _, err := some(all, unknown, 0, 1); err == nil {
			t.Errorf("nothing matches %q, want an error", unknown)
		}
	}
}
