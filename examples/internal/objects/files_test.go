package objects_test

import (
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/internal/testkit"
)

const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: app}]}\n"

var kinds = objects.Kinds{{"v1", "Pod"}: reflect.TypeFor[corev1.Pod]()}

func readAll(names []string, kinds objects.Kinds, stdin io.Reader) iter.Seq[objects.Object] {
	return objects.Reader{Kinds: kinds, Stdin: stdin}.Files(names)
}

func readFS(files fs.FS, kinds objects.Kinds) iter.Seq[objects.Object] {
	return objects.Reader{Kinds: kinds}.FS(files)
}

// lines returns the files of objects, and then the problems.
func lines(all iter.Seq[objects.Object]) (found []string) {
	var problems []string
	for o := range all {
		if o.Typed != nil {
			found = append(found, o.Source.File)
		}
		for _, p := range o.Problems {
			problems = append(problems, p.String())
		}
	}
	return append(found, problems...)
}

// A directory may be named through a link.
func TestDirectory(t *testing.T) {
	dir, elsewhere := filepath.Join(t.TempDir(), "link"), t.TempDir()
	symlink(t, t.TempDir(), dir)
	for _, name := range []string{
		"b.yaml", "a.yml", "c/d/e.json", "c/a.YAML", "c/dir.yaml/a.yaml", "c.yaml", "d.txt", "yaml", "f.yaml.orig", "none/a.txt",
		".hidden.yaml", ".git/a.yaml", "c/.git/a.yaml",
	} {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), pod)
	}
	write(t, filepath.Join(dir, "broken.yaml"), "a: [")
	write(t, filepath.Join(dir, "empty.yaml"), "")
	write(t, filepath.Join(dir, "mark.json"), "\uFEFF"+`{"apiVersion": "v1", "kind": "Pod"}`)
	write(t, filepath.Join(dir, "template.yaml"), "a: {{ .a }}\n")
	write(t, filepath.Join(elsewhere, "linked"), pod)
	symlink(t, filepath.Join(elsewhere, "linked"), filepath.Join(dir, "link.yaml"))
	symlink(t, elsewhere, filepath.Join(dir, "c", "link"))
	symlink(t, "nowhere", filepath.Join(dir, "lost.yaml"))
	within := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	want := []string{
		within("a.yml"), within("b.yaml"), within("c/a.YAML"), within("c/d/e.json"), within("c/dir.yaml/a.yaml"), within("c.yaml"), within("link.yaml"), within("mark.json"),
		within("broken.yaml") + ": document 1: invalid YAML: line 1: did not find expected node content",
		within("lost.yaml") + ": no such file or directory",
		within("template.yaml") + ": document 1: looks like a Helm template: render it first, with helm template",
	}
	testkit.NoDiff(t, lines(readAll([]string{dir}, kinds, nil)), want)
}

// The name of a file that is given itself does not matter, nor whether a directory was read before.
func TestNames(t *testing.T) {
	dir := t.TempDir()
	file, values, missing := filepath.Join(dir, ".web.txt"), filepath.Join(dir, "values.txt"), filepath.Join(dir, "missing\x1b.yaml")
	write(t, file, pod)
	write(t, values, "a: 1\n")
	write(t, filepath.Join(dir, "a.yaml"), "# nothing\n")
	got := lines(readAll([]string{"-", file, dir, values, missing}, kinds, strings.NewReader(pod)))
	want := []string{"-", file, values + ": document 1: not a Kubernetes object: it has neither apiVersion nor kind", filepath.Join(dir, `missing\x1b.yaml: no such file or directory`)}
	testkit.NoDiff(t, got, want)
	want = []string{"-: document 1: not a Kubernetes object: it has neither apiVersion nor kind"}
	testkit.NoDiff(t, lines(readAll([]string{dir, "-"}, kinds, strings.NewReader("a: 1\n"))), want, "the standard input")
	testkit.NoDiff(t, lines(readAll([]string{file, file}, kinds, nil)), []string{file, file}, "twice")
	for name, want := range map[string][]string{ // empty: a file, and what a command should have written
		"a.yaml": nil, "/dev/stdin": {"/dev/stdin: cannot read: empty input"}, "/dev/fd/63": {"/dev/fd/63: cannot read: empty input"},
		"/proc/self/fd/63": {"/proc/self/fd/63: cannot read: empty input"}, "/proc/self/a": nil,
	} {
		testkit.NoDiff(t, lines(objects.Reader{Kinds: kinds}.File(name, strings.NewReader(" \n"))), want, name)
	}
}

func TestDirectoryWithoutManifests(t *testing.T) {
	files := fstest.MapFS{"a/README.md": {}, ".hidden.yaml": {Data: []byte(pod)}}
	want := []string{".: no manifests: no file in this directory ends in .yaml, .yml or .json"}
	testkit.NoDiff(t, lines(readFS(files, kinds)), want)
}

// closed is a file system with a directory that cannot be read.
type closed struct{ fstest.MapFS }

func (c closed) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == "a" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return c.MapFS.ReadDir(name)
}

func TestDirectoryThatIsClosed(t *testing.T) {
	files := closed{fstest.MapFS{"a/a.yaml": {Data: []byte(pod)}, "b/a.yaml": {Data: []byte(pod)}}}
	testkit.NoDiff(t, lines(readFS(files, kinds)), []string{"b/a.yaml", "a: permission denied"})
	alone := closed{fstest.MapFS{"a/a.yaml": {}}}
	testkit.NoDiff(t, lines(readFS(alone, kinds)), []string{"a: permission denied"}, "alone")
}

func write(t *testing.T, name, text string) {
	t.Helper()
	testkit.OK(t, os.MkdirAll(filepath.Dir(name), 0o755))
	testkit.OK(t, os.WriteFile(name, []byte(text), 0o644))
}

func symlink(t *testing.T, to, name string) {
	t.Helper()
	testkit.OK(t, os.Symlink(to, name))
}
