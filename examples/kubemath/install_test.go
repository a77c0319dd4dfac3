package main

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
)

const module = "github.com/kubemath/kubemath"

// The program and the plugin of kubectl can be installed from a release: a proxy of files has the module
// as it is here, without the modules below it, and another one all other modules, from the cache of modules.
// With -trimpath, what is compiled does not depend on where that is, so that only what has changed is compiled
// again.
func TestInstall(t *testing.T) {
	if os.Getenv("KUBEMATH_INSTALL") == "" {
		t.Skip("a step of .ci/run, which sets KUBEMATH_INSTALL: it builds two programs")
	}
	const version = "v0.1.0-test"
	proxy, bin := t.TempDir(), t.TempDir()
	publish(t, filepath.Join(proxy, module, "@v"), version)
	var env struct{ GOMODCACHE, GOPROXY, GOEXE string }
	text, err := exec.Command("go", "env", "-json", "GOMODCACHE", "GOPROXY", "GOEXE").Output()
	if err == nil {
		err = json.Unmarshal(text, &env)
	}
	testkit.OK(t, err)
	proxies := []string{fileURL(proxy), fileURL(filepath.Join(env.GOMODCACHE, "cache", "download")), env.GOPROXY}
	install := exec.Command("go", "install", "-trimpath", module+"/examples/kubemath@"+version, module+"/examples/kubemath/kubectl-kubemath@"+version)
	install.Dir = t.TempDir() // in no module
	install.Env = append(os.Environ(), "GO111MODULE=on", "GOBIN="+bin, "GOWORK=off", "GOFLAGS=-modcacherw", "GOMODCACHE="+t.TempDir(),
		"GOPROXY="+strings.Join(proxies, ","), "GOSUMDB=off", "GONOPROXY=none", "GOPRIVATE=")
	if text, err := install.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}

	text, err = exec.Command(filepath.Join(bin, "kubemath"+env.GOEXE), "-version").Output()
	if want := "kubemath " + version + " " + runtime.Version() + "\n"; err != nil || string(text) != want {
		t.Errorf("-version: %q, want %q; %v", text, want, err)
	}
	// As kubectl runs what follows "kubectl kubemath".
	plugin := exec.Command(filepath.Join(bin, "kubectl-kubemath"+env.GOEXE), "-f", "-")
	plugin.Stdin = strings.NewReader(`{"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": "shop", "name": "web", "uid": "1"},
		"spec": {"containers": [{"name": "app", "resources": {"requests": {"cpu": "250m"}}}]}, "status": {"phase": "Running"}}]}`)
	text, err = plugin.Output()
	if err != nil || !strings.Contains(string(text), "Pod shop/web") || !strings.Contains(string(text), "250m") {
		t.Errorf("the plugin writes %q; %v", text, err)
	}
}

func fileURL(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // the letter of a drive
	}
	return "file://" + path
}

// publish writes the module into a folder, as a proxy has it.
func publish(t *testing.T, folder, version string) {
	t.Helper()
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	testkit.OK(t, err)
	writeFile(t, folder, "list", version+"\n")
	writeFile(t, folder, version+".mod", string(mod))
	writeFile(t, folder, version+".info", `{"Version": "`+version+`"}`)
	file, err := os.Create(filepath.Join(folder, version+".zip"))
	testkit.OK(t, err)
	archive := zip.NewWriter(file)
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		_, nested := os.Stat(filepath.Join(path, "go.mod"))
		switch {
		case err != nil || path == root:
			return err
		case d.IsDir() && (nested == nil || strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		to, err := archive.Create(module + "@" + version + "/" + strings.TrimPrefix(filepath.ToSlash(path), root+"/"))
		if err == nil {
			_, err = to.Write(content)
		}
		return err
	})
	testkit.OK(t, errors.Join(err, archive.Close(), file.Close()))
}

func writeFile(t *testing.T, dir, name, text string) {
	t.Helper()
	testkit.OK(t, errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755)))
}
