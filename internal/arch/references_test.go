package arch_test

import (
	"fmt"
	"go/ast"
	"go/doc/comment"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A reference is the name of a package, or a path that ends in it, and of what it exports:
// a function, a type, a method, or a field. In Markdown it stands alone in backticks.
var (
	reference = regexp.MustCompile(`\b([a-z]+(?:/[a-z]+)*)\.([A-Z]\w*(?:\.[A-Z]\w*)?)\b`)
	quoted    = regexp.MustCompile("`" + reference.String() + "`")
)

// notOurs lists packages of other modules that documents name in the same way.
var notOurs = []string{"corev1", "math", "resource"}

// referenceViolations returns the broken references in a text: those to a package or an exported
// name that does not exist. names are those of all packages, by path.
func referenceViolations(file, text string, form *regexp.Regexp, names map[string][]string) (found []string) {
	for _, match := range form.FindAllStringSubmatch(text, -1) {
		pkg, name := match[1], match[2]
		if !slices.Contains(notOurs, pkg) && !strings.HasPrefix(name, "Test") && !resolves(pkg, name, names) {
			found = append(found, fmt.Sprintf("%s: references: there is no %s.%s", file, pkg, name))
		}
	}
	return sorted(found)
}

func resolves(pkg, name string, names map[string][]string) bool {
	for path, exported := range names {
		if (path == pkg || strings.HasSuffix(path, "/"+pkg)) && slices.Contains(exported, name) {
			return true
		}
	}
	return false
}

// fields returns the exported fields of the structs of a package, embedded ones aside.
func fields(p documented) (names []string) {
	for _, t := range p.Types {
		for _, spec := range t.Decl.Specs {
			if s, ok := spec.(*ast.TypeSpec).Type.(*ast.StructType); ok {
				for _, field := range s.Fields.List {
					for _, name := range field.Names {
						names = append(names, t.Name+"."+name.Name)
					}
				}
			}
		}
	}
	return names
}

// codeOf returns what stands in the code blocks of a comment.
func codeOf(p documented) string {
	var code strings.Builder
	for _, block := range p.Parser().Parse(p.Doc).Content {
		if c, ok := block.(*comment.Code); ok {
			code.WriteString(c.Text)
		}
	}
	return code.String()
}

func documentText(t *testing.T, file string) string {
	t.Helper()
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func TestReferences(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no documents: %v", err)
	}
	names := map[string][]string{}
	tables := ""
	for _, p := range documentation(t) {
		names[p.path] = append(exports(p), fields(p)...)
		if p.path == "." {
			tables = codeOf(p)
		}
	}
	for _, file := range append(files, filepath.Join(root, "README.md")) {
		file, err := filepath.Rel(root, file)
		if err != nil {
			t.Fatal(err)
		}
		report(t, referenceViolations(file, documentText(t, file), quoted, names))
	}
	if len(reference.FindAllString(tables, -1)) < 50 {
		t.Errorf("doc.go: references: the tables are missing: %q", tables)
	}
	report(t, referenceViolations("doc.go", tables, reference, names))
}

func TestReferenceViolations(t *testing.T) {
	p := read(t, importPath("pool/poolplan"), map[string]string{"plan.go": "package poolplan\n\nimport \"x\"\n\n" +
		"// Fit has fields.\ntype Fit struct {\n\tx.Embedded\n\tA, B, c int\n}\n\n// Get is.\nfunc (Fit) Get() {}\n\n// Growth is.\nfunc Growth() {}\n"})
	names := map[string][]string{"pool/poolplan": append(exports(p), fields(p)...), "qos": {"Class"}}
	cases := []struct {
		name, text string
		form       *regexp.Regexp
		want       []string
	}{
		{"all are there", "`poolplan.Growth` `pool/poolplan.Fit` `poolplan.Fit.Get`, `poolplan.Fit.A` and `poolplan.Fit.B`, `qos.Class`", quoted, nil},
		{"of others, tests, and no references", "`resource.Quantity` `qos.TestGone` qos.Gone `qos.Gone()` `Gone` `v1.36`", quoted, nil},
		{"gone", "`qos.Gone` `poolplan.Fit.Gone` `quota/poolplan.Growth` `plan.Growth` `qoss.Class`, `poolplan.Fit.c` `poolplan.Fit.Embedded`", quoted, []string{
			"d.md: references: there is no plan.Growth",
			"d.md: references: there is no poolplan.Fit.Embedded",
			"d.md: references: there is no poolplan.Fit.Gone",
			"d.md: references: there is no qos.Gone",
			"d.md: references: there is no qoss.Class",
			"d.md: references: there is no quota/poolplan.Growth",
		}},
		{"in a table of code", "What?   qos.Class, qos.Gone\nHow?   poolplan.Growth(n)", reference, []string{
			"d.md: references: there is no qos.Gone",
		}},
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			expect(t, referenceViolations("d.md", test.text, test.form, names), test.want)
		})
	}
}
