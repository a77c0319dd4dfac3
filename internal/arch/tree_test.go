package arch_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

const module = "github.com/kubemath/kubemath"

// below returns the path of a package of the module below the module, "." for its
// root, and reports whether it is one.
func below(path string) (string, bool) {
	if path == module {
		return ".", true
	}
	return strings.CutPrefix(path, module+"/")
}

// importPath is the inverse of below.
func importPath(pkg string) string {
	if pkg == "." {
		return module
	}
	return module + "/" + pkg
}

// goPackage is what the rules need of a package as go list describes it.
type goPackage struct {
	ImportPath   string
	Dir          string
	Imports      []string // of its code
	Deps         []string // of its code, and of theirs
	TestImports  []string
	XTestImports []string
}

// ours is a package of the module whose code imports the others of the module.
func ours(pkg string, imports ...string) goPackage {
	p := goPackage{ImportPath: importPath(pkg)}
	for _, i := range imports {
		p.Imports = append(p.Imports, importPath(i))
	}
	return p
}

// goMod is what the rules need of a go.mod as go mod edit describes it.
type goMod struct {
	Require []requirement
}

type requirement struct {
	Path     string
	Indirect bool
}

// goList returns the packages of the module and all that they depend on.
func goList(t *testing.T) []goPackage {
	t.Helper()
	out, err := listOnce()
	if err != nil {
		t.Fatal(err)
	}
	var pkgs []goPackage
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
	// A rule over an empty list would always pass.
	if !slices.ContainsFunc(pkgs, func(p goPackage) bool { return p.ImportPath == importPath("computeresources") }) {
		t.Fatalf("go list found %d packages, computeresources not among them", len(pkgs))
	}
	return pkgs
}

var listOnce = sync.OnceValues(func() ([]byte, error) {
	root, err := moduleRoot()
	if err != nil {
		return nil, err
	}
	// go test caches a result until a file or directory that the test itself has opened changes,
	// and does not track those that go list reads.
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == ".git" {
			return filepath.SkipDir
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return runGo(root, "list", "-deps", "-json=ImportPath,Dir,Imports,Deps,TestImports,XTestImports", "./...")
})

// goModEdit returns the go.mod of the module.
func goModEdit(t *testing.T) (mod goMod) {
	t.Helper()
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil { // for the cache, as above
		t.Fatal(err)
	}
	out, err := runGo(root, "mod", "edit", "-json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &mod); err != nil {
		t.Fatal(err)
	}
	return mod
}

var moduleRoot = sync.OnceValues(func() (string, error) {
	out, err := runGo(".", "env", "GOMOD")
	return filepath.Dir(strings.TrimSpace(string(out))), err
})

func runGo(dir string, args ...string) ([]byte, error) {
	var stderr bytes.Buffer
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Stderr = dir, &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, errors.New("go " + strings.Join(args, " ") + ": " + err.Error() + "\n" + stderr.String())
	}
	return out, nil
}

// sorted returns the violations in order, each once.
func sorted(found []string) []string {
	slices.Sort(found)
	return slices.Compact(found)
}

// report fails the test with each violation.
func report(t *testing.T, found []string) {
	t.Helper()
	for _, v := range found {
		t.Error(v)
	}
}

// expect compares the violations of a planted case with those it should have.
func expect(t *testing.T, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}
