package arch_test

import (
	"slices"
	"strings"
	"testing"
)

// Users who migrate from Tekton need to know for each function whether it replaces one of Tekton's.
var dropInPackages = []string{"computeresources/steps", "affinity", "affinity/peak"}

// dropInViolations returns the functions of a package that no row of the table begins with.
func dropInViolations(pkg string, functions []string, table string) (found []string) {
	short := pkg[strings.LastIndexByte(pkg, '/')+1:]
	var named []string
	for line := range strings.Lines(table) {
		if cells := strings.Split(line, "|"); len(cells) == 5 && strings.TrimSpace(cells[3]) != "" {
			for _, match := range quoted.FindAllStringSubmatch(cells[1], -1) {
				named = append(named, match[1]+"."+match[2])
			}
		}
	}
	for _, f := range functions {
		if !slices.Contains(named, short+"."+f) {
			found = append(found, "docs/from-upstream.md: drop-ins: there is no row for "+short+"."+f)
		}
	}
	return sorted(found)
}

func TestDropIns(t *testing.T) {
	_, table, found := strings.Cut(documentText(t, "docs/from-upstream.md"), "| ours | replaces | drop-in |")
	table, _, end := strings.Cut(table, "\n## ")
	if !found || !end {
		t.Fatal("docs/from-upstream.md: drop-ins: the table is missing")
	}
	for _, p := range documentation(t) {
		if slices.Contains(dropInPackages, p.path) {
			functions := functionsOf(p)
			if len(functions) < 5 {
				t.Errorf("%s: %d functions", p.path, len(functions))
			}
			report(t, dropInViolations(p.path, functions, table))
		}
	}
}

// functionsOf returns the exported functions of a package, methods aside.
func functionsOf(p documented) (names []string) {
	for _, f := range p.Funcs {
		names = append(names, f.Name)
	}
	for _, t := range p.Types {
		for _, f := range t.Funcs {
			names = append(names, f.Name)
		}
	}
	return names
}

func TestDropInViolations(t *testing.T) {
	const table = "\n|---|---|---|\n| `p.A`, `p.B` | theirs | yes |\n| `p.C` | `p.D` | |\n| `q.E` | – | no |\n"
	got := dropInViolations("a/p", []string{"A", "B", "C", "D", "E"}, table)
	want := []string{
		"docs/from-upstream.md: drop-ins: there is no row for p.C",
		"docs/from-upstream.md: drop-ins: there is no row for p.D",
		"docs/from-upstream.md: drop-ins: there is no row for p.E",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
