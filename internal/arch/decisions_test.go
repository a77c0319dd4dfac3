package arch_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// testName matches a test in docs/decisions.md. It has the path of its package, so that a reader
// knows where to run it.
var testName = regexp.MustCompile("`([a-z/]+\\.Test[A-Z]\\w*)`")

// decisionViolations returns the tests that a text names but that do not exist, and the tests of a
// divergence that it does not name. tests are all tests, in the same form.
func decisionViolations(file, text string, tests []string) (found []string) {
	var named []string
	for _, match := range testName.FindAllStringSubmatch(text, -1) {
		named = append(named, match[1])
		if !slices.Contains(tests, match[1]) {
			found = append(found, fmt.Sprintf("%s: decisions: there is no test %s", file, match[1]))
		}
	}
	for _, test := range tests {
		if strings.Contains(test, ".TestDivergence") && !slices.Contains(named, test) {
			found = append(found, fmt.Sprintf("%s: decisions: %s is missing", file, test))
		}
	}
	return sorted(found)
}

// allTests returns the tests of this module and of those within it.
func allTests(t *testing.T) (tests []string) {
	t.Helper()
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		for _, name := range testsOf(t, string(content)) {
			tests = append(tests, filepath.ToSlash(dir)+"."+name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tests
}

// testsOf returns the tests of a file.
func testsOf(t *testing.T, content string) (names []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "", content, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Test") {
			names = append(names, f.Name.Name)
		}
	}
	return names
}

func TestDecisions(t *testing.T) {
	const file = "docs/decisions.md"
	tests := allTests(t)
	// A rule over an empty list would always pass.
	if !slices.Contains(tests, "internal/arch.TestDecisions") {
		t.Fatalf("%d tests, this one not among them", len(tests))
	}
	report(t, decisionViolations(file, documentText(t, file), tests))
}

func TestDecisionViolations(t *testing.T) {
	tests := []string{"qos.TestClass", "qos.TestDivergenceA", "pool/live.TestDivergenceB"}
	cases := []struct {
		name, text string
		want       []string
	}{
		{"all are there", "`qos.TestDivergenceA`, `pool/live.TestDivergenceB` and `qos.TestClass`", nil},
		{"no test, and one of another package", "`qos.TestDivergenceA` `qos.TestDivergenceB` `pool/live.TestDivergenceB`", []string{
			"d.md: decisions: there is no test qos.TestDivergenceB",
		}},
		{"divergences that are not named", "TestDivergenceA, and `qos.TestClas`", []string{
			"d.md: decisions: pool/live.TestDivergenceB is missing",
			"d.md: decisions: qos.TestDivergenceA is missing",
			"d.md: decisions: there is no test qos.TestClas",
		}},
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			expect(t, decisionViolations("d.md", test.text, tests), test.want)
		})
	}
}
