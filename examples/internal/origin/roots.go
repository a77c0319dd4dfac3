package origin

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubemath/kubemath/examples/internal/command"
)

// kustomizations are the names that kustomize reads, and chart is that of Helm.
var kustomizations = []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}

const chart = "Chart.yaml"

// kustomization is what one says of other directories and files.
type kustomization struct {
	Kind                                                string
	Resources, Bases, Components, PatchesStrategicMerge []string
	Patches                                             []struct{ Path string }
}

// roots returns what is to be read instead of a directory that is neither a chart nor a kustomization, but has some below
// it: each of these that nothing else is made of, by path, and the manifests outside of all of them. Bases, components and
// the charts of another chart are parts. If there are none below it, it is read as it is.
func roots(dir string) []string {
	var files, found []string
	used := map[string]bool{} // by kustomizations
	charts := map[string]bool{}
	owned := map[string]bool{} // directories of charts and kustomizations
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != dir && strings.HasPrefix(entry.Name(), "."):
			if entry.IsDir() {
				return fs.SkipDir
			}
		case !entry.IsDir():
			files = append(files, name)
		case isRegular(filepath.Join(name, chart)):
			charts[name], owned[name] = true, true
			found = append(found, name)
		default:
			k, is := kustomizationOf(name)
			if !is {
				return nil
			}
			owned[name] = true
			if k.Kind != "Component" {
				found = append(found, name)
			}
			for _, part := range k.parts() {
				used[filepath.Join(name, part)] = true
			}
		}
		return nil
	})
	if err != nil || owned[dir] || len(owned) == 0 {
		return []string{dir}
	}
	top := filepath.Clean(dir) // as in the names of what is below it
	within := func(name string, dirs map[string]bool) bool {
		for above := name; above != top; {
			above = filepath.Dir(above)
			if dirs[above] {
				return true
			}
		}
		return false
	}
	found = slices.DeleteFunc(found, func(name string) bool { return used[name] || within(name, charts) })
	for _, name := range files {
		if slices.Contains([]string{".yaml", ".yml", ".json"}, strings.ToLower(filepath.Ext(name))) && !used[name] && !within(name, owned) {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return found
}

// parts returns the names with the roots of directories in their place, and the charts among these that cannot be
// rendered.
func parts(c *command.Common, names []string) (all, uninstalled []string) {
	for _, name := range names {
		below := []string{name}
		if info, err := os.Stat(name); !c.NoRender && err == nil && info.IsDir() {
			below = roots(name)
		}
		for _, root := range below {
			if root != name && isRegular(filepath.Join(root, chart)) && !isInstalled("helm") {
				uninstalled = append(uninstalled, root)
			} else {
				all = append(all, root)
			}
		}
	}
	return all, uninstalled
}

func isRegular(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// kustomizationOf reads the kustomization of a directory. What cannot be read is left to kustomize.
func kustomizationOf(dir string) (k kustomization, is bool) {
	for _, name := range kustomizations {
		if file := filepath.Join(dir, name); isRegular(file) {
			text, err := os.ReadFile(file)
			if err == nil {
				_ = yaml.Unmarshal(text, &k)
			}
			return k, true
		}
	}
	return k, false
}

// parts returns the paths of the directories and files that a kustomization is made of.
func (k *kustomization) parts() []string {
	all := slices.Concat(k.Resources, k.Bases, k.Components, k.PatchesStrategicMerge)
	for _, p := range k.Patches {
		all = append(all, p.Path)
	}
	return all
}
