package arch_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Users get the first of these with the library; only its tests use the second.
var (
	runtimeModules = []string{"k8s.io/api", "k8s.io/apimachinery"}
	testModules    = []string{"github.com/google/go-cmp", "pgregory.net/rapid"}
)

// importViolations returns the packages of other modules that a package of ours imports directly but may
// not: the library and its programs may import only the run-time modules, tests and their helpers also the
// test modules.
func importViolations(table []row, pkgs []goPackage) []string {
	var found []string
	forTests := slices.Concat(runtimeModules, testModules)
	for _, p := range pkgs {
		pkg, ours := below(p.ImportPath)
		if !ours {
			continue
		}
		allowed := runtimeModules
		if r, _ := rowOf(table, pkg); r.kind == testOnly {
			allowed = forTests
		}
		for _, path := range p.Imports {
			if foreign(path) && !inAny(allowed, path) {
				found = append(found, fmt.Sprintf("%s: dependencies: imports %s, which is neither ours, nor standard, nor of %s", pkg, path, strings.Join(allowed, ", ")))
			}
		}
		for _, path := range slices.Concat(p.TestImports, p.XTestImports) {
			if foreign(path) && !inAny(forTests, path) {
				found = append(found, fmt.Sprintf("%s: dependencies: tests import %s, which is neither ours, nor standard, nor of %s", pkg, path, strings.Join(forTests, ", ")))
			}
		}
	}
	return sorted(found)
}

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
	report(t, importViolations(table, pkgs))
	report(t, closureViolations(table, pkgs))
	report(t, requirementViolations(goModEdit(t)))
}

func TestImportViolations(t *testing.T) {
	const (
		notRuntime = "which is neither ours, nor standard, nor of k8s.io/api, k8s.io/apimachinery"
		notTest    = notRuntime + ", github.com/google/go-cmp, pgregory.net/rapid"
	)
	pkg := func(name string, imports, tests, xtests []string) goPackage {
		return goPackage{ImportPath: importPath(name), Imports: imports, TestImports: tests, XTestImports: xtests}
	}
	tests := []struct {
		name string
		pkg  goPackage
		want []string
	}{
		{"standard, ours and run-time modules",
			pkg("qos", []string{"fmt", "go/ast", module + "/computeresources", "k8s.io/api/core/v1", "k8s.io/apimachinery/pkg/api/resource"}, nil, nil), nil},
		{"kernel imports a third module", pkg("qos", []string{"k8s.io/utils/ptr"}, nil, nil),
			[]string{"qos: dependencies: imports k8s.io/utils/ptr, " + notRuntime}},
		{"module whose name starts as an allowed one", pkg("qos", []string{"k8s.io/apiserver/pkg/quota/v1"}, nil, nil),
			[]string{"qos: dependencies: imports k8s.io/apiserver/pkg/quota/v1, " + notRuntime}},
		{"kernel imports a test module", pkg("qos", []string{"pgregory.net/rapid"}, nil, nil),
			[]string{"qos: dependencies: imports pgregory.net/rapid, " + notRuntime}},
		{"example imports a third module", pkg("examples/report", []string{"sigs.k8s.io/yaml"}, nil, nil),
			[]string{"examples/report: dependencies: imports sigs.k8s.io/yaml, " + notRuntime}},
		{"package in no row imports a test module", pkg("unknown", []string{"pgregory.net/rapid"}, nil, nil),
			[]string{"unknown: dependencies: imports pgregory.net/rapid, " + notRuntime}},
		{"generators import a test module", pkg("internal/testkit", []string{"pgregory.net/rapid"}, nil, nil), nil},
		{"generators import a third module", pkg("internal/testkit", []string{"github.com/stretchr/testify"}, nil, nil),
			[]string{"internal/testkit: dependencies: imports github.com/stretchr/testify, " + notTest}},
		{"tests import the test modules",
			pkg("qos", nil, []string{"testing", "github.com/google/go-cmp/cmp"}, []string{"pgregory.net/rapid", module + "/internal/testkit"}), nil},
		{"tests import a third module", pkg("qos", nil, []string{"example.com/a"}, []string{"example.com/b"}),
			[]string{
				"qos: dependencies: tests import example.com/a, " + notTest,
				"qos: dependencies: tests import example.com/b, " + notTest,
			}},
		{"a third module may import any module", goPackage{ImportPath: "example.com/a", Imports: []string{"example.com/b"}}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			expect(t, importViolations(table, []goPackage{test.pkg}), test.want)
		})
	}
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
		{"root brings in more", goPackage{ImportPath: importPath("."), Deps: []string{"example.com/a"}},
			[]string{".: dependencies: brings in example.com/a, " + unneeded}},
		{"arithmetic brings in more", goPackage{ImportPath: importPath("internal/quantity"), Deps: []string{"example.com/a"}},
			[]string{"internal/quantity: dependencies: brings in example.com/a, " + unneeded}},
		{"example brings in more", goPackage{ImportPath: importPath("examples/report"), Deps: []string{"example.com/a"}},
			[]string{"examples/report: dependencies: brings in example.com/a, " + unneeded}},
		{"helpers of tests may import test modules", goPackage{ImportPath: importPath("internal/testkit"), Deps: []string{"pgregory.net/rapid"}}, nil},
		{"a third module may need any module", goPackage{ImportPath: "example.com/a", Deps: []string{"example.com/b"}}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			expect(t, closureViolations(table, []goPackage{upstream, test.pkg}), test.want)
		})
	}
}

func TestRequirementViolations(t *testing.T) {
	const four = "k8s.io/api, k8s.io/apimachinery, github.com/google/go-cmp, pgregory.net/rapid"
	all := []requirement{{Path: "pgregory.net/rapid"}, {Path: "k8s.io/apimachinery"}, {Path: "k8s.io/api"}, {Path: "github.com/google/go-cmp"}}
	tests := []struct {
		name    string
		require []requirement
		want    []string
	}{
		{"the four", all, nil},
		{"an indirect requirement in addition", append(slices.Clone(all), requirement{Path: "gopkg.in/inf.v0", Indirect: true}), nil},
		{"a fifth", append(slices.Clone(all), requirement{Path: "example.com/a"}),
			[]string{"go.mod: dependencies: requires example.com/a, which is not one of " + four}},
		{"one missing", all[1:], []string{"go.mod: dependencies: does not require pgregory.net/rapid directly"}},
		{"one indirect only", append(slices.Clone(all[1:]), requirement{Path: "pgregory.net/rapid", Indirect: true}),
			[]string{"go.mod: dependencies: does not require pgregory.net/rapid directly"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			expect(t, requirementViolations(goMod{Require: test.require}), test.want)
		})
	}
}
