package main

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestAdaptersIn(t *testing.T) {
	source := fstest.MapFS{
		"testdata/adapters/a/example.com/m/p/x.go": {Data: []byte("x")},
		"testdata/adapters/b/example.com/m/p/y.go": {Data: []byte("y")},
		"testdata/adapters/c/example.com/m/p/x.go": {Data: []byte("z")},
	}
	got, err := adaptersIn(source, []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]map[string][]byte{"example.com/m/p": {"x.go": []byte("x"), "y.go": []byte("y")}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, layers := range [][]string{{"a", "c"}, {"gone"}} {
		if _, err := adaptersIn(source, layers); err == nil {
			t.Errorf("%v: no error", layers)
		}
	}
}

// Every world has adapters, and tests packages only of modules that it copies.
func TestWorlds(t *testing.T) {
	for _, w := range worlds() {
		b := &built{world: w, copies: map[string]string{}}
		for _, module := range w.modules {
			b.copies[module] = "/copies/" + filepath.Base(module)
		}
		adapters, err := adaptersIn(files, w.layers)
		if err != nil || len(adapters) == 0 {
			t.Fatalf("%s: %d adapters, %v", w.name, len(adapters), err)
		}
		packages := w.packages
		for pkg := range adapters {
			packages = append(packages, pkg)
		}
		for _, pkg := range packages {
			if _, err := b.directory(pkg); err != nil {
				t.Errorf("%s: %v", w.name, err)
			}
		}
	}
	b := &built{copies: map[string]string{"example.com/m": "/copies/m"}}
	for pkg, want := range map[string]string{"example.com/m": "/copies/m", "example.com/m/p": "/copies/m/p", "example.com/more": ""} {
		if got, err := b.directory(pkg); got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %s, %v", pkg, got, err)
		}
	}
}

func TestCopyTree(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "copy")
	if err := os.Mkdir(filepath.Join(from, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	original := filepath.Join(from, "sub", "file")
	if err := os.WriteFile(original, []byte("text"), 0o444); err != nil {
		t.Fatal(err)
	}
	if err := copyTree(to, from); err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(to, "sub", "file")
	info, err := os.Stat(copied)
	if err != nil || info.Mode().Perm() != 0o644 {
		t.Fatalf("%v, %v", info, err)
	}
	if err := os.WriteFile(copied, []byte("changed"), 0o644); err != nil {
		t.Fatal(err)
	}
	if content, err := os.ReadFile(original); err != nil || string(content) != "text" {
		t.Errorf("the original is %q, %v", content, err)
	}
	if n, err := size(from); n != 4 || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
}

func TestNewerPreReleases(t *testing.T) {
	versions := []string{"v0.37.0-rc.1", "v0.37.0", "v0.37.2", "v0.38.0-alpha.0", "v0.38.0-alpha.2", "v0.38.0"}
	for version, want := range map[string][]string{
		"v0.37.2": {"v0.38.0-alpha.2", "v0.38.0-alpha.0"}, "v0.38.0-alpha.0": {"v0.38.0-alpha.2"}, "v0.38.0": nil,
	} {
		if diff := cmp.Diff(want, newerPreReleases(version, versions)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", version, diff)
		}
	}
	w := componentHelpersAt("v0.38.0-alpha.2")
	if diff := cmp.Diff([]string{"k8s.io/component-helpers@v0.38.0-alpha.2", "k8s.io/api@v0.38.0-alpha.2", "k8s.io/apimachinery@v0.38.0-alpha.2"}, w.upgrade); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
