package arch_test

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"
)

// takenNames are package names that are meaningless, or that users import or use together with ours, so
// that a file would have to rename one of the two.
var takenNames = []string{
	"admission", "api", "apis", "cache", "client", "common", "config", "context", "controller",
	"core", "errors", "field", "helper", "helpers", "labels", "list", "live", "meta", "metrics",
	"misc", "name", "names", "node", "nodes", "options", "plan", "plans", "pod", "pods", "resource",
	"resources", "runtime", "scheduler", "scheme", "shared", "source", "sources", "status", "strings",
	"test", "testing", "time", "track", "tracker", "type", "types", "util", "utils", "validation",
	"version", "webhook",
}

// packageNameViolations returns the packages with the same name, those with a taken name, and those that
// are not named after their folder.
func packageNameViolations(pkgs []libraryPackage) (found []string) {
	byName := map[string]string{}
	for _, p := range pkgs {
		name := p.Name()
		if other, twice := byName[name]; twice {
			found = append(found, fmt.Sprintf("%s: names: %s is also called %s", p.path, other, name))
		}
		byName[name] = p.path
		if slices.Contains(takenNames, name) {
			found = append(found, fmt.Sprintf("%s: names: %s is not for a package that users import", p.path, name))
		}
		if name != path.Base(p.path) {
			found = append(found, fmt.Sprintf("%s: names: the package is called %s", p.path, name))
		}
	}
	return sorted(found)
}

// sharedTypeNames are the type names that several packages have, each with the reason.
var sharedTypeNames = exceptions{
	"Options": "the options of a package; a package has one, and it reads well with the name of any package",

	"Decision": "the decision about a claim on a pool, and about an object in a namespace; quota/admit and pool are not used together",

}

// typeNameViolations returns the names that exported types of several packages have.
func typeNameViolations(pkgs []libraryPackage, shared exceptions) []string {
	of := map[string][]string{}
	for _, p := range pkgs {
		for _, t := range exportedTypes(p.Package) {
			of[t.Obj().Name()] = append(of[t.Obj().Name()], p.path)
		}
	}
	found := map[string]string{}
	for name, paths := range of {
		if len(paths) > 1 {
			found[name] = "a type of " + strings.Join(paths, ", ")
		}
	}
	return shared.without("names", found)
}

func TestNamesOfPackages(t *testing.T) { report(t, packageNameViolations(public(t))) }

func TestNamesOfTypes(t *testing.T) { report(t, typeNameViolations(public(t), sharedTypeNames)) }

func TestPackageNameViolations(t *testing.T) {
	t.Run("names of their own", func(t *testing.T) {
		expect(t, packageNameViolations(checkAll(t, "qos", "", "quota/quotatracker", "", "pool/poolplan", "")), nil)
	})
	t.Run("one name", func(t *testing.T) {
		expect(t, packageNameViolations(checkAll(t, "quota/forecast", "", "pool/forecast", "")),
			[]string{"pool/forecast: names: quota/forecast is also called forecast"})
	})
	t.Run("a name that is taken", func(t *testing.T) {
		expect(t, packageNameViolations(checkAll(t, "cgroup/config", "")),
			[]string{"cgroup/config: names: config is not for a package that users import"})
	})
	t.Run("a name that differs from the folder", func(t *testing.T) {
		all := checkAll(t, "cgroup/cgroupname", "")
		all[0].path = "cgroup/titles"
		expect(t, packageNameViolations(all), []string{"cgroup/titles: names: the package is called cgroupname"})
	})
}

func TestTypeNameViolations(t *testing.T) {
	const options, change = "type Options struct{}\n", "type Change struct{}\n"
	for _, test := range []struct {
		name   string
		texts  []string
		shared exceptions
		want   []string
	}{
		{"names of their own", []string{"qos", "type Tier int", "steps", change}, nil, nil},
		{"unexported", []string{"qos", "type change int", "steps", "type change int"}, nil, nil},
		{"functions", []string{"qos", "func Change() {}", "steps", change}, nil, nil},
		{"an alias of the other", []string{"qos", change, "steps", "import \"" + module + "/qos\"\ntype Change = qos.Change"}, nil, nil},
		{"shared for a reason", []string{"qos", options, "steps", options}, exceptions{"Options": "for a reason"}, nil},
		{"shared", []string{"qos", options + change, "steps", options + change, "solver", change}, exceptions{"Options": "for a reason"},
			[]string{"Change: names: a type of qos, steps, solver"}},
		{"an exception without need", []string{"qos", options}, exceptions{"Options": "for a reason"},
			[]string{"Options: names: needs no exception"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			expect(t, typeNameViolations(checkAll(t, test.texts...), test.shared), test.want)
		})
	}
}
