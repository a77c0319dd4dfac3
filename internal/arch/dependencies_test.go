package arch_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Users get the first of these with the library; only its tests use the second. A package that imports
// another module directly makes that a direct requirement of go.mod, which go mod tidy checks.
var (
	runtimeModules = []string{"k8s.io/api", "k8s.io/apimachinery"}
	testModules    = []string{"github.com/google/go-cmp", "pgregory.net/rapid"}
)

// closureViolations returns the packages that get into a user's program with a package of ours, but are
// neither of the run-time modules nor needed by their packages. What these need is read from the same
// list, because it changes with their versions.
func closureViolations(table []row, pkgs []goPackage) []string {
	pulledIn := map[string]bool{}
	for _, p := range pkgs {
		if inAny(runtimeModules, p.ImportPath) {
			for _, path := range p.Deps {
				pulledIn[path] = true
			}
		}
	}
	var found []string
	for _, p := range pkgs {
		pkg, ours := below(p.ImportPath)
		if r, _ := rowOf(table, pkg); !ours || r.kind == testOnly {
			continue
		}
		for _, path := range p.Deps {
			if foreign(path) && !inAny(runtimeModules, path) && !pulledIn[path] {
				found = append(found, fmt.Sprintf("%s: dependencies: brings in %s, which no package of %s needs", pkg, path, strings.Join(runtimeModules, ", ")))
			}
		}
	}
	return sorted(found)
}

// requirementViolations returns where the direct requirements of a go.mod differ from
// the run-time and test modules.
func requirementViolations(mod goMod) []string {
	want := slices.Concat(runtimeModules, testModules)
	var found, direct []string
	for _, r := range mod.Require {
		if r.Indirect {
			continue
		}
		direct = append(direct, r.Path)
		if !slices.Contains(want, r.Path) {
			found = append(found, fmt.Sprintf("go.mod: dependencies: requires %s, which is not one of %s", r.Path, strings.Join(want, ", ")))
		}
	}
	for _, path := range want {
		if !slices.Contains(direct, path) {
			found = append(found, fmt.Sprintf("go.mod: dependencies: does not require %s directly", path))
		}
	}
	return sorted(found)
}

// foreign reports whether an import path is neither ours nor of the standard library, whose paths have
// no dot in their first element.
func foreign(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	_, ours := below(path)
	return !ours && strings.Contains(first, ".")
}

// inAny reports whether a package is in one of the modules.
func inAny(modules []string, path string) bool {
	return slices.ContainsFunc(modules, func(m string) bool {
		return path == m || strings.HasPrefix(path, m+"/")
	})
}

func TestDependencies(t *testing.T) {
	pkgs := goList(t)
	report(t, closureViolations(table, pkgs))
	report(t, requirementViolations(goModEdit(t)))
}

func TestClosureViolations(t *testing.T) {
	const unneeded = "which no package of k8s.io/api, k8s.io/apimachinery needs"
	upstream := goPackage{ImportPath: "k8s.io/api/core/v1", Deps: []string{"fmt", "gopkg.in/inf.v0"}}
	tests := []struct {
		name string
		pkg  goPackage
		want []string
	}{
		{"needed by a run-time module",
			goPackage{ImportPath: importPath("qos"), Deps: []string{"fmt", "k8s.io/api/core/v1", "gopkg.in/inf.v0", importPath("computeresources")}}, nil},
		{"kernel brings in more", goPackage{ImportPath: importPath("qos"), Deps: []string{"pgregory.net/rapid", "gopkg.in/inf.v0"}},
			[]string{"qos: dependencies: brings in pgregory.net/rapid, " + unneeded}},
		{"helpers of tests may import test modules", goPackage{ImportPath: importPath("internal/testkit"), Deps: []string{"pgregory.net/rapid"}}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			expect(t, closureViolations(table, []goPackage{upstream, test.pkg}), test.want)
		})
	}
}
