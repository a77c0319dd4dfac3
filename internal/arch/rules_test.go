package arch_test

import (
	"go/types"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/kubemath/kubemath/internal/golden"
)

// rules return the violations of a project: go test ./internal/arch -run TestRules/layers checks one of them.
var rules = map[string]func(*project) []string{
	"decisions": decisionViolations,
	"documents": documentViolations,
	"drawn":     undrawnTypes,
	"errors":    errorsByValue,
	"index":     indexViolations,
	"layers":    layerViolations,
	"links":     deadAddresses,
	"members":   memberViolations,
	"options":   unsetOptions,
	"purity":    impurities,
	"snippets":  snippetViolations,
	"source":    sourceViolations,
}

func TestRules(t *testing.T) {
	for name, rule := range rules {
		t.Run(name, func(t *testing.T) { expect(t, sorted(rule(ours()))) })
	}
}

// TestNotices plants the files of testdata/RULE.txt as a project, and compares the violations of the rule with the last
// of them. With -update, it writes them.
func TestNotices(t *testing.T) {
	for name, rule := range rules {
		t.Run(name, func(t *testing.T) {
			file := path.Join("testdata", name+".txt")
			text := ours().read(path.Join("internal/arch", file))
			files, _, found := strings.Cut(text, "-- violations --\n")
			if !found {
				t.Fatalf("%s lists no violations", file)
			}
			golden.Compare(t, file, files+"-- violations --\n"+strings.Join(sorted(rule(plantedProject(files))), "\n")+"\n")
		})
	}
}

// plantedProject returns a project of files, each of which begins with a line that has its name.
func plantedProject(text string) *project {
	planted := fstest.MapFS{}
	heading := regexp.MustCompile(`(?m)^-- (.*) --\n`)
	texts := heading.Split(text, -1)
	for i, match := range heading.FindAllStringSubmatch(text, -1) {
		planted[match[1]] = &fstest.MapFile{Data: []byte(texts[i+1])}
	}
	p := newProject(planted, nil, func(p *project) types.Importer { return plantedImporter{p, map[string]*types.Package{}} })
	for _, dir := range slices.Sorted(maps.Keys(p.dirs())) {
		pkg := goPackage{ImportPath: importPath(dir)}
		for _, f := range p.dirs()[dir] {
			for _, spec := range f.tree.Imports {
				pkg.Imports = append(pkg.Imports, strings.Trim(spec.Path.Value, `"`))
			}
		}
		p.packages = append(p.packages, pkg)
	}
	return p
}

// dirs returns the files that are not tests by their directories.
func (p *project) dirs() map[string][]*file {
	all := map[string][]*file{}
	for _, f := range p.files {
		if !f.isTest() {
			all[path.Dir(f.name)] = append(all[path.Dir(f.name)], f)
		}
	}
	return all
}

// A plantedImporter imports the packages of a planted project, and all others as they are.
type plantedImporter struct {
	*project
	known map[string]*types.Package
}

func (p plantedImporter) Import(path string) (*types.Package, error) {
	dir, _ := below(path)
	files := p.dirs()[dir]
	if len(files) == 0 {
		return ours().importer.Import(path)
	}
	if p.known[path] == nil {
		pkg, err := check(path, p.set, files, p, nil)
		must(err)
		p.known[path] = pkg
	}
	return p.known[path], nil
}
