package main

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubemath/kubemath/internal/testkit"
)

// Every world has adapters, and tests packages only of modules that it copies.
func TestWorlds(t *testing.T) {
	tested := []world{componentHelpersAt("v0.38.0-alpha.2")}
	for release := range releases {
		tested = append(tested, kubernetesWorld(release))
	}
	for _, w := range tested {
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

func TestNewerPreReleases(t *testing.T) {
	versions := []string{"v0.37.0-rc.1", "v0.37.0", "v0.37.2", "v0.38.0-alpha.0", "v0.38.0-alpha.2", "v0.38.0"}
	for version, want := range map[string][]string{
		"v0.37.2": {"v0.38.0-alpha.2", "v0.38.0-alpha.0"}, "v0.38.0-alpha.0": {"v0.38.0-alpha.2"}, "v0.38.0": nil,
	} {
		testkit.NoDiff(t, newerPreReleases(version, versions), want, version)
	}
	w := componentHelpersAt("v0.38.0-alpha.2")
	if diff := cmp.Diff([]string{"k8s.io/component-helpers@v0.38.0-alpha.2", "k8s.io/api@v0.38.0-alpha.2", "k8s.io/apimachinery@v0.38.0-alpha.2"}, w.upgrade); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
