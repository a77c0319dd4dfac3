package arch_test

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A reference is the name of a package, or a path that ends in it, and of what it exports: a function, a type, a
// method, or a field. In Markdown it stands alone in backticks, and so does a test with the path of its package.
var (
	reference = regexp.MustCompile(`\b([a-z]+(?:/[a-z]+)*)\.([A-Z]\w*(?:\.[A-Z]\w*)?)\b`)
	quoted    = regexp.MustCompile("`" + reference.String() + "`")
)

// notOurs lists packages of other modules that documents name in the same way.
var notOurs = []string{"corev1", "math", "resource"}

// danglingReferences returns the names in a text that no package exports, and the tests that do not exist.
func danglingReferences(name, text string, form *regexp.Regexp, pkgs []libraryPackage, tests []string) (found []string) {
	for _, match := range form.FindAllStringSubmatch(text, -1) {
		pkg, export := match[1], match[2]
		exists := slices.ContainsFunc(pkgs, func(p libraryPackage) bool {
			return strings.HasSuffix("/"+p.path, "/"+pkg) && exports(p.Package, export)
		})
		isTest := strings.HasPrefix(export, "Test") && slices.Contains(tests, pkg+"."+export)
		if !exists && !isTest && !slices.Contains(notOurs, pkg) {
			found = append(found, fmt.Sprintf("%s: there is no %s.%s", name, pkg, export))
		}
	}
	return sorted(found)
}

// exports reports whether a package exports a name: of an object, or of a field or a method of a type.
func exports(pkg *types.Package, name string) bool {
	of, member, isMember := strings.Cut(name, ".")
	object := pkg.Scope().Lookup(of)
	if object == nil || !object.Exported() || !isMember {
		return object != nil && object.Exported()
	}
	found, index, _ := types.LookupFieldOrMethod(object.Type(), true, pkg, member)
	return found != nil && found.Exported() && len(index) == 1
}

// allTests returns the tests of this module and of those within it.
func (p *project) allTests() (tests []string) {
	for _, f := range p.files {
		for _, decl := range f.tree.Decls {
			if function, ok := decl.(*ast.FuncDecl); ok && function.Recv == nil && f.isTest() {
				tests = append(tests, path.Dir(f.name)+"."+function.Name.Name)
			}
		}
	}
	return tests
}

// link matches a link in a comment to an export of its package, or of another one. Code is indented by a tab.
var link = regexp.MustCompile(`(?m)^\t.*$|(?:^|[ (])\[\*?(?:([a-z]+)\.)?([A-Z]\w*(?:\.[A-Z]\w*)?)\]`)

// deadLinks returns the links in the comments of a file to exports of ours that do not exist.
func deadLinks(f *file, pkgs []libraryPackage) (found []string) {
	for _, group := range f.tree.Comments {
		for _, match := range link.FindAllStringSubmatch(group.Text(), -1) {
			for _, to := range pkgs {
				own := match[1] == "" && to.path == path.Dir(f.name)
				if match[2] != "" && (own || match[1] == to.Name()) && !exports(to.Package, match[2]) {
					found = append(found, f.at(group, "link to %s.%s leads nowhere", to.path, match[2]))
				}
			}
		}
	}
	return found
}

// codeOf returns what stands in the code blocks of the comment of a package.
func codeOf(p documented) (code []string) {
	for _, block := range p.Parser().Parse(p.Doc).Content {
		if c, ok := block.(*comment.Code); ok {
			code = append(code, c.Text)
		}
	}
	return code
}

// subjectOf returns the name that an Example of a package is for, such as pool.Claim.Holding.
func subjectOf(p documented, e *doc.Example) string {
	return p.Name + "." + strings.ReplaceAll(strings.TrimSuffix(e.Name, "_"+e.Suffix), "_", ".")
}

// unshown returns the names in a table of questions that have no Example, and those of messages that none prints.
func unshown(table string, packages []documented) (found []string) {
	said := map[string]string{} // the output of all Examples of a name
	for _, p := range packages {
		for _, e := range examplesOf(p) {
			said[subjectOf(p, e)] += " " + e.Output
		}
	}
	for line := range strings.Lines(table) {
		message := ""
		if strings.HasPrefix(line, `"`) {
			message, _, _ = strings.Cut(line[1:], `"`)
		}
		for _, answer := range reference.FindAllString(line, -1) {
			if said[answer] == "" || !strings.Contains(said[answer], message) {
				found = append(found, strings.TrimSpace(fmt.Sprintf("doc.go: no Example of %s %s", answer, message)))
			}
		}
	}
	return sorted(found)
}

// markdownLink is a link to a file, without what stands after "#".
var markdownLink = regexp.MustCompile(`\]\(([^):#]+)(?:#[^)]*)?\)`)

func TestDocuments(t *testing.T) {
	p, pkgs := load(t), public(t)
	tests := p.allTests()
	for _, name := range p.documents(t, "*.md", "docs/*.md", "docs/decisions/*.md", "examples/*/*.md") {
		text := p.read(t, name)
		for _, match := range markdownLink.FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join(p.root, path.Dir(name), match[1])); err != nil {
				t.Errorf("%s: link %s leads nowhere", name, match[1])
			}
		}
		if strings.HasPrefix(name, "docs/") || name == "README.md" {
			report(t, danglingReferences(name, text, quoted, pkgs, tests))
		}
	}
	for _, f := range p.kernelFiles() {
		report(t, deadLinks(f, pkgs))
	}
	packages := documentation(t)
	tables := strings.Join(codeOf(packages[0]), "")
	if count := len(reference.FindAllString(tables, -1)); count < 50 {
		t.Errorf("doc.go: the tables have %d names", count)
	}
	report(t, danglingReferences("doc.go", tables, reference, pkgs, nil))
	report(t, unshown(tables, packages))
}

func TestDocumentsNotice(t *testing.T) {
	pkg := planted{}.add(t, "pool/poolplan", `// Package poolplan links to [Fit], [Fit.Get], [poolplan.Gone] and [Fit.Gone], but
//
//	code [Gone]
package poolplan

type embedded struct{ Inner int }

// Fit is not [*Fid.Got].
type Fit struct {
	embedded
	A, c int
}

func (Fit) Get() {}
func Growth() {}
`)
	p := libraryPackage{pkg.path, pkg.pkg}
	dangling := func(text string, form *regexp.Regexp) []string {
		return danglingReferences("d.md", text, form, []libraryPackage{p}, []string{"qos.TestClass"})
	}
	expect(t, dangling("`poolplan.Growth` `pool/poolplan.Fit` `poolplan.Fit.Get` `poolplan.Fit.A` `resource.Quantity` `qos.TestClass` qos.Gone `v1.36`", quoted))
	expect(t, dangling("`poolplan.Gone` `quota/poolplan.Growth` `plan.Growth` `poolplan.Fit.Inner` `qos.TestGone`", quoted),
		"d.md: there is no plan.Growth", "d.md: there is no poolplan.Fit.Inner",
		"d.md: there is no poolplan.Gone", "d.md: there is no qos.TestGone", "d.md: there is no quota/poolplan.Growth")
	expect(t, dangling("What?   poolplan.Fit, poolplan.Gone(n)", reference), "d.md: there is no poolplan.Gone")
	expect(t, deadLinks(pkg.files[0], []libraryPackage{p}), "pool/poolplan/a.go:1: link to pool/poolplan.Gone leads nowhere",
		"pool/poolplan/a.go:1: link to pool/poolplan.Fit.Gone leads nowhere", "pool/poolplan/a.go:8: link to pool/poolplan.Fid.Got leads nowhere")
	shown := documented{"pool", &doc.Package{Name: "pool", Examples: []*doc.Example{
		{Name: "Allocate", Output: "not yet\n"}, {Name: "Allocate_full", Suffix: "full", Output: "pool is full\n"},
	}}}
	expect(t, unshown("\"is full\"   pool.Allocate\nHow much?   pool.Allocate, pool.Gone\n\"no room\"   pool.Allocate\n", []documented{shown}),
		"doc.go: no Example of pool.Allocate no room", "doc.go: no Example of pool.Gone")
}
