package main

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed testdata/adapters testdata/adopters testdata/cluster testdata/recorders beside/beside.go
var files embed.FS

// A world is a temporary module with this checkout of kubemath and copies of the upstream modules
// whose packages are adapted or tested.
type world struct {
	name string

	// kubernetes is its minor version of Kubernetes.
	kubernetes string

	// goMod is the module file with the versions: the temporary module begins as a copy of it.
	goMod string

	// upgrade are modules whose versions differ from goMod.
	upgrade []string

	// layers are the directories below testdata/adapters to be laid over the copies.
	layers []string

	// modules are those to be copied.
	modules []string

	// packages are those to be tested.
	packages []string

	// benchmarked are packages whose tests do not run, but whose benchmarks may call adapters.
	benchmarked []string
}

const (
	temporaryModule = "kubemath.example/upstream"
	kubemath        = "github.com/kubemath/kubemath"
)

// built is a world on disk.
type built struct {
	world
	dir      string            // of the temporary module
	copies   map[string]string // directory by module
	versions map[string]string // by module
	known    []failure         // those that are explained

	// asTheyAre says that the paths of sources are compiled in, as the tests of some projects read
	// them.
	asTheyAre bool
}

// build makes the temporary module and the copies in dir, which must exist. The module cache is
// only read.
func (w world) build(dir, kubemathDir string) (*built, error) {
	b := &built{world: w, dir: dir, copies: map[string]string{}, versions: map[string]string{}, known: failuresOf(w.kubernetes)}
	for from, to := range map[string]string{w.goMod: "go.mod", strings.TrimSuffix(w.goMod, ".mod") + ".sum": "go.sum"} {
		content, err := os.ReadFile(from)
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(dir, to), content, 0o644); err != nil {
			return nil, err
		}
	}
	edit := []string{"mod", "edit", "-module=" + temporaryModule, "-replace=" + kubemath + "=" + kubemathDir}
	for _, upgrade := range w.upgrade {
		edit = append(edit, "-require="+upgrade)
	}
	if _, err := b.golang(edit...); err != nil {
		return nil, err
	}
	for _, module := range w.modules {
		if err := b.copy(module); err != nil {
			return nil, err
		}
	}
	return b, b.helpers()
}

// helpers writes the packages that adapters import. That of the cluster reads the gates of the API server.
func (b *built) helpers() error {
	sources := map[string]string{"beside/beside.go": "beside/beside.go"}
	if _, copied := b.copies[kubernetes]; copied {
		sources["cluster/cluster.go"] = "testdata/cluster/cluster.go"
	}
	for to, from := range sources {
		source, err := files.ReadFile(from)
		if err != nil {
			return err
		}
		if err := os.Mkdir(filepath.Dir(filepath.Join(b.dir, to)), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(b.dir, to), source, 0o644); err != nil {
			return err
		}
	}
	release := fmt.Sprintf("package beside\n\n// Release is that of Kubernetes.\nconst Release = %q\n", b.kubernetes)
	return os.WriteFile(filepath.Join(b.dir, "beside", "release.go"), []byte(release), 0o644)
}

// copy copies a module from the module cache and has the copy replace it.
func (b *built) copy(module string) error {
	out, err := b.golang("list", "-mod=mod", "-m", "-json", module)
	if err != nil {
		return err
	}
	var selected struct {
		Version string
		Replace *struct{ Version string }
	}
	if err := json.Unmarshal(out, &selected); err != nil {
		return err
	}
	version := selected.Version
	if selected.Replace != nil {
		version = selected.Replace.Version
	}
	downloaded, err := b.download(module + "@" + version)
	if err != nil {
		return err
	}
	to := filepath.Join(b.dir, path.Base(module))
	if err := copyTree(to, downloaded); err != nil {
		return err
	}
	b.copies[module], b.versions[module] = to, version
	_, err = b.golang("mod", "edit", "-replace="+module+"="+to)
	return err
}

// download returns where the module cache has a module, in a version.
func (b *built) download(module string) (dir string, err error) {
	command := exec.Command("go", "mod", "download", "-json", module)
	command.Dir = b.dir
	out, failed := command.Output()
	var downloaded struct{ Dir, Error string }
	if err := json.Unmarshal(out, &downloaded); err != nil {
		return "", fmt.Errorf("go mod download %s: %w", module, errors.Join(failed, err))
	}
	if downloaded.Error != "" {
		return "", errors.New(downloaded.Error)
	}
	return downloaded.Dir, failed
}

// copyTree copies a directory and makes the copies writable, because files of the module cache are
// not writable.
func copyTree(to, from string) error {
	return filepath.WalkDir(from, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := filepath.Join(to, strings.TrimPrefix(file, from))
		if d.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return os.WriteFile(target, content, info.Mode().Perm()|0o200)
	})
}

// version returns the version of the module that a package is in.
func (b *built) version(pkg string) string {
	for module, version := range b.versions {
		if pkg == module || strings.HasPrefix(pkg, module+"/") {
			return version
		}
	}
	return ""
}

// directory returns where the copy of a package is.
func (b *built) directory(pkg string) (string, error) {
	for module, dir := range b.copies {
		if below, ok := strings.CutPrefix(pkg, module+"/"); ok {
			return filepath.Join(dir, below), nil
		}
		if pkg == module {
			return dir, nil
		}
	}
	return "", fmt.Errorf("%s: in no module that is copied", pkg)
}

// adapt lays the adapters over the copies.
func (b *built) adapt() error {
	adapters, err := adaptersIn(files, b.layers)
	if err != nil {
		return err
	}
	for _, pkg := range slices.Sorted(maps.Keys(adapters)) {
		dir, err := b.directory(pkg)
		if err != nil {
			return err
		}
		if err := adapt(dir, adapters[pkg]); err != nil {
			return err
		}
	}
	return nil
}

// adaptLean replaces the adapters over the copies by those that call only kubemath.
func (b *built) adaptLean() error {
	adapters, err := adaptersIn(files, b.layers)
	if err != nil {
		return err
	}
	for pkg, files := range adapters {
		dir, err := b.directory(pkg)
		if err != nil {
			return err
		}
		for name, content := range files {
			changed, err := lean(name, content)
			if err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(dir, name), changed, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// adaptersIn returns the files of the layers, by package and name.
func adaptersIn(source fs.FS, layers []string) (map[string]map[string][]byte, error) {
	adapters := map[string]map[string][]byte{}
	for _, layer := range layers {
		below, err := filesBelow(source, path.Join("testdata/adapters", layer))
		if err != nil {
			return nil, err
		}
		for file, content := range below {
			pkg, name := path.Dir(file), path.Base(file)
			if adapters[pkg] == nil {
				adapters[pkg] = map[string][]byte{}
			}
			if adapters[pkg][name] != nil {
				return nil, fmt.Errorf("%s: two layers have an adapter of this name", file)
			}
			adapters[pkg][name] = content
		}
	}
	return adapters, nil
}

// filesBelow returns the files below a directory, by their path from there.
func filesBelow(source fs.FS, root string) (map[string][]byte, error) {
	found := map[string][]byte{}
	err := fs.WalkDir(source, root, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := fs.ReadFile(source, file)
		found[strings.TrimPrefix(file, root+"/")] = content
		return err
	})
	return found, err
}

// golang runs the go command in the temporary module and returns what it prints.
func (b *built) golang(args ...string) ([]byte, error) {
	command := exec.Command("go", args...)
	command.Dir = b.dir
	out, err := command.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return nil, fmt.Errorf("go %s: %w\n%s%s", strings.Join(args, " "), err, out, failed.Stderr)
	}
	return out, err
}
