package arch_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// kindsOfContainers are the constants of each package that distinguishes kinds of containers. A
// comparison with one of them treats any new kind as one of the others; for an incomplete switch, the
// linter reports an error.
var kindsOfContainers = map[string][]string{
	module + "/computeresources": {"App", "Init", "Sidecar"},
	module + "/internal/podwalk": {"App", "Init", "Sidecar"},
}

// sidecarTest is the only file that reads the restart policy of a container.
const sidecarTest = "internal/podwalk/containers.go"

// kindBranches returns where a file compares with a kind of container, or reads a restart
// policy.
func kindBranches(pkg, name string, fset *token.FileSet, file *ast.File) (found []string) {
	add := func(n ast.Node, what string) {
		at := fset.Position(n.Pos())
		found = append(found, fmt.Sprintf("%s:%d:%d: %s", name, at.Line, at.Column, what))
	}
	imported := importsByName(file)
	isKind := func(e ast.Expr) bool {
		switch e := e.(type) {
		case *ast.Ident:
			return slices.Contains(kindsOfContainers[importPath(pkg)], e.Name)
		case *ast.SelectorExpr:
			return isOneOf(kindsOfContainers, imported, e)
		}
		return false
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if (n.Op == token.EQL || n.Op == token.NEQ) && (isKind(n.X) || isKind(n.Y)) {
				add(n, "compares with a kind of container: use a switch")
			}
			if asksForRestartPolicy(n) && name != sidecarTest {
				add(n, "asks for a restart policy: only "+sidecarTest+" does")
			}
		case *ast.SwitchStmt:
			if n.Tag != nil && mentionsRestartPolicy(n.Tag) && name != sidecarTest {
				add(n, "asks for a restart policy: only "+sidecarTest+" does")
			}
		}
		return true
	})
	return found
}

func asksForRestartPolicy(n *ast.BinaryExpr) bool {
	return (n.Op == token.EQL || n.Op == token.NEQ) && (mentionsRestartPolicy(n.X) || mentionsRestartPolicy(n.Y))
}

func mentionsRestartPolicy(e ast.Expr) (mentions bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		mentions = mentions || ok && (sel.Sel.Name == "RestartPolicy" || strings.HasPrefix(sel.Sel.Name, "ContainerRestartPolicy"))
		return !mentions
	})
	return mentions
}

// Only switches branch on kinds of containers, and only one file distinguishes a sidecar from an init
// container. Tests and reference implementations have copies of
// their own.
func TestKindsOfContainers(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	seen := false
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if entry.IsDir() && (strings.HasPrefix(entry.Name(), ".") && name != "." || name == "internal/conformance" || name == "internal/testkit") {
			return fs.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		seen = seen || name == sidecarTest
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, found := range kindBranches(filepath.ToSlash(filepath.Dir(name)), name, fset, file) {
			t.Error(found)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !seen {
		t.Errorf("%s does not exist", sidecarTest)
	}
}

func TestKindBranches(t *testing.T) {
	const (
		head    = "package p\nimport \"github.com/kubemath/kubemath/computeresources\"\n"
		compare = "compares with a kind of container: use a switch"
		policy  = "asks for a restart policy: only " + sidecarTest + " does"
	)
	for name, test := range map[string]struct {
		pkg, src string
		want     []string
	}{
		"a switch":                        {"qos", head + "func f(k computeresources.Kind) { switch k { case computeresources.App: } }", nil},
		"the pod is no container":         {"qos", head + "func f(k computeresources.Kind) bool { return k == computeresources.Pod }", nil},
		"a name of something else":        {"qos", "package p\nfunc f(k int) bool { return k == App }", nil},
		"a comparison":                    {"qos", head + "func f(k computeresources.Kind) bool { return k == computeresources.App }", []string{"p.go:3:47: " + compare}},
		"a comparison the other way":      {"qos", head + "func f(k computeresources.Kind) bool { return computeresources.Init != k }", []string{"p.go:3:47: " + compare}},
		"a case without a tag":            {"qos", head + "func f(k computeresources.Kind) { switch { case k == computeresources.Init: } }", []string{"p.go:3:49: " + compare}},
		"within the package":              {"computeresources", "package p\nfunc f(k Kind) bool { return k == Sidecar }", []string{"p.go:2:30: " + compare}},
		"a restart policy":                {"qos", "package p\nfunc f(c *C) bool { return *c.RestartPolicy == \"Always\" }", []string{"p.go:2:28: " + policy}},
		"a restart policy by a switch":    {"qos", "package p\nfunc f(c *C) { switch *c.RestartPolicy { } }", []string{"p.go:2:16: " + policy}},
		"a restart policy that is copied": {"qos", "package p\nfunc f(c *C) *C { return &C{RestartPolicy: c.RestartPolicy} }", nil},
	} {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "p.go", test.src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if got := kindBranches(test.pkg, "p.go", fset, file); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
